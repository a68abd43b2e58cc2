"""Breaches become broken promises, with places named from the project's root."""

from pathlib import Path

from testwright.generate.broken_promise import broken_promise_from
from testwright.generate.inside.generated_case import Argument, Call, Case, Check, Relation
from testwright.generate.inside.promises.breach import Breach


def _breach(file: str) -> Breach:
    return Breach(
        unit="half",
        symptom="does_not_raise_value_error",
        promise="ValueError: if n is negative",
        promised_at=f"{file}:4",
        where=f"{file}:6",
        case=Case("half", Call("_under_test.half", (Argument(None, "-1"),))),
        expected=(Check("error", "{}", Relation.RAISES, "ValueError"),),
        setup=("items = []",),
        imports=("decimal",),
    )


def test_every_field_arrives() -> None:
    breach = _breach("/project/src/shop/sums.py")

    promise = broken_promise_from(breach.to_json(), Path("/project"))

    assert promise.promised_at == "src/shop/sums.py:4"
    assert promise.where == "src/shop/sums.py:6"
    for name in ("unit", "symptom", "promise", "case", "expected", "setup", "imports"):
        assert getattr(promise, name) == getattr(breach, name)


def test_a_file_elsewhere_keeps_its_whole_path() -> None:
    promise = broken_promise_from(_breach("/elsewhere/sums.py").to_json(), Path("/project"))

    assert promise.where == "/elsewhere/sums.py:6"
