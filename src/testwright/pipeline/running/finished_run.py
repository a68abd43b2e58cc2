"""A run that is over, and the exit code that it deserves."""

from typing import NamedTuple

from testwright.model.errors import ExitCode, NoTests, TestwrightError
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult

# Something that the machine or the project lacks, not a failure of a test.
_LACKS = frozenset({"runner_missing", "isolation_unavailable", "spawn_failed", "coverage_missing", "disk_full"})


class Finished(NamedTuple):
    """A run, and what kept it from being written down, if anything did."""

    run: RunResult
    not_recorded: TestwrightError | None = None
    heals_fail: bool = False  # whether a test that passed only with a heal fails the run

    @property
    def exit_code(self) -> ExitCode:
        if self.run.interrupted or any(not result.outcome.is_success for result in self.run.results):
            return ExitCode.FAILURES
        if self.heals_fail and any(result.outcome is Outcome.PASSED_WITH_HEAL for result in self.run.results):
            return ExitCode.FAILURES
        codes = {problem.code for suite in self.run.suites for problem in suite.problems}
        if codes - _LACKS - {NoTests.code}:
            return ExitCode.FAILURES
        if codes & _LACKS or self.not_recorded:
            return ExitCode.ENVIRONMENT
        # Nothing was run, or a runner was asked for what it does not have: nothing can be called passed.
        return ExitCode.OK if self.run.results and not codes else ExitCode.USAGE
