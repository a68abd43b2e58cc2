"""A promise that the code makes about itself and does not keep."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testwright.generate.inside.case_json import case_from_json, checks_from_json
from testwright.generate.inside.generated_case import Case, Check


@dataclass(frozen=True, slots=True)
class BrokenPromise:
    """Something the code's own words say, and an input for which it is not so."""

    unit: str
    """Qualname of what breaks its word: `slugify`, `Basket.total`."""
    symptom: str
    """A few words joined by underscores, for names: `loses_spaces`."""
    promise: str
    """The sentence that is broken, as it is written or as its annotation says it."""
    promised_at: str
    """Where it is written, as `file:line`."""
    where: str
    """Where the code goes wrong, as `file:line`: the suspected cause."""
    case: Case
    """The input that shows it."""
    expected: tuple[Check, ...] = ()
    """What would be seen if the promise held: these fail now and pass once it is mended."""
    property_source: str = ""
    """In place of `expected`: an expression on `_under_test` and `result` that must be true if the promise holds."""
    actual: str = ""
    """What was seen instead, in a line: "raised KeyError: 'x'", "returned -1"."""
    imports: tuple[str, ...] = ()
    """Modules that the expressions name by their full dotted path."""
    parameters: tuple[str, ...] = ()
    """The unit's parameter names, for readable variables."""
    related: tuple[str, ...] = ()
    """Methods and tests that a mender should look at, as qualnames or `file::test`."""
    risk: str = ""
    """Who may be hurt, and how far it reaches."""
    suggestion: str = ""
    """A sketch of a fix."""
    setup: tuple[str, ...] = ()
    """Statements that go before the case, as an example in a docstring has them: `items = _under_test.Bag()`.

    They bind names that the case's expressions may then use; otherwise they use the names that expressions may use.
    """


# --- Broken promises as the explorer tells them, made into what a bug's test and note are written f -----------------


def broken_promise_from(told: dict[str, Any], root: Path) -> BrokenPromise:
    """One breach as it came over the channel; places are named from the project's root where they lie in it."""
    return BrokenPromise(
        unit=told["unit"],
        symptom=told["symptom"],
        promise=told["promise"],
        promised_at=_from_root(told["promised_at"], root),
        where=_from_root(told["where"], root),
        case=case_from_json(told["case"]),
        expected=checks_from_json(told["expected"]),
        property_source=told["property_source"],
        actual=told["actual"],
        imports=tuple(told["imports"]),
        parameters=tuple(told["parameters"]),
        related=tuple(told["related"]),
        risk=told["risk"],
        suggestion=told["suggestion"],
        setup=tuple(told["setup"]),
    )


def _from_root(place: str, root: Path) -> str:
    file, _, line = place.rpartition(":")
    path = Path(file)
    if path.is_relative_to(root):
        path = path.relative_to(root)
    return f"{path.as_posix()}:{line}"
