"""What is said over a WebSocket is kept in order, masked, and never too much of it."""

import json
from collections.abc import Iterator

import pytest

from tests.observe.recording.watching import SECRET, Chromium, Pages, Web, new_notebook, page_of, serving, tab_one
from testwright.model.session import REDACTED, SocketEvent, SocketMoment
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording import web_sockets
from testwright.observe.recording.web_sockets import SocketWatch

pytestmark = pytest.mark.needs_chromium
PAGES: Pages = {"/": page_of()}
OPENED, SENT, RECEIVED, CLOSED = SocketMoment


@pytest.fixture(scope="module")
def chromium_here(chromium: str) -> Iterator[Chromium]:
    browser = Chromium(chromium)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving(PAGES) as web:
        yield web


def talk(
    chromium: Chromium, web: Web, path: str, says: str = "", *, hears: int = 1
) -> tuple[list[SocketEvent], set[str]]:
    """Open a socket, say one thing, hear so many, close."""
    notebook, shelf = new_notebook()
    script = """([url, says, hears]) => new Promise(done => {
      const socket = new WebSocket(url);
      socket.onopen = () => { if (says) socket.send(says); };
      socket.onmessage = () => { if (--hears === 0) socket.close(); };
      socket.onclose = () => setTimeout(done);
    })"""

    async def go() -> None:
        context = await chromium.context()
        watch = SocketWatch(notebook, NoiseRules())
        watch.watch(context, tab_one)
        page = await context.new_page()
        await page.goto(web.url)
        await page.evaluate(script, [web.url.replace("http", "ws") + path, says, hears])
        await watch.drain()
        await context.close()

    chromium.runner.run(go())
    return shelf.all(SocketEvent), notebook.gaps


def test_a_conversation_is_kept_in_order(chromium_here: Chromium, web: Web) -> None:
    events, gaps = talk(chromium_here, web, "/chat", "hello")

    assert [(one.what, one.text) for one in events] == [
        (OPENED, None),
        (SENT, "hello"),
        (RECEIVED, "echo: hello"),
        (CLOSED, None),
    ]
    assert events[0].url.endswith("/chat")
    assert {one.socket for one in events} == {events[0].seq}
    assert not gaps


def test_json_is_masked_by_its_keys_too(chromium_here: Chromium, web: Web) -> None:
    said = json.dumps({"kind": "login", "password": "correct horse", "note": SECRET})

    events, _ = talk(chromium_here, web, "/json", said)

    assert json.loads(events[1].text or "") == {"kind": "login", "password": REDACTED, "note": REDACTED}
    assert "correct horse" not in repr(events)


def test_bytes_are_noted_and_not_kept(chromium_here: Chromium, web: Web) -> None:
    events, _ = talk(chromium_here, web, "/binary")

    assert (events[1].text, events[1].size, events[1].note) == (None, 3, "binary")


def test_a_very_long_text_is_noted_and_not_kept(chromium_here: Chromium, web: Web) -> None:
    events, _ = talk(chromium_here, web, "/chat", "x" * 70_000)

    assert (events[1].text, events[1].size, events[1].note) == (None, 70_000, "too_large")


def test_a_flood_is_cut_and_told(chromium_here: Chromium, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_sockets, "MOST_PER_SECOND", 10)  # so that a slow machine has a flood too
    events, gaps = talk(chromium_here, web, "/flood", hears=1_000)

    assert [one.text for one in events if one.what is RECEIVED][:3] == ["0", "1", "2"]
    assert len(events) < 1_000
    assert events[-1].what is CLOSED
    assert any("more than 10 frames" in gap for gap in gaps)


def test_sockets_of_development_tools_are_left_out(chromium_here: Chromium, web: Web) -> None:
    events, _ = talk(chromium_here, web, "/_next/webpack-hmr", "hello")

    assert events == []
