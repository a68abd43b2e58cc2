"""Results as plain dictionaries, in the words other programs know them by (`totalTests`, `success`, ...)."""

from typing import Any

from testwright.model.result import (
    Attempt,
    Problem,
    RunResult,
    SuiteResult,
    TestResult,
    complaints_of,
    failed_in,
    passed_in,
)


def run_shape(run: RunResult) -> dict[str, Any]:
    return {
        "id": run.id,
        "source": run.source,
        "startedAt": run.started_at.isoformat(),
        "commit": run.commit,
        "dirty": run.dirty,
        "interrupted": run.interrupted,
        "success": run.success,
        "totalTests": sum(suite.total_tests for suite in run.suites),
        "totalPassed": sum(suite.total_passed for suite in run.suites),
        "totalFailed": sum(suite.total_failed for suite in run.suites),
        "totalSkipped": sum(suite.total_skipped for suite in run.suites),
        "duration": run.duration_ms,
        "errors": [error for suite in run.suites for error in suite.errors],
        "suites": [suite_shape(suite) for suite in run.suites],
    }


def suite_shape(suite: SuiteResult) -> dict[str, Any]:
    return {
        "framework": suite.framework,
        "root": suite.root,
        "isolation": suite.isolation,
        "success": suite.success,
        "totalTests": suite.total_tests,
        "totalPassed": suite.total_passed,
        "totalFailed": suite.total_failed,
        "totalSkipped": suite.total_skipped,
        "results": [result_shape(result) for result in suite.results],
        "problems": [problem_shape(problem) for problem in suite.problems],
        "errors": list(suite.errors),
        "duration": suite.duration_ms,
        "cpuMs": suite.usage.cpu_ms,
        "maxRssBytes": suite.usage.max_rss_bytes,
        "leftProcesses": suite.left_processes,
        "artifacts": [{"name": found.name, "path": found.path} for found in suite.artifacts],
    }


def result_shape(result: TestResult) -> dict[str, Any]:
    case = result.case
    return {
        "id": case.id,
        "framework": case.framework,
        "file": case.file,
        "line": case.line,
        "title": list(case.title),
        "variant": case.variant,
        "outcome": result.outcome,
        "success": result.outcome.is_success,
        "flaky": result.is_flaky,
        "passed": passed_in(result),
        "failed": failed_in(result),
        "output": result.last.stdout,
        "errors": list(complaints_of(result)),
        "duration": result.duration_ms,
        "attempts": [attempt_shape(attempt) for attempt in result.attempts],
    }


def attempt_shape(attempt: Attempt) -> dict[str, Any]:
    return {
        "number": attempt.number,
        "outcome": attempt.outcome,
        "reason": attempt.reason,
        "duration": attempt.duration_ms,
        "startedAt": attempt.started_at.isoformat() if attempt.started_at else None,
        "message": attempt.message,
        "stack": attempt.stack,
        "stdout": attempt.stdout,
        "stderr": attempt.stderr,
        # Bytes that are not text arrive here as the replacement character.
        "invalidUtf8": "\ufffd" in attempt.stdout + attempt.stderr,
        "artifacts": [{"name": found.name, "path": found.path} for found in attempt.artifacts],
    }


def problem_shape(problem: Problem) -> dict[str, Any]:
    return {"code": problem.code, "message": problem.message, "next_step": problem.next_step, "file": problem.file}
