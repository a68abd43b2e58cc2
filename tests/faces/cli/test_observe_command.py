"""`testwright observe`: what a session saw, for people and for programs."""

from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.store.sessions.session_events import asks, breaks, click, goes, head, page, says
from testwright.model.session import ErrorId, MessageBody, ScriptFrame, Secret, SourceSpot
from testwright.store.sessions import new_session

ERROR = ErrorId("err_1700000000050_0badc0de")


@pytest.fixture
def session(tmp_path: Path) -> str:
    """A session that has a bit of everything."""
    with new_session(tmp_path) as writer:
        writer.begin(head(id=writer.id, title="A broken cart"))
        writer.add(goes(1, status=200))
        writer.add(click(2, page=writer.keep_page(2, page("Save")), value=Secret("PASSWORD", "input")))
        writer.add(asks(3, after=2, ended=40, received=MessageBody("x" * 3_000, "text/plain", 3_000)))
        writer.add(says(4, "bad \x1b[31mcolours\x1b[0m \u202e", level="error"))
        stack = (ScriptFrame("a", "http://shop.test/app.js", 1, 900, SourceSpot("src/cart.ts", 12, 3, "total")),)
        writer.add(breaks(5, after=2, error_id=ERROR, stack=stack, page=writer.keep_page(5, page("Retry"))))
        writer.finish(ended=1_000, gaps=("no sockets",), last_page=writer.keep_page(6, page("Pay", "Cancel")))
    return writer.id


def test_a_program_gets_a_summary_and_the_events(testwright: CommandLine, session: str) -> None:
    said = testwright("observe", "timeline", "--json").json

    assert said["summary"] == f"5 event(s) of {session}"
    assert [row["what"] for row in said["data"]["events"][:3]] == [
        "page http://shop.test/ 200",
        'click button "Save" = [REDACTED] (PASSWORD)',
        "GET shop.test/api/cart 200 in 10 ms",
    ]
    assert said["data"]["more"] is False
    assert said["data"]["previous"] is None


def test_a_program_goes_on_from_where_it_was(testwright: CommandLine, session: str) -> None:
    first = testwright("observe", "timeline", "--since", "start", "--limit", 3, "--json").json["data"]
    second = testwright("observe", "timeline", "--since", first["next"], "--json").json["data"]

    assert ([row["seq"] for row in first["events"]], first["more"]) == ([1, 2, 3], True)
    assert ([row["seq"] for row in second["events"]], second["more"]) == ([4, 5], False)


def test_long_bodies_are_shown_only_when_asked_for(testwright: CommandLine, session: str) -> None:
    [brief] = testwright("observe", "network", "--json").json["data"]["network"]
    [full] = testwright("observe", "network", "--full", "--json").json["data"]["network"]

    assert brief["received"] == {"mime": "text/plain", "size": 3_000, "note": "long: --full shows it"}
    assert full["received"]["text"] == "x" * 3_000


def test_rows_have_no_empty_fields(testwright: CommandLine, session: str) -> None:
    actions = testwright("observe", "actions", "--json").json["data"]["actions"]

    assert actions[1] == {
        "seq": 2,
        "t": 20,
        "kind": "action",
        "tab": 1,
        "type": "click",
        "target": {
            "candidates": [{"by": "role", "selector": 'internal:role=button[name="Save"i]', "count": 1}],
            "tag": "button",
            "role": "button",
            "name": "Save",
        },
        "value": {"name": "PASSWORD", "why": "input"},
        "page": "page-2",
    }


def test_people_get_tables_in_which_a_strangers_text_forges_nothing(testwright: CommandLine, session: str) -> None:
    errors = testwright("observe", "errors")
    console = testwright("observe", "console", "--level", "error")

    assert "0:00.050" in errors.out
    assert ERROR in errors.out
    assert "total (src/cart.ts:12:3)" in errors.out
    assert "\x1b" not in console.out
    assert "\\u{202e}" in console.out


def test_a_bundle_has_the_error_and_all_that_belongs_to_it(testwright: CommandLine, session: str) -> None:
    said = testwright("observe", "errors", "--bundle", "--json").json
    shown = testwright("observe", "bundle", "--error-id", ERROR)

    assert said["summary"] == f"{ERROR}: TypeError: x is not a function"
    assert said["data"]["cause"] == 2
    assert [row["seq"] for row in said["data"]["actions"]] == [2]
    assert [row["seq"] for row in said["data"]["requests"]] == [3]
    assert said["data"]["page"] == '- button "Retry"'
    assert '> 0:00.020      2  click button "Save"' in shown.out
    assert "not seen: no sockets" in shown.out


def test_pages_are_told_in_words(testwright: CommandLine, session: str) -> None:
    assert testwright("observe", "dom").out.splitlines() == [
        "Shop  http://shop.test/",
        '- button "Pay"',
        '- button "Cancel"',
    ]
    assert testwright("observe", "dom", "--at", 2, "--json").json["data"]["aria"] == '- button "Save"'
    assert testwright("observe", "dom", "--error-id", ERROR, "--json").json["data"]["aria"] == '- button "Retry"'


def test_sessions_are_listed(testwright: CommandLine, session: str) -> None:
    [one] = testwright("observe", "sessions", "--json").json["data"]["sessions"]

    assert (one["id"], one["title"], one["ended"]) == (session, "A broken cart", 1_000)
    assert one["counts"] == {"navigation": 1, "action": 1, "request": 1, "console": 1, "error": 1}
    assert session in testwright("observe", "sessions").out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("timeline", "--session", "cap_20260101T000000_ff"), "session_not_found"),
        (("timeline", "--session", "../../etc"), "session_not_found"),
        (("timeline", "--since", "nonsense"), "invalid_cursor"),
        (("network", "--status", "abc"), "usage"),
        (("bundle", "--error-id", "err_1706520600000_a1b2c3d4"), "no_error_context"),
        (("errors", "--error-id", "err_1706520600000_a1b2c3d4"), "no_error_context"),
        (("errors", "--error-id", "err_-1_a1b2c3d4"), "invalid_error_id"),
        (("bundle", "--error-id", "err_1706520600000_a1b2c3d4' OR '1'='1"), "invalid_error_id"),
        (("dom", "--error-id", "../err_1706520600000_a1b2c3d4"), "invalid_error_id"),
        (("dom", "--at", "77"), "not_found"),
    ],
    ids=str,
)
def test_what_cannot_be_shown_is_said_clearly(
    testwright: CommandLine, session: str, arguments: tuple[str, ...], code: str
) -> None:
    said = testwright("observe", *arguments, "--json")

    assert said.code == 2
    assert said.json["error"]["code"] == code
    assert said.json["error"]["next_step"]
    assert "Traceback" not in said.err


def test_without_a_session_the_way_to_one_is_told(testwright: CommandLine) -> None:
    said = testwright("observe", "errors")

    assert (said.code, said.out) == (2, "")
    assert "testwright record URL" in said.err
    assert "testwright record URL" in testwright("observe", "sessions").out
