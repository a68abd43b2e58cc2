"""What a rule says."""

from dataclasses import dataclass

from testwright.model.failure import FailureLine
from testwright.model.verdict import FailureLabel


@dataclass(frozen=True, slots=True)
class RuleFinding:
    label: FailureLabel
    weight: float  # 0 to 1
    symptom: str
    cause: str = ""
    line: FailureLine | None = None
    fix: str = ""  # the key of an advice
    second: FailureLabel | None = None  # what it most likely is if it is not this
    is_consequence: bool = False
    is_fallback: bool = False  # counts only where nothing more specific was found
