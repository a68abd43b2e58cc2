"""A promise that the code makes about itself and does not keep: plain data, also for the way to our own process."""

from dataclasses import dataclass, fields
from typing import Any

from testwright.generate.inside.generated_case import (
    Case,
    Check,
    case_as_json,
    case_from_json,
    checks_as_json,
    checks_from_json,
)


@dataclass(frozen=True)
class Breach:
    """Something the code's own words say, and an input for which it is not so."""

    unit: str  # qualname of what breaks its word: `slugify`, `Basket.total`
    symptom: str  # a few words joined by underscores, for names: `loses_spaces`
    promise: str  # the sentence that is broken, as it is written or as its annotation says it
    promised_at: str  # where it is written, as `file:line`
    where: str  # where the code goes wrong, as `file:line`: the suspected cause
    case: Case  # the input that shows it
    expected: tuple[Check, ...] = ()
    """What would be seen if the promise held: these fail now and pass once it is mended."""
    property_source: str = ""
    """In place of `expected`: an expression on `_under_test` and `result` that must be true if the promise holds."""
    actual: str = ""  # what was seen instead, in a line: "raised KeyError: 'x'", "returned -1"
    imports: tuple[str, ...] = ()  # modules that the expressions name by their full dotted path
    parameters: tuple[str, ...] = ()  # the unit's parameter names, for readable variables
    related: tuple[str, ...] = ()  # methods and tests that a mender should look at, as qualnames or `file::test`
    risk: str = ""  # who may be hurt, and how far it reaches
    suggestion: str = ""  # a sketch of a fix
    setup: tuple[str, ...] = ()
    """Statements that go before the case, as an example in a docstring has them: `items = _under_test.Bag()`.

    They bind names that the case's expressions may then use; otherwise they use the names that expressions may use.
    """

    def to_json(self) -> dict[str, Any]:
        told = {each.name: getattr(self, each.name) for each in fields(self)}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}
        return {**plain, "case": case_as_json(self.case), "expected": checks_as_json(self.expected)}

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> "Breach":
        plain: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in told.items()
        }
        plain |= {"case": case_from_json(told["case"]), "expected": checks_from_json(told["expected"])}
        return cls(**plain)
