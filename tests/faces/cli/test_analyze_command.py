"""`testwright analyze`: hold a session against a baseline, and count errors that are the same."""

from pathlib import Path

from tests.conftest import CommandLine
from tests.store.sessions.session_events import asks, breaks, goes, head, page
from testwright.model.session import AnySessionEvent, MessageBody
from testwright.store.sessions import new_session


def record(root: Path, *events: AnySessionEvent, button: str = "Save") -> str:
    with new_session(root) as writer:
        writer.begin(head(id=writer.id))
        for event in (goes(1), *events):
            writer.add(event)
        writer.finish(ended=9, gaps=(), last_page=writer.keep_page(9, page(button)))
    return writer.id


def items(text: str) -> AnySessionEvent:
    return asks(2, received=MessageBody(text, "application/json", len(text)))


def test_a_session_that_got_worse_is_told_with_exit_code_1(testwright: CommandLine, tmp_path: Path) -> None:
    good = record(tmp_path, items('{"items":[{"id":1}]}'))
    saved = testwright("analyze", "baseline", "save", "shop", "--json")
    same = testwright("analyze", "baseline", "compare", "shop")
    bad = record(tmp_path, items('{"items":null}'), breaks(3), button="Store")
    worse = testwright("analyze", "baseline", "compare", "shop", "--json")
    shown = testwright("analyze", "baseline", "compare", "shop")

    assert saved.json["summary"] == f"Baseline shop of {good}: 1 page(s), 1 kind(s) of request, 0 error(s)"
    assert (same.code, same.out) == (0, "No difference from shop.\n")
    assert worse.code == 1
    assert (worse.json["data"]["baseline_session"], worse.json["data"]["session"]) == (good, bad)
    assert [(one["kind"], one["severity"]) for one in worse.json["data"]["differences"]] == [
        ("new_error", "regression"),
        ("element_missing", "regression"),
        ("type_changed", "regression"),
        ("element_added", "info"),
    ]
    assert "3 regression(s) and 1 other difference(s) from shop." in shown.out
    assert testwright("analyze", "baseline", "compare", "shop", "--session", good).code == 0


def test_baselines_are_listed_and_removed(testwright: CommandLine, tmp_path: Path) -> None:
    record(tmp_path)
    testwright("analyze", "baseline", "save", "shop")

    assert "shop" in testwright("analyze", "baseline", "list").out
    assert testwright("analyze", "baseline", "remove", "shop").code == 0
    assert testwright("analyze", "baseline", "list", "--json").json["data"] == {"baselines": []}


def test_a_baseline_that_there_is_not_is_said_clearly(testwright: CommandLine, tmp_path: Path) -> None:
    record(tmp_path)
    for verb in ("compare", "remove"):
        said = testwright("analyze", "baseline", verb, "nothing", "--json")
        assert (said.code, said.json["error"]["code"]) == (2, "baseline_not_found")
    assert testwright("analyze", "baseline", "save", "../x", "--json").json["error"]["code"] == "usage"


def test_errors_that_are_the_same_are_counted_over_all_sessions(testwright: CommandLine, tmp_path: Path) -> None:
    record(tmp_path, breaks(2), breaks(3, fingerprint="other"))
    newest = record(tmp_path, breaks(2), breaks(3))
    everywhere = testwright("analyze", "clusters", "--json").json
    here = testwright("analyze", "clusters", "--session", newest, "--json").json["data"]["clusters"]

    assert everywhere["summary"] == "4 error(s) of 2 kind(s) in 2 session(s)"
    assert [(one["count"], len(one["sessions"])) for one in everywhere["data"]["clusters"]] == [(3, 2), (1, 1)]
    assert [(one["count"], one["sample"]) for one in here] == [(2, breaks(3).error_id)]
    assert "x is not a function" in testwright("analyze", "clusters").out


def test_without_a_session_the_way_to_one_is_told(testwright: CommandLine) -> None:
    for arguments in (("clusters",), ("baseline", "save", "shop")):
        said = testwright("analyze", *arguments)
        assert said.code == 2
        assert "testwright record URL" in said.err
