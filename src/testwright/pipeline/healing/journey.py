"""The heal pass itself: every failure that lost an element is looked at once, and the heals are tried together."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from testwright.model.artifact_names import HEAL_PATCH
from testwright.model.case import Framework, TestCase, TestId
from testwright.model.errors import TestwrightError
from testwright.model.events import AttemptFinished, CaughtUp, Counted, RunEvent
from testwright.model.heal import FailureRecord
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt, RunResult, TestResult
from testwright.pipeline.healing.combined_heals import by_file, combined, without_conflicts
from testwright.pipeline.healing.diagnosis import Diagnosis, HealCandidate
from testwright.pipeline.healing.failure_pages import has_page, page_at_failure
from testwright.pipeline.healing.heal_counters import Tally
from testwright.pipeline.healing.heal_proposals import Proposer
from testwright.pipeline.healing.heal_report import APPLIED, HealEntry, HealReport, HealStatus
from testwright.pipeline.healing.project_files import ProjectFiles
from testwright.pipeline.healing.trial_runs import SECOND_LOOK, DriverAt, HealTrial, looked_again, try_heals
from testwright.review.confined_root import ConfinedRoot
from testwright.review.review_queue import ReviewQueue
from testwright.run.selector_miss import failure_of, has_lost_an_element, is_list_miss, is_selector_miss
from testwright.run.suite_plan import PlannedSuite

if TYPE_CHECKING:
    from testwright.store.project_store import Store

BUDGET = 100  # failures that one run looks at
HEALABLE = frozenset({Framework.PLAYWRIGHT, Framework.PYTEST})


class Miss(NamedTuple):
    """A test that lost an element."""

    module: str
    framework: Framework
    result: TestResult

    @property
    def case(self) -> TestCase:
        return self.result.case


def misses_in(run: RunResult) -> list[Miss]:
    """The failures that healing is for: a selector found nothing. Each test once."""
    return [
        Miss(suite.root, suite.framework, result)
        for suite in run.suites
        if suite.framework in HEALABLE
        for result in suite.results
        if result.outcome in (Outcome.FAILED, Outcome.TIMEOUT, Outcome.ERROR) and has_lost_an_element(result.last)
    ]


class HealPass:
    """Heals one run. `report` is filled while its events are taken."""

    def __init__(
        self,
        project: Path,
        planned: Sequence[PlannedSuite],
        driver_at: DriverAt,
        open_store: "Callable[[], Store]",
        *,
        budget: int = BUDGET,
    ) -> None:
        self._project, self._planned, self._driver_at = project, planned, driver_at
        self._open_store, self._budget = open_store, budget
        self.report = HealReport()

    def events(self, run: RunResult) -> Iterator[RunEvent]:
        """One more attempt for each test that was healed, and what was counted. The project stays as it is."""
        misses = misses_in(run)
        if not misses:
            return
        tally = Tally()
        try:
            with self._open_store() as store, ConfinedRoot(self._project) as root:
                yield from self._healed(run, misses, store, root, tally)
        except TestwrightError as error:  # no store, no room for a copy: the failures stand as they are
            self.report.troubles.append(f"Healing was not possible: {error.message}")
        yield from (Counted(counter) for counter in tally.values())
        yield CaughtUp()

    def _healed(
        self, run: RunResult, misses: Sequence[Miss], store: "Store", root: ConfinedRoot, tally: Tally
    ) -> Iterator[RunEvent]:
        diagnosis = Diagnosis(
            ProjectFiles(root),
            store.fingerprints,
            is_miss=is_selector_miss,
            is_list=is_list_miss,
            passed=frozenset(result.case.id for result in run.results if result.outcome.is_pass),
            run=run.id,
            tally=tally,
        )
        self.report.entries += [_not_tried(miss, self._budget) for miss in misses[self._budget :]]
        misses = misses[: self._budget]
        unseen = [miss for miss in misses if self._needs_a_look(miss, diagnosis)]
        with looked_again(self._grouped(unseen), self._driver_at(self._project)) as looks:
            candidates = [found for miss in misses if (found := self._diagnosed(diagnosis, miss, looks)) is not None]
        results = {miss.case.id: miss.result for miss in misses}
        for miss in unseen:
            look = looks.get(miss.case.id)
            if look is not None and not look.outcome.is_success:
                # It failed once more, which is worth keeping. One that passed hides nothing: nobody asked for retries.
                attempt = replace(look, number=len(miss.result.attempts) + 1, reason=SECOND_LOOK, artifacts=())
                results[miss.case.id] = replace(miss.result, attempts=(*miss.result.attempts, attempt))
                yield AttemptFinished(miss.case, attempt)
        yield from self._tried_and_proposed(run, candidates, results, misses, store, root)

    def _tried_and_proposed(
        self,
        run: RunResult,
        candidates: Sequence[HealCandidate],
        results: dict[TestId, TestResult],
        misses: Sequence[Miss],
        store: "Store",
        root: ConfinedRoot,
    ) -> Iterator[RunEvent]:
        candidates, disputed = without_conflicts(candidates)
        self._tell(disputed, HealStatus.WITHDRAWN, "conflict", "Tests disagree about what to write in this place.")
        if not candidates:
            return
        trials = self._trials(misses, candidates)
        stands, fails = _judged(candidates, trials, store)
        for candidate, said in fails:
            self._tell([candidate], HealStatus.WITHDRAWN, "still_fails", f"With the new selector: {said}")
        entries = Proposer(root, ReviewQueue(root, store.proposals), run.id, self.report).propose(stands)
        self.report.entries += entries
        for entry in entries:
            attempt = trials[entry.case.id].attempt
            assert attempt is not None, "what did not run did not pass"
            yield AttemptFinished(entry.case, _healed_attempt(results[entry.case.id], attempt, entry))

    def _needs_a_look(self, miss: Miss, diagnosis: Diagnosis) -> bool:
        """Whether the page is not known, and something is remembered that could be found on it."""
        if miss.framework is not Framework.PLAYWRIGHT or has_page(miss.result.last):
            return False
        return diagnosis.is_remembered(failure_of(miss.case, miss.result.last, self._project))

    def _diagnosed(self, diagnosis: Diagnosis, miss: Miss, looks: Mapping[TestId, Attempt]) -> HealCandidate | None:
        """A heal to try; None: the report says why there is none."""
        look = looks.get(miss.case.id)
        if look is not None and look.outcome.is_success:
            explanation = "The element was there when the test was run once more; the failure stands."
            self.report.entries.append(diagnosis.refusal(miss.case, miss.module, "there_again", explanation))
            return None
        record, test_id_attribute = self._record(miss, look)
        answer = diagnosis.of(record, miss.module, test_id_attribute)
        if isinstance(answer, HealCandidate):
            return answer
        self.report.entries.append(answer)
        return None

    def _record(self, miss: Miss, look: Attempt | None) -> tuple[FailureRecord, str]:
        """What is known of the failure, and which attribute holds test ids on its page."""
        record = failure_of(miss.case, miss.result.last, self._project)
        # The second look counts for what it saw of the same failure: a test that fails in other ways each time is
        # not one to be healed.
        again = failure_of(miss.case, look, self._project) if look is not None else None
        same = again is not None and again.selector == record.selector
        seen = page_at_failure(look if look is not None and same else miss.result.last, self._project)
        if seen is None:
            return record, "data-testid"
        return replace(record, page=seen.page, selector=record.selector or seen.selector), seen.test_id_attribute

    def _trials(self, misses: Sequence[Miss], candidates: Sequence[HealCandidate]) -> dict[TestId, HealTrial]:
        changed = {file: combined(of_file) for file, of_file in by_file(candidates).items()}
        wanted = {candidate.case.id for candidate in candidates}
        groups = self._grouped([miss for miss in misses if miss.case.id in wanted])
        return try_heals(self._project, groups, changed, self._driver_at)

    def _grouped(self, misses: Iterable[Miss]) -> list[tuple[PlannedSuite, list[TestCase]]]:
        """The tests, by the suite that runs them."""
        groups: dict[int, tuple[PlannedSuite, list[TestCase]]] = {}
        for miss in misses:
            item = self._planned_for(miss)
            groups.setdefault(id(item), (item, []))[1].append(miss.case)
        return list(groups.values())

    def _planned_for(self, miss: Miss) -> PlannedSuite:
        root = (self._project / miss.module).resolve()
        mine = [item for item in self._planned if item.suite.framework is miss.framework]
        return next((item for item in mine if item.suite.root.resolve() == root), mine[0])

    def _tell(self, candidates: Iterable[HealCandidate], status: HealStatus, reason: str, explanation: str) -> None:
        self.report.entries += [candidate.entry(status, reason, explanation) for candidate in candidates]


def _judged(
    candidates: Sequence[HealCandidate], trials: dict[TestId, HealTrial], store: "Store"
) -> tuple[list[HealCandidate], list[tuple[HealCandidate, str]]]:
    """The heals that stand, and those that do not, with what went wrong.

    Tests were tried with all heals in place. One that also uses a selector whose heal does not stand may have passed
    because of it, so it does not stand either.
    """
    stands = [one for one in candidates if trials[one.case.id].passed]
    fails = [(one, trials[one.case.id].said) for one in candidates if not trials[one.case.id].passed]
    withdrawn = {one.selector for one, _ in fails} - {one.selector for one in stands}
    for one in list(stands):
        used = {seen.selector for seen in store.fingerprints.of_test(one.case.id)} if withdrawn else set()
        if used & withdrawn:
            stands.remove(one)
            fails.append((one, "it passed only together with another heal, which was withdrawn."))
    return stands, fails


def _healed_attempt(result: TestResult, attempt: Attempt, entry: HealEntry) -> Attempt:
    row = entry.line()
    return replace(
        attempt,
        outcome=Outcome.PASSED_WITH_HEAL,
        number=len(result.attempts) + 1,
        reason=APPLIED,
        message=row,
        stdout=f"{row}\n{attempt.stdout}",
        # What the run in the copy left behind went with the copy.
        artifacts=(Artifact(HEAL_PATCH, entry.patch, "text/x-diff"),) if entry.patch else (),
    )


def _not_tried(miss: Miss, budget: int) -> HealEntry:
    explanation = f"{budget} failures of this run were looked at, which is the most."
    return HealEntry(miss.case, miss.module, HealStatus.NOT_TRIED, "budget_exhausted", explanation)
