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
from testwright.heal.strategy_chain import ChainResult, walk_chain
from testwright.model.case import Framework, TestCase
from testwright.model.dom import DomSnapshot, Fingerprint
from testwright.model.errors import TestwrightError
from testwright.model.heal import FailureRecord, HealDecision, HealOutcome, OriginalSelector, Strategy
from testwright.model.proposal import Evidence
from testwright.model.untrusted_text import visible_line

MOST_ATTEMPTS = 100  # in one run
# A test's name and its finder, to what was remembered of the widget; None: nothing was.
Remembered = Callable[[str, str], Fingerprint | None]


@dataclass(frozen=True, slots=True)
class FlutterHeal:
    """What came of one failed test. Nobody has run it again: a heal is a proposal until somebody does."""

    test: str
    outcome: HealOutcome
    reason: str  # a stable code: healed, ambiguous, no_page, no_fingerprint, vetoed, ...
    explanation: str
    old: str = ""  # the finder that found nothing
    new: str = ""
    strategy: Strategy | None = None  # that found the widget, or found several
    confidence: float | None = None
    file: str = ""  # where the finder is written
    before: bytes = b""
    after: bytes = b""
    patch: bytes = b""
    evidence: tuple[Evidence, ...] = ()

    @property
    def row(self) -> str:
        """What a report says of it, on one line."""
        if self.outcome is HealOutcome.HEAL:
            told = f"SELF_HEAL_APPLIED {self.test}: {self.old} -> {self.new} ({self.strategy}, {self.confidence:.2f})"
        else:
            told = f"not healed: {self.test}: {self.explanation} [{self.reason}]"
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
            heals.append(FlutterHeal(test.name, HealOutcome.ABSTAIN, refusal.reason, refusal.explanation))
            continue
        attempts += 1
        if attempts > MOST_ATTEMPTS:
            told = f"{MOST_ATTEMPTS} heals were tried in this run already."
            heals.append(FlutterHeal(test.name, HealOutcome.ABSTAIN, "heal_budget_exhausted", told, original.text))
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
            return _refused(test, original, "no_fingerprint", "Nothing is remembered of the widget from a passing run.")
        if original.is_list:
            return _refused(test, original, "list", "The finder stood for several widgets.")
        chain = walk_chain(adapter, page, lost)
        decision = decide(lost, page, action=original.action, taken=_taken(original, lost, page, sources))
        if chain.element is None or chain.strategy is None:
            return _not_found(test, original, chain, decision)
        if decision.outcome is not HealOutcome.HEAL or decision.element != chain.element.number:
            return _vetoed(test, original, chain, decision)
        draft = adapter.draft(original, chain.element, chain.strategy)
        patch = adapter.emit_patch(original, chain.element, chain.strategy)
    except NotHealable as refusal:
        return _refused(test, original, refusal.reason, refusal.explanation)
    return FlutterHeal(
        test.name,
        HealOutcome.HEAL,
        "healed",
        decision.explanation,
        original.text,
        draft.new.text,
        chain.strategy,
        decision.confidence,
        draft.edit.file,
        draft.before,
        draft.after,
        patch,
        (Evidence(f"found again {chain.strategy}", decision.explanation, test.name),),
    )


def _refused(test: FlutterTest, original: OriginalSelector, reason: str, explanation: str) -> FlutterHeal:
    return FlutterHeal(test.name, HealOutcome.ABSTAIN, reason, explanation, original.text)


def _not_found(
    test: FlutterTest, original: OriginalSelector, chain: ChainResult, decision: HealDecision
) -> FlutterHeal:
    if chain.ambiguous:
        told = f"{len(chain.several)} widgets fit {chain.strategy}, and it cannot be told which one is meant."
        return FlutterHeal(test.name, HealOutcome.SUGGEST, "ambiguous", told, original.text, strategy=chain.strategy)
    return FlutterHeal(
        test.name, HealOutcome.ABSTAIN, "gone", f"No strategy found it. {decision.explanation}", original.text
    )


def _vetoed(test: FlutterTest, original: OriginalSelector, chain: ChainResult, decision: HealDecision) -> FlutterHeal:
    outcome = HealOutcome.ABSTAIN if decision.outcome is HealOutcome.ABSTAIN else HealOutcome.SUGGEST
    reason = decision.reason if decision.outcome is not HealOutcome.HEAL else "vetoed"
    return FlutterHeal(
        test.name,
        outcome,
        reason,
        decision.explanation,
        original.text,
        strategy=chain.strategy,
        confidence=decision.confidence,
    )


def _taken(
    original: OriginalSelector, lost: Fingerprint, page: DomSnapshot, sources: Mapping[str, bytes]
) -> frozenset[int]:
    """Widgets that other finders of the same file find, unless they found the lost widget itself before."""
    from testwright.heal.source.locator_finder import find_locators

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
