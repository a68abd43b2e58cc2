"""What a test is made from: the right session and error, or a clear word about what is missing."""

from pathlib import Path
from typing import Any

import pytest

from tests.generate.web.sessions import asks, breaks, clicks, connects, goes, stored
from tests.pipeline.web.kept import keep
from testwright.model.errors import NoActionsCaptured, NoErrorContext, SessionNotFound
from testwright.model.session import MessageBody
from testwright.pipeline.web.request import web_test_request
from testwright.pipeline.web.session_material import NO_ERROR_SEEN, NO_NETWORK, Material, gathered


def gather(root: Path, context: str = "error", **given: Any) -> Material:
    return gathered(web_test_request({"context": context, **given}), root)


def test_a_project_without_sessions_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(SessionNotFound) as refused:
        gather(tmp_path)

    assert "testwright record" in refused.value.next_step


def test_a_session_that_does_not_exist_is_reported_with_those_that_do(tmp_path: Path) -> None:
    kept = keep(tmp_path, goes(1), clicks(2))

    with pytest.raises(SessionNotFound, match=kept):
        gather(tmp_path, session="cap_20200101T000000_zzz")


@pytest.mark.parametrize("name", ["../../etc", "/etc", "cap_20260101T120000_abc/.."])
def test_a_session_is_named_never_a_path(tmp_path: Path, name: str) -> None:
    keep(tmp_path, goes(1), clicks(2))

    with pytest.raises(SessionNotFound):
        gather(tmp_path, session=name)


def test_without_an_id_the_most_recent_error_is_meant(tmp_path: Path) -> None:
    keep(tmp_path, goes(1), clicks(2), breaks(3, "first"), clicks(4), breaks(5, "second"))

    found = gather(tmp_path)

    assert found.error is not None
    assert found.error.message == "second"
    assert [one.seq for one in found.piece.actions] == [2, 4]


def test_with_one_that_error(tmp_path: Path) -> None:
    keep(tmp_path, goes(1), clicks(2), breaks(3, "first"), clicks(4), breaks(5, "second"))

    found = gather(tmp_path, error_id="err_1700000000003_0badc0de")

    assert found.error is not None
    assert found.error.message == "first"


def test_an_unknown_error_is_reported_as_unknown(tmp_path: Path) -> None:
    keep(tmp_path, goes(1), clicks(2), breaks(3))

    with pytest.raises(NoErrorContext, match="err_1706520600000_a1b2c3d4") as refused:
        gather(tmp_path, error_id="err_1706520600000_a1b2c3d4")

    assert refused.value.code == "no_error_context"


def test_an_error_of_another_session_is_reported_with_that_session(tmp_path: Path) -> None:
    older = keep(tmp_path, goes(1), clicks(2), breaks(3))
    newer = keep(tmp_path, goes(1), clicks(2), breaks(4))

    with pytest.raises(NoErrorContext, match=newer) as refused:
        gather(tmp_path, session=newer, error_id="err_1700000000003_0badc0de")

    assert older in refused.value.next_step


def test_where_there_are_no_errors_the_test_is_made_from_what_was_done(tmp_path: Path) -> None:
    keep(tmp_path, goes(1), clicks(2), asks(3))

    found = gather(tmp_path)

    assert found.error is None
    assert found.notes == (NO_ERROR_SEEN,)


def test_where_there_is_neither_there_is_no_test(tmp_path: Path) -> None:
    keep(tmp_path, goes(1), asks(2))

    with pytest.raises(NoErrorContext) as refused:
        gather(tmp_path)

    assert refused.value.code == "no_error_context"


@pytest.mark.parametrize("context", ["interaction", "regression"])
def test_TG_008_no_actions_are_reported_as_no_actions_captured(tmp_path: Path, context: str) -> None:  # noqa: N802
    keep(tmp_path, goes(1), asks(2), breaks(3))

    with pytest.raises(NoActionsCaptured) as refused:
        gather(tmp_path, context)

    assert refused.value.code == "no_actions_captured"
    assert refused.value.next_step == "Use the page while it is recorded, then try again."


def test_an_error_on_opening_a_page_needs_no_actions(tmp_path: Path) -> None:
    keep(tmp_path, goes(1), breaks(2))

    assert gather(tmp_path).piece.actions == ()


def test_but_with_no_page_either_there_is_nothing_to_go_by(tmp_path: Path) -> None:
    keep(tmp_path, breaks(2))

    with pytest.raises(NoActionsCaptured):
        gather(tmp_path)


def test_without_network_data_nothing_about_it_is_checked_and_a_note_says_so(tmp_path: Path) -> None:
    keep(tmp_path, goes(1), clicks(2), breaks(3))

    assert gather(tmp_path).notes == (NO_NETWORK,)


def test_a_body_that_was_kept_apart_is_whole_again(tmp_path: Path) -> None:
    apart = asks(3, received=MessageBody(None, "application/json", 9, blob="body-3"))
    gone = asks(4, "/gone", received=MessageBody(None, "application/json", 9, blob="body-4"))
    keep(tmp_path, goes(1), clicks(2), apart, gone, breaks(5), texts={"body-3": '{"a": 1}'})

    whole, lost = (one.received for one in gather(tmp_path).piece.requests)

    assert whole is not None
    assert whole.text == '{"a": 1}'
    assert lost is not None
    assert (lost.text, lost.note) == (None, "no longer kept")


def test_what_went_into_the_test_is_reported(tmp_path: Path) -> None:
    keep(tmp_path, goes(1, state=stored({"a": "b"})), clicks(2), asks(3), connects(4), breaks(5))
    assert gather(tmp_path).used == ("console", "dom", "network", "actions", "storage", "websocket")

    keep(tmp_path, goes(1), breaks(5))
    assert gather(tmp_path).used == ("console",)
