"""Views of a session: the newest of what was asked for, and cursors that hold while the session grows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.sessions.session_events import asks, breaks, click, goes, head, says
from testwright.model.errors import InvalidCursor, InvalidErrorId, UsageError
from testwright.model.session import EventKind
from testwright.pipeline.observing.event_listing import START, EventListing, Filter, list_events
from testwright.store.sessions import SessionReader, SessionWriter


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[SessionWriter]:
    with SessionWriter(tmp_path / "cap_20260101T000000_ab12") as opened:
        opened.begin(head(id=opened.id))
        yield opened


@pytest.fixture
def reader(writer: SessionWriter) -> SessionReader:
    return SessionReader(writer.folder)


def seqs(listing: EventListing) -> list[int]:
    return [event.seq for event in listing.events]


def test_each_view_shows_its_own_kinds(writer: SessionWriter, reader: SessionReader) -> None:
    for event in (goes(1), click(2), asks(3), says(4), breaks(5)):
        writer.add(event)

    assert seqs(list_events(reader, "timeline")) == [1, 2, 3, 4, 5]
    assert seqs(list_events(reader, "actions")) == [1, 2]
    assert seqs(list_events(reader, "network")) == [3]
    assert seqs(list_events(reader, "console")) == [4]
    assert seqs(list_events(reader, "errors")) == [5]


def test_a_cursor_goes_on_where_the_last_answer_ended_while_the_session_grows(
    writer: SessionWriter, reader: SessionReader
) -> None:
    writer.add(click(1))
    writer.add(says(3))
    first = list_events(reader, "timeline")
    writer.add(asks(2))  # it began before what was shown, and ended after
    writer.add(says(4))
    writer.add(says(5))
    second = list_events(reader, "timeline", since=first.next, limit=2)
    third = list_events(reader, "timeline", since=second.next, limit=2)

    assert [seqs(first), seqs(second), seqs(third)] == [[1, 3], [2, 4], [5]]
    assert [one.more for one in (first, second, third)] == [False, True, False]
    assert seqs(list_events(reader, "timeline", since=third.next)) == []
    assert list_events(reader, "timeline", since=third.next).next == third.next


def test_a_view_that_shows_nothing_new_still_says_where_to_go_on(writer: SessionWriter, reader: SessionReader) -> None:
    empty = list_events(reader, "errors")
    writer.add(breaks(1))

    assert seqs(list_events(reader, "errors", since=empty.next)) == [1]


def test_one_may_walk_from_the_beginning_and_from_the_end(writer: SessionWriter, reader: SessionReader) -> None:
    for seq in range(1, 8):
        writer.add(says(seq))
    newest = list_events(reader, "console", limit=3)
    older = list_events(reader, "console", before=newest.previous, limit=3)
    oldest = list_events(reader, "console", before=older.previous, limit=3)

    assert [seqs(one) for one in (oldest, older, newest)] == [[1], [2, 3, 4], [5, 6, 7]]
    assert oldest.previous == ""
    assert seqs(list_events(reader, "console", since=START, limit=3)) == [1, 2, 3]


@pytest.mark.parametrize("cursor", ["x", "ab12", "ab12.", "ab12.-1", "../x", "ab12." + "f" * 40, "ab12.1\n", "٣.٣"])
def test_what_no_list_gave_out_is_not_a_cursor(reader: SessionReader, cursor: str) -> None:
    with pytest.raises(InvalidCursor):
        list_events(reader, "timeline", since=cursor)


def test_a_cursor_of_another_session_is_refused(reader: SessionReader) -> None:
    with pytest.raises(InvalidCursor, match="another session"):
        list_events(reader, "timeline", since="ffff.1")


def test_since_and_before_exclude_each_other(reader: SessionReader) -> None:
    with pytest.raises(UsageError):
        list_events(reader, "timeline", since="ab12.1", before="ab12.2")


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        (Filter(kinds=(EventKind.ACTION, EventKind.ERROR)), [2, 7]),
        (Filter(levels=("error", "warning")), [6]),
        (Filter(url="/api/*"), [3, 4]),
        (Filter(url="*/cart*"), [3, 7]),
        (Filter(url="orders"), [4]),
        (Filter(status="404"), [4]),
        (Filter(status="4xx"), [4]),
        (Filter(status="failed"), [5]),
        (Filter(method="post"), [4]),
        (Filter(tab=2), [5]),
        (Filter(error_id="err_1700000000007_0badc0de"), [7]),
        (Filter(status="4xx", method="GET"), []),
    ],
    ids=str,
)
def test_filters_leave_what_was_asked_for(
    writer: SessionWriter, reader: SessionReader, only: Filter, expected: list[int]
) -> None:
    for event in (
        goes(1),
        click(2),
        asks(3, "http://shop.test/api/cart?x=1"),
        asks(4, "http://shop.test/api/orders", method="POST", status=404),
        asks(5, "http://cdn.test/x.png", status=None, failure="net::ERR_FAILED", tab=2),
        says(6, level="error"),
        breaks(7),
    ):
        writer.add(event)

    assert seqs(list_events(reader, "timeline", only=only)) == expected


@pytest.mark.parametrize("status", ["6xx", "4", "abc", "40x", "4xx; rm"])
def test_a_status_that_there_is_not_is_refused(status: str) -> None:
    with pytest.raises(UsageError):
        Filter(status=status)


@pytest.mark.parametrize("error_id", ["err_-1_a1b2c3d4", "err_1706520600000_a1b2c3d4' OR '1'='1", "../err_1_a"])
def test_what_cannot_be_an_error_id_is_refused(error_id: str) -> None:
    with pytest.raises(InvalidErrorId):
        Filter(error_id=error_id)
