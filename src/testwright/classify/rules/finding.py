"""What a rule says."""

from dataclasses import dataclass

from testwright.model.failure import Line
from testwright.model.verdict import Label


@dataclass(frozen=True, slots=True)
class Finding:
    label: Label
    weight: float  # 0 to 1
    symptom: str
    cause: str = ""
    line: Line | None = None
    fix: str = ""  # the key of an advice
    second: Label | None = None  # what it most likely is if it is not this
    is_consequence: bool = False
    is_fallback: bool = False  # counts only where nothing more specific was found
