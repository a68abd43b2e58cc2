"""A recording as a whole: where it goes, frames and tabs, what pages find, how it begins and how it ends."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.async_api import Dialog as BrowserDialog
from playwright.async_api import Page

from tests.observe.recording.recordings import Kept, best, recorded
from tests.observe.recording.watching import Answer, Web, serving
from testwright.masking.masker import Masker
from testwright.model.errors import DomQueryFailed, PageUnreachable, UrlNotAllowed, UsageError
from testwright.model.session import (
    Action,
    ActionType,
    AnySessionEvent,
    Dialog,
    EventKind,
    HttpRequest,
    Navigation,
    NavigationCause,
    PageError,
    Secret,
    SessionSource,
    TabEvent,
)
from testwright.observe.recording.navigations import Navigations
from testwright.observe.recording.recorder import EndReason, RecordOptions, record

pytestmark = pytest.mark.needs_chromium

STRICT = {"content-security-policy": "default-src 'none'; script-src 'nonce-n'; connect-src 'self'; form-action 'self'"}
PAGES = {
    "/": Answer(
        b"""<!doctype html><title>One</title><a href="/two">Two</a>
        <form action="/posted" method="post"><input name="q" aria-label="Query"></form>
        <script nonce="n">
          localStorage.theme = 'dark'; localStorage.token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl';
          sessionStorage.step = '1'; document.cookie = 'flavour=plain';
        </script>""",
        headers=STRICT,
    ),
    "/two": Answer(
        b"""<!doctype html><title>Two</title><button onclick="history.pushState({}, '', '/two/more')">Push</button>
        <button onclick="history.back()">Back</button><button onclick="location.reload()">Again</button>
        <button onclick="location.href = '/three'">Away</button>"""
    ),
    "/two/more": Answer(b"<title>More</title>"),
    "/written": Answer(
        b"""<script>addEventListener('load', () => {
          document.open(); document.write('<button>Written</button>'); document.close();
        })</script>"""
    ),
    "/three": Answer(b"<title>Three</title><button>Three</button>"),
    "/posted": Answer(b"<title>Posted</title><p>Thanks</p>", status=201),
    "/frames": Answer(
        b"""<!doctype html><iframe title="Outer" src="/outer"></iframe><iframe src="/inner"></iframe>
        <iframe src="/inner"></iframe><iframe data-testid="far" id="far"></iframe>
        <script>
          document.getElementById('far').src = `http://localhost:${location.port}/inner`;
        </script>"""
    ),
    "/outer": Answer(b"<iframe name='nested' src='/inner'></iframe>"),
    "/inner": Answer(b"<button onclick='setTimeout(() => { throw new Error(\"inside\") })'>Inner</button>"),
    "/tabs": Answer(
        b"""<button onclick="window.open('/child')">Open</button>
        <a href="/child" target="_blank" rel="noopener">Elsewhere</a>"""
    ),
    "/child": Answer(b"<button onclick=\"fetch('/api')\">Child</button>"),
    "/api": Answer(b"{}", "application/json"),
    "/dialogs": Answer(
        b"""<button onclick="alert('Careful')">Alert</button><button onclick="confirm('Sure?')">Confirm</button>
        <button onclick="document.title = prompt('Name?')">Prompt</button>"""
    ),
    "/clock": Answer(b"<script>document.title = new Date().toISOString()</script>"),
    "/still": Answer(b"<p>Nothing happens here</p>"),
}


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving(PAGES) as web:
        yield web


# --- navigations, under a strict policy -----------------------------------------------------------


@pytest.fixture(scope="module")
def tour(web: Web, chromium: str) -> Kept:
    async def use(page: Page) -> None:
        await page.get_by_text("Two").click()
        await page.wait_for_url("**/two")
        await page.get_by_text("Push").click()
        await page.goto(f"{web.url}/two")
        await page.reload()
        async with page.expect_navigation():
            await page.get_by_text("Again").click()
        async with page.expect_navigation():
            await page.get_by_text("Away").click()
        await page.go_back()
        async with page.expect_navigation():
            await page.get_by_text("Back").click()
        await page.goto(f"{web.url}/")
        await page.get_by_label("Query").fill("ham")
        await page.get_by_label("Query").press("Enter")
        await page.get_by_text("Thanks").wait_for()
        await page.goto(f"{web.url}/written")
        await page.get_by_text("Written").click()

    return recorded(web.url + "/", chromium, use, title="a tour", locale="de-DE", timezone="Europe/Berlin")


def paths(web: Web, kept: Kept) -> list[tuple[str, NavigationCause]]:
    return [(one.url.removeprefix(web.url), one.cause) for one in kept.all(Navigation)]


def test_every_navigation_says_whose_doing_it_was(tour: Kept, web: Web) -> None:
    assert paths(web, tour) == [
        ("/", NavigationCause.GOTO),
        ("/two", NavigationCause.PAGE),
        ("/two/more", NavigationCause.SAME_DOCUMENT),
        ("/two", NavigationCause.GOTO),
        ("/two", NavigationCause.RELOAD),
        ("/two", NavigationCause.PAGE),
        ("/three", NavigationCause.PAGE),
        ("/two", NavigationCause.HISTORY),
        ("/two/more", NavigationCause.PAGE),
        ("/", NavigationCause.GOTO),
        ("/posted", NavigationCause.PAGE),
        ("/written", NavigationCause.GOTO),
    ]


def test_what_a_page_said_as_it_left_says_nothing_of_the_next_navigation_however_late_it_is_heard(
    web: Web, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = asyncio.Event()

    def leaves_late(self: Navigations, page: Page, document: str) -> None:
        async def later() -> None:
            await page.get_by_text("Three").wait_for()
            leaves(self, page, document)
            heard.set()

        if page.url.endswith("/two"):
            self.work.start(later(), what="a late word")

    async def use(page: Page) -> None:
        await page.goto(f"{web.url}/two")
        await page.get_by_text("Away").click()
        await heard.wait()
        await page.go_back()

    leaves = Navigations.leaves
    monkeypatch.setattr(Navigations, "leaves", leaves_late)
    kept = recorded(f"{web.url}/", chromium, use)

    assert paths(web, kept)[-1] == ("/two", NavigationCause.HISTORY)


def test_a_form_that_posts_says_so(tour: Kept) -> None:
    posted = tour.all(Navigation)[-2]

    assert (posted.method, posted.status) == ("POST", 201)
    assert posted.after == tour.on("Query")[-1].seq


def test_a_new_document_says_what_it_found_and_secrets_of_it_by_name_only(tour: Kept, web: Web) -> None:
    first, second = tour.all(Navigation)[:2]
    (found,) = second.state.origins

    assert first.state.is_empty
    assert found.origin == web.url
    assert (found.local["theme"], found.session) == ("dark", {"step": "1"})
    assert isinstance(found.local["token"], Secret)
    assert [(one.name, one.value) for one in second.state.cookies] == [("flavour", "plain")]
    assert "eyJhbGci" not in repr(tour.events) + repr(tour.texts)


def test_a_recording_knows_what_surrounded_the_page(tour: Kept, web: Web) -> None:
    (head,) = tour.heads

    assert (head.source, head.url, head.title) == (SessionSource.LAUNCH, f"{web.url}/", "a tour")
    assert (head.surroundings.locale, head.surroundings.timezone) == ("de-DE", "Europe/Berlin")
    assert head.surroundings.viewport == (1280, 720)
    assert head.state.is_empty


def test_a_strict_policy_of_the_page_changes_nothing(tour: Kept) -> None:
    assert (tour.actions[0].type, tour.actions[0].target.name) == (ActionType.CLICK, "Two")


def test_a_document_that_is_written_anew_is_still_watched(tour: Kept) -> None:
    assert tour.only("Written").type is ActionType.CLICK


def test_it_says_how_it_ended_and_how_much_there_was(tour: Kept) -> None:
    assert tour.ended is not None
    assert tour.ended.reason is EndReason.DRIVEN
    assert tour.ended.counts[EventKind.NAVIGATION] == len(tour.all(Navigation))
    assert tour.pages[tour.ended.last_page].url.endswith("/written")
    assert not [event for event in tour.events if isinstance(event, TabEvent) and event.what == "closed"]


# --- frames and tabs ------------------------------------------------------------------------------


def test_actions_and_errors_in_frames_say_which_frame(web: Web, chromium: str) -> None:
    async def use(page: Page) -> None:
        nested = page.frame_locator("[title=Outer]").frame_locator("iframe")
        await nested.get_by_text("Inner").click()
        await page.frame_locator("iframe >> nth=2").get_by_text("Inner").click()
        await page.frame_locator("#far").get_by_text("Inner").click()

    kept = recorded(f"{web.url}/frames", chromium, use)

    chains = [
        ('iframe[title="Outer"]', 'iframe[name="nested"]'),
        ("iframe >> nth=2",),
        ('iframe[data-testid="far"]',),
    ]
    assert [action.target.frames for action in kept.on("Inner")] == chains
    assert [best(action.target) for action in kept.on("Inner")] == ['internal:role=button[name="Inner"i]'] * 3
    assert [error.frames for error in kept.all(PageError)] == chains
    assert [error.after for error in kept.all(PageError)] == [action.seq for action in kept.actions]


def test_tabs_have_numbers_and_openers_and_inherit_the_cause(web: Web, chromium: str) -> None:
    async def use(page: Page) -> None:
        async with page.expect_popup() as opened:
            await page.get_by_text("Open").click()
        child = await opened.value
        await child.get_by_text("Child").click()
        await child.close()
        async with page.context.expect_page() as another:
            await page.get_by_text("Elsewhere").click()
        await (await another.value).get_by_text("Child").wait_for()

    kept = recorded(f"{web.url}/tabs", chromium, use)

    clicks = {action.target.name: action for action in kept.actions}
    told = [(one.tab, one.what, one.opener) for one in kept.all(TabEvent)]
    assert told == [(1, "opened", None), (2, "opened", 1), (2, "closed", 1), (3, "opened", 1)]
    assert [(one.tab, one.cause, one.after) for one in kept.all(Navigation)[1:]] == [
        (2, NavigationCause.PAGE, clicks["Open"].seq),
        (3, NavigationCause.PAGE, clicks["Elsewhere"].seq),
    ]
    assert clicks["Child"].tab == 2
    (asked,) = (one for one in kept.all(HttpRequest) if one.url.endswith("/api"))
    assert (asked.tab, asked.after) == (2, clicks["Child"].seq)


def test_dialogs_are_closed_and_kept_unless_the_script_answers(web: Web, chromium: str) -> None:
    async def answer(dialog: BrowserDialog) -> None:
        if dialog.type == "prompt":
            await dialog.accept("Ann")

    async def use(page: Page) -> None:
        page.on("dialog", answer)
        for name in ("Alert", "Confirm", "Prompt"):
            await page.get_by_text(name).click()
        await page.wait_for_function("document.title === 'Ann'")

    kept = recorded(f"{web.url}/dialogs", chromium, use)

    assert [(one.type, one.message, one.accepted) for one in kept.all(Dialog)] == [
        ("alert", "Careful", True),
        ("confirm", "Sure?", False),
        ("prompt", "Name?", None),
    ]
    assert [one.after for one in kept.all(Dialog)] == [one.seq for one in kept.actions]


# --- beginnings -----------------------------------------------------------------------------------


def test_the_clock_can_stand_still(web: Web, chromium: str) -> None:
    moment = datetime(2026, 12, 24, 18, 0, tzinfo=UTC)
    titles: list[str] = []

    async def use(page: Page) -> None:
        titles.append(await page.title())

    kept = recorded(f"{web.url}/clock", chromium, use, clock=moment)

    assert titles == ["2026-12-24T18:00:00.000Z"]
    assert kept.heads[0].started == int(moment.timestamp() * 1000)
    assert kept.heads[0].surroundings.fixed_clock


def test_a_saved_state_is_where_it_begins(web: Web, chromium: str, tmp_path: Path) -> None:
    stored = [{"name": "theme", "value": "dark"}]
    saved = tmp_path / "state.json"
    saved.write_text(json.dumps({"cookies": [], "origins": [{"origin": web.url, "localStorage": stored}]}))

    async def use(page: Page) -> None:
        await page.get_by_text("Nothing").wait_for()

    kept = recorded(f"{web.url}/still", chromium, use, storage_state=saved)

    assert kept.heads[0].state.origins[0].local == {"theme": "dark"}
    assert kept.all(Navigation)[0].state.origins[0].local == {"theme": "dark"}


def test_a_saved_state_that_is_none_is_a_clear_error(web: Web, chromium: str, tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text("[]")

    with pytest.raises(UsageError, match="holds no saved state"):
        recorded(f"{web.url}/still", chromium, None, storage_state=tmp_path / "state.json")


def test_an_address_that_does_not_answer_is_a_clear_error(chromium: str) -> None:
    with pytest.raises(PageUnreachable, match=r"127\.0\.0\.1 does not answer: .*(REFUSED|UNSAFE)") as caught:
        recorded("http://127.0.0.1:9/?token=hush", chromium, None)

    assert "hush" not in caught.value.message
    assert caught.value.next_step


def test_a_browser_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(DomQueryFailed, match="No browser could be started"):
        recorded("http://a.test/", str(tmp_path / "none"), None)


def test_an_address_that_may_not_be_opened_starts_no_browser(tmp_path: Path) -> None:
    with pytest.raises(UrlNotAllowed):
        recorded("file:///etc/passwd", str(tmp_path / "none"), None)


# --- endings --------------------------------------------------------------------------------------


def test_it_ends_after_the_time_that_was_given(web: Web, chromium: str) -> None:
    kept = recorded(f"{web.url}/still", chromium, None, seconds=0.5)

    assert kept.ended is not None
    assert kept.ended.reason is EndReason.TIME_UP


def test_what_a_script_raises_comes_out_after_everything_is_kept(web: Web, chromium: str) -> None:
    kept = Kept()

    async def use(page: Page) -> None:
        await page.get_by_label("Query").fill("ham")
        raise RuntimeError("the script is wrong")

    with pytest.raises(RuntimeError, match="the script is wrong"):
        record(f"{web.url}/", kept, Masker(), RecordOptions(headless=True, chromium=Path(chromium)), drive=use)

    assert kept.only("Query").value == "ham"


def test_closing_the_last_tab_ends_it(web: Web, chromium: str) -> None:
    async def use(page: Page) -> None:
        await page.close(run_before_unload=True)  # as a person closes a tab
        await asyncio.Event().wait()  # a script that never ends does not hold it up

    kept = recorded(f"{web.url}/still", chromium, use)

    assert kept.ended is not None
    assert kept.ended.reason is EndReason.CLOSED


def test_ctrl_c_ends_it_and_nothing_is_lost(web: Web, chromium: str) -> None:
    kept = Kept()

    def interrupt(event: AnySessionEvent) -> None:
        if isinstance(event, Action):
            os.kill(os.getpid(), signal.SIGINT)

    async def use(page: Page) -> None:
        await page.get_by_text("Three").click()
        await asyncio.Event().wait()

    options = RecordOptions(headless=True, chromium=Path(chromium))
    ended = record(f"{web.url}/three", kept, Masker(), options, drive=use, listen=interrupt)

    assert ended.reason is EndReason.INTERRUPTED
    assert ended.last_page in kept.pages
    assert threading.current_thread() is threading.main_thread()


def test_a_browser_that_dies_ends_it_and_what_was_seen_is_kept(web: Web, chromium: str) -> None:
    async def use(page: Page) -> None:
        await page.get_by_text("Three").click()
        assert page.context.browser is not None
        session = await page.context.browser.new_browser_cdp_session()
        processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        os.kill(next(one["id"] for one in processes if one["type"] == "browser"), signal.SIGKILL)
        await asyncio.Event().wait()

    kept = recorded(f"{web.url}/three", chromium, use)

    assert kept.ended is not None
    assert kept.ended.reason is EndReason.BROWSER_DIED
    assert kept.only("Three").type is ActionType.CLICK
