"""Broken promises as the explorer tells them, made into what a bug's test and note are written from."""

from pathlib import Path
from typing import Any

from testwright.generate.bugs import BrokenPromise
from testwright.generate.inside.wire import case_from_json, checks_from_json


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
