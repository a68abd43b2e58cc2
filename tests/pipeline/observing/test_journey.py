"""A recording becomes a session of the project: masked, whole, and gone where there was nothing to record."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.one_page import serving
from testwright.model.errors import PageUnreachable, UrlNotAllowed
from testwright.model.session import ActionType, AnySessionEvent, ConsoleLine, SessionId
from testwright.model.state_folder import SESSION_LIVE
from testwright.observe.recording.record_options import EndReason, RecordOptions
from testwright.pipeline.observing.journey import RecordedSession, record_session
from testwright.settings import Settings
from testwright.store.sessions import list_sessions, open_session

pytestmark = pytest.mark.needs_chromium

PAGE = b"""<!doctype html><title>Shop</title>
<label>Name <input id=name></label> <label>Password <input type=password></label>
<button data-cy=load onclick="fetch('/beacon'); load()">Load</button><p id=out></p>
<script>
console.log('typed opal-kestrel-77 early');
const load = async () => {
  await fetch('/api/profile?name=' + document.getElementById('name').value);
  document.getElementById('out').textContent = 'loaded';
  setTimeout(() => { throw new TypeError('no profile'); });
};
</script>"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(PAGE) as address:
        yield address


@dataclass
class Seen:
    """A recording, and what was noticed while it went on."""

    root: Path
    recorded: RecordedSession
    heard: list[AnySessionEvent]
    begun: list[SessionId]
    while_live: list[tuple[int, bool]]  # the rights of the file that tells how to speak to it, and whether it goes on


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory, url: str) -> Seen:
    root = tmp_path_factory.mktemp("shop")
    heard: list[AnySessionEvent] = []
    begun: list[SessionId] = []
    while_live: list[tuple[int, bool]] = []

    async def buy(page: Page) -> None:
        (file,) = (root / ".testwright" / "sessions").glob(f"cap_*/{SESSION_LIVE}")
        while_live.append((file.stat().st_mode & 0o777, list_sessions(root)[0].is_live))
        await page.get_by_label("Name").fill("Ann")
        await page.get_by_label("Password").fill("opal-kestrel-77")
        await page.get_by_role("button").click()
        await page.get_by_text("loaded").wait_for()

    recorded = record_session(
        root,
        Settings(test_id_attribute="data-cy", noise_requests=("*/beacon",), secret_variables=("SHOP_LOGIN",)),
        url,
        RecordOptions(headless=True, title="as early bird"),
        drive=buy,
        listen=heard.append,
        begun=begun.append,
        control=True,
        env={**os.environ, "SHOP_LOGIN": "early bird"},
    )
    return Seen(root, recorded, heard, begun, while_live)


def test_what_a_script_does_becomes_a_session(seen: Seen) -> None:
    session = open_session(seen.root).session()

    assert seen.recorded.ended.reason is EndReason.DRIVEN
    assert seen.begun == [seen.recorded.session] == [session.head.id]
    assert seen.recorded.summary.startswith(f"Session {session.head.id}: ")
    assert "3 actions" in seen.recorded.summary
    assert "1 error." in seen.recorded.summary
    assert session.ended == seen.recorded.ended.ended
    assert [action.type for action in session.actions] == [ActionType.FILL, ActionType.FILL, ActionType.CLICK]
    assert [error.message for error in session.errors] == ["no profile"]
    assert sorted(event.seq for event in seen.heard) == sorted(event.seq for event in session.events)


def test_the_settings_of_the_project_hold(seen: Seen) -> None:
    session = open_session(seen.root).session()

    assert session.actions[-1].target.candidates[0].by == "testid"
    assert not any(request.url.endswith("/beacon") for request in session.requests)
    assert any("left out as noise" in gap for gap in session.gaps)
    assert session.head.title == "as [REDACTED]"


def test_a_secret_that_was_written_before_it_was_known_is_masked_in_the_end(seen: Seen) -> None:
    for file in (seen.root / ".testwright").rglob("*"):
        assert not file.is_file() or b"opal-kestrel-77" not in file.read_bytes()
    lines = [event.text for event in open_session(seen.root).session().events if isinstance(event, ConsoleLine)]
    assert "typed [REDACTED] early" in lines


def test_how_to_speak_to_a_recording_is_known_only_while_it_goes_on(seen: Seen) -> None:
    assert seen.while_live == [(0o600, True)]
    assert not list((seen.root / ".testwright" / "sessions").glob(f"cap_*/{SESSION_LIVE}"))
    assert not list_sessions(seen.root)[0].is_live


def test_a_script_that_fails_leaves_its_session_whole(tmp_path: Path, url: str) -> None:
    async def fails(page: Page) -> None:
        await page.get_by_label("Name").fill("Ann")
        raise LookupError("no lamp")

    with pytest.raises(LookupError, match="no lamp"):
        record_session(tmp_path, Settings(), url, RecordOptions(headless=True), drive=fails)

    session = open_session(tmp_path).session()
    assert session.ended is not None
    assert [action.value for action in session.actions] == ["Ann"]


@pytest.mark.parametrize(
    ("address", "error"), [("http://127.0.0.1:9/", PageUnreachable), ("file:///etc/passwd", UrlNotAllowed)]
)
def test_an_address_that_cannot_be_opened_leaves_nothing(tmp_path: Path, address: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        record_session(tmp_path, Settings(), address, RecordOptions(headless=True))

    assert list_sessions(tmp_path) == []
    assert not list((tmp_path / ".testwright" / "sessions").glob("cap_*"))
