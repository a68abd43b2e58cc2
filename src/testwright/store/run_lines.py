"""Runs as lines: the format of journals, and of runs carried from one store to another.

A run is a `run` line, one line per event, and a `run_ended` line. A file may hold several runs.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from testwright.model.errors import MalformedReport
from testwright.model.events import AttemptFinished, Counted, KeptEvent, ProblemFound, SuiteEnded, SuiteStarted
from testwright.model.result import RunResult, SuiteResult
from testwright.store.run_assembly import Assembly, OutOfOrderError
from testwright.store.run_line_decoder import Line, RunEndedLine, RunLine, UnreadableLineError, decode
from testwright.store.run_line_encoder import MAX_LINE_BYTES, encode_end, encode_event, encode_run


def export_run(run: RunResult) -> Iterator[bytes]:
    """The lines of one run, each with its newline."""
    yield encode_run(run)
    for suite in run.suites:
        for event in _events(suite):
            yield encode_event(event)
    for counter in run.counters:
        yield encode_event(Counted(counter))
    yield encode_end(run.duration_ms, interrupted=run.interrupted)


def import_runs(lines: Iterable[bytes], *, name: str = "the import") -> Iterator[RunResult]:
    """The runs that `lines` spell, each as soon as it is complete. `name` is what errors call the source."""
    reader = RunReader(name)
    for line in lines:
        if not line.endswith(b"\n"):
            raise reader.malformed("it is cut short", line_number=reader.line_number + 1)
        run = reader.read(line)
        if run is not None:
            yield run
    if reader.assembly is not None:
        raise reader.malformed("the run has no `run_ended` line: the file is cut short")


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, without ever holding more of one than a line may have."""
    while line := file.readline(MAX_LINE_BYTES + 2):
        yield line


class RunReader:
    """Takes lines one by one and gives a run whenever one is complete."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.line_number = 0
        self.assembly: Assembly | None = None  # of the run that is being read

    def read(self, raw: bytes) -> RunResult | None:
        self.line_number += 1
        try:
            return self._understood(decode(raw.removesuffix(b"\n")))
        except (UnreadableLineError, OutOfOrderError) as wrong:
            raise self.malformed(str(wrong)) from wrong

    def malformed(self, what: str, *, line_number: int | None = None) -> MalformedReport:
        return MalformedReport(
            f"Line {line_number or self.line_number} of {self._name} cannot be read: {what}.",
            next_step="Export the run again; if the file comes from a newer Testwright, upgrade this one.",
        )

    def _understood(self, line: Line) -> RunResult | None:
        if isinstance(line, RunLine):
            if self.assembly is not None:
                raise OutOfOrderError("a new run starts before the last one has ended")
            self.assembly = Assembly(line.run())
            return None
        if isinstance(line, RunEndedLine):
            assembly, self.assembly = self._current(), None
            return assembly.finished(duration_ms=line.duration_ms, interrupted=line.interrupted)
        self._current().add(line.event)
        return None

    def _current(self) -> Assembly:
        if self.assembly is None:
            raise OutOfOrderError("it comes before a `run` line")
        return self.assembly


def _events(suite: SuiteResult) -> Iterator[KeptEvent]:
    yield SuiteStarted(suite.framework, suite.root, suite.isolation)
    for result in suite.results:
        for attempt in result.attempts:
            yield AttemptFinished(result.case, attempt)
    for problem in suite.problems:
        yield ProblemFound(problem)
    yield SuiteEnded(suite.framework, suite.root, suite.duration_ms, suite.usage, suite.left_processes, suite.artifacts)
