"""Sessions are listed with what is in them, the newest first, and found by their id."""

from pathlib import Path

import pytest

from tests.store.sessions.session_events import NOON, make_session
from testwright.model.errors import SessionNotFound, SessionUnreadable
from testwright.model.session import EventKind
from testwright.model.state_folder import sessions_folder
from testwright.store.sessions import list_sessions, new_session, open_session
from testwright.store.sessions.session_paths import make_session_folder


def test_the_newest_stands_first_and_is_what_no_id_means(tmp_path: Path) -> None:
    ids = [make_session(tmp_path, minutes) for minutes in (5, 3, 4)]

    assert [one.id for one in list_sessions(tmp_path)] == [ids[0], ids[2], ids[1]]
    assert open_session(tmp_path).id == ids[0]
    assert open_session(tmp_path, ids[1]).head.title == "number 3"


def test_of_two_in_the_same_second_the_later_one_is_the_newest(tmp_path: Path) -> None:
    ids = [make_session(tmp_path, 0) for _ in range(5)]

    assert [one.id for one in list_sessions(tmp_path)] == ids[::-1]


def test_a_summary_says_what_is_in_it(tmp_path: Path) -> None:
    make_session(tmp_path, 0)
    [one] = list_sessions(tmp_path)

    assert one.counts == {EventKind.ACTION: 1, EventKind.CONSOLE: 2}
    assert (one.url, one.title, one.ended, one.is_live) == ("http://shop.test/", "number 0", 500, False)


def test_an_id_tells_the_moment_and_is_never_given_twice(tmp_path: Path) -> None:
    folders = {make_session_folder(tmp_path, now=NOON).name for _ in range(50)}

    assert len(folders) == 50
    assert all(name.startswith("cap_20260101T120000_") for name in folders)


def test_where_there_is_none_the_way_to_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(SessionNotFound) as caught:
        open_session(tmp_path)

    assert "testwright record URL" in caught.value.next_step
    assert list_sessions(tmp_path) == []


@pytest.mark.parametrize("wanted", ["cap_20260101T120000_ffff", "../..", "/etc", "cap_1_a\n", "x" * 5_000, "cap_\0"])
def test_an_id_that_is_none_of_them_is_refused_and_they_are_named(tmp_path: Path, wanted: str) -> None:
    known = make_session(tmp_path, 0)

    with pytest.raises(SessionNotFound) as caught:
        open_session(tmp_path, wanted)

    assert known in caught.value.message
    assert len(caught.value.message) < 300
    assert "\n" not in caught.value.message


def test_what_has_no_head_is_left_out_unless_it_is_asked_for(tmp_path: Path) -> None:
    known = make_session(tmp_path, 0)
    with new_session(tmp_path) as empty:
        pass

    assert [one.id for one in list_sessions(tmp_path)] == [known]
    assert open_session(tmp_path).id == known
    with pytest.raises(SessionUnreadable):
        open_session(tmp_path, empty.id)


def test_a_link_is_no_session(tmp_path: Path) -> None:
    known = make_session(tmp_path, 0)
    (sessions_folder(tmp_path) / "cap_20270101T000000_ab").symlink_to(sessions_folder(tmp_path) / known)

    assert [one.id for one in list_sessions(tmp_path)] == [known]
