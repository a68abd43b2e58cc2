"""Old sessions go when there are too many; what is still of use stays."""

from pathlib import Path

from tests.store.sessions.session_events import NOON, head, make_session
from testwright.model.session_baseline import SessionBaseline
from testwright.model.state_folder import sessions_folder
from testwright.store.sessions import SessionWriter, list_sessions, new_session, prune_sessions
from testwright.store.sessions.baseline_files import save_baseline
from testwright.store.sessions.session_paths import make_session_folder


def test_the_newest_stay(tmp_path: Path) -> None:
    ids = [make_session(tmp_path, minutes) for minutes in range(5)]

    assert prune_sessions(tmp_path, keep=2) == [ids[2], ids[1], ids[0]]
    assert [one.id for one in list_sessions(tmp_path)] == [ids[4], ids[3]]


def test_too_many_bytes_are_too_many_sessions(tmp_path: Path) -> None:
    ids = [make_session(tmp_path, minutes) for minutes in range(3)]
    (sessions_folder(tmp_path) / ids[1] / "large").write_bytes(b"x" * 100_000)

    assert prune_sessions(tmp_path, most_bytes=50_000) == [ids[1]]


def test_one_that_is_being_written_stays(tmp_path: Path) -> None:
    with SessionWriter(make_session_folder(tmp_path, now=NOON)) as live:
        live.begin(head())
        make_session(tmp_path, 5)

        assert prune_sessions(tmp_path, keep=1) == []
    assert prune_sessions(tmp_path, keep=1) == [live.id]


def test_one_that_a_baseline_was_made_of_stays(tmp_path: Path) -> None:
    ids = [make_session(tmp_path, minutes) for minutes in range(3)]
    save_baseline(tmp_path, SessionBaseline("good", session=ids[0]))

    assert prune_sessions(tmp_path, keep=1) == [ids[1]]


def test_a_new_session_makes_room_for_itself(tmp_path: Path) -> None:
    ids = [make_session(tmp_path, minutes) for minutes in range(22)]
    with new_session(tmp_path) as writer:
        writer.begin(head(id=writer.id))

    assert [one.id for one in list_sessions(tmp_path)] == [writer.id, *ids[:1:-1]]
