"""Errors with the same fingerprint are one cluster, over one session or several."""

from pathlib import Path

from tests.store.sessions.session_events import breaks, head
from testwright.model.session import PageError
from testwright.pipeline.observing.error_bundle import error_clusters
from testwright.store.sessions import SessionReader, new_session


def recorded(root: Path, started: int, *errors: PageError) -> SessionReader:
    with new_session(root) as writer:
        writer.begin(head(id=writer.id, started=started))
        for error in errors:
            writer.add(error)
        writer.finish(ended=1, gaps=())
    return SessionReader(writer.folder)


def test_the_same_error_is_counted_over_sessions(tmp_path: Path) -> None:
    older = recorded(tmp_path, 1_000, breaks(1, fingerprint="a"), breaks(2, fingerprint="b", message="rare"))
    newer = recorded(tmp_path, 5_000, breaks(3, fingerprint="a"), breaks(4, fingerprint="a"))

    frequent, rare = error_clusters([newer, older])

    assert (frequent.fingerprint, frequent.count, frequent.sessions) == ("a", 3, (newer.id, older.id))
    assert (frequent.first, frequent.last, frequent.sample) == (1_010, 5_040, breaks(4).error_id)
    assert (rare.message, rare.count, rare.sessions) == ("rare", 1, (older.id,))


def test_without_errors_there_are_no_clusters(tmp_path: Path) -> None:
    assert error_clusters([recorded(tmp_path, 1_000)]) == []
