"""HAR files of several tools as sessions."""

import base64
from collections.abc import Callable
from typing import Any

import pytest

from testwright.masking.masker import Masker
from testwright.model.errors import MalformedSession
from testwright.model.session import (
    REDACTED,
    Cookie,
    HttpRequest,
    Navigation,
    NavigationCause,
    Secret,
    SessionSource,
    SocketEvent,
    SocketMoment,
    TabEvent,
)
from testwright.observe.importers.har import import_har
from testwright.observe.importers.session_masker import masked_again
from testwright.observe.importers.session_timeline import SessionContent
from testwright.observe.noise_rules import NoiseRules

Json = dict[str, Any]


def entry(url: str, second: float = 0, *, resource: str | None = "fetch", **more: Any) -> Json:
    request = {"method": "GET", "url": url, "headers": [], **more.pop("request", {})}
    response = {"status": 200, "headers": [], "content": {"mimeType": "application/json"}, **more.pop("response", {})}
    made = {
        "startedDateTime": f"2026-03-01T10:00:{second:06.3f}Z",
        "time": 40,
        "request": request,
        "response": response,
    }
    return {**made, **({"_resourceType": resource} if resource else {}), **more}


def page(url: str, second: float = 0, **more: Any) -> Json:
    headers = more.pop("headers", {"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"})
    request = {"headers": listed(headers), **more.pop("request", {})}
    return entry(url, second, resource="document", request=request, **more)


def listed(headers: dict[str, str]) -> list[Json]:
    return [{"name": name, "value": value} for name, value in headers.items()]


def imported(*entries: Any, attachments: Callable[[str], bytes | None] = lambda _: None, **log: Any) -> SessionContent:
    masker = Masker()
    har: Json = {"log": {"version": "1.2", "entries": list(entries), **log}}
    return masked_again(import_har(har, "shop.har", masker, NoiseRules(), attachments), masker)


def requests(session: SessionContent) -> list[HttpRequest]:
    return [event for event in session.events if isinstance(event, HttpRequest)]


def navigations(session: SessionContent) -> list[Navigation]:
    return [event for event in session.events if isinstance(event, Navigation)]


def test_requests_stand_in_the_order_they_began_after_the_navigation_they_came_from() -> None:
    session = imported(
        entry("http://shop.test/api/second", 2), page("http://shop.test/", 0), entry("http://shop.test/api/first", 1)
    )

    assert [(type(event).__name__, event.t, event.after) for event in session.events] == [
        ("HttpRequest", 0, None),
        ("Navigation", 0, None),
        ("HttpRequest", 1000, 2),
        ("HttpRequest", 2000, 2),
    ]
    assert [event.seq for event in session.events] == [1, 2, 3, 4]
    assert session.head.source is SessionSource.HAR
    assert session.head.url == "http://shop.test/"
    assert session.head.started == 1_772_359_200_000
    assert requests(session)[1].ended == 1040


def test_an_entry_that_lacks_nearly_everything_is_kept_and_its_headers_are_masked() -> None:
    """Row B159: an Authorization header and nothing else."""
    bare = {"request": {"headers": [{"name": "Authorization", "value": "Bearer abcdefghijklmnop"}]}}

    (request,) = requests(imported(bare))

    assert request.headers == {"authorization": f"Bearer {REDACTED}"}
    assert (request.method, request.url, request.status, request.failure) == ("GET", "", None, "no answer")


def test_secrets_are_masked_wherever_an_entry_has_them() -> None:
    secret = "zKq8-Lw3v-P0xT-77aa"
    session = imported(
        entry("http://shop.test/note", 1, response={"content": {"mimeType": "text/plain", "text": f"see {secret}"}}),
        entry(
            f"http://shop.test/cb?access_token={secret}&state=1",
            2,
            request={
                "method": "POST",
                "headers": listed({"Cookie": f"sid={secret}"}),
                "cookies": [{"name": "sid", "value": secret}],
                "queryString": [{"name": "access_token", "value": secret}],
                "postData": {"mimeType": "application/json", "text": f'{{"password": "{secret}", "plan": "gold"}}'},
            },
            response={
                "headers": listed({"Set-Cookie": f"sid={secret}; HttpOnly"}),
                "content": {"mimeType": "application/json", "text": f'{{"token": "{secret}", "name": "Ann"}}'},
            },
        ),
        page("http://shop.test/", 3, headers={"Sec-Fetch-Dest": "document", "Cookie": f"sid={secret}; theme=dark"}),
    )

    assert secret not in repr(session)
    assert "gold" in repr(session)
    assert "Ann" in repr(session)
    assert "state=1" in repr(session)
    assert navigations(session)[0].state.cookies[1] == Cookie("theme", "dark", domain="shop.test")
    assert isinstance(navigations(session)[0].state.cookies[0].value, Secret)
    assert session.head.state == navigations(session)[0].state


def test_bodies_are_read_whatever_they_are_packed_in() -> None:
    def answered(number: int, mime: str, resource: str = "fetch", **content: Any) -> Json:
        response = {"content": {"mimeType": mime, **content}}
        return entry(f"http://a.test/{number}", number, resource=resource, response=response)

    form = {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "q", "value": "a b"}]}
    packed = base64.b64encode(b'{"n": "\xc3\xa4"}').decode()
    session = imported(
        answered(1, "text/json", text=packed, encoding="base64"),
        answered(2, "application/json", _file="f00.json", size=9),
        answered(3, "font/woff2", text="AAEC", encoding="base64"),
        answered(4, "application/json", size=300),
        answered(5, "text/plain", text="x" * 300_000),
        entry("http://a.test/6", 6, request={"postData": form}),
        answered(7, "text/javascript", "script", text="let a"),
        attachments={"f00.json": b'{"a": 1}'}.get,
    )

    bodies = [request.received for request in requests(session)]
    assert [body and (body.text, body.note) for body in bodies] == [
        ('{"n": "ä"}', ""),
        ('{"a": 1}', ""),
        (None, "binary"),
        (None, "evicted"),
        (None, "too_large"),
        None,
        None,
    ]
    sent = requests(session)[5].sent
    assert sent is not None
    assert sent.text == "q=a+b"


def test_a_request_without_an_answer_says_why() -> None:
    failed = {"status": 0, "_error": "net::ERR_CONNECTION_REFUSED"}
    (request,) = requests(imported(entry("http://shop.test/api", response=failed)))

    assert (request.status, request.failure, request.received) == (None, "net::ERR_CONNECTION_REFUSED", None)


def test_what_a_request_was_for_is_worked_out_where_the_file_does_not_say() -> None:
    def plain(number: int, headers: dict[str, str], mime: str) -> Json:
        content = {"content": {"mimeType": mime}}
        return entry(
            f"http://a.test/{number}", number, resource=None, request={"headers": listed(headers)}, response=content
        )

    session = imported(
        plain(1, {"Sec-Fetch-Dest": "empty"}, "text/html"),
        plain(2, {"X-Requested-With": "XMLHttpRequest"}, ""),
        plain(3, {}, "application/problem+json"),
        plain(4, {}, "text/css"),
        plain(5, {"Sec-Fetch-Dest": "iframe"}, "text/html"),
        plain(6, {}, "text/html; charset=utf-8"),
    )

    resources = [request.resource for request in requests(session)]
    assert resources == ["fetch", "xhr", "fetch", "stylesheet", "document", "document"]
    assert [event.url for event in navigations(session)] == ["http://a.test/6"]


def test_how_a_page_was_reached_is_told_from_what_its_request_says() -> None:
    from_page = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "same-origin"}
    session = imported(
        page("http://a.test/", 1),
        page("http://a.test/next", 2, headers=from_page),
        page("http://a.test/next", 3, headers={**from_page, "Cache-Control": "max-age=0"}),
        page("http://a.test/moved", 4, headers=from_page, response={"status": 302}),
        page("http://a.test/typed", 5),
    )

    assert [(one.url.rpartition("/")[2], one.cause) for one in navigations(session)] == [
        ("", NavigationCause.GOTO),
        ("next", NavigationCause.PAGE),
        ("next", NavigationCause.RELOAD),
        ("typed", NavigationCause.GOTO),
    ]


def test_pages_of_playwright_are_tabs_and_pages_of_chrome_are_documents() -> None:
    pages = (page("http://a.test/", 1, pageref="one"), page("http://a.test/two", 2, pageref="two"))
    titles = [{"id": "one", "title": "First"}, {"id": "two", "title": "http://a.test/two"}]

    chrome = imported(*pages, pages=titles, creator={"name": "WebInspector"})
    playwright = imported(*pages, pages=titles, creator={"name": "Playwright"})

    assert [(one.tab, one.title) for one in navigations(chrome)] == [(1, "First"), (1, "")]
    assert [one.tab for one in navigations(playwright)] == [1, 2]
    assert [one.tab for one in playwright.events if isinstance(one, TabEvent)] == [2]


def test_websocket_messages_are_told_apart() -> None:
    start = 1_772_359_201
    messages = [
        {"type": "send", "time": start + 0.5, "opcode": 1, "data": '{"password": "hunter2-hunter2"}'},
        {"type": "receive", "time": start + 1, "opcode": 2, "data": "AAE="},
        {"type": "receive", "time": "never", "opcode": 1, "data": "?"},
    ]
    session = imported(entry("wss://a.test/live", 1, resource="websocket", _webSocketMessages=messages))

    opened, sent, received = (event for event in session.events if isinstance(event, SocketEvent))
    assert (opened.what, opened.url, opened.socket) == (SocketMoment.OPENED, "wss://a.test/live", opened.seq)
    assert (sent.what, sent.t, sent.socket) == (SocketMoment.SENT, 500, opened.seq)
    assert sent.text == f'{{"password": "{REDACTED}"}}'
    assert (received.what, received.text, received.note) == (SocketMoment.RECEIVED, None, "binary")
    assert "WebSocket messages that could not be used: 1" in session.gaps
    assert not requests(session)


def test_entries_of_a_wrong_shape_are_left_out_and_counted() -> None:
    session = imported(
        page("http://a.test/"),
        17,
        {"request": "GET /"},
        entry("http://a.test/x", response={"status": "200"}),
        {**entry("http://a.test/y"), "startedDateTime": "yesterday"},
        {**entry("http://a.test/z"), "time": 10**400},
    )

    assert len(requests(session)) == 1
    assert "entries of the file that could not be used: 5" in session.gaps


def test_what_a_har_file_cannot_contain_is_said() -> None:
    gaps = imported(page("http://a.test/")).gaps

    for word in ("actions", "errors and console lines", "pages", "local and session storage", "cookies", "contents"):
        assert any(gap.startswith(word) for gap in gaps), word


def test_noise_is_left_out_and_told() -> None:
    session = imported(page("http://a.test/"), entry("https://www.google-analytics.com/g/collect", 1))

    assert [request.url for request in requests(session)] == ["http://a.test/"]
    assert any("analytics" in gap for gap in session.gaps)


@pytest.mark.parametrize("har", [{}, {"log": []}, {"log": {}}, {"log": {"entries": {}}}, {"log": {"entries": []}}])
def test_what_is_no_har_file_is_refused(har: Json) -> None:
    with pytest.raises(MalformedSession, match=r"shop\.har cannot be read"):
        import_har(har, "shop.har", Masker(), NoiseRules())
