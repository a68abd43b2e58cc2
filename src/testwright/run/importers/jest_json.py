"""The JSON report of Jest (`--json`) and of Vitest (`--reporter=json`), which borrowed its shape."""

import re
from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt
from testwright.model.strict_json import JsonObject
from testwright.run.importers import report_json
from testwright.run.importers.imported_results import (
    ImportedRun,
    ResultCollector,
    milliseconds,
    moment_of_epoch,
    unexplained_failure,
)
from testwright.run.importers.project_paths import ProjectPaths
from testwright.run.importers.report_file import ReportFile

JEST, VITEST = "jest", "vitest"

_ONLY_JEST = frozenset({"numRuntimeErrorTestSuites", "openHandles", "wasInterrupted"})
_OUTCOMES = {
    "passed": Outcome.PASSED,
    "failed": Outcome.FAILED,
    "pending": Outcome.SKIPPED,
    "skipped": Outcome.SKIPPED,
    "todo": Outcome.SKIPPED,
    "disabled": Outcome.SKIPPED,
}
_TIMED_OUT = re.compile(r"Exceeded timeout of [\d.,]+ ?m?s|(?:Test|Hook) timed out(?: in [\d.,]+ ?m?s|;)")
# Vitest loses the words of its own timeout on the way into the stack, which is all its JSON has of an error.
_LOST_TIMEOUT = re.compile(r"\AError: STACK_TRACE_ERROR$", re.MULTILINE)
_STACK_STARTS = re.compile(r"^ +at .+$", re.MULTILINE)
_MOST_ATTEMPTS = 1000


class _Location(Struct):
    line: int | None = None


class _Assertion(Struct, rename="camel"):
    status: str
    title: str | None = None
    full_name: str | None = None
    ancestor_titles: list[str] = []
    duration: float | None = None
    failure_messages: list[str] | None = None
    location: _Location | None = None
    invocations: int | None = None
    retry_reasons: list[str] | None = None
    start_at: float | None = None
    meta: dict[str, object] | None = None


class _ExecutionError(Struct):
    message: str | None = None
    stack: str | None = None


class _File(Struct, rename="camel"):
    name: str
    assertion_results: list[_Assertion]
    status: str = ""
    message: str | None = None
    start_time: float | None = None
    end_time: float | None = None
    test_exec_error: _ExecutionError | None = None


class _Report(Struct, rename="camel"):
    test_results: list[_File]
    success: bool | None = None
    start_time: float | None = None
    was_interrupted: bool = False


def misfit(document: JsonObject) -> str:
    """Why this is not a report of Jest or Vitest; empty when it may be."""
    if "testResults" not in document:
        return "it has no 'testResults'"
    counted = "numTotalTests" in document or "success" in document
    return "" if counted else "it has 'testResults' but neither 'numTotalTests' nor 'success'"


def misfit_jest(document: JsonObject) -> str:
    return misfit(document) or (
        "" if _ONLY_JEST & document.keys() else f"it has none of {', '.join(sorted(_ONLY_JEST))}"
    )


def misfit_vitest(document: JsonObject) -> str:
    """Every Jest since 2017 writes one of its own fields: without them, it is Vitest's."""
    only_jest = sorted(_ONLY_JEST & document.keys())
    return misfit(document) or (f"it has {', '.join(only_jest)}, which only Jest writes" if only_jest else "")


def read_jest(report: ReportFile, document: JsonObject, paths: ProjectPaths) -> ImportedRun:
    return _read(report, document, paths, Framework.JEST)


def read_vitest(report: ReportFile, document: JsonObject, paths: ProjectPaths) -> ImportedRun:
    return _read(report, document, paths, Framework.VITEST)


def _read(report: ReportFile, document: JsonObject, paths: ProjectPaths, framework: Framework) -> ImportedRun:
    found = report_json.typed(report, document, _Report)
    results = ResultCollector(has_replacements=report.has_replacements)
    for number, file in enumerate(found.test_results):
        name = paths.name_of(file.name)
        for position, assertion in enumerate(file.assertion_results):
            if (assertion.invocations or 0) > _MOST_ATTEMPTS:
                where = f"$.testResults[{number}].assertionResults[{position}].invocations"
                raise report.malformed(f"no test is tried {assertion.invocations} times - at `{where}`.")
            title = tuple(part for part in (*assertion.ancestor_titles, assertion.title or assertion.full_name) if part)
            line = assertion.location.line if assertion.location else None
            case = TestCase(framework, name, title, line=line, native_id=assertion.full_name or "")
            results.add(case, [*_earlier_tries(assertion), _last_try(assertion)])
        broken = _file_failure(file)
        if broken is not None:
            results.add(TestCase(framework, name), [broken])
    is_unexplained = found.success is False and not results.has_failure and not found.was_interrupted
    return ImportedRun(
        results=results.all,
        problems=(unexplained_failure(f"The {framework.value.capitalize()} report"),) if is_unexplained else (),
        started_at=moment_of_epoch(found.start_time),
        duration_ms=_duration(found),
        interrupted=found.was_interrupted,
    )


# --- one test ------------------------------------------------------------------------------------


def _earlier_tries(assertion: _Assertion) -> Iterator[Attempt]:
    reasons = assertion.retry_reasons or []
    if assertion.status == "passed" and not reasons:
        # Vitest keeps what earlier tries said beside the verdict of the last one.
        reasons = assertion.failure_messages or []
    tries = max((assertion.invocations or 1) - 1, len(reasons))
    if assertion.status not in ("passed", "failed"):
        tries = 0  # a skipped test was not tried, even if a try is counted
    for index in range(tries):
        yield _failure([reasons[index]] if index < len(reasons) else [])


def _last_try(assertion: _Assertion) -> Attempt:
    outcome = _OUTCOMES.get(assertion.status, Outcome.NO_VERDICT)
    if outcome is Outcome.FAILED:
        attempt = _failure(assertion.failure_messages or [])
    elif outcome is Outcome.NO_VERDICT:
        attempt = Attempt(outcome, message=f"The report gives the unknown status {assertion.status!r}.")
    else:
        attempt = Attempt(outcome, reason="todo" if assertion.status == "todo" else "")
    started_at = moment_of_epoch(assertion.start_at)
    return replace(attempt, duration_ms=milliseconds(assertion.duration), started_at=started_at)


def _failure(messages: list[str]) -> Attempt:
    first = messages[0] if messages else ""
    stack = _STACK_STARTS.search(first)
    message = first[: stack.start()].rstrip("\n") if stack else first
    if _LOST_TIMEOUT.match(first):
        message = "Test timed out; the report does not say after how long."
    return Attempt(
        Outcome.TIMEOUT if _TIMED_OUT.search(message) else Outcome.FAILED,
        message=message,
        stack=first if stack else "",
        errors=tuple(messages) if len(messages) > 1 else (),
    )


# --- files and the whole -------------------------------------------------------------------------


def _file_failure(file: _File) -> Attempt | None:
    """For a file that failed while none of its tests did: it would not load, or a hook around all tests broke."""
    error = file.test_exec_error
    if file.status != "failed" and error is None:
        return None
    if any(assertion.status == "failed" for assertion in file.assertion_results):
        return None
    message = (error.message if error else None) or file.message or "The file failed, but none of its tests did."
    return Attempt(Outcome.ERROR, message=message, stack=(error.stack if error else None) or "")


def _duration(report: _Report) -> float:
    ends = [file.end_time for file in report.test_results if file.end_time is not None]
    if report.start_time is None or not ends:
        return 0.0
    return milliseconds(max(ends) - report.start_time)
