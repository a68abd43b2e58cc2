"""`testwright import` for browser sessions; results are tested in test_other_commands."""

import json
from pathlib import Path

from tests.conftest import CommandLine

ENTRY = {
    "request": {"url": "http://a.test/", "headers": [{"name": "Authorization", "value": "Bearer abcdefghijklmnop"}]}
}
HAR = {"log": {"entries": [ENTRY]}}
FLOW = {"title": "Pay", "steps": [{"type": "click", "selectors": [["#pay"]]}]}
JUNIT = '<testsuite name="s"><testcase classname="a" name="b"/></testsuite>'


def test_sessions_and_results_are_told_apart_and_a_bad_file_keeps_nothing_out(
    testwright: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "net.json").write_text(json.dumps(HAR))
    (tmp_path / "flow.json").write_text(json.dumps(FLOW))
    (tmp_path / "trace.zip").write_bytes(b"")
    (tmp_path / "junit.xml").write_text(JUNIT)

    said = testwright("import", "net.json", "trace.zip", "flow.json", "junit.xml")

    assert said.code == 2
    assert "net.json: session cap_" in said.out
    assert "(har): 1 × request" in said.out
    assert "    actions: a HAR file does not say what the user did" in said.out
    assert "flow.json: session cap_" in said.out
    assert "  Next: testwright generate web --from interaction --session cap_" in said.out
    assert "junit.xml: run" in said.out
    assert "trace.zip: The archive cannot be read" in said.err
    assert "[archive_invalid]" in said.err
    assert "abcdefghijklmnop" not in "".join(
        path.read_text(errors="replace") for path in (tmp_path / ".testwright" / "sessions").rglob("*.json*")
    )


def test_the_answer_for_machines_names_the_session_and_its_gaps(testwright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "flow.json").write_text(json.dumps(FLOW))

    said = testwright("import", "flow.json", "--json")

    (session,) = said.json["sessions"]
    assert said.code == 0
    assert (session["source"], session["counts"]) == ("recorder", {"action": 1})
    assert session["session"] in session["next_step"]
    assert any(gap.startswith("requests") for gap in session["gaps"])
    assert said.json["imported"] == said.json["errors"] == []
    assert not (tmp_path / ".testwright" / "testwright.db").exists()


def test_a_format_can_be_named_and_an_unknown_one_is_answered_with_all_there_are(
    testwright: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "flow.json").write_text(json.dumps(FLOW))

    as_har = testwright("import", "--format", "har", "flow.json")
    unknown = testwright("import", "--format", "video", "flow.json")

    assert "[malformed_session]" in as_har.err
    assert "[usage]" in unknown.err
    assert "junit" in unknown.err
    assert "devtools-recorder" in unknown.err
    assert not (tmp_path / ".testwright" / "sessions").exists()
