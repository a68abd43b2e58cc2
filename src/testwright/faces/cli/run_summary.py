"""The end of a run, for a person: what failed and the lines that matter, the slowest, the counts."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from testwright.faces.cli.standard_output import duration_text
from testwright.model.case import TestId
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult, SuiteResult, TestResult
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line

if TYPE_CHECKING:
    from testwright.model.verdict import Verdict
    from testwright.pipeline.explaining.shared_causes import Explanation

_LINES_OF_A_STACK = 15
_FAILURES_SHOWN = 20
_SAME_CAUSE_SHOWN = 10
_SLOWEST_SHOWN = 3
_SLOW_MS = 1000.0

_RED, _GREEN, _YELLOW, _DIM, _BOLD, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[2m", "\x1b[1m", "\x1b[0m"


def print_summary(lines: Iterable[tuple[str, str]]) -> None:
    colour = sys.stdout.isatty()
    for style, text in lines:
        shown = harmless_in_ci_log(text)
        sys.stdout.write(f"{style}{shown}{_PLAIN}\n" if colour and style else f"{shown}\n")


def summary_lines(
    run: RunResult,
    *,
    kept: bool,
    trouble: Exception | None,
    heals: Iterable[str] = (),
    explanation: "Explanation | None" = None,
) -> Iterator[tuple[str, str]]:
    """(style, text) pairs. `heals` is what the heal pass said; without it the run's own results say what was healed."""
    failures = [result for result in run.results if not result.outcome.is_success]
    yield from _failures(run, failures, explanation)
    yield from _problems(run.suites)
    healed = (result.last.message for result in run.results if result.outcome is Outcome.PASSED_WITH_HEAL)
    yield from _heals(list(heals) or list(healed))
    yield from _slowest(run.results)
    yield "", ""
    for suite in run.suites:
        yield (_GREEN if suite.success else _RED), _counted(suite)
    yield from _notes(run)
    if trouble is not None:
        yield _YELLOW, f"Not in the store: {trouble}"
    elif kept:
        yield _DIM, f"run {run.id} · {duration_text(run.duration_ms)} · testwright report run {run.id}"


def _failures(
    run: RunResult, failures: list[TestResult], explanation: "Explanation | None"
) -> Iterator[tuple[str, str]]:
    """Each failure with its last lines and why; of those that have one cause only the first, with the others' names."""
    by_id = {result.case.id: result for result in failures}
    leaders = {cause.tests[0]: cause for cause in explanation.causes} if explanation is not None else {}
    shown = [result for result in failures if explanation is None or result.case.id in leaders]
    for result in shown[:_FAILURES_SHOWN]:
        yield from _failure(result)
        cause = leaders.get(result.case.id)
        if cause is not None:
            yield from _why(cause.verdict, [by_id[TestId(test)] for test in cause.tests[1:]])
    if len(shown) > _FAILURES_SHOWN:
        yield _DIM, f"… and {len(shown) - _FAILURES_SHOWN} more: testwright report run {run.id}"


def _named(result: TestResult) -> str:
    place = f"{result.case.file}:{result.case.line}" if result.case.line else result.case.file
    return f"{visible_line(result.case.name)}  ({visible_line(place)})"


def _failure(result: TestResult) -> Iterator[tuple[str, str]]:
    attempt = result.last
    yield "", ""
    yield _RED, f"✗ {_named(result)}"
    reason = f", {attempt.reason}" if attempt.reason else ""
    tries = f", attempt {attempt.number}" if attempt.number > 1 else ""
    yield _DIM, f"  {attempt.outcome}{reason}{tries}"
    stack = attempt.stack.strip() or attempt.message.strip()
    lines = stack.splitlines()
    if len(lines) > _LINES_OF_A_STACK:
        yield _DIM, f"  … {len(lines) - _LINES_OF_A_STACK} lines above"
    for line in lines[-_LINES_OF_A_STACK:]:
        yield "", f"  {visible_line(line, limit=200)}"
    printed = (attempt.stdout + attempt.stderr).strip().splitlines()
    for line in printed[-3:]:
        yield _DIM, f"  | {visible_line(line, limit=200)}"


def _why(verdict: "Verdict", others: list[TestResult]) -> Iterator[tuple[str, str]]:
    # late: start-up: only failures have a verdict
    from testwright.faces.cli.verdict_view import advice_line, evidence_lines, verdict_words

    more = f", the one cause of {len(others) + 1} failures" if others else ""
    yield _YELLOW, f"  why: {verdict_words(verdict)}{more}"
    for line in evidence_lines(verdict):
        yield _DIM, f"    {line}"
    yield "", f"    {advice_line(verdict)}"
    for result in others[:_SAME_CAUSE_SHOWN]:
        yield _RED, f"  ✗ {_named(result)}"
    if len(others) > _SAME_CAUSE_SHOWN:
        yield _DIM, f"  … and {len(others) - _SAME_CAUSE_SHOWN} more for the same cause"


def _problems(suites: Iterable[SuiteResult]) -> Iterator[tuple[str, str]]:
    for suite in suites:
        for problem in suite.problems:
            yield "", ""
            first, *more = problem.message.splitlines() or [""]
            yield _YELLOW, f"! {suite.framework} in {suite.root}: {visible_line(first)} [{problem.code}]"
            for line in more[-_LINES_OF_A_STACK:]:
                yield _DIM, f"  {visible_line(line, limit=200)}"
            if problem.next_step:
                yield "", f"  {visible_line(problem.next_step)}"


def _heals(lines: list[str]) -> Iterator[tuple[str, str]]:
    if lines:
        yield "", ""
    for line in lines:
        yield _YELLOW, visible_line(line, limit=2000)


def _slowest(results: Iterable[TestResult]) -> Iterator[tuple[str, str]]:
    slow = sorted(
        (result for result in results if result.duration_ms >= _SLOW_MS), key=lambda result: -result.duration_ms
    )
    if slow:
        yield "", ""
        yield _BOLD, "Slowest:"
    for result in slow[:_SLOWEST_SHOWN]:
        yield "", f"  {duration_text(result.duration_ms):>8}  {visible_line(result.case.id)}"


def _counted(suite: SuiteResult) -> str:
    counts = Counter(result.outcome for result in suite.results)
    parts = [f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome]] or ["no tests"]
    return f"{suite.framework} in {suite.root}: {', '.join(parts)} in {duration_text(suite.duration_ms)}"


def _notes(run: RunResult) -> Iterator[tuple[str, str]]:
    flaky = [result for result in run.results if result.is_flaky]
    if flaky:
        yield (
            _YELLOW,
            f"{len(flaky)} passed only when run again: "
            + ", ".join(visible_line(result.case.id) for result in flaky[:5]),
        )
    left = sum(suite.left_processes for suite in run.suites)
    if left:
        yield _YELLOW, f"The tests left {left} process(es) behind; they were ended."
    if not run.results and not any(suite.problems for suite in run.suites):
        yield _YELLOW, "No test was run: nothing matches what was asked for. [no_tests]"
    if run.interrupted:
        yield _YELLOW, "Interrupted: what had finished is kept."
