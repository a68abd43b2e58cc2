"""A browser that is running can be recorded too, and stays open afterwards."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Page
from playwright.sync_api import sync_playwright

from tests.observe.recording.recordings import Kept, best
from tests.observe.recording.watching import Answer, Web, serving
from testwright.masking.masker import Masker
from testwright.model.errors import BrowserUnreachable, InvalidUrl
from testwright.model.session import ActionType, HttpRequest, Navigation, NavigationCause, PageError, SessionSource
from testwright.observe.recording.browser_connection import endpoint_of
from testwright.observe.recording.recorder import EndReason, RecordOptions, attach

PAGES = {
    "/": Answer(
        b"""<script>localStorage.theme = 'dark'</script><iframe title="Side" src="/side"></iframe>
        <button onclick="fetch('/api').then(() => { throw new Error('lost') })">Load</button><a href="/next">Next</a>"""
    ),
    "/side": Answer(b"<button>Aside</button>"),
    "/next": Answer(b"<button>Further</button>"),
    "/api": Answer(b"{}", "application/json"),
}


@dataclass
class Running:
    profile: Path
    web: Web
    process: "subprocess.Popen[bytes]"

    @property
    def port(self) -> int:
        return int((self.profile / "DevToolsActivePort").read_text().splitlines()[0])


@pytest.fixture(scope="module")
def running(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A browser as a user might have it open, at a page."""
    profile = tmp_path_factory.mktemp("profile")
    flags = ["--headless", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}", "--no-first-run"]
    with serving(PAGES) as web:
        process = subprocess.Popen(
            [chromium, *flags, f"{web.url}/"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            until = time.monotonic() + 30
            while "/side" not in web.asked or not (profile / "DevToolsActivePort").exists():
                assert time.monotonic() < until, "the browser did not start"
                time.sleep(0.05)
            yield Running(profile, web, process)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.mark.needs_chromium
def test_a_page_that_is_open_is_recorded_and_left_open(running: Running) -> None:
    kept = Kept()

    async def use(page: Page) -> None:
        await page.get_by_text("Load").click()
        await page.frame_locator("iframe").get_by_text("Aside").click()
        await page.wait_for_timeout(300)
        await page.get_by_text("Next").click()
        await page.get_by_text("Further").click()

    ended = attach(running.profile, kept, Masker(), RecordOptions(), drive=use)

    assert ended.reason is EndReason.DRIVEN
    assert "what happened before we attached to the browser" in ended.gaps
    (head,) = kept.heads
    assert (head.source, head.url) == (SessionSource.CDP, f"{running.web.url}/")
    assert head.state.origins[0].local == {"theme": "dark"}
    assert [(action.type, action.target.name) for action in kept.actions] == [
        (ActionType.CLICK, name) for name in ("Load", "Aside", "Next", "Further")
    ]
    load, aside = kept.actions[:2]
    assert best(load.target) == 'internal:role=button[name="Load"i]'
    assert aside.target.frames == ('iframe[title="Side"]',)
    assert [one.after for one in kept.all(HttpRequest) if one.url.endswith("/api")] == [load.seq]
    assert [(one.message, one.after) for one in kept.all(PageError)] == [("lost", load.seq)]
    assert [(one.cause, one.url) for one in kept.all(Navigation)] == [
        (NavigationCause.GOTO, f"{running.web.url}/"),
        (NavigationCause.PAGE, f"{running.web.url}/next"),
    ]

    assert running.process.poll() is None
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{running.port}")
        assert [page.url for page in browser.contexts[0].pages] == [f"{running.web.url}/next"]


@pytest.mark.needs_chromium
def test_a_port_does_as_well_and_a_browser_can_be_attached_to_again(running: Running) -> None:
    for _ in range(2):
        kept = Kept()

        async def use(page: Page) -> None:
            await page.locator("button").first.click()

        ended = attach(running.port, kept, Masker(), RecordOptions(), drive=use)

        assert ended.reason is EndReason.DRIVEN
        assert [action.type for action in kept.actions] == [ActionType.CLICK]
    assert running.process.poll() is None


@pytest.mark.needs_chromium
def test_where_no_browser_answers_it_says_how_to_start_one() -> None:
    with pytest.raises(BrowserUnreachable, match=r"No browser answers at http://127\.0\.0\.1:9") as caught:
        attach("9", Kept(), Masker())

    assert "chrome://inspect/#remote-debugging" in caught.value.next_step


def test_a_profile_folder_says_where_its_browser_listens(tmp_path: Path) -> None:
    (tmp_path / "DevToolsActivePort").write_text("41111\n/devtools/browser/abc\n")

    assert endpoint_of(tmp_path) == "ws://127.0.0.1:41111/devtools/browser/abc"
    assert endpoint_of(str(tmp_path / "DevToolsActivePort")) == "ws://127.0.0.1:41111/devtools/browser/abc"
    assert endpoint_of("9222") == "http://127.0.0.1:9222"
    assert endpoint_of("http://127.0.0.1:9222") == "http://127.0.0.1:9222"


@pytest.mark.parametrize("content", ["", "x\n/devtools/browser/abc", "1\nhttp://evil.test/", "99999\n/devtools/x"])
def test_a_profile_folder_that_makes_no_sense_is_a_clear_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "DevToolsActivePort").write_text(content)

    with pytest.raises((BrowserUnreachable, InvalidUrl)):
        endpoint_of(tmp_path)


def test_a_folder_without_a_browser_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BrowserUnreachable, match="has no DevToolsActivePort"):
        endpoint_of(tmp_path)
    with pytest.raises(BrowserUnreachable, match="is no profile folder"):
        endpoint_of(tmp_path / "none")


@pytest.mark.parametrize("place", ["ftp://a.test", "0", "70000", "file:///tmp/x"])
def test_what_is_no_place_of_a_browser_is_a_clear_error(place: str) -> None:
    with pytest.raises(InvalidUrl):
        endpoint_of(place)
