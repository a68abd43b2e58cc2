"""A promise found broken: plain data that travels from the explorer to whoever writes it down."""

from dataclasses import dataclass
from typing import Any

from testwright.generate.inside.case_json import case_as_json, checks_as_json
from testwright.generate.inside.generated_case import Case, Check


@dataclass(frozen=True)
class Breach:
    """The fields mean what those of `BrokenPromise` mean, which our own process makes of it."""

    unit: str
    symptom: str
    promise: str
    promised_at: str
    where: str
    case: Case
    expected: tuple[Check, ...] = ()
    property_source: str = ""
    actual: str = ""
    imports: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    risk: str = ""
    suggestion: str = ""
    setup: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "unit": self.unit,
            "symptom": self.symptom,
            "promise": self.promise,
            "promised_at": self.promised_at,
            "where": self.where,
            "case": case_as_json(self.case),
            "expected": checks_as_json(self.expected),
            "property_source": self.property_source,
            "actual": self.actual,
            "imports": list(self.imports),
            "parameters": list(self.parameters),
            "related": list(self.related),
            "risk": self.risk,
            "suggestion": self.suggestion,
            "setup": list(self.setup),
        }
