"""What a rule says."""

from dataclasses import dataclass

from testwright.classify.advice import Advice
from testwright.model.failure import FailureLine
from testwright.model.failure_labels import FailureLabel as Label


@dataclass(frozen=True, slots=True)
class RuleFinding:
    label: Label
    weight: float  # 0 to 1
    symptom: str
    cause: str = ""
    line: FailureLine | None = None
    advice: Advice = Advice.LOOK
    second: Label | None = None  # what it most likely is if it is not this
    is_consequence: bool = False
    is_fallback: bool = False  # counts only where nothing more specific was found
