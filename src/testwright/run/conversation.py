"""What a runner tells us, record by record, and what we make of its silence.

Every reporter of ours, in whatever language, sends these records (JSON objects, see
`isolate.channel` for the envelope):

* `{"kind": "collected", "tests": [TEST, ...]}`: announces tests; may come file by file.
* `{"kind": "started", "test": TEST}`
* `{"kind": "finished", "test": TEST, "outcome": ..., "duration_ms": ...}` and, where known,
  `started_at` (seconds since 1970), `message`, `stack`, `stdout`, `stderr`, `reason`, `errors` (list),
  `counts` ({"passed", "failed"}), `artifacts` ([{"name", "path", "content_type"}]). A test may finish
  several times: each is an attempt.
* `{"kind": "problem", "code": ..., "message": ..., "file": ..., "next_step": ...}`
* `{"kind": "end", "exit_code": N, "stopped": BOOL}`: the runner's own last word; `stopped` when it chose not
  to run everything it had announced (fail-fast).

TEST is `{"file", "title": [...], "variant", "line", "native_id"}` (`file` absolute), or its `key`, a number or
string, once it has been announced with one. A case without a title is a file that would not load.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from testwright.isolate.channel import Record
from testwright.isolate.child import ChildReport, Ending
from testwright.model.case import Framework, TestCase, TestId
from testwright.model.events import AttemptFinished, Collected, Event, ProblemFound, TestStarted
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt, Counts, Problem
from testwright.run.project import Project

# What a reporter may claim. The rest (crashed, no_verdict, ...) is what we see from outside.
_CLAIMABLE = frozenset(
    {
        Outcome.PASSED, Outcome.FAILED, Outcome.ERROR, Outcome.SKIPPED, Outcome.TIMEOUT, Outcome.INTERRUPTED,
        Outcome.NO_VERDICT, Outcome.ENVIRONMENT_CHANGED,
    }
)  # fmt: skip
_CUT_OFF = {
    Ending.TIMEOUT: (Outcome.TIMEOUT, "Still running when its time was up."),
    Ending.OUTPUT_LIMIT: (Outcome.OUTPUT_LIMIT, "Stopped: it printed more than the limit."),
    Ending.CANCELLED: (Outcome.INTERRUPTED, "Stopped before it finished."),
}


class Conversation:
    """Listens to one runner process. Feed it records, then its report; it gives events."""

    def __init__(self, framework: Framework, project: Project) -> None:
        self._framework, self._project = framework, project
        self._by_key: dict[object, TestCase] = {}
        self._occurrences: Counter[TestId] = Counter()
        self._announced: dict[TestId, TestCase] = {}
        self._running: dict[TestId, tuple[TestCase, float]] = {}
        self._attempts: Counter[TestId] = Counter()
        self._failed = 0
        self._end: Record | None = None
        self.garbled = 0  # records of ours that make no sense: a reporter fault or a forgery that knew the nonce

    # --- while the runner talks --------------------------------------------------------------

    def hear(self, record: Record) -> Iterator[Event]:
        """The events a record stands for."""
        try:
            match record.get("kind"):
                case "collected":
                    yield self._hear_collected(record)
                case "started":
                    case = self._case(record["test"])
                    self._running[case.id] = (case, time.monotonic())
                    yield TestStarted(case)
                case "finished":
                    yield self._hear_finished(record)
                case "problem":
                    yield ProblemFound(_problem(record))
                case "end":
                    self._end = record
                case _:
                    self.garbled += 1
        except (KeyError, TypeError, ValueError):
            self.garbled += 1

    def longest_running_since(self) -> float | None:
        """When the test that has been running longest was started, on the monotonic clock."""
        return min((since for _, since in self._running.values()), default=None)

    def _hear_collected(self, record: Record) -> Collected:
        cases = tuple(self._case(test) for test in record["tests"])
        self._announced.update((case.id, case) for case in cases)
        return Collected(cases)

    def _hear_finished(self, record: Record) -> AttemptFinished:
        case = self._case(record["test"])
        attempt = _attempt(record, number=self._attempts[case.id] + 1)
        _, since = self._running.pop(case.id, (case, None))
        if "duration_ms" not in record and since is not None:
            attempt = replace(attempt, duration_ms=(time.monotonic() - since) * 1000)
        return self._finish(case, attempt)

    def _finish(self, case: TestCase, attempt: Attempt) -> AttemptFinished:
        self._announced.setdefault(case.id, case)
        self._attempts[case.id] += 1
        self._failed += not attempt.outcome.is_success
        return AttemptFinished(case, attempt)

    def _case(self, test: dict[str, Any] | int | str) -> TestCase:
        if not isinstance(test, dict):
            return self._by_key[test]
        key = test.get("key")
        if key is not None and key in self._by_key:
            return self._by_key[key]
        case = TestCase(
            framework=self._framework,
            file=self._project.name_of(_text(test["file"])),
            title=tuple(_text(part) for part in test.get("title", ())),
            variant=_text(test.get("variant", "")),
            line=test.get("line") if isinstance(test.get("line"), int) else None,
            native_id=_text(test.get("native_id", "")),
        )
        if key is None:
            return case
        self._occurrences[case.id] += 1
        if self._occurrences[case.id] > 1:  # the runner has two tests of one name: keep them apart
            case = replace(case, occurrence=self._occurrences[case.id])
        self._by_key[key] = case
        return case

    # --- when it has fallen silent -----------------------------------------------------------

    def conclude(self, report: ChildReport) -> Iterator[Event]:
        """What the runner did not say itself: the tests that were cut off, and whether its last word can be true."""
        outcome, message, reason = _cut_off(report)
        for case, since in list(self._running.values()):
            duration = (time.monotonic() - since) * 1000
            number = self._attempts[case.id] + 1
            attempt = Attempt(
                outcome, number, duration, None, message, reason=reason, stdout=report.stdout.text, stderr=report.stderr.text
            )
            yield self._finish(case, attempt)
        was_running, self._running = bool(self._running), {}
        if report.ending is Ending.CANCELLED:
            for case in self.unfinished():
                yield self._finish(case, Attempt(Outcome.INTERRUPTED, message="Not started: the run was stopped."))
        if report.forged_records or self.garbled:
            yield ProblemFound(_tampered(report.forged_records + self.garbled))
        if not was_running and report.ending is not Ending.CANCELLED:
            problem = self._disagreement(report)
            if problem is not None:
                yield ProblemFound(problem)

    def unfinished(self) -> tuple[TestCase, ...]:
        """Tests that were announced and have not been heard of since."""
        if self._end is not None and self._end.get("stopped"):
            return ()
        return tuple(case for id_, case in self._announced.items() if not self._attempts[id_])

    @property
    def heard_of_any(self) -> bool:
        return bool(self._announced)

    def _disagreement(self, report: ChildReport) -> Problem | None:
        """Where the runner's end does not fit what it reported; None when all agrees."""
        last_lines = "\n".join((report.stderr.text or report.stdout.text).strip().splitlines()[-15:])
        if self._end is None or report.ending is not Ending.EXITED:
            how = _cut_off(report)[1]
            return Problem("no_verdict", f"The {self._framework} runner ended without a verdict. {how}\n{last_lines}".strip())
        if report.exit_code != self._end.get("exit_code"):
            return Problem(
                "no_verdict",
                f"The {self._framework} runner said it would exit with {self._end.get('exit_code')}, but exited with "
                f"{report.exit_code}.\n{last_lines}".strip(),
            )
        if report.exit_code != 0 and not self._failed and self._attempts:
            return Problem(
                "runner_failed",
                f"No test failed, yet {self._framework} exited with {report.exit_code}.\n{last_lines}".strip(),
                next_step="Its last lines say why; options such as a coverage threshold do this.",
            )
        return None


def _cut_off(report: ChildReport) -> tuple[Outcome, str, str]:
    if report.ending in _CUT_OFF:
        outcome, message = _CUT_OFF[report.ending]
        return outcome, message, ""
    if report.signal is not None:
        reason = f"signal_{report.signal}"
        if _ran_out_of_memory(report):
            reason = "memory_limit"
        return Outcome.CRASHED, f"Its process was ended by signal {report.signal}.", reason
    message = f"Its process exited with {report.exit_code} before the test had ended."
    return Outcome.NO_VERDICT, message, "memory_limit" if _ran_out_of_memory(report) else ""


def _ran_out_of_memory(report: ChildReport) -> bool:
    tail = report.stderr.text[-4000:]
    return any(sign in tail for sign in ("heap out of memory", "MemoryError", "std::bad_alloc", "Cannot allocate memory"))


def _tampered(count: int) -> Problem:
    return Problem(
        "result_tampered",
        f"{count} record(s) on the result channel did not come from our reporter and were ignored.",
        next_step="Look for a test that writes into file descriptors it did not open.",
    )


def _attempt(record: Record, *, number: int) -> Attempt:
    outcome = Outcome(record["outcome"])
    if outcome not in _CLAIMABLE:
        raise ValueError(outcome)
    counts = record.get("counts")
    started = record.get("started_at")
    return Attempt(
        outcome=outcome,
        number=number,
        duration_ms=_duration(record.get("duration_ms", 0.0)),
        started_at=None if started is None else datetime.fromtimestamp(float(started), UTC),
        message=_text(record.get("message", "")),
        stack=_text(record.get("stack", "")),
        reason=_text(record.get("reason", "")),
        stdout=_text(record.get("stdout", "")),
        stderr=_text(record.get("stderr", "")),
        errors=tuple(_text(error) for error in record.get("errors", ())),
        counts=None if counts is None else Counts(_count(counts["passed"]), _count(counts["failed"])),
        artifacts=tuple(
            Artifact(_text(found["name"]), _text(found["path"]), _text(found.get("content_type", "")))
            for found in record.get("artifacts", ())
        ),
    )


def _problem(record: Record) -> Problem:
    return Problem(
        _text(record["code"]),
        _text(record["message"]),
        next_step=_text(record.get("next_step", "")),
        file=_text(record.get("file", "")),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(value)
    return value


def _duration(value: object) -> float:
    number = float(value) if isinstance(value, int | float) else 0.0
    return number if 0.0 <= number < float("inf") else 0.0
