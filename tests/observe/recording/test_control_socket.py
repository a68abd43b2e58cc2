"""While it is recorded a browser takes commands on a private socket, one at a time, and says what became of them."""

import json
import socket
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.observe.recording.recordings import Kept
from tests.observe.recording.watching import Answer, serving
from testwright.masking.masker import Masker
from testwright.model.errors import NoLiveSession, UsageError
from testwright.model.session import ActionType, Navigation, NavigationCause
from testwright.observe.recording.control_socket import MOST_BYTES, send_command
from testwright.observe.recording.recorder import EndReason, RecordingEnd, RecordOptions, record

PAGES = {
    "/": Answer(
        b"""<label>Name <input></label><label>Colour <select><option>Red<option>Green</select></label>
        <button onclick="document.body.append('Saved')">Save</button><i>a</i><i>b</i>"""
    ),
    "/two": Answer(b"<p>Second</p>"),
}
Ask = Callable[..., dict[str, Any]]


def piloted(chromium: str, use: Callable[[dict[str, object], str], None]) -> tuple[Kept, RecordingEnd]:
    """Record, and meanwhile let `use` speak to the recorder from another thread, as another process would."""
    kept, lives, failures = Kept(), threading.Event(), []
    live: dict[str, object] = {}

    def tell(info: dict[str, object]) -> None:
        live.update(info)
        lives.set()

    with serving(PAGES) as web:

        def speak() -> None:
            lives.wait(60)
            try:
                use(live, web.url)
            except BaseException as error:  # noqa: BLE001 - told by the test itself
                failures.append(error)
            send_command(live, {"do": "stop"})

        thread = threading.Thread(target=speak)
        thread.start()
        options = RecordOptions(headless=True, chromium=Path(chromium), seconds=120)
        ended = record(f"{web.url}/", kept, Masker(), options, control=True, on_live=tell)
        thread.join()
    assert not failures, failures
    return kept, ended


@pytest.mark.needs_chromium
def test_commands_are_done_and_recorded_as_the_pilots(chromium: str) -> None:
    answers: list[dict[str, Any]] = []

    def use(live: dict[str, object], url: str) -> None:
        commands: list[dict[str, Any]] = [
            {"do": "fill", "selector": "internal:label=Name", "value": "Ann"},
            {"do": "select", "selector": "select", "values": ["Green"]},
            {"do": "click", "selector": "text=Save"},
            {"do": "wait", "text": "Saved"},
            {"do": "press", "key": "Escape"},
            {"do": "navigate", "url": f"{url}/two"},
            {"do": "wait", "selector": "p"},
            {"do": "wait", "url": "**/two"},
            {"do": "wait"},
        ]
        answers.extend(send_command(live, command) for command in commands)

    kept, ended = piloted(chromium, use)

    assert [answer["ok"] for answer in answers] == [True] * len(answers), answers
    assert answers[-1]["url"].endswith("/two")
    assert [(one.type, one.value or one.values) for one in kept.actions] == [
        (ActionType.FILL, "Ann"),
        (ActionType.SELECT, ("Green",)),
        (ActionType.CLICK, ()),
        (ActionType.PRESS, "Escape"),
    ]
    assert all(action.by_pilot for action in kept.actions)
    assert kept.all(Navigation)[-1].cause is NavigationCause.GOTO
    assert ended.reason is EndReason.STOPPED


@pytest.mark.needs_chromium
def test_what_cannot_be_done_is_answered_with_a_code(chromium: str) -> None:
    answers: dict[str, dict[str, Any]] = {}
    seen: dict[str, int] = {}

    def use(live: dict[str, object], url: str) -> None:
        path = Path(str(live["socket"]))
        seen["socket"], seen["folder"] = stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)
        commands: dict[str, dict[str, Any]] = {
            "no command": {"do": "fly"},
            "no selector": {"do": "click"},
            "bad selector": {"do": "click", "selector": "div[["},
            "missing": {"do": "click", "selector": "#none", "timeout": 0.2},
            "several": {"do": "click", "selector": "i"},
            "bad address": {"do": "navigate", "url": "file:///etc/passwd"},
            "bad timeout": {"do": "wait", "timeout": -1},
            "no field": {"do": "fill", "selector": "button", "value": "hush"},
        }
        answers.update((name, send_command(live, command)) for name, command in commands.items())
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(30)
            connection.connect(str(path))
            with connection.makefile("rb") as said:
                for name, line in {"no json": b"{", "no object": b"[1]", "huge": b"x" * (MOST_BYTES + 10)}.items():
                    connection.sendall(line + b"\n")
                    answers[name] = json.loads(said.readline())
                connection.sendall(b'{"do": "wait"}\n')
                answers["still there"] = json.loads(said.readline())

    piloted(chromium, use)

    assert {name: answer.get("code") for name, answer in answers.items()} == {
        "no command": "usage",
        "no selector": "usage",
        "bad selector": "selector_not_parseable",
        "missing": "dom_query_failed",
        "several": "dom_query_failed",
        "bad address": "url_not_allowed",
        "bad timeout": "usage",
        "no field": "pilot_failed",
        "no json": "usage",
        "no object": "usage",
        "huge": "usage",
        "still there": None,
    }
    assert all(answer.get("next_step") for answer in answers.values() if not answer["ok"])
    assert "hush" not in str(answers["no field"])
    assert seen == {"socket": 0o600, "folder": 0o700}


@pytest.mark.needs_chromium
def test_after_the_end_nobody_answers_and_nothing_is_left(chromium: str) -> None:
    lives: list[dict[str, object]] = []

    piloted(chromium, lambda live, _url: lives.append(dict(live)))

    assert not Path(str(lives[0]["socket"])).parent.exists()
    with pytest.raises(NoLiveSession):
        send_command(lives[0], {"do": "wait"})


def test_a_command_that_is_too_long_is_not_sent(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="longer than 1 MiB"):
        send_command({"socket": str(tmp_path / "none")}, {"do": "fill", "value": "x" * MOST_BYTES})
