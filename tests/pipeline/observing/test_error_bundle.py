"""A bundle has what belongs to an error, and not what happened elsewhere or long before."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.sessions.session_events import asks, breaks, click, goes, head, page, says
from testwright.model.errors import InvalidErrorId, NoErrorContext
from testwright.model.session import AnySessionEvent, MessageBody, Navigation, NavigationCause, TabEvent
from testwright.pipeline.observing.error_bundle import error_bundle
from testwright.store.sessions import SessionReader, SessionWriter


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[SessionWriter]:
    with SessionWriter(tmp_path / "cap_20260101T000000_ab12") as opened:
        opened.begin(head(id=opened.id))
        yield opened


@pytest.fixture
def reader(writer: SessionWriter) -> SessionReader:
    return SessionReader(writer.folder)


def numbers(events: tuple[AnySessionEvent, ...]) -> list[int]:
    return [event.seq for event in events]


def test_it_has_the_actions_since_the_last_full_navigation_and_what_they_caused(
    writer: SessionWriter, reader: SessionReader
) -> None:
    for event in (
        goes(1),
        click(2, after=1),
        goes(3, "http://shop.test/cart"),
        click(4, after=3),
        asks(5, after=4, ended=60),
        goes(6, "http://shop.test/cart#x", cause=NavigationCause.SAME_DOCUMENT),
        asks(7, after=4, ended=900),
        click(8, after=3),
        asks(9, after=8, ended=95),
        says(10, after=8),
        breaks(11, after=8),
        asks(12, after=8),
        click(13, after=8),
    ):
        writer.add(event)

    bundle = error_bundle(reader)

    assert bundle.start == goes(3, "http://shop.test/cart")
    assert bundle.cause == click(8, after=3)
    assert numbers(bundle.actions) == [4, 6, 8]
    assert numbers(bundle.requests) == [7, 9]  # 7 was still in flight
    assert numbers(bundle.console) == [10]


def test_of_a_tab_that_another_one_opened_it_has_what_was_done_there_before(
    writer: SessionWriter, reader: SessionReader
) -> None:
    for event in (
        goes(1),
        click(2),
        TabEvent(seq=3, t=30, tab=2, what="opened", opener=1),
        goes(4, "http://shop.test/help", tab=2),
        click(5, tab=2),
        breaks(6, tab=2, after=5),
    ):
        writer.add(event)

    bundle = error_bundle(reader)

    assert isinstance(bundle.start, Navigation)
    assert bundle.start.seq == 1
    assert numbers(bundle.actions) == [2, 3, 4, 5]


def test_console_lines_long_before_are_left_out(writer: SessionWriter, reader: SessionReader) -> None:
    for event in (says(1), says(2, t=9_000), breaks(3, t=10_000), says(4, t=10_100), says(5, t=20_000)):
        writer.add(event)

    assert numbers(error_bundle(reader).console) == [2, 4]


def test_the_page_is_described_in_words(writer: SessionWriter, reader: SessionReader) -> None:
    writer.add(breaks(1, page=writer.keep_page(1, page("Save"))))
    assert error_bundle(reader).page == '- button "Save"'

    writer.add(breaks(2, aria=writer.keep_text("2.aria.yml", "- heading")))
    assert error_bundle(reader).page == "- heading"


def test_long_bodies_are_named_and_shown_when_asked_for(writer: SessionWriter, reader: SessionReader) -> None:
    name = writer.keep_text("1.body", "y" * 9_000)
    writer.add(asks(1, received=MessageBody(None, "text/plain", 9_000, blob=name), ended=25))
    writer.add(asks(2, received=MessageBody("x" * 5_000, "text/plain", 5_000), ended=25))
    writer.add(asks(3, received=MessageBody("short", "text/plain", 5), ended=25))
    writer.add(breaks(4))
    bundle = error_bundle(reader)

    brief = [row["received"] for row in bundle.shape(reader)["requests"]]
    full = [row["received"] for row in bundle.shape(reader, full=True)["requests"]]

    assert brief == [
        {"mime": "text/plain", "size": 9_000, "note": "long: --full shows it", "blob": name},
        {"mime": "text/plain", "size": 5_000, "note": "long: --full shows it"},
        {"mime": "text/plain", "size": 5, "text": "short"},
    ]
    assert [body["text"] for body in full] == ["y" * 9_000, "x" * 5_000, "short"]


def test_an_error_is_found_by_its_id_and_otherwise_the_newest_is_taken(
    writer: SessionWriter, reader: SessionReader
) -> None:
    for event in (breaks(1), breaks(2, fingerprint="beef"), breaks(3)):
        writer.add(event)

    assert error_bundle(reader).error.seq == 3
    assert error_bundle(reader).same == 2
    assert error_bundle(reader, breaks(2).error_id).error.seq == 2


def test_an_id_that_the_session_does_not_have_is_refused_with_those_it_has(
    writer: SessionWriter, reader: SessionReader
) -> None:
    writer.add(breaks(1))

    with pytest.raises(NoErrorContext, match=breaks(1).error_id):
        error_bundle(reader, "err_1706520600000_a1b2c3d4")


def test_a_session_without_errors_says_so(writer: SessionWriter, reader: SessionReader) -> None:
    writer.add(click(1))

    with pytest.raises(NoErrorContext, match="has no errors"):
        error_bundle(reader)


def test_what_cannot_be_an_id_is_refused(reader: SessionReader) -> None:
    with pytest.raises(InvalidErrorId):
        error_bundle(reader, "../err_1706520600000_a1b2c3d4")
