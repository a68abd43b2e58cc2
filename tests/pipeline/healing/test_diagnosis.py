"""One failure and its page: a heal to try, or the reason why there is none."""

import pytest

from testwright.model.case import Framework, TestCase, TestId
from testwright.model.dom import DomSnapshot
from testwright.model.heal import CallSite, FailureRecord, Sighting, Strategy
from testwright.model.result import RunId
from testwright.observe.html_page import snapshot_html
from testwright.pipeline.healing.diagnosis import Diagnosis
from testwright.pipeline.healing.heal_candidate import HealCandidate
from testwright.pipeline.healing.heal_counters import Tally
from testwright.pipeline.healing.heal_report import HealEntry
from testwright.run.selector_miss import is_list_miss, is_selector_miss
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical

BEFORE = "<h1>Cart</h1><main><p>Lamp</p><button id='pay' class='wide'>Pay now</button><a href='/'>Home</a></main>"
AFTER = BEFORE.replace("id='pay'", "data-testid='pay'")
SPEC = """import { test } from '@playwright/test';

// testwright:heal-strategy=byRole,byText
test('pays', async ({ page }) => {
  await page.locator('#pay').click();
  await page.locator('a').click();
});
"""
CASE = TestCase(Framework.PLAYWRIGHT, "tests/a.spec.ts", ("pays",), line=4)
MISS = "TimeoutError: locator.click: Timeout 500ms exceeded.\nCall log:\n  - waiting for locator('#pay')\n"


class Kept:
    """A memory that is a list."""

    def __init__(self, *sightings: Sighting) -> None:
        self._sightings = sightings

    def of_test(self, test: TestId) -> list[Sighting]:
        return [seen for seen in self._sightings if seen.test == test]

    def of_selector(self, selector: str) -> list[Sighting]:
        return [seen for seen in self._sightings if seen.selector == selector]


def page(body: str) -> DomSnapshot:
    return snapshot_html(f"<!doctype html><title>Cart</title>{body}", "http://shop.example/cart")


def seen(selector: str, tag: str, line: int = 5) -> Sighting:
    on = page(BEFORE)
    number = next(element.number for element in on.elements if element.tag == tag)
    return Sighting(CASE.id, CallSite("tests/a.spec.ts", line), canonical(parse_selector(selector)), on, (number,))


def diagnosed(
    body: str, *sightings: Sighting, tally: Tally | None = None, spec: str = SPEC, selector: str = "locator('#pay')"
) -> HealCandidate | HealEntry:
    diagnosis = Diagnosis(
        {"tests/a.spec.ts": spec.encode()},
        Kept(*sightings),
        is_miss=is_selector_miss,
        is_list=is_list_miss,
        passed=frozenset(),
        run=RunId("1"),
        tally=tally or Tally(),
    )
    site = CallSite("tests/a.spec.ts", 5, 14)
    record = FailureRecord(CASE, MISS, (site,), selector, "click", page(body))
    return diagnosis.of(record, "")


def test_a_test_may_ask_for_another_order_of_strategies() -> None:
    asked = diagnosed(AFTER, seen("#pay", "button"))
    usual = diagnosed(AFTER, seen("#pay", "button"), spec=SPEC.replace("// testwright:heal-strategy=byRole,byText", ""))

    assert isinstance(asked, HealCandidate)
    assert isinstance(usual, HealCandidate)
    assert (asked.strategy, usual.strategy) == (Strategy.BY_ROLE, Strategy.BY_TEXT)
    assert asked.draft.edit.new == "getByTestId('pay')"


def test_two_that_fit_are_one_too_many_and_counted_as_such() -> None:
    tally = Tally()

    entry = diagnosed(AFTER.replace("<p>Lamp</p>", "<button>Pay now</button>"), seen("#pay", "button"), tally=tally)

    assert isinstance(entry, HealEntry)
    assert entry.heal.reason == "ambiguous"
    assert [counter.name for counter in tally.values()] == ["kt_auto_heal_ambiguous", "kt_auto_heal_attempts"]


def test_what_the_page_has_again_is_not_healed() -> None:
    entry = diagnosed(BEFORE, seen("#pay", "button"))

    assert isinstance(entry, HealEntry)
    assert (entry.heal.reason, entry.heal.suggestions) == ("there_again", ())


def test_a_selector_that_cannot_be_tried_on_the_page_is_not_taken_for_a_lost_one() -> None:
    entry = diagnosed(AFTER, seen("#pay:hover", "button"), selector="locator('#pay:hover')")

    assert isinstance(entry, HealEntry)
    assert entry.heal.reason == "selector_unsupported"


@pytest.mark.parametrize(
    ("other", "reason"), [("button:hover", "selector_unsupported"), ("[data-testid=pay]", "taken")]
)
def test_what_another_selector_of_the_test_finds_or_may_find_is_not_a_heal(other: str, reason: str) -> None:
    entry = diagnosed(AFTER, seen("#pay", "button"), seen(other, "a", line=6))

    assert isinstance(entry, HealEntry)
    assert entry.heal.reason == reason


def test_without_a_memory_there_are_only_suggestions() -> None:
    entry = diagnosed(AFTER)

    assert isinstance(entry, HealEntry)
    assert entry.heal.reason == "no_fingerprint"
    assert [one.selector for one in entry.heal.suggestions] == ["getByTestId('pay')"]
