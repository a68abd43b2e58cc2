"""Ten bugs of a small shop: each is met in a browser, recorded, and proved by the tests that come of it."""

import asyncio
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright, expect

from tests.campaigns import campaign, repetitions
from tests.journeys.bug_drivers import DRIVERS, Driver
from tests.journeys.bug_shop import EXAMPLE, open_shop
from tests.journeys.web_project import Ran, Runs, WebProject
from testwright.observe.recording.recorder import RecordOptions
from testwright.pipeline.observing.journey import record_session
from testwright.pipeline.web.journey import write_web_test
from testwright.settings import Settings

TIMES = repetitions(full=3, usual=1)  # how often each test is run
Proofs = Mapping[tuple[str, str], Runs]  # by language and build


async def _visit(browser: Browser, address: str, driver: Driver, shown: str) -> list[str]:
    """The errors that the browser reports when somebody takes the steps to a bug, until it shows a text or an error."""
    context = await browser.new_context()
    errors: list[str] = []
    context.on("weberror", lambda found: errors.append(f"{found.error.name}: {found.error.message}"))
    if driver.clock:
        await context.clock.set_fixed_time(driver.clock)
    page = await context.new_page()
    await page.goto(address + driver.path)
    if shown:
        await driver.steps(page)
        await expect(context.pages[-1].frames[-1].get_by_text(shown)).to_be_visible()
    else:
        await driver.drive(page)
    await context.close()
    return errors


def _visit_all(chromium: str, address: str, shown: Mapping[str, str]) -> dict[str, list[str]]:
    async def visit() -> dict[str, list[str]]:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium)
            seen = {name: await _visit(browser, address, DRIVERS[name], text) for name, text in shown.items()}
            await browser.close()
            return seen

    return asyncio.run(visit())


def test_each_bug_shows_as_one_error_of_the_browser(chromium: str) -> None:
    with open_shop() as address:
        seen = _visit_all(chromium, address, dict.fromkeys(DRIVERS, ""))
    for name, driver in DRIVERS.items():
        assert len(seen[name]) == 1, (name, seen[name])
        assert f"{driver.error}: " in seen[name][0]
        assert driver.message in seen[name][0]


def test_no_bug_shows_where_it_is_fixed_and_the_page_does_its_work(chromium: str) -> None:
    with open_shop("--fixed", "all") as address:
        seen = _visit_all(chromium, address, {name: one.mended for name, one in DRIVERS.items()})
    assert seen == {name: [] for name in DRIVERS}


def test_on_a_good_day_the_backend_gives_no_cause_for_the_bugs_that_it_causes(chromium: str) -> None:
    shown = {"null-profile": "Ann Lee", "race": "Rocking chair", "rejection": "Thank you.", "websocket": "Stool: 35 €"}
    with open_shop("--healthy") as address:
        assert _visit_all(chromium, address, shown) == {name: [] for name in shown}


def test_the_built_scripts_are_those_of_their_sources() -> None:
    build = "import bundle, sys; print(*bundle.build(bundle.HERE / sys.argv[1] / 'null-profile'), sep='', end='')"
    for folder in ("shop", "fixed"):
        command = [sys.executable, "-B", "-c", build, folder]
        built = subprocess.run(command, cwd=EXAMPLE, capture_output=True, text=True, check=True).stdout
        kept = EXAMPLE / folder / "null-profile"
        assert built == (kept / "bundle.js").read_text() + (kept / "bundle.js.map").read_text()


@pytest.fixture
def project(tmp_path: Path, node: str, node_modules: Path, chromium: str) -> WebProject:
    """All ten recorded, with a guard and a repro of each in both languages."""
    root = tmp_path
    project = WebProject(root, node=node, node_modules=node_modules, chromium=chromium)
    with open_shop() as address:
        for name, driver in DRIVERS.items():
            options = RecordOptions(headless=True, chromium=Path(chromium), clock=driver.clock)
            recorded = record_session(root, Settings(), address + driver.path, options, drive=driver.drive)
            for polarity in ("guard", "repro"):
                called = f"{name}_{polarity}".replace("-", "_")
                typescript = write_web_test(root, recorded.session, framework="playwright", polarity=polarity)
                project.add_typescript(called, typescript.content)
                python = write_web_test(root, recorded.session, framework="pytest", polarity=polarity)
                project.add_python(called, python.content)
    return project


# One test and not eighty: they share recordings and runners, which several processes would each make for themselves.
@campaign
def test_each_bug_is_proved_in_both_languages_by_a_guard_and_a_repro(project: WebProject) -> None:
    proofs = _proofs(project)
    wrong = [
        f"{name} in {language}, {polarity} on the {build} build: {ran.said or 'green'}"
        for (language, build), runs in proofs.items()
        for name in DRIVERS
        for polarity in ("guard", "repro")
        for ran in _ran(runs, name, polarity)
        if not _is_as_meant(ran, DRIVERS[name], polarity, build)
    ]
    assert wrong == []


def _proofs(project: WebProject) -> Proofs:
    """Every test against the shop with its bugs and without. The bad moments of its data are over."""
    with (
        open_shop("--healthy") as buggy,
        open_shop("--healthy", "--fixed", "all") as fixed,
        ThreadPoolExecutor(3) as pool,  # where the bugs are fixed, a repro mostly waits for them
    ):
        builds = {"fixed": fixed, "buggy": buggy}
        python = {build: [pool.submit(project.run_python, builds[build]) for _ in range(TIMES)] for build in builds}
        typescript = {
            build: [pool.submit(project.run_typescript, address, times=TIMES)] for build, address in builds.items()
        }
        languages = {"python": python, "typescript": typescript}
        return {
            (language, build): _together(job.result() for job in jobs)
            for language, by_build in languages.items()
            for build, jobs in by_build.items()
        }


def _together(several: Iterable[Runs]) -> Runs:
    together: dict[str, list[Ran]] = defaultdict(list)
    for runs in several:
        for name, ran in runs.items():
            together[name] += ran
    return together


def _ran(runs: Runs, name: str, polarity: str) -> Sequence[Ran]:
    ran = runs[f"{name}_{polarity}".replace("-", "_")]
    assert len(ran) == TIMES
    return ran


def _is_as_meant(ran: Ran, driver: Driver, polarity: str, build: str) -> bool:
    """A guard is red while the bug is there, a repro once it is fixed; each for its reason and no other."""
    if (polarity == "guard") is not (build == "buggy"):
        return ran.green
    if polarity == "repro":
        return not ran.green and "the recorded error did not come" in ran.said
    return not ran.green and "the recorded error is back" in ran.said and driver.message in ran.said
