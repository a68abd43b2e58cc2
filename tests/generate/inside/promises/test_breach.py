"""A breach is the same on both sides of the channel, and names its places from the project's root on ours."""

import json
from pathlib import Path

from testwright.generate.engine import named_from_root
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

    assert Breach.from_json(json.loads(json.dumps(breach.to_json()))) == breach


def test_places_in_the_project_are_named_from_its_root() -> None:
    breach = named_from_root(_breach("/project/src/shop/sums.py"), Path("/project"))

    assert breach.promised_at == "src/shop/sums.py:4"
    assert breach.where == "src/shop/sums.py:6"


def test_a_file_elsewhere_keeps_its_whole_path() -> None:
    assert named_from_root(_breach("/elsewhere/sums.py"), Path("/project")).where == "/elsewhere/sums.py:6"
