"""What comes home of the pages of pytest-playwright tests, run for real."""

import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.run.conftest import CLEAN, RunPytest, Story, Write
from testwright.model.dom import Element
from testwright.model.heal import CallSite
from testwright.model.result import Artifact, Attempt
from testwright.observe.live_page import WalkedPage, page_from_walk, snapshot_from_walk
from testwright.run.driver import Driver
from testwright.run.framework_adapter import PageWatch, RunRequest
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project
from testwright.run.selector_miss import failure_of, is_selector_miss

pytestmark = pytest.mark.needs_chromium

CONFTEST = """
import os
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": os.environ["CHROMIUM"]}

@pytest.fixture
def shop(page):
    page.set_content('''<h1>Shop</h1><label for=n>Name</label><input id=n type=password value=secret>
      <button id=go onclick="document.body.innerHTML = '<p id=thanks>Thanks</p>'">Pay</button>
      <ul><li>a</li><li>b</li></ul><iframe srcdoc="<b id=deep>inside</b>"></iframe>''')
    page.frame_locator("iframe").locator("#deep").wait_for()
    return page
"""
SHOP_PAGE = """
class ShopPage:
    def __init__(self, page):
        self.page = page

    def pay(self):
        self.page.get_by_role("button", name="Pay").click()

    def cancel(self):
        self.page.get_by_test_id("cancel").click(timeout=300)
"""
TESTS = """
from playwright.sync_api import expect
from shop_page import ShopPage

def test_pays(shop):
    shop.fill("#n", "Ann")
    expect(shop.locator("li")).to_have_text(["a", "b"])
    ShopPage(shop).pay()
    expect(shop.locator("#thanks")).to_be_visible()

def test_pays_again(shop):
    ShopPage(shop).pay()
    expect(shop.get_by_role("button")).not_to_be_visible()

def test_inside(shop):
    shop.locator("#spinner").wait_for(state="hidden")
    shop.wait_for_selector("#spinner", state="detached")
    expect(shop.frame_locator("iframe").locator("#deep")).to_have_text("inside")
    shop.locator("h1").hover()

def test_cancels(shop):
    shop.locator("h1").click()
    ShopPage(shop).cancel()

def test_expects(shop):
    expect(shop.locator("#total")).to_be_visible(timeout=300)

def test_page_of_its_own(browser):
    page = browser.new_page()
    page.set_content("<h1>Mine</h1>")
    page.click("#gone", timeout=200)

def test_other_text(shop):
    expect(shop.locator("h1")).to_have_text("Payment", timeout=1000)

def test_closed(shop):
    shop.close()
    shop.click("#gone")
"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("web") / "project"
    (root / "tests").mkdir(parents=True)
    (root / "pytest.ini").write_text(
        "[pytest]\npythonpath = .\naddopts = -p pytest_playwright.pytest_playwright\nfilterwarnings = ignore\n"
    )
    (root / "conftest.py").write_text(CONFTEST)
    (root / "shop_page.py").write_text(SHOP_PAGE)
    (root / "tests/test_shop.py").write_text(TESTS)
    return root


def run(root: Path, request: RunRequest, chromium: str) -> Story:
    project = Project.at(root)
    adapter = PytestAdapter(project, Path(sys.executable))
    driver = Driver(project, {**os.environ, **CLEAN, "CHROMIUM": chromium})
    story = Story()
    for event in driver.run(adapter, adapter.suites(project)[0], request):
        story.note(event)
    return story


@pytest.fixture(scope="module")
def recorded(web: Path, chromium: str) -> Story:
    """One run for all that follows."""
    watch = PageWatch(web.parent / "pages", record=True, known=("tests/test_shop.py:19",), share=1.0)
    story = run(web, RunRequest(pages=watch), chromium)
    assert not story.problems
    return story


class Seen(NamedTuple):
    """What one locator found."""

    sites: list[list[object]]
    selector: str
    action: str
    found: WalkedPage

    @property
    def elements(self) -> list[Element]:
        return [self.found.page.elements[number] for number in self.found.targets]


def seen_in(attempt: Attempt) -> list[Seen]:
    seen = []
    for kept in (found for found in attempt.artifacts if found.name == "testwright-targets"):
        for target in json.loads(Path(kept.path).read_text())["targets"]:
            records = json.loads(Path(kept.path).with_name(target["page"]).read_text())
            for record, numbers in zip(records, target["elements"], strict=True):
                record["walk"] = json.dumps({**json.loads(record["walk"]), "targets": numbers})
            seen.append(Seen(target["sites"], target["selector"], target["action"], page_from_walk(records)))
    return seen


def artifact(attempt: Attempt, name: str) -> Artifact:
    [found] = [artifact for artifact in attempt.artifacts if artifact.name == name]
    return found


def test_outcomes_are_what_they_would_be_without_us(recorded: Story) -> None:
    short = {name.rpartition("::")[2].partition("[")[0]: outcome for name, outcome in recorded.outcomes.items()}

    assert short == {
        "test_pays": "passed",
        "test_pays_again": "passed",
        "test_inside": "passed",
        "test_cancels": "failed",
        "test_expects": "failed",
        "test_page_of_its_own": "failed",
        "test_other_text": "failed",
        "test_closed": "failed",
    }


@pytest.mark.parametrize(
    ("test", "sites", "heading"),
    [
        ("test_cancels[chromium]", [("shop_page.py", 10), ("tests/test_shop.py", 23)], "Shop"),
        ("test_expects[chromium]", [("tests/test_shop.py", 26)], "Shop"),
        ("test_page_of_its_own[chromium]", [("tests/test_shop.py", 31)], "Mine"),
    ],
)
def test_a_lost_element_brings_the_page_and_where_it_was_looked_for(
    test: str, sites: list[tuple[str, int]], heading: str, recorded: Story, web: Path
) -> None:
    attempt = recorded[test]

    record = failure_of(recorded.result(test).case, attempt, web)
    page = snapshot_from_walk(json.loads(Path(artifact(attempt, "testwright-page").path).read_text()))

    assert is_selector_miss(attempt.message)
    assert record.stack == tuple(CallSite(file, line) for file, line in sites)
    assert [element.text for element in page.elements if element.tag == "h1"] == [heading]
    assert page.is_loaded
    assert "secret" not in Path(artifact(attempt, "testwright-page").path).read_text()


def test_other_failures_bring_no_page(recorded: Story) -> None:
    assert not recorded["test_other_text[chromium]"].artifacts
    assert "testwright-page" not in [found.name for found in recorded["test_closed[chromium]"].artifacts]


def test_what_locators_found_is_noted_with_the_page_they_found_it_on(recorded: Story) -> None:
    told = {
        (*seen.sites[0], seen.selector, seen.action): [element.tag for element in seen.elements]
        for seen in seen_in(recorded["test_pays[chromium]"])
    }

    assert told["tests/test_shop.py", 6, "#n", "fill"] == ["input"]
    assert told["tests/test_shop.py", 7, "li", "to_have_text"] == ["li", "li"]
    assert told["shop_page.py", 7, 'internal:role=button[name="Pay"i]', "click"] == ["button"]
    assert told["tests/test_shop.py", 9, "#thanks", "to_be_visible"] == ["p"]


def test_the_page_is_the_one_before_the_click(recorded: Story) -> None:
    [seen] = [seen for seen in seen_in(recorded["test_pays[chromium]"]) if seen.action == "click"]

    assert [element.text for element in seen.elements] == ["Pay"]
    assert seen.sites == [["shop_page.py", 7], ["tests/test_shop.py", 8]]


def test_elements_in_frames_are_pointed_out_in_their_frame(recorded: Story) -> None:
    [seen] = seen_in(recorded["test_inside[chromium]"])

    assert [(element.get("id"), element.frame) for element in seen.elements] == [("deep", 1)]


def test_each_place_is_recorded_once_and_nothing_of_what_should_not_be_there(recorded: Story) -> None:
    assert not seen_in(recorded["test_pays_again[chromium]"])


def test_tests_that_fail_record_nothing(recorded: Story) -> None:
    assert not seen_in(recorded["test_cancels[chromium]"])


def test_a_page_on_which_much_was_found_is_kept_once(recorded: Story) -> None:
    listed = json.loads(Path(artifact(recorded["test_pays[chromium]"], "testwright-targets").path).read_text())[
        "targets"
    ]

    pages = {found["action"]: found["page"] for found in listed}

    assert pages["fill"] == pages["to_have_text"] == pages["click"] != pages["to_be_visible"]


def marks(attempt: Attempt) -> tuple[bool, bool]:
    told = json.loads(Path(artifact(attempt, "testwright-targets").path).read_text())
    return told["whole"], told["cut_short"]


def test_places_that_are_known_are_not_recorded_again_and_the_test_is_not_reported_whole(recorded: Story) -> None:
    assert [seen.action for seen in seen_in(recorded["test_inside[chromium]"])] == ["to_have_text"]
    assert marks(recorded["test_inside[chromium]"]) == (False, False)
    assert marks(recorded["test_pays[chromium]"]) == (True, False)


def test_a_test_that_could_not_be_recorded_for_want_of_time_says_so(web: Path, chromium: str, tmp_path: Path) -> None:
    watch = PageWatch(tmp_path / "pages", record=True, share=-1000.0)

    story = run(web, RunRequest(pages=watch, select=("*test_pays_again*",)), chromium)

    assert not seen_in(story["test_pays_again[chromium]"])
    assert marks(story["test_pays_again[chromium]"]) == (False, True)


def test_a_project_without_a_browser_has_nothing_of_ours_loaded(
    project: Write, run_pytest: RunPytest, tmp_path: Path
) -> None:
    root = project(
        {"test_a.py": "import sys\ndef test_a(): assert not [m for m in sys.modules if 'pytest_browser' in m]\n"}
    )

    story = run_pytest(root, RunRequest(pages=PageWatch(tmp_path / "pages", record=True)))

    assert story.outcomes == {"test_a.py::test_a": "passed"}
    assert not (tmp_path / "pages").exists()
