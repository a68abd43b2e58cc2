"""`testwright record`, `attach` and `interact` as a person uses them."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.commands import call, call_json
from tests.one_page import serving
from testwright.faces.cli import attach_command, interact_command, record_command
from testwright.model.errors import BrowserUnreachable, InvalidSteps, NoDisplay, NoLiveSession, PilotDisabled
from testwright.model.session import SessionSource
from testwright.store.sessions import list_sessions, open_session

PAGE = b"""<!doctype html><title>Shop</title><label>Name <input></label><label>Password <input type=password></label>
<select><option>S<option>L</select><button onclick="out.textContent = 'loaded'">Load</button>
<a href="#two">On</a><button id=bad onclick="nobody.name">Break</button><p id=out></p>"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(PAGE) as address:
        yield address


def steps_file(folder: Path, *steps: dict[str, Any]) -> Path:
    file = folder / "steps.json"
    file.write_text(json.dumps(steps))
    return file


@pytest.mark.needs_chromium
def test_steps_are_done_and_recorded(
    tmp_path: Path, url: str, chromium: str, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = steps_file(
        tmp_path,
        {"do": "fill", "selector": "role=textbox[name=Name]", "value": "Ann"},
        {"do": "click", "selector": "text=Load"},
        {"do": "wait", "text": "loaded"},
        {"do": "click", "selector": "#bad"},
        {"do": "click", "selector": "text=Nowhere", "timeout": 0.2},
        {"do": "press", "key": "Escape"},
    )

    code = call(
        record_command, url, "--headless", "--steps", steps, "--viewport", "640x480", "--locale", "de-DE",
        "--clock", "2026-12-24T18:00:00+00:00", "--title", "Breaking it", "--project", tmp_path, "--json",
    )  # fmt: skip

    said = capsys.readouterr()
    answer = json.loads(said.out)["data"]
    assert code == 1
    assert "Step 5 of 6 failed" in answer["failed_step"]
    assert answer["counts"]["action"] == 3
    (error,) = answer["errors"]
    assert error["name"] == "ReferenceError"
    assert answer["next"] == f"testwright generate web --from error --error-id {error['error_id']}"
    assert f"recording {answer['session']}; " in said.err
    assert f"error {error['error_id']}  ReferenceError: nobody" in said.err
    session = open_session(tmp_path).session()
    assert session.head.title == "Breaking it"
    assert session.head.surroundings.viewport == (640, 480)
    assert session.head.surroundings.locale == "de-DE"
    assert session.head.started == 1_798_135_200_000


def test_steps_that_make_no_sense_start_no_browser(tmp_path: Path, url: str) -> None:
    with pytest.raises(InvalidSteps):
        call(record_command, url, "--headless", "--steps", steps_file(tmp_path, {"do": "dance"}), "--project", tmp_path)

    assert list_sessions(tmp_path) == []


def test_without_a_screen_the_way_out_is_named(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(NoDisplay) as caught:
        call(record_command, url, "--project", tmp_path)

    assert "--headless" in caught.value.next_step


@pytest.mark.parametrize("wrong", [["--viewport", "wide"], ["--clock", "teatime"], ["--seconds", "0"]])
def test_a_wrong_option_is_refused(url: str, wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call(record_command, url, *wrong)

    assert repr(wrong[1]) in capsys.readouterr().err


def test_attaching_where_no_browser_is_says_how_to_allow_it(tmp_path: Path) -> None:
    with pytest.raises(BrowserUnreachable) as caught:
        call(attach_command, "http://127.0.0.1:9", "--project", tmp_path)

    assert "chrome://inspect/#remote-debugging" in caught.value.next_step
    assert not list((tmp_path / ".testwright" / "sessions").glob("cap_*"))


@pytest.mark.needs_chromium
def test_a_running_browser_is_watched_and_stays_open(
    tmp_path: Path, url: str, chromium: str, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = tmp_path / "profile"
    arguments = ["--headless", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}", url]
    with subprocess.Popen([chromium, *arguments], stderr=subprocess.PIPE, text=True) as browser:
        try:
            assert browser.stderr is not None
            assert any("DevTools listening on" in line for line in browser.stderr)

            answer = call_json(attach_command, capsys, profile, "--seconds", "1", "--project", tmp_path)["data"]

            assert answer["reason"] == "time_up"
            assert browser.poll() is None
        finally:
            browser.terminate()
            browser.communicate(timeout=30)
    assert open_session(tmp_path).head.source is SessionSource.CDP


# --- speaking to a recording -----------------------------------------------------------------------


@contextmanager
def recording(root: Path, url: str) -> "Iterator[subprocess.Popen[str]]":
    """A recording in a process of its own; it has begun, and can be spoken to."""
    program = "import sys; from testwright.faces.cli.main import main; sys.exit(main())"
    arguments = ["record", url, "--headless", "--project", str(root)]
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COVERAGE_PROCESS_START": ""},
    ) as process:
        try:
            assert process.stderr is not None
            assert process.stderr.readline().startswith("recording cap_")
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait(30)


@pytest.mark.needs_chromium
def test_an_agent_drives_the_recorded_browser(
    tmp_path: Path, url: str, chromium: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ("--project", tmp_path)
    monkeypatch.setenv("SHOP_PASSWORD", "opal-kestrel-77")
    with recording(tmp_path, url) as process:
        with pytest.raises(PilotDisabled):
            call(interact_command, "click", "text=Load", *here)
        (tmp_path / "testwright.toml").write_text("pilot = true\n")

        assert call_json(interact_command, capsys, "fill", "role=textbox[name=Name]", "Ann", *here)["ok"]
        call(interact_command, "fill", "input[type=password]", "--from-variable", "SHOP_PASSWORD", *here)
        call(interact_command, "select", "select", "L", *here)
        call(interact_command, "click", "text=Load", *here)
        call(interact_command, "wait", "--text", "loaded", *here)
        call(interact_command, "press", "Enter", "--selector", "text=On", *here)
        call(interact_command, "wait", "--url", "**#two", *here)
        call(interact_command, "navigate", url + "other", *here)
        refused = call_json(interact_command, capsys, "click", "text=Nowhere", "--timeout", "0.2", *here)
        assert (refused["ok"], refused["code"]) == (False, "dom_query_failed")
        assert call(interact_command, "navigate", "file:///etc/passwd", *here) == 1
        assert "[url_not_allowed]" in capsys.readouterr().err

        (tmp_path / "testwright.toml").unlink()
        assert call(interact_command, "stop", *here) == 0
        out, _ = process.communicate(timeout=60)

    assert process.returncode == 0
    assert "Next: testwright generate web --from interaction" in out
    session = open_session(tmp_path).session()
    assert [str(action.type) for action in session.actions] == ["fill", "fill", "select", "click", "press"]
    assert all(action.by_pilot for action in session.actions)
    assert session.navigations[-1].url == url + "other"
    with pytest.raises(NoLiveSession):
        call(interact_command, "stop", *here)
    with pytest.raises(NoLiveSession, match="is over"):
        call(interact_command, "stop", "--session", session.head.id, *here)


@pytest.mark.needs_chromium
def test_an_interrupt_ends_a_recording_and_loses_nothing(tmp_path: Path, url: str, chromium: str) -> None:
    with recording(tmp_path, url) as process:
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)

    assert process.returncode == 0
    assert "Next: testwright observe timeline" in out
    assert open_session(tmp_path).session().ended is not None
