"""Run cases again, in clean forks: what is not the same each time must be in no test."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from testwright.generate.inside.corpus import KeptCase
from testwright.generate.inside.fork_runner import Fork, in_fork
from testwright.generate.inside.generated_case import Case, Check, Observation
from testwright.generate.inside.module_under_test import SECONDS_PER_CASE, ModuleUnderTest

PATIENCE_SECONDS = 2 * SECONDS_PER_CASE + 1


class CaseReplay:
    def __init__(self, under_test: ModuleUnderTest, leave_behind: Callable[[], None]) -> None:
        self._under_test, self._leave_behind = under_test, leave_behind

    def settled(self, kept: Sequence[KeptCase]) -> list[KeptCase]:
        """Each with only what it shows in this order and in the opposite one; those that show nothing are left out."""
        cases = [each.case for each in kept]
        there = self.see_again(cases)
        back = list(reversed(self.see_again(list(reversed(cases)))))
        settled = []
        for first, second in zip(there, back, strict=True):
            if first is not None and second is not None:
                common = _common(first.observation, second.observation)
                if common is not None:
                    settled.append(replace(first, observation=common, hits=first.hits & second.hits))
        return settled

    def steady(self, kept: Sequence[KeptCase]) -> list[KeptCase]:
        """Those that show exactly the same when they run again."""
        again = self.see_again([each.case for each in kept])
        return [
            each
            for each, second in zip(kept, again, strict=True)
            if second is not None and second.observation.checks == each.observation.checks
        ]

    def see_again(self, cases: Sequence[Case]) -> list[KeptCase | None]:
        """Each case, one after the other in a clean fork; None for those that were unusable this time."""
        found: list[KeptCase | None] = [None] * len(cases)
        begin = 0
        while begin < len(cases):
            received: list[tuple[int, KeptCase]] = []

            def work(fork: Fork, begin: int = begin) -> None:
                for index in range(begin, len(cases)):
                    fork.begin(index)
                    run = self._under_test.settled(cases[index], self._under_test.attempt(cases[index]))
                    fork.leave_if_copied()
                    if run.observation.is_usable:
                        fork.send((index, KeptCase.of(cases[index], run)))

            ended = in_fork(work, received.append, patience_seconds=PATIENCE_SECONDS, leave_behind=self._leave_behind)
            for index, each in received:
                found[index] = each
            if ended.finished or ended.step < begin:
                break
            begin = ended.step + 1
        return found


def _common(first: Observation, second: Observation) -> Observation | None:
    """What both saw; None when they are of different kinds or have nothing in common."""
    if first.outcome is not second.outcome or first.kind != second.kind:
        return None
    both: set[Check] = set(second.checks)
    checks = tuple(check for check in first.checks if check in both)
    return replace(first, checks=checks) if checks else None
