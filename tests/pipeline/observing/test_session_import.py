"""Sessions of other tools, kept with our own."""

import json
from pathlib import Path
from typing import Any

import pytest

from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import MalformedSession
from testwright.model.session import Action, EventKind, HttpRequest
from testwright.model.state_folder import sessions_folder
from testwright.observe.importers import session_file
from testwright.observe.importers.session_timeline import SessionContent
from testwright.pipeline.observing.session_import import import_session
from testwright.settings import Settings
from testwright.store.sessions import list_sessions, open_session

TOKEN, FROM_ENV = "q8Zt-44Lx-0pWm-19Vb", "v3ry-H1dden-Thing-22"
LONG = json.dumps({"rows": ["tea and coffee"] * 2000})


def har(tmp_path: Path) -> Path:
    def entry(url: str, text: str, second: int, **request: Any) -> dict[str, Any]:
        return {
            "startedDateTime": f"2026-03-01T10:00:0{second}Z",
            "_resourceType": "fetch",
            "request": {"method": "POST", "url": url, **request},
            "response": {"status": 200, "content": {"mimeType": "application/json", "text": text}},
        }

    headers = [{"name": "Authorization", "value": f"Bearer {TOKEN}"}]
    entries = [
        entry("http://a.test/early", json.dumps({"note": f"before anybody knew {TOKEN}"}), 1),
        entry("http://a.test/late", json.dumps({"hello": FROM_ENV}), 2, headers=headers),
        entry("http://a.test/long", LONG, 3),
    ]
    path = tmp_path / "session.har"
    path.write_text(json.dumps({"log": {"entries": entries}}))
    return path


def recording(tmp_path: Path) -> Path:
    steps = [
        {"type": "navigate", "url": "http://a.test/"},
        {"type": "click", "selectors": [["#pay"]]},
    ]
    path = tmp_path / "flow.json"
    path.write_text(json.dumps({"title": "Pay", "steps": steps}))
    return path


def test_a_session_is_kept_masked_with_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"API_SECRET={FROM_ENV}\n")

    told = import_session(tmp_path, Settings(), har(tmp_path), env={})

    session = open_session(tmp_path, told.session).session()
    assert [summary.id for summary in list_sessions(tmp_path)] == [told.session]
    assert told.counts == {EventKind.REQUEST: 3}
    assert session.head.id == told.session
    assert session.gaps == session.head.gaps == told.gaps
    assert any(gap.startswith("actions") for gap in told.gaps)
    assert session.ended is not None
    written = b"".join(path.read_bytes() for path in sessions_folder(tmp_path).rglob("*") if path.is_file())
    assert TOKEN.encode() not in written
    assert FROM_ENV.encode() not in written
    assert b"before anybody knew" in written


def test_long_bodies_are_kept_apart(tmp_path: Path) -> None:
    told = import_session(tmp_path, Settings(), har(tmp_path), env={})

    reader = open_session(tmp_path, told.session)
    last = reader.session().requests[-1]
    assert last.received is not None
    assert last.received.text is None
    assert last.received.note == ""
    assert reader.text(last.received.blob) == LONG


def test_the_next_step_depends_on_what_is_there(tmp_path: Path) -> None:
    network = import_session(tmp_path, Settings(), har(tmp_path), env={})
    actions = import_session(tmp_path, Settings(), recording(tmp_path), env={})

    assert network.next_step == f"testwright observe network --session {network.session}"
    assert actions.next_step == f"testwright generate web --from interaction --session {actions.session}"


def test_noise_rules_of_the_project_hold(tmp_path: Path) -> None:
    told = import_session(tmp_path, Settings(noise_requests=("*/late",)), har(tmp_path), env={})

    urls = [one.url for one in open_session(tmp_path, told.session).session().events if isinstance(one, HttpRequest)]
    assert urls == ["http://a.test/early", "http://a.test/long"]


def test_nothing_is_written_when_the_file_makes_no_sense(tmp_path: Path) -> None:
    (tmp_path / "torn.har").write_text('{"log": {"entries": [')

    with pytest.raises(MalformedSession):
        import_session(tmp_path, Settings(), tmp_path / "torn.har", env={})

    assert not (tmp_path / ".testwright").exists()


def a_page() -> DomSnapshot:
    return DomSnapshot((Element(0, None, "p", {"data-token": TOKEN}, text=f"Your key: {TOKEN}"),), url="http://a.test/")


@pytest.mark.parametrize("is_torn", [False, True])
def test_pages_are_masked_and_what_fails_half_way_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_torn: bool
) -> None:
    def page() -> DomSnapshot | None:
        if is_torn:
            raise ValueError("a page that cannot be made")
        return a_page()

    real = session_file.read_session

    def with_pages(*arguments: Any) -> SessionContent:
        found = real(*arguments)
        number = next(event.seq for event in found.events if isinstance(event, Action))
        return SessionContent(found.head, found.events, {number: page}, last_page=page)

    monkeypatch.setattr("testwright.pipeline.observing.session_import.read_session", with_pages)
    if is_torn:
        with pytest.raises(ValueError, match="cannot be made"):
            import_session(tmp_path, Settings(), recording(tmp_path), env={})
        assert not list_sessions(tmp_path)
        return
    told = import_session(tmp_path, Settings(), recording(tmp_path), env={})
    reader = open_session(tmp_path, told.session)
    session = reader.session()
    for name in (session.actions[0].page, session.last_page):
        kept = reader.page(name)
        assert kept is not None
        assert TOKEN not in repr(kept)
        assert "Your key" in repr(kept)
