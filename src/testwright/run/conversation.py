"""What a runner reports, record by record, and what we conclude from its silence.

Every reporter of ours, in any language, sends these records (JSON objects, see
`isolate.channel_listener` for the envelope):

* `{"kind": "up", "pid": N}`: the runner process is there (sent by those whose tests print into files of its own).
* `{"kind": "loading", "file": PATH}`: a file of tests is about to be loaded; `file` null: that is done.
* `{"kind": "collected", "tests": [TEST, ...]}`: announces tests; may come file by file. With `whole`, a digest
  of everything there is to share out between several processes.
* `{"kind": "started", "test": TEST}`
* `{"kind": "finished", "test": TEST, "outcome": ..., "duration_ms": ...}` and, where known,
  `started_at` (seconds since 1970), `message`, `stack`, `stdout`, `stderr`, `reason`, `errors` (list),
  `counts` ({"passed", "failed"}), `artifacts` ([{"name", "path", "content_type"}]). A test may finish
  several times: each is an attempt.
* `{"kind": "problem", "code": ..., "message": ..., "file": ..., "next_step": ...}`
* `{"kind": "end", "exit_code": N, "stopped": BOOL}`: the runner's own last record; `stopped` when it chose not
  to run everything it had announced (fail-fast); `empty` when its exit code only says that there was nothing to run.

TEST is `{"file", "title": [...], "variant", "line", "native_id", "occurrence"}` (`file` absolute), or its `key`, a
number or string, once it has been announced with one. A case without a title is a file that would not load. Where
`occurrence` is not given, tests that share a name are numbered as they are announced.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from testwright.isolate.channel_listener import Record
from testwright.isolate.child import ChildReport, Ending
from testwright.model.case import Framework, TestCase, TestId
from testwright.model.events import AttemptFinished, Collected, ProblemFound, RunEvent, TestStarted
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt, Counts, Problem
from testwright.run.project import Project

# What a reporter may claim (a crash, of a worker process of its runner's). The rest is what we see from outside.
_CLAIMABLE = frozenset(
    {
        Outcome.PASSED, Outcome.FAILED, Outcome.ERROR, Outcome.SKIPPED, Outcome.TIMEOUT, Outcome.INTERRUPTED,
        Outcome.NO_VERDICT, Outcome.ENVIRONMENT_CHANGED, Outcome.CRASHED,
    }
)  # fmt: skip
_CUT_OFF = {
    Ending.TIMEOUT: (Outcome.TIMEOUT, "Still running when its time was up."),
    Ending.OUTPUT_LIMIT: (Outcome.OUTPUT_LIMIT, "Stopped: it printed more than the limit."),
    Ending.CANCELLED: (Outcome.INTERRUPTED, "Stopped before it finished."),
}
_BEYOND_COUNTING = 1 << 53  # what not every JSON reader takes for the same number
_LAST_LINES = 30  # of what a runner printed, to explain its end


class Conversation:
    """Listens to one runner process. Feed it records, then its report; it gives events."""

    def __init__(self, framework: Framework, project: Project) -> None:
        self._framework, self._project = framework, project
        self._by_key: dict[object, TestCase] = {}
        self._names: dict[str, str] = {}  # of files, by their paths
        self._occurrences: Counter[TestId] = Counter()
        self._announced: dict[TestId, TestCase] = {}
        self._running: dict[TestId, tuple[TestCase, float]] = {}
        self._attempts: Counter[TestId] = Counter()
        self._failed = self._problems = 0
        self._loading: str | None = None
        self._end: Record | None = None
        self.garbled = 0  # records of ours that make no sense: a reporter fault or a forgery that knew the nonce
        self.pid: int | None = None  # of the runner, as it sees itself
        self.whole = ""  # digest of what this process and others share out between them
        self.lost_file: TestCase | None = None  # the file whose loading has ended the runner

    # --- while the runner talks --------------------------------------------------------------

    def receive(self, record: Record, *, was_stopped: bool = False) -> Iterator[RunEvent]:
        """The events a record stands for; `was_stopped` once the runner has been ordered to end."""
        try:
            match record.get("kind"):
                case "collected":
                    yield self._collected(record)
                case "started":
                    case = self._case(record["test"])
                    self._running[case.id] = (case, time.monotonic())
                    yield TestStarted(case)
                case "finished" if was_stopped and self._is_our_doing(record):
                    pass
                case "finished":
                    yield self._finished(record)
                case "problem":
                    problem = _problem(record)
                    self._problems += 1
                    yield ProblemFound(problem)
                case "loading":
                    self._loading = None if record["file"] is None else _text(record["file"])
                case "up":
                    self.pid = _count(record["pid"])
                case "end":
                    self._end = record
                case _:
                    self.garbled += 1
        except (KeyError, TypeError, ValueError, OverflowError, OSError):  # the last two: a time that no clock can show
            self.garbled += 1

    def longest_running_since(self) -> float | None:
        """When the test that has been running longest was started, on the monotonic clock."""
        return min((since for _, since in self._running.values()), default=None)

    @property
    def has_ended(self) -> bool:
        """Whether the runner has sent its last record."""
        return self._end is not None

    def _collected(self, record: Record) -> Collected:
        cases = tuple(self._case(test) for test in record["tests"])
        self.whole = _text(record.get("whole", ""))
        self._announced.update((case.id, case) for case in cases)
        return Collected(cases)

    def _is_our_doing(self, record: Record) -> bool:
        """Whether a runner reports a crash because the order to end reached its worker before the runner itself.

        That says nothing about the test: it counts as cut off or unfinished, like any other at such a moment.
        """
        return record["outcome"] == Outcome.CRASHED and self._case(record["test"]).id in self._announced

    def _finished(self, record: Record) -> AttemptFinished:
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
        line = test.get("line")
        case = TestCase(
            framework=self._framework,
            file=self._file(_text(test["file"])),
            title=tuple(_text(part) for part in test.get("title", ())),
            variant=_text(test.get("variant", "")),
            occurrence=max(1, _count(test.get("occurrence", 1))),
            line=line if isinstance(line, int) and abs(line) < _BEYOND_COUNTING else None,
            native_id=_text(test.get("native_id", "")),
        )
        if key is None:
            return case
        if "occurrence" not in test:
            self._occurrences[case.id] += 1
            if self._occurrences[case.id] > 1:  # the runner has two tests of one name: keep them apart
                case = replace(case, occurrence=self._occurrences[case.id])
        self._by_key[key] = case
        return case

    def _file(self, path: str) -> str:
        if path not in self._names:  # a file has many tests
            self._names[path] = self._project.name_of(path)
        return self._names[path]

    # --- when it has fallen silent -----------------------------------------------------------

    def conclude(self, report: ChildReport, *, test_seconds: float | None = None) -> Iterator[RunEvent]:
        """What the runner did not report itself: the tests that were cut off, and whether its last record can be true.

        `test_seconds` is each test's time limit. A test that had time left when another's end took the runner with
        it is not to blame: it counts as unfinished.
        """
        outcome, message, reason = _cut_off(report)
        for case, since in self._to_blame(report, test_seconds):
            duration = (time.monotonic() - since) * 1000
            number = self._attempts[case.id] + 1
            attempt = Attempt(
                outcome,
                number,
                duration,
                None,
                message,
                reason=reason,
                stdout=report.stdout.text,
                stderr=report.stderr.text,
            )
            yield self._finish(case, attempt)
        was_running, self._running = bool(self._running), {}
        if report.ending is Ending.CANCELLED:
            for case in self.unfinished():
                yield self._finish(case, Attempt(Outcome.INTERRUPTED, message="Not started: the run was stopped."))
        elif not was_running and self._loading is not None and self._end is None:
            yield self._blame_file(self._loading, report)
        if report.forged_records or self.garbled:
            yield ProblemFound(_tampered(report.forged_records + self.garbled))
        if not was_running and self.lost_file is None and report.ending is not Ending.CANCELLED:
            problem = self._disagreement(report)
            if problem is not None:
                yield ProblemFound(problem)

    def _to_blame(self, report: ChildReport, test_seconds: float | None) -> list[tuple[TestCase, float]]:
        running = sorted(self._running.values(), key=lambda one: one[1])
        if report.ending is not Ending.TIMEOUT or test_seconds is None:
            return running
        overdue = [one for one in running if time.monotonic() - one[1] >= test_seconds]
        return overdue or running[:1]

    def _blame_file(self, path: str, report: ChildReport) -> AttemptFinished:
        file = TestCase(self._framework, self._project.name_of(path))
        outcome, message, reason = _cut_off(report, what="the file had loaded")
        attempt = Attempt(outcome, message=message, reason=reason, stdout=report.stdout.text, stderr=report.stderr.text)
        self.lost_file = file
        return self._finish(file, attempt)

    def unfinished(self) -> tuple[TestCase, ...]:
        """Tests that were announced and have no result."""
        if self._end is not None and self._end.get("stopped"):
            return ()
        return tuple(case for id_, case in self._announced.items() if not self._attempts[id_])

    def knows(self, case: TestCase) -> bool:
        """Whether the runner has announced the test, or said what came of it."""
        return case.id in self._announced

    def _disagreement(self, report: ChildReport) -> Problem | None:
        """Where the runner's end does not fit what it reported; None when all agrees."""
        if self._end is None or report.ending is not Ending.EXITED:
            _, how, _ = _cut_off(report, what="it was done")
            how = "It had said its last word, but did not exit." if self._end else how
            text = f"The {self._framework} runner ended without a verdict. {how}"
            return Problem("no_verdict", _with_last_lines(text, report))
        if report.exit_code != self._end.get("exit_code"):
            said = self._end.get("exit_code")
            text = f"The {self._framework} runner said it would exit with {said}, but exited with {report.exit_code}."
            return Problem("no_verdict", _with_last_lines(text, report))
        if report.exit_code == 0 or self._failed or self._problems or self._end.get("empty"):
            return None
        if self._attempts:
            return Problem(
                "runner_failed",
                _with_last_lines(f"No test failed, yet {self._framework} exited with {report.exit_code}.", report),
                next_step="Its last lines say why; options such as a coverage threshold do this.",
            )
        return Problem(
            "no_tests",
            _with_last_lines(f"{self._framework} exited with {report.exit_code} and ran no test.", report),
            next_step="Its last lines say why.",
        )


def _with_last_lines(text: str, report: ChildReport) -> str:
    printed = (report.stderr.text.strip() or report.stdout.text.strip()).splitlines()
    return "\n".join([text, *printed[-_LAST_LINES:]])


def _cut_off(report: ChildReport, what: str = "the test had ended") -> tuple[Outcome, str, str]:
    if report.ending in _CUT_OFF:
        outcome, message = _CUT_OFF[report.ending]
        return outcome, message, ""
    if report.signal is not None:
        reason = "memory_limit" if _ran_out_of_memory(report) else f"signal_{report.signal}"
        return Outcome.CRASHED, f"Its process was ended by signal {report.signal} before {what}.", reason
    message = f"Its process exited with {report.exit_code} before {what}."
    return Outcome.NO_VERDICT, message, "memory_limit" if _ran_out_of_memory(report) else ""


def _ran_out_of_memory(report: ChildReport) -> bool:
    tail = report.stderr.text[-4000:]
    return any(
        sign in tail for sign in ("heap out of memory", "MemoryError", "std::bad_alloc", "Cannot allocate memory")
    )


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
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _BEYOND_COUNTING:
        raise TypeError(value)
    return value


def _duration(value: object) -> float:
    number = float(value) if isinstance(value, int | float) else 0.0
    return number if 0.0 <= number < float("inf") else 0.0
