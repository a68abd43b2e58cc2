"""What the server answered is answered again: the same things, in the same order, to the same requests."""

from collections.abc import Iterable
from typing import Any

import pytest

from tests.generate.web.sessions import APP, asks, clicks
from testwright.generate.web.request_urls import below, is_fresh
from testwright.generate.web.server_mocks import MOST_BODY, mocks_of
from testwright.generate.web.web_plan import Mock, split_key
from testwright.model.session import HttpRequest, MessageBody


def mocked(*requests: HttpRequest) -> tuple[Mock, ...]:
    return mocks_of(requests, APP).mocks


def texts(mock: Mock) -> list[str]:
    return [answer.text for answer in mock.answers]


def graphql(seq: int, operation: str, answer: str = "{}") -> HttpRequest:
    return asks(seq, "/graphql", answer, method="POST", sent=MessageBody(f'{{"operationName": "{operation}"}}'))


def test_answers_to_the_same_request_come_in_the_order_they_came() -> None:
    [mock] = mocked(asks(1, answer="1"), asks(2, answer="2"), asks(3, answer="1"))

    assert mock.request == "GET /api/cart"
    assert texts(mock) == ["1", "2", "1"]


def test_the_last_answer_repeats_so_that_it_is_told_once() -> None:
    [mock] = mocked(*(asks(seq, answer="1" if seq < 3 else "2") for seq in range(1, 9)))

    assert texts(mock) == ["1", "1", "2"]


def test_what_only_markup_asks_for_is_not_mocked() -> None:
    assert mocked(asks(1, "/app.js", resource="script"), asks(2, "/", resource="document")) == ()


@pytest.mark.parametrize("resource", ["fetch", "xhr", "eventsource"])
def test_what_code_asks_for_is(resource: str) -> None:
    assert len(mocked(asks(1, resource=resource))) == 1


def test_values_that_are_new_each_time_do_not_make_another_request() -> None:
    [mock] = mocked(
        asks(1, "/api/cart?sort=name&ts=17"), asks(2, "/api/cart?sort=name&ts=18"), asks(3, "/api/cart?sort=name")
    )

    assert mock.request == "GET /api/cart?sort=name"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_", "1"),
        ("ts", "17"),
        ("nonce", "5"),
        ("x", "1700000000000"),
        ("x", "0.8312345"),
        ("x", "0f8fad5b-d9cb-469f-a165-70867728950e"),
        ("x", "deadbeefdeadbeef"),
        ("token", "[REDACTED]"),
    ],
)
def test_such_values_are_known_by_their_name_or_their_look(name: str, value: str) -> None:
    assert is_fresh(name, value)


@pytest.mark.parametrize(("name", "value"), [("page", "2"), ("q", "lamp"), ("ts", "tomorrow"), ("id", "12345")])
def test_others_tell_requests_apart(name: str, value: str) -> None:
    assert not is_fresh(name, value)


def test_graphql_is_told_apart_by_the_operation() -> None:
    cart, user = mocked(graphql(1, "Cart", "1"), graphql(2, "User", "2"), graphql(3, "Cart", "3"))

    assert (cart.request, cart.body_holds, texts(cart)) == ("POST /graphql", '"Cart"', ["1", "3"])
    assert (user.key, texts(user)) == ('POST /graphql "User"', ["2"])


def test_an_operation_is_not_taken_for_one_whose_name_begins_like_it() -> None:
    cart, items = mocked(graphql(1, "Cart"), graphql(2, "CartItems"))

    assert cart.body_holds not in '{"operationName":"CartItems"}'
    assert items.body_holds in '{"operationName":"CartItems"}'


def test_one_operation_alone_needs_no_telling_apart() -> None:
    [mock] = mocked(graphql(1, "Cart"), graphql(2, "Cart"))

    assert mock.body_holds == ""


def test_bodies_without_a_name_are_not_told_apart() -> None:
    unnamed = asks(3, "/graphql", method="POST", sent=MessageBody('["no name"]'))
    [mock] = mocked(graphql(1, "Cart"), graphql(2, "User"), unnamed)

    assert len(mock.answers) == 1  # they all say the same


def test_a_key_can_be_taken_apart_again() -> None:
    assert split_key("POST /graphql Cart of you") == ("POST /graphql", "Cart of you")
    assert split_key("GET /api/cart?q=a+b") == ("GET /api/cart?q=a+b", "")


def test_an_answer_that_was_overtaken_waits_for_the_one_that_overtook_it() -> None:
    slow, fast = mocked(asks(1, "/api/lamps", ended=900), asks(2, "/api/chairs", ended=300))

    assert [one.waits_for for one in slow.answers] == ["GET /api/chairs #1"]
    assert [one.waits_for for one in fast.answers] == [""]


def test_also_where_both_are_the_same_request() -> None:
    [mock] = mocked(asks(1, answer="old", ended=900), asks(2, answer="new", ended=300))

    assert [(one.text, one.waits_for) for one in mock.answers] == [("old", "GET /api/cart #2"), ("new", "")]


def test_an_answer_that_was_there_before_the_next_question_waits_for_nothing() -> None:
    assert all(not answer.waits_for for mock in mocked(asks(1, "/a"), asks(2, "/b")) for answer in mock.answers)


@pytest.mark.parametrize(
    ("failure", "word"),
    [
        ("net::ERR_ABORTED", "aborted"),
        ("net::ERR_CONNECTION_REFUSED", "connectionrefused"),
        ("net::ERR_SOMETHING_NEW", "failed"),
    ],
)
def test_a_connection_that_broke_breaks_again(failure: str, word: str) -> None:
    [mock] = mocked(asks(1, status=None, failure=failure, received=None))

    assert [one.failure for one in mock.answers] == [word]


@pytest.mark.parametrize("failure", ["", "unfinished"])
def test_an_answer_that_never_came_never_comes(failure: str) -> None:
    [mock] = mocked(asks(1, status=None, failure=failure, received=None, ended=None))

    assert [one.is_pending for one in mock.answers] == [True]


def noted(*requests: HttpRequest) -> tuple[str, ...]:
    return mocks_of(requests, APP).notes


def test_a_binary_answer_is_left_to_the_reader() -> None:
    binary = asks(1, "/api/photo?token=[REDACTED]", received=MessageBody(None, "image/png", 9, "binary"))

    assert noted(binary) == (f"The answer to GET {APP}/api/photo was not kept (binary): add it.",)
    assert texts(mocked(binary)[0]) == [""]


def test_so_is_one_that_is_too_long_for_a_test_file() -> None:
    long = asks(1, answer="x" * (MOST_BODY + 1))

    assert noted(long, long) == (f"The answer to GET {APP}/api/cart is too long for a test file: add it.",)
    assert texts(mocked(long)[0]) == [""]


@pytest.mark.parametrize("mark", ["[REDACTED]", "%5BREDACTED%5D"])
def test_a_part_of_a_path_that_was_secret_may_be_anything(mark: str) -> None:
    [mock] = mocked(asks(1, f"/api/reset/{mark}/done"))

    assert mock.request == "GET /api/reset/*/done"


def test_another_sites_requests_keep_their_origin() -> None:
    own, other = mocked(asks(1, "/api"), asks(2, "https://pay.test:8443/api?a=b"))

    assert (own.request, other.request) == ("GET /api", "GET https://pay.test:8443/api?a=b")


def headers_of(**headers: str) -> dict[str, str]:
    [mock] = mocked(asks(1, answer_headers={name.replace("_", "-"): value for name, value in headers.items()}))
    return dict(mock.answers[0].headers)


def test_of_the_headers_those_are_kept_that_code_looks_at() -> None:
    kept = headers_of(location="/x", x_total="3", access_control_allow_origin="*", date="now", server="s")

    assert kept == {"location": "/x", "x-total": "3", "access-control-allow-origin": "*"}


def test_a_header_that_was_masked_is_left_out() -> None:
    assert headers_of(x_token="[REDACTED]") == {}


def test_each_request_knows_its_key() -> None:
    requests: Iterable[Any] = (asks(1, "/a"), asks(2, "/b?_=4"))

    assert mocks_of(tuple(requests), APP).keys == {1: "GET /a", 2: "GET /b"}


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"{APP}/cart?a=b#c", "/cart?a=b#c"),
        (APP, "/"),
        (f"{APP}?a", "?a"),
        (f"{APP}.evil.test/cart", f"{APP}.evil.test/cart"),
        ("https://other.test/", "https://other.test/"),
    ],
)
def test_an_address_is_told_without_the_apps_own_origin_only(url: str, shown: str) -> None:
    assert below(APP, url) == shown


def test_an_answer_that_came_after_a_later_step_waits_for_that_step() -> None:
    actions = (clicks(1, "Load"), clicks(5, "Cancel"), clicks(9, "Later"))
    slow, quick = mocks_of((asks(2, "/slow", ended=70), asks(3, "/quick", ended=31)), APP, actions).mocks

    assert [one.after_steps for one in slow.answers] == [2]
    assert [one.after_steps for one in quick.answers] == [0]
