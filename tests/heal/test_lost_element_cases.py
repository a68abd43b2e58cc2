"""Cases of lost elements as JSON, and the command that answers them."""

import json
from typing import Any

import pytest

from testwright.heal.lost_element_cases import answer_case, recorded_page
from testwright.model.errors import MalformedReport


def record(i: int | None, parent: int | None, tag: str, text: str = "", **attrs: str) -> dict[str, Any]:
    return {
        "i": i,
        "parent": parent,
        "tag": tag,
        "attrs": attrs,
        "text": text,
        "own_text": text,
        "label": None,
        "xpath": f"/html[1]/body[1]/{tag}[{i}]",
        "x": 10,
        "y": 20,
        "w": 80,
        "h": 24,
        "visible": True,
        "neighbor": None,
    }


def case(target: dict[str, Any], old: list[dict[str, Any]] | None, new: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "c1", "old": {"target": target, "elements": old}, "new": {"elements": new}}


OLD = [
    record(0, None, "body"),
    record(1, 0, "h1", "Orders"),
    record(2, 0, "button", "Save order", id="save", title="Save it"),
    record(3, 0, "a", "Help", href="/help"),
]


def test_an_element_is_found_again_by_its_number_in_the_record() -> None:
    new = [record(0, None, "body"), record(1, 0, "a", "Help", href="/help"), record(2, 0, "h1", "Orders")]
    new.append(record(3, 0, "button", "Save order", id="b7", title="Save it"))
    answer = answer_case(case(OLD[2], OLD, new)).shape()
    assert (answer["id"], answer["decision"], answer["index"]) == ("c1", "heal", 3)
    assert answer["ranking"][0] == 3
    assert answer["confidence"] > 0.95


def test_an_element_that_is_not_there_is_not_found() -> None:
    new = [record(0, None, "body"), record(1, 0, "h1", "Orders"), record(2, 0, "a", "Help", href="/help")]
    assert answer_case(case(OLD[2], OLD, new)).shape()["decision"] == "abstain"


def test_records_may_come_in_any_order() -> None:
    page = recorded_page([record(0, 1, "p", "Text"), record(1, None, "div"), record(2, 1, "b", "More")])
    assert [each.tag for each in page.page.elements] == ["div", "p", "b"]
    assert page.given_numbers == (1, 0, 2)


@pytest.mark.parametrize(
    "broken",
    [
        {},
        [],
        None,
        {"old": {"target": {}}, "new": {"elements": []}},
        {"old": {"target": record(9, None, "p"), "elements": OLD}, "new": {"elements": OLD}},
        case(OLD[2], OLD, [record(0, 1, "p"), record(1, 0, "p")]),
        case(OLD[2], OLD, [record(5, None, "p")]),
        case(OLD[2], OLD, [record(0, 7, "p")]),
        case(OLD[2], OLD, [{**OLD[0], "attrs": 7}]),
        case(OLD[2], OLD, [{**OLD[0], "w": "wide"}]),
    ],
    ids=["empty", "list", "null", "no target", "unknown target", "circle", "misnumbered", "no parent", "attrs", "box"],
)
def test_what_is_no_case_is_refused(broken: Any) -> None:
    with pytest.raises(MalformedReport):
        answer_case(json.loads(json.dumps(broken)))
