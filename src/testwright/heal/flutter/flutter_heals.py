"""From a machine report and dumps to heals of Flutter tests: which widget a lost finder means now, or why not.

A test prints its page when it calls `debugDumpApp()` and, for places, `debugDumpSemanticsTree()` before the step that
may fail; both land in `flutter test --machine`. Dumps from elsewhere can be handed in. What a passing run printed is
the memory of its widgets.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from testwright.heal.engine.element_fingerprint import fingerprint_of
from testwright.heal.engine.heal_decision import decide
from testwright.heal.flutter.adapter import FlutterAdapter
from testwright.heal.flutter.dump_snapshot import snapshot_from_dumps
from testwright.heal.flutter.finder_failures import FlutterTest, finished_tests, original_selector
from testwright.heal.flutter.widget_finders import found_by
from testwright.heal.heal_adapter import NotHealable
from testwright.heal.source.locator_finder import find_locators
from testwright.heal.strategy_chain import ChainResult, agreed_element, walk_chain
from testwright.heal.thresholds import MOST_ATTEMPTS
from testwright.model.case import Framework, TestCase
from testwright.model.dom import DomSnapshot, Fingerprint
from testwright.model.errors import TestwrightError
from testwright.model.heal import FailureRecord, HealDecision, HealOutcome, OriginalSelector, SelectorHeal
from testwright.model.proposal import Evidence
from testwright.model.untrusted_text import visible_line

# A test's name and its finder, to what was remembered of the widget; None: nothing was.
Remembered = Callable[[str, str], Fingerprint | None]


@dataclass(frozen=True, slots=True)
class FlutterHeal:
    """What came of one failed test. It has not been run again: a heal is a proposal until a person does so."""

    test: str
    heal: SelectorHeal
    before: bytes = b""  # the file that the finder is written in
    after: bytes = b""
    patch: bytes = b""

    @property
    def file(self) -> str:
        """Where the new finder would be written; empty: nowhere."""
        return self.heal.site.file if self.heal.site is not None else ""

    @property
    def row(self) -> str:
        """What a report says of it, on one line."""
        heal = self.heal
        if heal.outcome is HealOutcome.HEAL:
            told = f"SELF_HEAL_APPLIED {self.test}: {heal.old} -> {heal.new} ({heal.found_by}, {heal.probability:.2f})"
        else:
            told = f"not healed: {self.test}: {heal.explanation} [{heal.reason}]"
        return visible_line(told)


def pages_of(records: Iterable[str | bytes]) -> dict[str, DomSnapshot]:
    """The page of each test that passed and printed a dump, by the test's name."""
    pages = {}
    for test in finished_tests(records):
        page = _page_of(test, None) if test.passed else None
        if page is not None:
            pages[test.name] = page
    return pages


def remembered_from(pages: Mapping[str, DomSnapshot]) -> Remembered:
    """The widget that a finder found on a passing run's page: exactly one, or nothing is remembered."""

    def remembered(test: str, finder: str) -> Fingerprint | None:
        page = pages.get(test)
        found = found_by(finder, page) if page is not None else None
        return fingerprint_of(page, found[0]) if page is not None and found is not None and len(found) == 1 else None

    return remembered


def flutter_heals(
    records: Iterable[str | bytes],
    sources: Mapping[str, bytes],
    fingerprints: Remembered,
    dumps: DomSnapshot | None = None,
) -> list[FlutterHeal]:
    """Every failed test of a `flutter test --machine` report, judged once.

    `sources` are the project's Dart files from its root. `dumps` is the page for tests that printed none themselves.
    """
    heals = []
    attempts = 0
    for test in finished_tests(records):
        if test.passed:
            continue
        try:
            original = original_selector(f"{test.printed}\n{test.errors}")
        except NotHealable as refusal:
            heals.append(_refused(test, "", refusal.reason, refusal.explanation))
            continue
        attempts += 1
        if attempts > MOST_ATTEMPTS:
            told = f"{MOST_ATTEMPTS} heals were tried in this run already."
            heals.append(_refused(test, original.text, "heal_budget_exhausted", told))
            continue
        heals.append(_judged(test, original, sources, fingerprints, dumps))
    return heals


def _page_of(test: FlutterTest, given: DomSnapshot | None) -> DomSnapshot | None:
    try:
        page = snapshot_from_dumps(test.widget_tree, test.semantics)
    except TestwrightError:
        return given
    return page if page.elements else given


def _judged(
    test: FlutterTest,
    original: OriginalSelector,
    sources: Mapping[str, bytes],
    fingerprints: Remembered,
    dumps: DomSnapshot | None,
) -> FlutterHeal:
    adapter = FlutterAdapter(sources)
    case = TestCase(Framework.FLUTTER, test.suite, (test.name,), native_id=test.name)
    record = FailureRecord(case, f"{test.printed}\n{test.errors}", page=_page_of(test, dumps))
    try:
        original, page = adapter.parse_failure(record)
        lost = fingerprints(test.name, original.text)
        if lost is None:
            told = "Nothing is remembered of the widget from a passing run."
            return _refused(test, original.text, "no_fingerprint", told)
        if original.is_list:
            return _refused(test, original.text, "list", "The finder stood for several widgets.")
        chain = walk_chain(adapter, page, lost)
        decision = decide(lost, page, action=original.action, taken=_taken(original, lost, page, sources))
        found = agreed_element(page, chain, decision)
        if found is None or chain.strategy is None:
            return FlutterHeal(test.name, _not_agreed(original.text, chain, decision))
        draft = adapter.draft(original, found, chain.strategy)
        patch = adapter.patch_of(draft, original, chain.strategy)
    except NotHealable as refusal:
        return _refused(test, original.text, refusal.reason, refusal.explanation)
    heal = SelectorHeal(
        original.text,
        HealOutcome.HEAL,
        "healed",
        decision.explanation,
        new=draft.new.text,
        site=draft.site,
        found_by=chain.strategy,
        probability=decision.confidence,
        is_remembered=True,
        evidence=(Evidence(f"found again {chain.strategy}", decision.explanation, test.name),),
    )
    return FlutterHeal(test.name, heal, draft.before, draft.after, patch)


def _refused(test: FlutterTest, old: str, reason: str, explanation: str) -> FlutterHeal:
    return FlutterHeal(test.name, SelectorHeal(old, HealOutcome.ABSTAIN, reason, explanation))


def _not_agreed(old: str, chain: ChainResult, decision: HealDecision) -> SelectorHeal:
    """Why there is no one widget that both the chain and the engine mean."""
    if chain.ambiguous:
        told = f"{len(chain.several)} widgets fit {chain.strategy}, and it cannot be told which one is meant."
        return SelectorHeal(old, HealOutcome.SUGGEST, "ambiguous", told, found_by=chain.strategy or "")
    if chain.element is None:
        return SelectorHeal(old, HealOutcome.ABSTAIN, "gone", f"No strategy found it. {decision.explanation}")
    is_vetoed = decision.outcome is HealOutcome.HEAL  # it is sure of another widget
    return SelectorHeal(
        old,
        HealOutcome.SUGGEST if is_vetoed else decision.outcome,
        "vetoed" if is_vetoed else decision.reason,
        decision.explanation,
        found_by=chain.strategy or "",
        probability=decision.confidence,
        is_remembered=True,
    )


def _taken(
    original: OriginalSelector, lost: Fingerprint, page: DomSnapshot, sources: Mapping[str, bytes]
) -> frozenset[int]:
    """Widgets that other finders of the same file find, unless they found the lost widget itself before."""
    taken: set[int] = set()
    for file in {site.file for site in original.sites}:
        try:
            uses = find_locators(sources[file], file)
        except TestwrightError:
            continue  # a file that cannot be read has no patch either, and says so there
        for use in uses:
            found = found_by(use.selector, page) if use.selector is not None else None
            if found is None or len(found) != 1 or use.selector is None:
                continue
            before = found_by(use.selector, lost.page) if lost.page is not None else None
            if before != (lost.element.number,):
                taken.add(found[0])
    return frozenset(taken)
