"""A baseline keeps what a session showed; of what is other in a later one, only a change for the worse counts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.store.sessions.session_events import asks, breaks, click, goes, head, page
from testwright.model.dom import DomSnapshot
from testwright.model.errors import BaselineNotFound, UsageError
from testwright.model.session import AnySessionEvent, MessageBody
from testwright.model.session_baseline import DifferenceKind, SessionBaseline, Severity
from testwright.pipeline.observing.session_baselines import baseline_of, differences
from testwright.store.sessions import SessionReader, new_session
from testwright.store.sessions.baseline_files import baseline_names, load_baseline, remove_baseline, save_baseline

Recorded = Callable[..., SessionBaseline]


def answer(document: Any) -> MessageBody:
    text = json.dumps(document)
    return MessageBody(text, "application/json", len(text))


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """The baseline of a session with these events, which ended on this page."""

    def record(*events: AnySessionEvent, last: DomSnapshot | None = None) -> SessionBaseline:
        with new_session(tmp_path) as writer:
            writer.begin(head(id=writer.id))
            for event in (goes(1), *events):
                writer.add(event)
            name = writer.keep_page(99, last) if last is not None else ""
            writer.finish(ended=100, gaps=(), last_page=name)
        return baseline_of(SessionReader(writer.folder), "good")

    return record


def told(was: SessionBaseline, now: SessionBaseline) -> list[tuple[str, str, str, str]]:
    return [(one.kind, one.where, one.was, one.now) for one in differences(was, now)]


def test_the_same_twice_is_not_a_difference(recorded: Recorded) -> None:
    events = (asks(2, received=answer({"items": [{"id": 1}]})), breaks(3))
    was = recorded(*events, last=page("Save"))

    assert differences(was, recorded(*events, last=page("Save"))) == ()
    assert [one.path for one in was.pages] == ["/", "/cart"]


def test_an_error_that_was_not_there_is_a_regression(recorded: Recorded) -> None:
    was = recorded(breaks(2, fingerprint="known"))
    now = recorded(breaks(2, fingerprint="known"), breaks(3, fingerprint="new", message="x is null"))

    [one] = differences(was, now)

    assert (one.kind, one.where, one.now) == (DifferenceKind.NEW_ERROR, "/cart", "TypeError: x is null")
    assert one.severity is Severity.REGRESSION


def test_an_answer_that_fails_now_is_a_regression_and_its_words_are_not_compared(recorded: Recorded) -> None:
    was = recorded(asks(2, received=answer({"items": []})))
    now = recorded(asks(2, status=500, received=answer({"error": "oops"})))

    assert told(was, now) == [("status_changed", "GET /api/cart", "200", "500")]
    assert differences(was, now)[0].severity is Severity.REGRESSION


def test_another_good_status_is_news_and_no_regression(recorded: Recorded) -> None:
    [one] = differences(recorded(asks(2)), recorded(asks(2, status=204)))

    assert (one.kind, one.severity) == (DifferenceKind.STATUS_CHANGED, Severity.INFO)


def test_what_the_browser_had_kept_is_the_same_answer(recorded: Recorded) -> None:
    was = recorded(asks(2, received=answer({"a": 1})))
    now = recorded(asks(2, received=answer({"a": 1})), asks(3, status=304))

    assert differences(was, now) == ()


def test_fields_that_are_gone_or_changed_are_regressions_and_new_ones_are_news(recorded: Recorded) -> None:
    was = recorded(asks(2, received=answer({"user": {"name": "Ann", "age": 3}, "n": 1})))
    now = recorded(asks(2, received=answer({"user": {"name": None, "mail": ""}, "n": 1})))

    assert told(was, now) == [
        ("type_changed", "GET /api/cart $.user.name", "string", "null"),
        ("field_missing", "GET /api/cart $.user.age", "number", "missing"),
        ("new_field", "GET /api/cart $.user.mail", "", "string"),
    ]
    assert [one.severity for one in differences(was, now)] == ["regression", "regression", "info"]


def test_an_empty_array_says_nothing_of_its_members(recorded: Recorded) -> None:
    was = recorded(asks(2, received=answer({"items": [{"id": 1}]})))
    now = recorded(asks(2, received=answer({"items": []})))

    assert differences(was, now) == ()
    assert differences(now, was) == ()


def test_an_object_that_is_null_now_is_reported_once(recorded: Recorded) -> None:
    was = recorded(asks(2, received=answer({"profile": {"name": "Ann", "age": 3}})))
    now = recorded(asks(2, received=answer({"profile": None})))

    assert told(was, now) == [("type_changed", "GET /api/cart $.profile", "object", "null")]


def test_a_field_that_is_missing_in_some_members_is_reported(recorded: Recorded) -> None:
    was = recorded(asks(2, received=answer([{"a": 1}, {"a": 2}])))
    now = recorded(asks(2, received=answer([{"a": 1}, {}])))

    assert told(was, now) == [("field_missing", "GET /api/cart $[].a", "number", "missing in some")]
    assert differences(now, was) == ()


def test_answers_of_addresses_that_differ_in_ids_are_one_kind(recorded: Recorded) -> None:
    was = recorded(
        asks(2, "http://shop.test/api/users/1", received=answer({"id": 1})),
        asks(3, "http://shop.test/api/users/2", received=answer({"id": 2, "nick": "x"})),
    )

    assert [(api.key, api.statuses) for api in was.apis] == [("GET /api/users/{id}", (200,))]
    assert differences(was, recorded(asks(2, "http://shop.test/api/users/3", received=answer({"id": 3})))) == ()


def test_a_request_that_is_not_made_any_more_is_news(recorded: Recorded) -> None:
    [one] = differences(recorded(asks(2)), recorded())

    assert (one.kind, one.severity) == (DifferenceKind.REQUEST_MISSING, Severity.INFO)


def test_what_markup_asks_for_is_not_compared(recorded: Recorded) -> None:
    assert recorded(asks(2, resource="image")).apis == ()


def test_long_answers_are_read_from_where_they_are_kept(tmp_path: Path) -> None:
    with new_session(tmp_path) as writer:
        writer.begin(head(id=writer.id))
        name = writer.keep_text("1.json", json.dumps({"items": ["x" * 100] * 100}))
        writer.add(asks(1, received=MessageBody(None, "application/json", 10_000, blob=name)))
        writer.finish(ended=1, gaps=())

    [api] = baseline_of(SessionReader(writer.folder), "good").apis

    assert api.shape is not None
    assert [field.path for field in api.shape.fields] == ["$", "$.items", "$.items[]"]


def test_an_element_that_is_gone_is_a_regression_and_a_new_one_is_news(recorded: Recorded) -> None:
    was = recorded(last=page("Save", "Cart (3)"))
    now = recorded(last=page("Store", "Cart (4)"))

    assert told(was, now) == [
        ("element_missing", "/", 'button "Save"', ""),
        ("element_added", "/", "", 'button "Store"'),
    ]
    assert [one.severity for one in differences(was, now)] == ["regression", "info"]


def test_the_last_page_kept_of_each_path_counts(tmp_path: Path) -> None:
    with new_session(tmp_path) as writer:
        writer.begin(head(id=writer.id))
        for seq, text in ((1, "Before"), (2, "After")):
            writer.add(click(seq, page=writer.keep_page(seq, page(text)), url="http://shop.test/orders/7"))
        writer.finish(ended=1, gaps=(), last_page=writer.keep_page(3, page("Home")))

    pages = {one.path: one.elements for one in baseline_of(SessionReader(writer.folder), "good").pages}

    assert {path: [one.name for one in elements or ()] for path, elements in pages.items()} == {
        "/": ["Home"],
        "/orders/{id}": ["After"],
    }


def test_a_page_that_was_not_visited_is_a_regression(recorded: Recorded) -> None:
    was = recorded(goes(2, "http://shop.test/orders/7"))

    assert told(was, recorded(goes(2, "http://shop.test/orders/8"))) == []
    assert told(was, recorded()) == [("page_missing", "/orders/{id}", "visited", "not visited")]


def test_a_baseline_comes_back_as_it_was_saved(recorded: Recorded, tmp_path: Path) -> None:
    made = recorded(asks(2, received=answer({"a": [1]})), breaks(3), last=page("Save"))
    save_baseline(tmp_path, made)

    assert load_baseline(tmp_path, "good") == made
    assert baseline_names(tmp_path) == ["good"]
    remove_baseline(tmp_path, "good")
    with pytest.raises(BaselineNotFound):
        load_baseline(tmp_path, "good")


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 100, "a\0b", "a\n"])
def test_a_name_that_cannot_name_a_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        save_baseline(tmp_path, SessionBaseline(name, session=""))


def test_a_baseline_that_cannot_be_read_says_so(recorded: Recorded, tmp_path: Path) -> None:
    path = save_baseline(tmp_path, recorded())
    path.write_text("{")

    with pytest.raises(BaselineNotFound, match="cannot be read"):
        load_baseline(tmp_path, "good")
