"""The console's lines are kept as they were written, until there are too many."""

from collections.abc import Iterator

import pytest

from tests.campaigns import campaign, repetitions
from tests.observe.recording.watching import (
    SECRET,
    Answer,
    Chromium,
    Pages,
    Web,
    new_notebook,
    page_of,
    serving,
    tab_one,
)
from testwright.model.session import ConsoleLine
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording import console
from testwright.observe.recording.console import MOST_ALIKE, ConsoleWatch

pytestmark = pytest.mark.needs_chromium
PAGES: Pages = {
    "/": page_of(),
    "/favicon.ico": Answer(b"", "image/x-icon"),  # where it is missing, the browser adds a line of its own
    "/script": Answer(b"<!doctype html><body><script src='/log.js'></script>"),
    "/log.js": Answer(b"\n  console.warn('careful')", "text/javascript"),
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


def lines(chromium: Chromium, web: Web, script: str = "", path: str = "/") -> tuple[list[ConsoleLine], set[str]]:
    notebook, shelf = new_notebook()

    async def go() -> None:
        context = await chromium.context()
        watch = ConsoleWatch(notebook, NoiseRules())
        watch.watch(context, tab_one)
        page = await context.new_page()
        await page.goto(web.url + path)
        if script:
            await page.evaluate(f"() => {{ {script} }}")
        assert await page.evaluate("1 + 1") == 2  # still responsive, and everything before has arrived
        await watch.drain()
        await context.close()

    chromium.runner.run(go())
    return shelf.all(ConsoleLine), notebook.gaps


def test_a_line_has_its_level_its_text_and_what_it_was_given(chromium_here: Chromium, web: Web) -> None:
    (line,), _ = lines(chromium_here, web, "console.info('saved', 3, {a: 1})")

    assert (line.level, line.text) == ("info", "saved 3 {a: 1}")
    assert line.args == ("saved", "3", "{a: 1}")


def test_a_line_has_its_place_in_the_script(chromium_here: Chromium, web: Web) -> None:
    (line,), _ = lines(chromium_here, web, path="/script")

    assert (line.url, line.line, line.column) == (f"{web.url}/log.js", 2, 11)


def test_a_line_of_the_browser_itself_was_given_nothing(chromium_here: Chromium, web: Web) -> None:
    (line,), _ = lines(chromium_here, web, "return fetch('/missing')")

    assert "404" in line.text
    assert line.args == ()
    assert line.url == f"{web.url}/missing"


def test_secrets_are_masked(chromium_here: Chromium, web: Web) -> None:
    (line,), _ = lines(chromium_here, web, f"console.log('key is', '{SECRET}')")

    assert SECRET not in repr(line)
    assert "key is" in line.text


def test_noise_is_left_out(chromium_here: Chromium, web: Web) -> None:
    assert lines(chromium_here, web, "console.log('[vite] connecting...')")[0] == []


def test_the_same_line_over_and_over_is_counted(chromium_here: Chromium, web: Web) -> None:
    told, _ = lines(chromium_here, web, "for (let n = 0; n < 500; n++) console.log('tick'); console.log('end')")

    assert [line.text for line in told[:MOST_ALIKE]] == ["tick"] * MOST_ALIKE
    assert [line.text for line in told[MOST_ALIKE:]] == ["… repeated 300 times", "end"]


@campaign
def test_a_flood_of_lines_is_cut_and_told(chromium_here: Chromium, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    many = repetitions(full=20_000, usual=4_000)
    monkeypatch.setattr(console, "MOST_PER_SECOND", 100)  # so that a slow machine has a flood too
    told, gaps = lines(chromium_here, web, f"for (let n = 0; n < {many}; n++) console.log('line ' + n)")

    kept = [line for line in told if line.text.startswith("line ")]
    left_out = sum(int(line.text.split()[1]) for line in told if line.text.startswith("…"))
    assert kept[0].text == "line 0"
    assert len(kept) + left_out == many
    assert left_out > 0
    assert any("more than 100 lines" in gap for gap in gaps)
