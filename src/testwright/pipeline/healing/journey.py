"""The heal pass of a run: every failure that lost an element is looked at once, and the heals are tried together."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.heal.thresholds import MOST_ATTEMPTS
from testwright.model.case import TestId
from testwright.model.errors import TestwrightError
from testwright.model.events import AttemptFinished, CaughtUp, Counted, RunEvent
from testwright.model.heal import HealOutcome, SelectorHeal
from testwright.model.result import Attempt, RunResult, TestResult
from testwright.pipeline.healing.diagnosis import Diagnosis
from testwright.pipeline.healing.heal_candidate import HealCandidate, by_file, combined, without_conflicts
from testwright.pipeline.healing.heal_counters import Tally
from testwright.pipeline.healing.heal_proposals import Proposer
from testwright.pipeline.healing.heal_report import HealEntry, HealReport, HealStatus
from testwright.pipeline.healing.project_files import ProjectFiles
from testwright.pipeline.healing.second_look import (
    Miss,
    by_suite,
    failure_with_page,
    looked_again,
    misses_in,
    needs_a_look,
    with_look,
)
from testwright.pipeline.healing.trial_runs import DriverAt, HealTrial, healed_attempt, standing, try_heals
from testwright.review.confined_root import ConfinedRoot
from testwright.review.review_queue import ReviewQueue
from testwright.run.selector_miss import is_list_miss, is_selector_miss
from testwright.run.suite_plan import PlannedSuite

if TYPE_CHECKING:
    from testwright.store.project_store import Store


class HealPass:
    """Heals one run. `report` is filled while its events are taken."""

    def __init__(
        self,
        project: Path,
        planned: Sequence[PlannedSuite],
        driver_at: DriverAt,
        open_store: "Callable[[], Store]",
        *,
        budget: int = MOST_ATTEMPTS,
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
        """Look again where no page was kept, find each element, try the heals together, propose those that stand."""
        diagnosis = self._diagnosis(run, store, root, tally)
        misses = self._within_budget(misses)
        unseen = [miss for miss in misses if needs_a_look(miss, diagnosis, self._project)]
        groups = by_suite(unseen, self._planned, self._project)
        with looked_again(groups, self._driver_at(self._project)) as looks:
            candidates = self._diagnosed(misses, diagnosis, looks)
        results = {miss.case.id: with_look(miss.result, looks.get(miss.case.id)) for miss in misses}
        yield from (AttemptFinished(miss.case, results[miss.case.id].last) for miss in _failed_again(misses, results))

        candidates, disputed = without_conflicts(candidates)
        self._withdraw(disputed, "conflict", "Tests disagree about what to write in this place.")
        if not candidates:
            return
        trials = self._tried(misses, candidates)
        stands, fails = standing(candidates, trials, store.fingerprints)
        for candidate, said in fails:
            self._withdraw([candidate], "still_fails", f"With the new selector: {said}")
        entries = Proposer(root, ReviewQueue(root, store.proposals), run.id, self.report).propose(stands)
        self.report.entries += entries
        for entry in entries:
            test = entry.case.id
            yield AttemptFinished(entry.case, healed_attempt(results[test], trials[test], entry))

    def _diagnosis(self, run: RunResult, store: "Store", root: ConfinedRoot, tally: Tally) -> Diagnosis:
        return Diagnosis(
            ProjectFiles(root),
            store.fingerprints,
            is_miss=is_selector_miss,
            is_list=is_list_miss,
            passed=frozenset(result.case.id for result in run.results if result.outcome.is_pass),
            run=run.id,
            tally=tally,
        )

    def _within_budget(self, misses: Sequence[Miss]) -> Sequence[Miss]:
        explanation = f"{self._budget} failures of this run were looked at, which is the most."
        heal = SelectorHeal("", HealOutcome.ABSTAIN, "budget_exhausted", explanation)
        for miss in misses[self._budget :]:
            self.report.entries.append(HealEntry(miss.case, miss.module, HealStatus.NOT_TRIED, heal))
        return misses[: self._budget]

    def _diagnosed(
        self, misses: Sequence[Miss], diagnosis: Diagnosis, looks: Mapping[TestId, Attempt]
    ) -> list[HealCandidate]:
        """The heals to try. The report says of the other failures why there is none."""
        found: list[HealCandidate] = []
        for miss in misses:
            answer = self._answer(miss, diagnosis, looks.get(miss.case.id))
            if isinstance(answer, HealCandidate):
                found.append(answer)
            else:
                self.report.entries.append(answer)
        return found

    def _answer(self, miss: Miss, diagnosis: Diagnosis, look: Attempt | None) -> HealCandidate | HealEntry:
        if look is not None and look.outcome.is_success:
            explanation = "The element was there when the test was run once more; the failure stands."
            return diagnosis.refusal(miss.case, miss.module, "there_again", explanation)
        record, test_id_attribute = failure_with_page(miss, look, self._project)
        return diagnosis.of(record, miss.module, test_id_attribute)

    def _tried(self, misses: Sequence[Miss], candidates: Sequence[HealCandidate]) -> dict[TestId, HealTrial]:
        changed = {file: combined(of_file) for file, of_file in by_file(candidates).items()}
        wanted = {candidate.case.id for candidate in candidates}
        groups = by_suite([miss for miss in misses if miss.case.id in wanted], self._planned, self._project)
        return try_heals(self._project, groups, changed, self._driver_at)

    def _withdraw(self, candidates: Sequence[HealCandidate], reason: str, explanation: str) -> None:
        self.report.entries += [candidate.withdrawn(reason, explanation) for candidate in candidates]


def _failed_again(misses: Sequence[Miss], results: Mapping[TestId, TestResult]) -> list[Miss]:
    """The tests whose second look failed as well: an attempt that is worth keeping."""
    return [miss for miss in misses if results[miss.case.id] is not miss.result]
