"""Run the tests of many skills and sum them up."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from testwright.isolate.child import Cancel
from testwright.model.errors import UsageError
from testwright.run.skills import DEFAULT_TIMEOUT_MS
from testwright.run.skills.catalog import SkillTest
from testwright.run.skills.file_runner import FileResult, run_test_file, seconds_of


@dataclass(frozen=True, slots=True)
class SkillTestResult:
    test: SkillTest
    result: FileResult

    def as_dict(self) -> dict[str, object]:
        return self.test.as_dict() | self.result.as_dict()


@dataclass(frozen=True, slots=True)
class SkillSuiteResult:
    results: tuple[SkillTestResult, ...]  # in the order of the tests
    duration: int  # milliseconds

    @property
    def success(self) -> bool:
        return all(entry.result.success for entry in self.results)

    @property
    def total_tests(self) -> int:
        return len(self.results)

    @property
    def total_passed(self) -> int:
        return sum(entry.result.passed for entry in self.results)

    @property
    def total_failed(self) -> int:
        return sum(entry.result.failed for entry in self.results)

    @property
    def errors(self) -> tuple[str, ...]:
        return tuple(error for entry in self.results for error in entry.result.errors)

    def as_dict(self) -> dict[str, object]:
        return {
            "success": self.success,
            "totalTests": self.total_tests,
            "totalPassed": self.total_passed,
            "totalFailed": self.total_failed,
            "results": [entry.as_dict() for entry in self.results],
            "errors": list(self.errors),
            "duration": self.duration,
        }


def run_test_suite(
    tests: Sequence[SkillTest],
    *,
    timeout: float = DEFAULT_TIMEOUT_MS,
    verbose: bool = False,
    parallel: bool | int = False,
) -> SkillSuiteResult:
    """Run each test in a process of its own. `parallel`: how many at a time; True: one for each processor."""
    workers = _workers(parallel)
    seconds_of(timeout)  # refused here, before anything has run
    started = time.monotonic()
    cancel = Cancel()

    def run(test: SkillTest) -> SkillTestResult:
        return SkillTestResult(test, run_test_file(test.test_file, timeout=timeout, verbose=verbose, cancel=cancel))

    results = _run_all(run, tests, workers, cancel)
    return SkillSuiteResult(results, round((time.monotonic() - started) * 1000))


def _run_all(
    run: Callable[[SkillTest], SkillTestResult], tests: Sequence[SkillTest], workers: int, cancel: Cancel
) -> tuple[SkillTestResult, ...]:
    with ThreadPoolExecutor(workers) as pool:
        try:
            return tuple(pool.map(run, tests))
        except BaseException:  # an interrupt too, or a runner that cannot be started: nothing may go on
            cancel()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _workers(parallel: bool | int) -> int:
    if parallel is True:
        return os.cpu_count() or 1
    if parallel < 0:
        raise UsageError(
            f"{parallel} tests cannot run at a time.", next_step="Give a positive number, or True or False."
        )
    return max(1, int(parallel))
