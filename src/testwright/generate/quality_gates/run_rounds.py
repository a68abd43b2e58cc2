"""Rounds of running: each file runs in two fresh interpreters, and a test that is not green in both is cut out."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from testwright.generate.quality_gates.gate_feedback import first_failure
from testwright.generate.quality_gates.single_run import (
    PASSED,
    RunConditions,
    SuiteFile,
    SuiteRunResult,
    WatchedModule,
    run_once,
)
from testwright.generate.quality_gates.suite_cutter import TestKey, count_tests, without_tests
from testwright.isolate.child import Cancel

CUTTING_ROUNDS = 3  # Rounds after which tests are cut out. One more may follow, in which all must be green.


@dataclass(frozen=True, slots=True)
class CutTest:
    name: str
    reason: str


class Rounds:
    """Runs the file twice, cuts out what is not green in both, and repeats that until everything is."""

    def __init__(self, trial: SuiteFile, watched: WatchedModule, cancel: Cancel, seed: int) -> None:
        self.trial, self._watched, self._cancel, self._seed = trial, watched, cancel, seed
        self._measure = True
        self.first = self.second = SuiteRunResult()
        self.measured: SuiteRunResult | None = None  # the last run that watched the module
        self.cut: list[CutTest] = []
        self.flaky = self.failing = False
        self.trace = ""
        self.cpu_s = 0.0
        self.is_green = False

    def run(self) -> None:
        for number in range(1, CUTTING_ROUNDS + 2):
            self._run_both(number)
            self.trace = self.trace or first_failure(self.second, self.first)
            if self.first.cancelled or self.second.cancelled or self._cannot_start():
                return
            bad, doubtful = self._bad(), self._doubtful()
            if not bad and not doubtful and self._is_complete():
                self.is_green = bool(self.second.tests)
                return
            if number > CUTTING_ROUNDS:
                return
            self._measure = not doubtful
            self._cut_out(bad)
            if count_tests(self.trial.text) == 0:
                return

    def _run_both(self, number: int) -> None:
        watched = self._watched if self._measure else None
        manners = (
            RunConditions(hash_seed=0, watched=watched),
            RunConditions(hash_seed=number, order=f"{self._seed} {number}", elsewhere=True),
        )
        with ThreadPoolExecutor(len(manners)) as pool:  # each only waits for its child
            runs = [pool.submit(run_once, self.trial, manner, self._cancel) for manner in manners]
            self.first, self.second = (run.result() for run in runs)
        self.cpu_s += self.first.cpu_s + self.second.cpu_s
        if self.first.covered is not None:
            self.measured = self.first

    def _cannot_start(self) -> bool:
        return bool(self.second.trouble) and not self.second.tests

    def _is_complete(self) -> bool:
        """Whether both runs have seen all tests: where a process ended early, some did not start."""
        keys = [{test.key for test in run.tests} for run in (self.first, self.second)]
        return keys[0] == keys[1] and not self.first.trouble and not self.second.trouble

    def _bad(self) -> dict[TestKey, str]:
        """What has to go, with the reason: all that failed, except where only the watched module was seen to fail."""
        first, second = ({test.key: test for test in run.tests} for run in (self.first, self.second))
        bad: dict[TestKey, str] = {}
        for key in [*second, *(key for key in first if key not in second)]:
            here, there = first.get(key), second.get(key)
            failed = [test for test in (there, None if self._measure else here) if test and test.outcome != PASSED]
            if failed:
                agree = here is not None and there is not None and here.outcome == there.outcome
                bad[key] = telling_line(failed[0].text) if agree else "it passed in one run and not in the other"
                self.failing |= agree
                self.flaky |= not agree
        return bad

    def _doubtful(self) -> bool:
        """Whether something failed in the run that watches the module and not in the other.

        The test may be flaky, or it may see the probes: the next round, without them, will tell.
        """
        if not self._measure:
            return False
        fine = {test.key for test in self.second.tests if test.outcome == PASSED}
        failed = [test for test in self.first.tests if test.outcome != PASSED and test.key in fine]
        return bool(failed) or (bool(self.first.trouble) and not self.second.trouble)

    def _cut_out(self, bad: dict[TestKey, str]) -> None:
        names = {test.key: test.name for run in (self.first, self.second) for test in run.tests}
        self.cut += [CutTest(names[key], reason) for key, reason in bad.items()]
        self.trial = replace(self.trial, text=without_tests(self.trial.text, bad))


def telling_line(text: str) -> str:
    """The line that says what went wrong: marked by pytest, or the end of a traceback, or else the first."""
    marked = [line.removeprefix("E").strip() for line in text.splitlines() if line.startswith("E ")]
    lines = text.strip().splitlines()
    if marked or not lines:
        return marked[0] if marked else "it did not pass"
    return lines[-1].strip() if "Traceback (most recent call last)" in text else lines[0].strip()
