"""Real traces of Playwright as sessions."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.observe.test_archive import packed
from testwright.masking.masker import Masker
from testwright.model.session import (
    REDACTED,
    Action,
    ActionType,
    AnySessionEvent,
    ConsoleLine,
    Dialog,
    ErrorSource,
    HttpRequest,
    Navigation,
    NavigationCause,
    PageError,
    Secret,
    SessionSource,
    TabEvent,
)
from testwright.observe.importers.session_file import read_session
from testwright.observe.importers.session_masker import SnapshotMasker
from testwright.observe.importers.session_timeline import SessionContent
from testwright.observe.noise_rules import NoiseRules

pytestmark = pytest.mark.needs_chromium

PASSWORD, TOKEN = "hunter2-Hunter2", "q8Zt-44Lx-0pWm-19Vb"
SHOP = f"""<title>Shop</title><h1>Hello</h1>
<label>E-mail <input id="mail"></label><label>Password <input id="pw" type="password"></label>
<select id="country"><option value="de">Germany</option><option value="fr">France</option></select>
<input type="checkbox" id="terms" aria-label="Terms"><input type="file" id="photo" aria-label="Photo">
<button data-testid="load">Load</button><button class="many">One</button><button class="many">Two</button>
<a href="/next?code={TOKEN}" target="_blank">Next</a><iframe title="Chat" src="/chat"></iframe>
<script>
document.querySelector('[data-testid=load]').onclick = async () => {{
  const answer = await fetch('/api/profile', {{method: 'POST', headers: {{authorization: 'Bearer {TOKEN}'}},
    body: JSON.stringify({{password: '{PASSWORD}'}})}});
  const profile = await answer.json();
  console.error('no profile for', profile.token);
  document.querySelector('h1').textContent = profile.profile.name;
}};
</script>"""
PAGES = {
    "/": SHOP,
    "/chat": '<button onclick="throw new RangeError(`too much`)">Send</button>',
    "/next": "<title>Next</title><h1>Next</h1>",
}


class _Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = PAGES.get(self.path.partition("?")[0])
        self._answer(200 if body else 404, "text/html", body or "")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self._answer(200, "application/json", f'{{"profile": null, "token": "{TOKEN}"}}')

    def _answer(self, status: int, mime: str, body: str) -> None:
        self.send_response(status)
        self.send_header("content-type", mime)
        self.send_header("set-cookie", f"session={TOKEN}; HttpOnly")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Shop) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def session(browser: Browser, shop: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[SessionContent, Masker]:
    folder = tmp_path_factory.mktemp("trace")
    (folder / "me.png").write_bytes(b"x")
    context = browser.new_context(viewport={"width": 900, "height": 600}, locale="de-DE")
    context.tracing.start(snapshots=True)
    page = context.new_page()
    page.goto(f"{shop}/")
    page.get_by_label("E-mail").fill("ann@shop.test")
    page.locator("#pw").fill(PASSWORD)
    page.locator("#pw").press("x")
    page.locator("#mail").press("Enter")
    page.keyboard.type("!")
    page.mouse.move(1, 1)
    page.select_option("#country", label="France")
    page.get_by_label("Terms").check()
    page.set_input_files("#photo", folder / "me.png")
    page.get_by_role("button", name="Two").dblclick()
    page.locator(".many").first.click(button="right")
    page.locator("h1").drag_to(page.locator("#mail"))
    with page.expect_event("pageerror"):
        page.frame_locator("iframe").get_by_role("button").click()
    page.once("dialog", lambda dialog: dialog.accept("Ann"))
    page.evaluate("prompt('Who are you?')")
    with page.expect_event("pageerror"):
        page.get_by_test_id("load").click()
    with context.expect_page() as opened:
        page.get_by_role("link", name="Next").click()
    opened.value.wait_for_load_state()
    opened.value.reload()
    context.tracing.stop(path=folder / "trace.zip")
    context.close()
    masker = Masker()
    return read_session(folder / "trace.zip", masker, NoiseRules()), masker


def of(session: tuple[SessionContent, Masker], kind: type[AnySessionEvent]) -> list[Any]:
    return [event for event in session[0].events if isinstance(event, kind)]


def the(session: tuple[SessionContent, Masker], type_: ActionType) -> Action:
    found: Action = next(action for action in of(session, Action) if action.type is type_)
    return found


def test_the_calls_of_the_test_stand_as_actions_in_their_order(session: tuple[SessionContent, Masker]) -> None:
    assert [action.type for action in of(session, Action)] == [
        ActionType.FILL,
        ActionType.FILL,
        ActionType.PRESS,
        ActionType.FILL,
        ActionType.SELECT,
        ActionType.CHECK,
        ActionType.UPLOAD,
        ActionType.DOUBLE_CLICK,
        ActionType.RIGHT_CLICK,
        ActionType.DRAG,
        ActionType.CLICK,
        ActionType.CLICK,
        ActionType.CLICK,
    ]
    assert session[0].head.source is SessionSource.TRACE
    assert any(gap.startswith("what a person did by hand") for gap in session[0].gaps)


def test_what_was_typed_chosen_and_uploaded_is_known_unless_it_is_secret(
    session: tuple[SessionContent, Masker],
) -> None:
    mail, password, enter, typed = of(session, Action)[:4]
    assert mail.value == "ann@shop.test"
    assert isinstance(password.value, Secret)
    assert (enter.value, typed.value) == ("Enter", "!")
    assert the(session, ActionType.SELECT).values == ("fr",)
    assert the(session, ActionType.UPLOAD).values == ("me.png",)
    assert "keys typed into secret fields: 1" in session[0].gaps
    assert any("mouse" in gap for gap in session[0].gaps)


def test_elements_have_several_ways_to_be_found_that_were_tried(session: tuple[SessionContent, Masker]) -> None:
    mail = of(session, Action)[0].target
    assert [(one.by, one.selector, one.count) for one in mail.candidates][:3] == [
        ("label", 'internal:label="E-mail"i', 1),
        ("role", 'internal:role=textbox[name="E-mail"i]', 1),
        ("id", "#mail", 1),
    ]
    assert (mail.tag, mail.role, mail.name) == ("input", "textbox", "E-mail")
    right = the(session, ActionType.RIGHT_CLICK).target
    assert right.best is not None
    assert right.best.selector == ".many >> nth=0"
    assert [(one.count, one.nth) for one in right.candidates if one.selector == "button.many"] == [(2, 0)]
    onto = the(session, ActionType.DRAG).onto
    assert onto is not None
    assert onto.name == "E-mail"


def test_an_element_in_a_frame_is_found_within_it(session: tuple[SessionContent, Masker]) -> None:
    inside = next(action for action in of(session, Action) if action.target.frames)

    assert inside.target.frames == ('internal:attr=[title="Chat"i]',)
    assert inside.target.candidates[0].selector == "internal:role=button"
    assert inside.target.candidates[0].count == 1
    assert inside.target.name == "Send"


def test_requests_have_their_bodies_and_come_after_the_action_that_caused_them(
    session: tuple[SessionContent, Masker],
) -> None:
    (request,) = (one for one in of(session, HttpRequest) if one.method == "POST")
    (cause,) = (action for action in of(session, Action) if action.seq == request.after)

    assert cause.target.candidates[0].by == "testid"
    assert (request.resource, request.status) == ("fetch", 200)
    assert request.received is not None
    assert request.received.text == f'{{"profile": null, "token": "{REDACTED}"}}'
    assert request.sent is not None
    assert request.sent.text == f'{{"password":"{REDACTED}"}}'


def test_errors_have_their_stack_their_page_and_their_cause(session: tuple[SessionContent, Masker], shop: str) -> None:
    in_frame, logged, thrown = of(session, PageError)
    assert (in_frame.name, in_frame.message, in_frame.source) == ("RangeError", "too much", ErrorSource.PAGE_ERROR)
    assert (logged.source, logged.message) == (ErrorSource.CONSOLE, f"no profile for {REDACTED}")
    assert (thrown.name, thrown.source) == ("TypeError", ErrorSource.PAGE_ERROR)
    assert "reading 'name'" in thrown.message
    assert thrown.stack[0].url == f"{shop}/"
    assert thrown.error_id.startswith("err_")
    assert thrown.fingerprint
    assert thrown.url == f"{shop}/"
    (cause,) = (action for action in of(session, Action) if action.seq == thrown.after)
    assert cause.type is ActionType.CLICK
    page = session[0].pages[thrown.seq]()
    assert page is not None
    assert page.title == "Shop"
    assert [line.level for line in of(session, ConsoleLine) if line.args] == ["error"]


def test_navigations_tabs_and_dialogs_are_told(session: tuple[SessionContent, Masker], shop: str) -> None:
    first, opened, reloaded = of(session, Navigation)
    assert (first.url, first.cause, first.status, first.tab) == (f"{shop}/", NavigationCause.GOTO, 200, 1)
    assert (opened.cause, opened.tab) == (NavigationCause.PAGE, 2)
    assert opened.url.startswith(f"{shop}/next?code=")
    assert (reloaded.cause, reloaded.tab) == (NavigationCause.RELOAD, 2)
    (tab,) = of(session, TabEvent)
    assert (tab.what, tab.opener) == ("opened", 1)
    link = of(session, Action)[-1]
    assert opened.after == link.seq
    (dialog,) = of(session, Dialog)
    assert (dialog.type, dialog.message, dialog.accepted, dialog.text) == ("prompt", "Who are you?", True, "Ann")
    assert session[0].head.url == f"{shop}/"
    assert session[0].head.surroundings.viewport == (900, 600)
    assert session[0].head.surroundings.locale == "de-DE"


def test_no_secret_is_readable_in_events_or_pages(session: tuple[SessionContent, Masker]) -> None:
    imported, masker = session
    masking = SnapshotMasker(masker)
    pages = [masking.page(page) for source in imported.pages.values() if (page := source()) is not None]

    assert len(pages) > 10
    for secret in (PASSWORD, TOKEN):
        assert secret not in repr(imported.events)
        assert secret not in repr(imported.head)
        assert secret not in repr(pages)
    assert imported.last_page is not None
    last = imported.last_page()
    assert last is not None
    assert last.title == "Next"


def test_a_trace_without_snapshots_keeps_what_the_test_said(browser: Browser, shop: str, tmp_path: Path) -> None:
    context = browser.new_context()
    context.tracing.start()
    page = context.new_page()
    page.goto(f"{shop}/")
    page.frame_locator("iframe").get_by_role("button").click()
    context.tracing.stop(path=tmp_path / "trace.zip")
    context.close()

    found = read_session(tmp_path / "trace.zip", Masker(), NoiseRules())

    (action,) = (event for event in found.events if isinstance(event, Action))
    assert [(one.selector, one.count) for one in action.target.candidates] == [("internal:role=button", 0)]
    assert action.target.frames == ("iframe",)
    assert any(gap.startswith("pages: this trace was recorded without") for gap in found.gaps)


def test_calls_of_an_odd_shape_do_no_harm(tmp_path: Path) -> None:
    lines = [
        b'{"type":"context-options","version":8,"options":[],"wallTime":"now","monotonicTime":1e999}',
        b'{"type":"before","callId":7,"class":"Frame","method":"click","startTime":"x","params":[1]}',
        b'{"type":"before","callId":"a","class":"Frame","method":"click","params":{"selector":"???[","button":3}}',
        b'{"type":"before","callId":"b","class":"Frame","method":"click","params":{"selector":"#a","button":3}}',
        b'{"type":"before","callId":"c","class":"Frame","method":"selectOption","params":{"selector":"#a","options":7}}',
        b'{"type":"before","callId":"d","class":"Frame","method":"fill","params":{"selector":"#a","value":{}}}',
        b'{"type":"before","callId":"e","class":"ElementHandle","method":"click","params":{}}',
        b'{"type":"event","time":-5,"method":"pageError","params":{"error":7,"location":"x"}}',
        b'{"type":"event","method":"dialog","params":null}',
        b'{"type":"console","text":7,"args":{},"location":[],"messageType":9}',
        b'{"type":"frame-snapshot","snapshot":{"html":{"a":1},"isMainFrame":true,"callId":"d","phase":"before"}}',
        b'{"type":"frame-snapshot","snapshot":7}',
    ]
    network = b'{"type":"resource-snapshot","snapshot":7}\n{"type":"resource-snapshot"}\n{oops\n[]'
    (tmp_path / "trace.zip").write_bytes(packed(("a.trace", b"\n".join(lines)), ("a.network", network)))

    found = read_session(tmp_path / "trace.zip", Masker(), NoiseRules())

    assert [event.type for event in found.events if isinstance(event, Action)] == [ActionType.SELECT, ActionType.FILL]
    assert "requests of the file that could not be used: 2" in found.gaps
    for source in found.pages.values():
        source()
