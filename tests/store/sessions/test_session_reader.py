"""A reader sees as much of a session as it asks for, in pages that fit together while the session grows."""

import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.sessions.session_events import asks, breaks, click, head, says
from testwright.model.session import EventKind
from testwright.store.sessions import SessionWriter, open_session
from testwright.store.sessions.event_lines import newest_first, oldest_first
from testwright.store.sessions.session_paths import logs_in


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[SessionWriter]:
    with SessionWriter(tmp_path / ".testwright" / "sessions" / "cap_20260101T000000_ab") as opened:
        opened.begin(head(id=opened.id))
        yield opened


def test_the_newest_come_first_to_hand_and_in_their_order(writer: SessionWriter, tmp_path: Path) -> None:
    for seq in range(1, 30):
        writer.add(click(seq) if seq % 2 else says(seq))
    page = open_session(tmp_path).latest(5)

    assert [event.seq for event in page.events] == [25, 26, 27, 28, 29]
    assert (page.newest, page.oldest, page.has_older, page.has_newer) == (29, 25, True, False)


def test_pages_backwards_fit_together(writer: SessionWriter, tmp_path: Path) -> None:
    for seq in range(1, 13):
        writer.add(click(seq) if seq % 2 else says(seq))
    reader = open_session(tmp_path)

    newest = reader.latest(5)
    middle = reader.latest(5, before=newest.oldest)
    oldest = reader.latest(5, before=middle.oldest)

    assert [event.seq for page in (oldest, middle, newest) for event in page.events] == list(range(1, 13))
    assert [page.has_older for page in (oldest, middle, newest)] == [False, True, True]


def test_a_request_that_ends_late_is_among_what_came_after(writer: SessionWriter, tmp_path: Path) -> None:
    reader = open_session(tmp_path)
    writer.add(click(1))
    writer.add(says(3))
    first = reader.latest(10)
    writer.add(asks(2))
    writer.add(says(4))

    second = reader.after(first.newest, 10)

    assert [event.seq for event in first.events] == [1, 3]
    assert [event.seq for event in second.events] == [2, 4]
    assert reader.after(second.newest, 10).events == ()
    assert reader.after(second.newest, 10).newest == second.newest


def test_going_on_from_any_place_gives_every_event_once(writer: SessionWriter, tmp_path: Path) -> None:
    for seq in range(1, 2_001):
        writer.add(says(seq, "x" * (seq % 700)) if seq % 3 else asks(seq))
    reader = open_session(tmp_path)

    seen: list[int] = []
    at, more = 0, True
    while more:
        page = reader.after(at, 333)
        seen += [event.seq for event in page.events]
        at, more = page.newest, page.has_newer

    assert seen == list(range(1, 2_001))
    for number in (1, 2, 699, 1_000, 1_999):
        assert next(iter(reader.after(number, 1).events)).seq == number + 1
    assert reader.after(2_000, 1).events == ()


def test_only_what_is_wanted_counts(writer: SessionWriter, tmp_path: Path) -> None:
    for seq in range(1, 101):
        writer.add(says(seq, level="error" if seq % 10 == 0 else "log"))
    reader = open_session(tmp_path)

    page = reader.latest(3, [EventKind.CONSOLE], wanted=lambda event: getattr(event, "level", "") == "error")

    assert [event.seq for event in page.events] == [80, 90, 100]
    assert page.has_older


def test_pages_cross_the_border_between_two_generations(writer: SessionWriter, tmp_path: Path) -> None:
    for seq in range(1, 1_001):
        writer.add(says(seq, "x" * 10_000))
    reader = open_session(tmp_path)
    assert len(logs_in(reader.folder)[EventKind.CONSOLE]) == 2

    kept = [event.seq for event in reader.session().events]

    assert [event.seq for event in reader.latest(1_000).events] == kept == list(range(kept[0], 1_001))
    assert reader.counts() == {EventKind.CONSOLE: len(kept)}
    assert reader.dropped() == {EventKind.CONSOLE: kept[0] - 1}
    assert [event.seq for event in reader.after(kept[0], 2).events] == [kept[1], kept[2]]


def test_lines_longer_than_a_block_are_read_from_both_ends(writer: SessionWriter, tmp_path: Path) -> None:
    for seq in range(1, 5):
        writer.add(says(seq, "x" * 300_000))
    [log] = logs_in(writer.folder)[EventKind.CONSOLE]

    assert [line.number for line in newest_first(log)] == [4, 3, 2, 1]
    assert [line.number for line in oldest_first(log, after=2)] == [3, 4]


def test_a_session_knows_whether_somebody_writes_it(writer: SessionWriter, tmp_path: Path) -> None:
    assert open_session(tmp_path).is_live

    writer.finish(ended=10, gaps=())

    assert not open_session(tmp_path).is_live
    assert open_session(tmp_path).end.ended == 10


def test_an_end_that_cannot_be_read_is_told_as_a_gap(writer: SessionWriter, tmp_path: Path) -> None:
    writer.add(breaks(1))
    writer.finish(ended=10, gaps=())
    (writer.folder / "end.json").write_bytes(b"{")

    session = open_session(tmp_path).session()

    assert (session.ended, len(session.events)) == (None, 1)
    assert session.gaps == ("how the session ended cannot be read",)


@pytest.mark.parametrize("name", ["../session.json", "/etc/passwd", "", ".", "..", "a/b", "a\0b", "x" * 300, "nothing"])
def test_no_name_leads_out_of_the_session(writer: SessionWriter, tmp_path: Path, name: str) -> None:
    writer.keep_text("a", "text")
    reader = open_session(tmp_path)

    assert reader.text(name) is None
    assert reader.page(name) is None


def test_a_text_that_is_a_link_is_not_read(writer: SessionWriter, tmp_path: Path) -> None:
    name = writer.keep_text("a", "text")
    (tmp_path / "outside").write_text("outside")
    file = writer.folder / "texts" / name
    file.unlink()
    file.symlink_to(tmp_path / "outside")

    assert open_session(tmp_path).text(name) is None


def test_a_small_file_that_unpacks_to_a_flood_is_no_page(writer: SessionWriter, tmp_path: Path) -> None:
    (writer.folder / "pages").mkdir()
    (writer.folder / "pages" / "page-1").write_bytes(zlib.compress(b" " * (300 << 20), 1))
    (writer.folder / "pages" / "page-2").write_bytes(b"no page at all")

    assert open_session(tmp_path).page("page-1") is None
    assert open_session(tmp_path).page("page-2") is None
