"""Heals of one file stand side by side, unless they disagree; and a selector that works elsewhere is left alone."""

import pytest

from testwright.heal.heal_adapter import NotHealable
from testwright.heal.selector_draft import SelectorDraft
from testwright.heal.web_adapter import WebAdapter
from testwright.model.case import Framework, TestCase, TestId
from testwright.model.dom import DomSnapshot, Element
from testwright.model.heal import CallSite, FailureRecord, HealOutcome, SelectorHeal, Sighting, Strategy
from testwright.pipeline.healing.heal_candidate import HealCandidate, by_file, combined, without_conflicts
from testwright.pipeline.healing.remembered_elements import works_elsewhere

FILE = "tests/a.spec.ts"
SOURCE = b"""import { test } from '@playwright/test';
test('a', async ({ page }) => {
  await page.locator('#pay').click();
  await page.locator('#buy').click();
});
"""
PAGE = DomSnapshot(
    (
        Element(0, None, "body"),
        Element(1, 0, "button", {"data-testid": "pay-now"}, text="Pay", role="button", name="Pay"),
        Element(2, 0, "button", {"data-testid": "buy-now"}, text="Buy", role="button", name="Buy"),
    )
)


def draft(selector: str, line: int, element: int) -> SelectorDraft:
    adapter = WebAdapter({FILE: SOURCE}, is_miss=lambda _: True)
    case = TestCase(Framework.PLAYWRIGHT, FILE, ("a",))
    failure = FailureRecord(case, "lost", (CallSite(FILE, line),), f"locator('{selector}')", "click", PAGE)
    original, page = adapter.parse_failure(failure)
    return adapter.draft(original, page.elements[element])


def candidate(made: SelectorDraft, title: str = "a") -> HealCandidate:
    heal = SelectorHeal(made.old_text, HealOutcome.HEAL, "healed", new=made.edit.new, found_by=Strategy.BY_TEXT)
    return HealCandidate(TestCase(Framework.PLAYWRIGHT, FILE, (title,)), "", "#pay", heal, made)


def test_all_heals_of_a_file_are_in_the_one_file_that_is_proposed() -> None:
    pay, buy = candidate(draft("#pay", 3, 1)), candidate(draft("#buy", 4, 2))

    [(file, together)] = by_file([pay, buy]).items()

    assert file == FILE
    assert combined(together) == SOURCE.replace(b"locator('#pay')", b"getByTestId('pay-now')").replace(
        b"locator('#buy')", b"getByTestId('buy-now')"
    )


def test_tests_that_need_the_same_heal_agree() -> None:
    first, second = candidate(draft("#pay", 3, 1), "a"), candidate(draft("#pay", 3, 1), "b")

    assert without_conflicts([first, second]) == ([first, second], [])


def test_two_ways_to_write_one_place_are_both_dropped() -> None:
    one, other, third = draft("#pay", 3, 1), draft("#pay", 3, 2), draft("#buy", 4, 2)
    candidates = [candidate(one), candidate(other), candidate(third)]

    assert without_conflicts(candidates) == ([candidates[2]], candidates[:2])


@pytest.mark.parametrize(("line", "passed", "elsewhere"), [(3, True, True), (3, False, False), (4, True, False)])
def test_a_place_that_serves_a_test_that_passed_is_not_what_is_broken(line: int, passed: bool, elsewhere: bool) -> None:
    other = TestId("playwright:tests/a.spec.ts::b")
    seen = Sighting(other, CallSite(FILE, line), "#pay" if line == 3 else "#buy", PAGE, (1,))

    class Memory:
        def of_test(self, test: TestId) -> list[Sighting]:
            return []

        def of_selector(self, selector: str) -> list[Sighting]:
            return [seen]

    known = frozenset({other} if passed else ())

    assert (works_elsewhere({FILE: SOURCE}, Memory(), draft("#pay", 3, 1), "#pay", known) == other) is elsewhere


def test_the_adapter_writes_a_patch_with_what_and_why_on_top() -> None:
    adapter = WebAdapter({FILE: SOURCE}, is_miss=lambda _: True)
    case = TestCase(Framework.PLAYWRIGHT, FILE, ("a",))
    original, page = adapter.parse_failure(
        FailureRecord(case, "lost", (CallSite(FILE, 3),), "locator('#pay')", "click", PAGE)
    )

    patch = adapter.emit_patch(original, page.elements[1], Strategy.BY_TEXT).decode().splitlines()

    assert patch[:3] == ["# strategy: byText", "# old: locator('#pay')", "# new: getByTestId('pay-now')"]
    assert "+  await page.getByTestId('pay-now').click();" in patch


@pytest.mark.parametrize(
    ("selector", "page", "is_miss", "reason"),
    [
        ("locator('#pay')", PAGE, False, "not_a_lost_element"),
        ("", PAGE, True, "not_a_lost_element"),
        ("locator('#pay')", None, True, "no_page"),
    ],
)
def test_a_failure_that_cannot_be_healed_says_why(
    selector: str, page: DomSnapshot | None, is_miss: bool, reason: str
) -> None:
    adapter = WebAdapter({}, is_miss=lambda _: is_miss)
    case = TestCase(Framework.PLAYWRIGHT, FILE, ("a",))

    with pytest.raises(NotHealable) as caught:
        adapter.parse_failure(FailureRecord(case, "lost", (), selector, "click", page))

    assert caught.value.reason == reason
