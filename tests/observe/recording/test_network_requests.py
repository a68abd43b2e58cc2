"""Requests are kept in the order they began, with what was sent and answered, and never too much of it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.async_api import Page

from tests.campaigns import campaign, repetitions
from tests.observe.recording.watching import (
    SECRET,
    Answer,
    Chromium,
    Pages,
    Shelf,
    Web,
    new_notebook,
    page_of,
    serving,
    settled,
    tab_one,
)
from testwright.model.session import REDACTED, Action, ActionTarget, ActionType, HttpRequest
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.network_requests import NetworkWatch

pytestmark = pytest.mark.needs_chromium
JSON = "application/json"


def answer_with_length(sent: bytes) -> Answer:
    return Answer(json.dumps({"bytes": len(sent)}).encode(), JSON)


PAGES: Pages = {
    "/": page_of("window.done = true"),
    "/api/user": Answer(json.dumps({"name": "Ann", "password": "swordfish-1"}).encode(), JSON),
    "/api/echo": answer_with_length,
    "/api/none": Answer(b"", JSON, 204),
    "/api/big": Answer(json.dumps("x" * 300_000).encode(), JSON),
    "/api/long": Answer(json.dumps("long " * 5_000).encode(), JSON),
    "/api/binary": Answer(bytes(range(256)), "application/octet-stream"),
    "/api/lies": Answer(b"\x00\x01\x02", "text/plain"),
    "/api/latin": Answer("grün".encode("latin-1"), "text/plain; charset=iso-8859-1"),
    "/api/moved": Answer(b"", JSON, 302, {"location": "/api/user"}),
    "/script.js": Answer(b"window.ran = 1", "text/javascript"),
    "/favicon.ico": Answer(b"", "image/x-icon"),
    "/framed": page_of(
        body="<iframe src='/inner'></iframe>", script="addEventListener('message', () => { window.done = true })"
    ),
    "/inner": page_of("fetch('/api/user').then(() => parent.postMessage(1, '*'))"),
}


@pytest.fixture(scope="module")
def chromium_here(chromium: str) -> Iterator[Chromium]:
    browser = Chromium(chromium)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving(PAGES) as web:
        yield web


@dataclass
class Watched:
    """One recording of requests, on a fresh page."""

    chromium: Chromium
    web: Web
    noise: NoiseRules = field(default_factory=NoiseRules)
    shelf: Shelf = field(default_factory=Shelf)
    gaps: set[str] = field(default_factory=set)

    def run(self, script: str, path: str = "/", *, leave_open: bool = False) -> list[HttpRequest]:
        async def go() -> None:
            notebook, self.shelf = new_notebook()
            self.gaps = notebook.gaps
            context = await self.chromium.context()
            watch = NetworkWatch(notebook, self.noise)
            watch.watch(context, tab_one)
            page = await context.new_page()
            await page.goto(self.web.url + path)
            await settled(page)
            notebook.add(
                Action(
                    seq=notebook.next_seq(), t=notebook.now(), type=ActionType.CLICK, target=ActionTarget(candidates=())
                )
            )
            await self._use(page, script, leave_open=leave_open)
            await watch.drain()
            await context.close()

        self.chromium.runner.run(go())
        return self.shelf.all(HttpRequest)

    async def _use(self, page: Page, script: str, *, leave_open: bool) -> None:
        if not script:
            return
        if leave_open:
            async with page.expect_request("**/held"):
                await page.evaluate(script)
        else:
            await page.evaluate(script)


@pytest.fixture
def watched(chromium_here: Chromium, web: Web) -> Watched:
    return Watched(chromium_here, web)


def last(requests: list[HttpRequest], path: str) -> HttpRequest:
    return [one for one in requests if path in one.url][-1]


def test_an_api_call_is_kept_whole_and_names_the_action_before_it(watched: Watched, web: Web) -> None:
    requests = watched.run("fetch('/api/user', {headers: {'x-page': '1'}}).then(r => r.text())")
    call = last(requests, "/api/user")

    assert (call.method, call.url, call.resource, call.status) == ("GET", f"{web.url}/api/user", "fetch", 200)
    assert call.is_api
    assert call.headers["x-page"] == "1"
    assert call.answer_headers["content-type"] == JSON
    assert call.received is not None
    assert call.received.text is not None
    assert json.loads(call.received.text)["name"] == "Ann"
    assert call.after == next(event.seq for event in watched.shelf.all(Action))
    assert call.ended is not None
    assert call.ended >= call.t
    assert call.frame_url == f"{web.url}/"


def test_the_document_itself_is_a_navigation_with_its_text(watched: Watched) -> None:
    document = watched.run("")[0]

    assert document.is_navigation
    assert document.resource == "document"
    assert document.received is not None
    assert "<!doctype html>" in (document.received.text or "")


def test_what_was_sent_is_kept(watched: Watched) -> None:
    call = last(
        watched.run(
            "fetch('/api/echo', {method: 'POST', body: JSON.stringify({a: 1}),"
            " headers: {'content-type': 'application/json'}}).then(r => r.text())"
        ),
        "/api/echo",
    )

    assert call.method == "POST"
    assert call.sent is not None
    assert (call.sent.text, call.sent.mime, call.sent.size) == ('{"a":1}', JSON, 7)
    assert call.received is not None
    assert call.received.text == '{"bytes": 7}'


def test_secrets_are_masked_wherever_they_are(watched: Watched) -> None:
    watched.run(
        f"fetch('/api/user?token={SECRET}', {{method: 'POST', body: '{{\"password\": \"{SECRET}\"}}',"
        f" headers: {{authorization: 'Bearer {SECRET}', 'content-type': 'application/json'}}}}).then(r => r.text())"
    )
    call = last(watched.shelf.all(HttpRequest), "/api/user")

    assert SECRET not in repr(watched.shelf)
    assert "swordfish-1" not in repr(watched.shelf)
    assert call.sent is not None
    assert call.sent.text is not None
    assert json.loads(call.sent.text) == {"password": REDACTED}


def test_each_step_of_a_redirect_is_a_request(watched: Watched) -> None:
    requests = watched.run("fetch('/api/moved').then(r => r.text())")

    assert [one.status for one in requests if "/api/" in one.url] == [302, 200]


@pytest.mark.parametrize(
    ("path", "note"),
    [("/api/binary", "binary"), ("/api/lies", "binary"), ("/api/big", "too_large")],
)
def test_a_body_that_is_not_kept_says_why(watched: Watched, path: str, note: str) -> None:
    call = last(watched.run(f"fetch('{path}').then(r => r.arrayBuffer()).then(() => 1)"), path)

    assert call.received is not None
    assert (call.received.text, call.received.note) == (None, note)
    assert call.received.size > 0


def test_a_long_body_is_kept_apart(watched: Watched) -> None:
    call = last(watched.run("fetch('/api/long').then(r => r.text()).then(() => 1)"), "/api/long")

    assert call.received is not None
    assert json.loads(watched.shelf.texts[call.received.blob]).startswith("long long")


def test_a_body_is_read_in_its_own_charset(watched: Watched) -> None:
    call = last(watched.run("fetch('/api/latin').then(r => r.text())"), "/api/latin")

    assert call.received is not None
    assert call.received.text == "grün"


def test_an_answer_without_a_body_has_none(watched: Watched) -> None:
    call = last(watched.run("fetch('/api/none').then(() => 1)"), "/api/none")

    assert (call.status, call.received) == (204, None)


def test_scripts_are_listed_without_their_text(watched: Watched) -> None:
    call = last(
        watched.run(
            "new Promise(done => { const s = document.createElement('script');"
            " s.src = '/script.js'; s.onload = done; document.body.append(s) })"
        ),
        "/script.js",
    )

    assert (call.resource, call.status, call.received) == ("script", 200, None)


def test_a_failure_is_told(watched: Watched) -> None:
    call = last(watched.run("fetch('http://127.0.0.1:9/api/x').catch(() => 1)"), "/api/x")

    assert call.status is None
    assert call.failure.startswith("net::ERR_")


def test_a_request_that_is_still_open_at_the_end_is_unfinished(watched: Watched, web: Web) -> None:
    web.hold.clear()
    call = last(watched.run("void fetch('/held')", leave_open=True), "/held")
    web.hold.set()

    assert (call.status, call.failure, call.ended) == (None, "unfinished", None)


def test_a_request_of_a_frame_names_its_document(watched: Watched, web: Web) -> None:
    call = last(watched.run("", "/framed"), "/api/user")

    assert call.frame_url == f"{web.url}/inner"


def test_noise_is_left_out_and_counted(chromium_here: Chromium, web: Web) -> None:
    watched = Watched(chromium_here, web, NoiseRules(requests=["/api/none"]))
    requests = watched.run("fetch('/api/none').then(() => 1)")

    assert not [one for one in requests if "/api/none" in one.url]
    assert watched.noise.counts["requests: /api/none"] == 1


@campaign
def test_many_requests_are_all_there_and_in_order(watched: Watched) -> None:
    rounds = repetitions(full=40, usual=8)
    requests = watched.run(
        f"(async () => {{ for (let i = 0; i < {rounds}; i++)"
        " await Promise.all([...Array(50).keys()].map(j => fetch(`/api/none?n=${i * 50 + j}`))) })()"
    )
    numbers = [int(one.url.partition("n=")[2]) for one in requests if "n=" in one.url]

    assert sorted(numbers) == list(range(50 * rounds))
    assert len({one.seq for one in requests}) == len(requests)
