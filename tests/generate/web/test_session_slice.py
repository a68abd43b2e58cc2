"""A test is about the part of a session that matters: from the last full navigation to its moment, in its tabs."""

import pytest

from tests.generate.web.sessions import APP, asks, breaks, clicks, connects, goes, opens, pushes, session, stored
from testwright.generate.web.session_slice import MOST_ACTIONS, slice_for_error, slice_of_actions
from testwright.model.session import Dialog, NavigationCause, Session


def seqs(events: object) -> list[int]:
    assert isinstance(events, tuple)
    return [one.seq for one in events]


def test_it_begins_at_the_last_full_navigation_before_the_error() -> None:
    recorded = session(goes(1), clicks(2, "Old"), goes(3, "/cart"), clicks(4), breaks(5))

    piece = slice_for_error(recorded, recorded.errors[0])

    assert piece.start_url == f"{APP}/cart"
    assert seqs(piece.actions) == [4]
    assert piece.began == 30


def test_where_asked_it_begins_with_the_session() -> None:
    recorded = session(goes(1), clicks(2, "Log in"), goes(3, "/cart"), clicks(4), breaks(5))

    piece = slice_for_error(recorded, recorded.errors[0], whole=True)

    assert (piece.start_url, seqs(piece.actions)) == (f"{APP}/", [2, 4])


@pytest.mark.parametrize("cause", [NavigationCause.PAGE, NavigationCause.RELOAD, NavigationCause.HISTORY])
def test_however_that_page_was_reached(cause: NavigationCause) -> None:
    recorded = session(goes(1), clicks(2), goes(3, "/cart", cause=cause), clicks(4), breaks(5))

    assert slice_for_error(recorded, recorded.errors[0]).start_url == f"{APP}/cart"


def test_a_change_of_address_within_a_document_is_no_beginning() -> None:
    recorded = session(goes(1), clicks(2), goes(3, "/#/cart", cause=NavigationCause.SAME_DOCUMENT), breaks(5))

    piece = slice_for_error(recorded, recorded.errors[0])

    assert (piece.start_url, seqs(piece.actions), seqs(piece.navigations)) == (f"{APP}/", [2], [3])


def test_a_page_that_only_a_form_can_bring_about_is_no_beginning() -> None:
    recorded = session(
        goes(1, "/form"), clicks(2), goes(3, "/done", cause=NavigationCause.PAGE, method="POST"), breaks(5)
    )

    piece = slice_for_error(recorded, recorded.errors[0])

    assert (piece.start_url, seqs(piece.actions)) == (f"{APP}/form", [2])


def test_what_comes_after_the_error_is_left_out() -> None:
    recorded = session(goes(1), clicks(2), breaks(5), clicks(6), goes(7, "/later"), asks(8))

    piece = slice_for_error(recorded, recorded.errors[0])

    assert (seqs(piece.actions), seqs(piece.navigations), seqs(piece.requests)) == ([2], [], [])


def test_an_error_in_a_popup_is_told_from_the_page_that_opened_it() -> None:
    recorded = session(
        goes(1, "/old"),
        goes(2, "/orders"),
        clicks(3, "Invoice"),
        opens(4, tab=2),
        goes(5, "/invoice", tab=2, cause=NavigationCause.PAGE),
        clicks(6, "Pay", tab=2),
        goes(7, "/elsewhere"),
        breaks(8, tab=2),
    )

    piece = slice_for_error(recorded, recorded.errors[0])

    assert piece.start_url == f"{APP}/orders"  # not where the opener went later
    assert seqs(piece.actions) == [3, 6]
    assert seqs(piece.tabs) == [4]


def test_what_happens_in_other_tabs_is_left_out() -> None:
    recorded = session(
        goes(1),
        opens(2, 2, opener=None),
        goes(3, "/other", tab=2),
        clicks(4, tab=2),
        asks(5, tab=2),
        clicks(6),
        breaks(7),
    )

    piece = slice_for_error(recorded, recorded.errors[0])

    assert (seqs(piece.actions), piece.requests) == ([6], ())


def test_tabs_that_name_each_other_as_openers_do_not_go_on_for_ever() -> None:
    recorded = session(opens(1, 1, opener=2), opens(2, 2, opener=1), goes(3, tab=2), clicks(4), breaks(5))

    assert slice_for_error(recorded, recorded.errors[0]).error is recorded.errors[0]


def test_requests_sockets_and_dialogs_in_between_belong_to_it() -> None:
    asked = Dialog(seq=6, t=60, type="confirm", message="Sure?", accepted=True)
    recorded = session(goes(1), asks(2), connects(3), pushes(4, "hello", 3), clicks(5), asked, breaks(7))

    piece = slice_for_error(recorded, recorded.errors[0])

    assert (seqs(piece.requests), seqs(piece.sockets), seqs(piece.dialogs)) == ([2], [3, 4], [6])


def test_the_state_is_what_the_first_document_found() -> None:
    early, late = stored({"cart": "[]"}), stored({"cart": "[1]"})
    recorded = session(goes(1, state=early), clicks(2), goes(3, "/cart", state=late), breaks(4), state=early)

    assert slice_for_error(recorded, recorded.errors[0]).state == late


def test_without_any_navigation_it_begins_where_the_session_did() -> None:
    recorded = session(clicks(2), breaks(3), url=f"{APP}/start", state=stored({"a": "b"}))

    piece = slice_for_error(recorded, recorded.errors[0])

    assert (piece.start, piece.start_url, piece.began) == (None, f"{APP}/start", 0)
    assert not piece.state.is_empty


def test_of_what_was_done_everything_counts_from_the_first_address_on() -> None:
    recorded = session(goes(1), clicks(2), goes(3, "/cart"), clicks(4), last_page="page-9")

    piece = slice_of_actions(recorded)

    assert (piece.start_url, seqs(piece.actions), piece.last_page) == (f"{APP}/", [2, 4], "page-9")


def long_session() -> Session:
    first = [clicks(seq) for seq in range(2, 2 + MOST_ACTIONS)]
    then = [clicks(seq) for seq in range(201, 211)]
    return session(goes(1), *first, goes(200, "/second"), *then)


def test_of_a_very_long_session_the_last_part_that_can_be_begun_by_itself_is_taken() -> None:
    piece = slice_of_actions(long_session())

    assert piece.start_url == f"{APP}/second"
    assert len(piece.actions) == 10


def test_an_address_after_which_nothing_was_done_is_no_beginning() -> None:
    recorded = session(clicks(2), goes(3, "/bye"), url=f"{APP}/start")

    piece = slice_of_actions(recorded)

    assert (piece.start_url, seqs(piece.actions)) == (f"{APP}/start", [2])
