"""Whatever goes wrong in a page is told once, with its kind, its stack in the sources and the page it left behind."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.async_api import Page

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
    source_of,
    tab_one,
)
from testwright.model.session import ErrorSource, PageError, SourceSpot
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.error_fingerprints import message_pattern
from testwright.observe.recording.page_errors import MOST_ALIKE, ErrorWatch

pytestmark = pytest.mark.needs_chromium

# Line 1, column 15 of the script (`null.x`) is line 12, column 3 of src/profile.ts.
MAP = {"version": 3, "sources": ["src/profile.ts"], "names": ["loadProfile"], "mappings": "cAWEA"}
PAGES: Pages = {
    "/": page_of(),
    "/mapped": Answer(b"<!doctype html><body><script src='/app.min.js'></script>"),
    "/app.min.js": Answer(b"function a(){ null.x }\n//# sourceMappingURL=app.min.js.map", "text/javascript"),
    "/app.min.js.map": Answer(json.dumps(MAP).encode(), "application/json"),
    "/torn": Answer(b"<!doctype html><body><script src='/torn.js'></script>"),
    "/torn.js": Answer(b"function a(){ null.x }\n//# sourceMappingURL=torn.js.map", "text/javascript"),
    "/torn.js.map": Answer(b"{", "application/json"),
    "/outer": page_of(body="<iframe src='/inner'></iframe>"),
    "/inner": page_of("function fails() { throw new RangeError('in the frame') }"),
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


Use = Callable[[Page], Awaitable[object]]


def throwing(script: str) -> Use:
    """Run it as the page's own code, not as ours."""

    async def use(page: Page) -> None:
        await page.evaluate("script => void setTimeout(() => (0, eval)(script))", script)
        await page.evaluate("() => new Promise(done => setTimeout(done))")

    return use


@dataclass
class Watched:
    chromium: Chromium
    web: Web
    hinted: bool = True
    keeps_pages: bool = True
    shelf: Shelf = field(default_factory=Shelf)
    gaps: set[str] = field(default_factory=set)
    pages_kept: int = 0

    def run(self, use: Use, path: str = "/") -> list[PageError]:
        self.chromium.runner.run(self._run(use, path))
        return self.shelf.all(PageError)

    async def _run(self, use: Use, path: str) -> None:
        notebook, self.shelf = new_notebook()
        self.gaps = notebook.gaps
        context = await self.chromium.context()
        watch = ErrorWatch(notebook, NoiseRules(), keep_page=self._keep_page)
        watch.watch(context, tab_one)
        if self.hinted:
            await context.expose_binding("__tell", lambda source, message: watch.hint(message, source["frame"]))
            await context.add_init_script(f"({source_of('error_hints.js')})(m => window.__tell(m))")
        page = await context.new_page()
        await page.goto(self.web.url + path)
        await use(page)
        await watch.drain()
        await context.close()

    async def _keep_page(self, page: Page) -> tuple[str, str]:
        self.pages_kept += 1
        if not self.keeps_pages:
            await asyncio.Event().wait()
        return f"dom-{self.pages_kept}", f"aria-{self.pages_kept}"


@pytest.fixture
def watched(chromium_here: Chromium, web: Web) -> Watched:
    return Watched(chromium_here, web)


def test_an_exception_has_its_name_message_stack_and_page(watched: Watched, web: Web) -> None:
    (error,) = watched.run(throwing("function load() { null.name }; load()"))

    assert (error.source, error.name) == (ErrorSource.PAGE_ERROR, "TypeError")
    assert error.message == "Cannot read properties of null (reading 'name')"
    assert error.stack[0].function == "load"
    assert error.url == f"{web.url}/"
    assert (error.page, error.aria) == ("dom-1", "aria-1")
    assert re.fullmatch(r"err_\d{13}_[0-9a-f]{8}", error.error_id)
    assert error.fingerprint
    assert re.search(message_pattern(error.message), error.message)


def test_a_rejection_is_told_from_an_exception(watched: Watched) -> None:
    (error,) = watched.run(throwing("(async () => { throw new RangeError('later') })()"))

    assert (error.source, error.name, error.message) == (ErrorSource.REJECTION, "RangeError", "later")


def test_without_the_pages_own_listener_an_error_is_told_all_the_same(chromium_here: Chromium, web: Web) -> None:
    (error,) = Watched(chromium_here, web, hinted=False).run(throwing("Promise.reject(new Error('x'))"))

    assert (error.source, error.message) == (ErrorSource.PAGE_ERROR, "x")


@pytest.mark.parametrize(
    ("script", "source", "message"),
    [
        ("throw 'just text'", ErrorSource.PAGE_ERROR, "just text"),
        ("throw null", ErrorSource.PAGE_ERROR, "null"),
        ("Promise.reject({message: 'a thing'})", ErrorSource.REJECTION, "Object"),
        ("throw {get message() { throw 1 }}", ErrorSource.PAGE_ERROR, "Object"),
    ],
)
def test_anything_may_be_thrown(watched: Watched, script: str, source: ErrorSource, message: str) -> None:
    (error,) = watched.run(throwing(script))

    assert (error.source, error.name, error.message) == (source, "", message)


def test_an_error_that_the_page_takes_care_of_is_none(watched: Watched) -> None:
    script = "addEventListener('unhandledrejection', e => e.preventDefault()); Promise.reject(new Error('handled'))"

    assert watched.run(throwing(script)) == []


def test_console_error_called_by_code_is_an_error_and_a_line_of_the_browser_is_none(watched: Watched) -> None:
    async def use(page: Page) -> None:
        await page.evaluate("fetch('/missing')")
        await page.evaluate("() => { function f() { console.error(new TypeError('told')) }; f() }")

    (error,) = watched.run(use)

    assert (error.source, error.name, error.message) == (ErrorSource.CONSOLE, "TypeError", "told")
    assert error.stack[0].function == "f"


def test_console_error_with_text_alone_has_the_place_it_was_called_at(watched: Watched) -> None:
    (error,) = watched.run(throwing("console.error('could not save', 7)\n//# sourceURL=http://app.test/save.js"))

    assert error.message == "could not save 7"
    assert [frame.url for frame in error.stack] == ["http://app.test/save.js"]


def test_a_stack_is_told_in_the_sources(watched: Watched) -> None:
    (error,) = watched.run(throwing("a()"), "/mapped")

    assert error.stack[0].spot == SourceSpot("src/profile.ts", 12, 3, "loadProfile")
    assert error.stack[0].is_app


def test_a_torn_map_leaves_the_stack_as_it_is(watched: Watched) -> None:
    (error,) = watched.run(throwing("a()"), "/torn")

    assert error.stack[0].spot is None
    assert (error.stack[0].function, error.stack[0].line) == ("a", 1)


def test_an_error_in_a_frame_names_its_document(watched: Watched, web: Web) -> None:
    async def use(page: Page) -> None:
        await page.frames[1].evaluate("() => void setTimeout(() => fails())")
        await throwing("")(page)

    (error,) = watched.run(use, "/outer")

    assert (error.url, error.frame_url) == (f"{web.url}/outer", f"{web.url}/inner")


def test_errors_in_a_row_share_one_picture_of_the_page(watched: Watched) -> None:
    errors = watched.run(throwing("for (const n of [1, 2, 3]) Promise.reject(new Error('word'.repeat(n)))"))

    assert len(errors) == 3
    assert {error.page for error in errors} == {"dom-1"}
    assert len({error.error_id for error in errors}) == 3


def test_a_page_that_cannot_be_read_does_not_hold_an_error_back(chromium_here: Chromium, web: Web) -> None:
    (error,) = Watched(chromium_here, web, keeps_pages=False).run(throwing("throw new Error('x')"))

    assert (error.message, error.page) == ("x", "")


def test_a_flood_of_one_error_is_cut_and_told(watched: Watched) -> None:
    errors = watched.run(throwing("for (let n = 0; n < 500; n++) Promise.reject(new Error('again ' + n))"))

    assert 0 < len(errors) <= MOST_ALIKE
    assert any("errors" in gap for gap in watched.gaps)


def test_noise_is_no_error(watched: Watched) -> None:
    assert watched.run(throwing("throw new Error('ResizeObserver loop limit exceeded')")) == []


def test_a_secret_in_a_message_is_masked(watched: Watched) -> None:
    (error,) = watched.run(throwing(f"throw new Error('key {SECRET} refused')"))

    assert SECRET not in repr(error)
    assert re.search(message_pattern(error.message), f"key {SECRET} refused")


def test_a_crash_of_the_page_is_an_error(watched: Watched) -> None:
    async def use(page: Page) -> None:
        async with page.expect_event("crash"):
            going = asyncio.ensure_future(_gone(page))
        await going

    (error,) = watched.run(use)

    assert error.source is ErrorSource.CRASH


async def _gone(page: Page) -> None:
    from playwright.async_api import Error

    try:
        await page.goto("chrome://crash")
    except Error:
        return


def test_errors_that_are_still_incomplete_at_the_end_are_written(chromium_here: Chromium, web: Web) -> None:
    script = "for (const n of [...Array(30).keys()]) Promise.reject(new Error('word '.repeat(n)))"

    errors = Watched(chromium_here, web, hinted=False, keeps_pages=False).run(throwing(script))

    assert len(errors) == 30
