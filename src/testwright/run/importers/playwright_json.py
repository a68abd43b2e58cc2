"""The JSON report of Playwright Test: files, groups, specs, a test for each browser project, a result for each try."""

import base64
import binascii
import posixpath
from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt, Problem
from testwright.model.strict_json import JsonObject
from testwright.model.untrusted_text import decoded
from testwright.run.importers import report_json
from testwright.run.importers.imported_results import ImportedRun, ResultCollector, milliseconds, moment
from testwright.run.importers.project_paths import ProjectPaths, slashed
from testwright.run.importers.report_file import ReportFile

NAME = "playwright"

_OUTCOMES = {
    "passed": Outcome.PASSED,
    "failed": Outcome.FAILED,
    "timedOut": Outcome.TIMEOUT,
    "skipped": Outcome.SKIPPED,
    "interrupted": Outcome.INTERRUPTED,
}


class _Location(Struct):
    file: str = ""
    line: int | None = None


class _Error(Struct):
    message: str | None = None
    stack: str | None = None
    value: str | None = None
    location: _Location | None = None


class _Chunk(Struct):
    """A piece of output: text, or base64 where it was not text."""

    text: str | None = None
    buffer: str | None = None


class _Attachment(Struct, rename="camel"):
    name: str = ""
    content_type: str = "application/octet-stream"
    path: str | None = None  # without one, its content stands in the report itself


class _Result(Struct, rename="camel"):
    status: str | None = None
    duration: float | None = None
    error: _Error | None = None
    errors: list[_Error] = []
    stdout: list[_Chunk] = []
    stderr: list[_Chunk] = []
    start_time: str | None = None
    attachments: list[_Attachment] = []


class _Test(Struct, rename="camel"):
    expected_status: str = "passed"
    project_name: str = ""
    status: str = ""
    results: list[_Result] = []


class _Spec(Struct, rename={"id_": "id"}):
    title: str
    tests: list[_Test]
    file: str = ""
    line: int | None = None
    id_: str = ""


class _Suite(Struct):
    title: str = ""
    file: str = ""
    specs: list[_Spec] = []
    suites: list["_Suite"] | None = None


class _Config(Struct, rename="camel"):
    root_dir: str = ""
    config_file: str | None = None


class _Stats(Struct, rename="camel"):
    start_time: str | None = None
    duration: float | None = None


class _Report(Struct):
    suites: list[_Suite]
    config: _Config | None = None
    errors: list[_Error] = []
    stats: _Stats | None = None


def misfit(document: JsonObject) -> str:
    """Why this is not a Playwright report; empty when it may be."""
    if "suites" not in document:
        return "it has no 'suites'"
    return "" if "config" in document or "stats" in document else "it has 'suites' but neither 'config' nor 'stats'"


def read(report: ReportFile, document: JsonObject, paths: ProjectPaths) -> ImportedRun:
    found = report_json.typed(report, document, _Report)
    places = _Places(found.config or _Config(), paths)
    results = ResultCollector(has_replacements=report.has_replacements)
    for groups, spec in _specs(found.suites):
        for test in spec.tests:
            case = TestCase(
                Framework.PLAYWRIGHT,
                file=places.name_of(spec.file),
                title=(*groups, spec.title),
                variant=test.project_name,
                line=spec.line,
                native_id=spec.id_,
            )
            results.add(case, _attempts(test, places))
    problems = []
    for error in found.errors:
        if error.location is not None and error.location.file:
            file = TestCase(Framework.PLAYWRIGHT, places.name_of(error.location.file), line=error.location.line)
            results.add(file, [_with_errors(Attempt(Outcome.ERROR), [error], None)])  # it would not load
        else:
            problems.append(_problem(error))
    stats = found.stats or _Stats()
    return ImportedRun(
        results=results.all,
        problems=tuple(problems),
        started_at=moment(stats.start_time),
        duration_ms=milliseconds(stats.duration),
        interrupted=any(_was_interrupted(test) for _, spec in _specs(found.suites) for test in spec.tests),
    )


def _specs(files: list[_Suite]) -> Iterator[tuple[tuple[str, ...], _Spec]]:
    """Every spec with the titles of the groups around it; the outermost suite is the file and no group."""
    # A stack, not recursion: the author of the report decides how deep groups nest.
    waiting: list[tuple[tuple[str, ...], _Suite]] = [((), file) for file in reversed(files)]
    while waiting:
        groups, suite = waiting.pop()
        for spec in suite.specs:
            spec.file = spec.file or suite.file
            yield groups, spec
        for inner in reversed(suite.suites or []):
            inner.file = inner.file or suite.file
            waiting.append(((*groups, inner.title) if inner.title else groups, inner))


class _Places:
    """Playwright names files from the `rootDir` of its configuration."""

    def __init__(self, config: _Config, paths: ProjectPaths) -> None:
        self._paths, self._root = paths, slashed(config.root_dir)
        config_folder = posixpath.dirname(slashed(config.config_file or ""))
        is_below = bool(config_folder) and f"{self._root}/".startswith(f"{config_folder}/")
        self._below_config = self._root.removeprefix(config_folder).strip("/") if is_below else ""

    def name_of(self, file: str) -> str:
        inside = self._paths.name_inside(file, folder=self._root)
        if inside is not None:
            return inside
        # Made on another machine: its configuration most often lies where the project's root is.
        return self._paths.name_of_existing(file, folder=self._below_config) or self._paths.name_of(file)

    def name_of_artifact(self, path: str) -> str:
        return self._paths.name_of(path)


# --- one test ------------------------------------------------------------------------------------


def _attempts(test: _Test, places: _Places) -> list[Attempt]:
    attempts = [_attempt(result, test.expected_status, places) for result in test.results]
    if not attempts:
        return [_never_ran(test)]
    if test.status == "unexpected" and attempts[-1].outcome.is_success:
        message = "The report calls this test unexpected, but its last result does not say why."
        attempts[-1] = replace(attempts[-1], outcome=Outcome.NO_VERDICT, message=message, reason="contradiction")
    return attempts


def _never_ran(test: _Test) -> Attempt:
    if test.expected_status == "skipped":
        return Attempt(Outcome.SKIPPED)
    return Attempt(Outcome.INTERRUPTED, message="It did not run: the run stopped, or a project it depends on failed.")


def _attempt(result: _Result, expected: str, places: _Places) -> Attempt:
    outcome = _OUTCOMES.get(result.status or "", Outcome.NO_VERDICT)
    reason = ""
    if expected == "failed" and outcome is Outcome.FAILED:
        outcome, reason = Outcome.PASSED, "expected_failure"  # marked with test.fail()
    elif expected == "failed" and outcome is Outcome.PASSED:
        outcome, reason = Outcome.FAILED, "unexpected_pass"
    attempt = Attempt(
        outcome,
        duration_ms=milliseconds(result.duration),
        started_at=moment(result.start_time),
        reason=reason,
        stdout=_output(result.stdout),
        stderr=_output(result.stderr),
        artifacts=tuple(
            Artifact(attachment.name, places.name_of_artifact(attachment.path), attachment.content_type)
            for attachment in result.attachments
            if attachment.path
        ),
    )
    attempt = _with_errors(attempt, result.errors, result.error)
    if reason == "unexpected_pass" and not attempt.message:
        return replace(attempt, message="Expected to fail, but passed.")
    if outcome is Outcome.NO_VERDICT:
        return replace(attempt, message=attempt.message or f"The report gives the unknown status {result.status!r}.")
    return attempt


def _with_errors(attempt: Attempt, errors: list[_Error], main: _Error | None) -> Attempt:
    main = main or (errors[0] if errors else None)
    if main is None:
        return attempt
    return replace(
        attempt,
        message=_message(main),
        stack=main.stack or "",
        errors=tuple(_message(error) for error in errors) if len(errors) > 1 else (),
    )


def _message(error: _Error) -> str:
    return error.message or error.value or error.stack or ""


def _output(chunks: list[_Chunk]) -> str:
    return "".join(_chunk(chunk) for chunk in chunks)


def _chunk(chunk: _Chunk) -> str:
    if chunk.text is not None or chunk.buffer is None:
        return chunk.text or ""
    try:
        return decoded(base64.b64decode(chunk.buffer))[0]
    except (binascii.Error, ValueError):
        return chunk.buffer


# --- outside the tests ---------------------------------------------------------------------------


def _problem(error: _Error) -> Problem:
    return Problem(
        "runner_error",
        _message(error) or "Playwright reports an error and does not say which.",
        next_step="Look at what Playwright printed: this happened outside any test.",
    )


def _was_interrupted(test: _Test) -> bool:
    return any(result.status == "interrupted" for result in test.results)
