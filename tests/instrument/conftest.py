"""Programs to look at: run as they are, and run as their twins."""

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

import pytest

from testwright.instrument.probes import Probe, ProbeRecorder
from testwright.instrument.twin import make_twin


@dataclass(frozen=True)
class Watched:
    """A program that was run as its twin."""

    globals: dict[str, Any]
    recorder: ProbeRecorder
    probes: tuple[Probe, ...]

    def __getitem__(self, name: str) -> Any:
        return self.globals[name]

    def call(self, name: str, *arguments: object, work: int = 100_000) -> Any:
        """Call a function of the program with a fresh account."""
        self.recorder.reset(work)
        return self.globals[name](*arguments)

    @property
    def labels(self) -> list[str]:
        """What was passed since, in the order of the probes; statements as their line alone."""
        hits = self.recorder.hits()
        return [probe.label for probe in self.probes if hits[probe.index]]

    def hit(self, kind: str) -> list[str]:
        hits = self.recorder.hits()
        return [probe.label for probe in self.probes if hits[probe.index] and probe.kind == kind]

    def known(self, kind: str) -> list[str]:
        return [probe.label for probe in self.probes if probe.kind == kind]


Watch = Callable[..., Watched]


@pytest.fixture
def watch() -> Watch:
    """Run a program as its twin."""

    def run(source: str, *, capture: bool = False) -> Watched:
        twin = make_twin(dedent(source), "program.py", capture=capture)
        recorder = ProbeRecorder(twin.probes)
        program: dict[str, Any] = {"__name__": "program", "__builtins__": __builtins__}
        recorder.attach(program)
        exec(twin.code, program)
        return Watched(program, recorder, twin.probes)

    return run


def told_by(source: str, *, twin: bool, capture: bool = False) -> tuple[list[str], list[tuple[str, int]]]:
    """What a program says with `say(...)`, and the functions and lines of the traceback it ends with, if it does."""
    said: list[str] = []
    # A name that can be looked up: dataclasses do, to understand their annotations.
    program: dict[str, Any] = {"__name__": "builtins", "say": lambda value: said.append(repr(value))}
    if twin:
        made = make_twin(source, "program.py", capture=capture)
        ProbeRecorder(made.probes).attach(program)
        code = made.code
    else:
        code = compile(source, "program.py", "exec", dont_inherit=True)
    places: list[tuple[str, int]] = []
    try:
        exec(code, program)
    except Exception:  # noqa: BLE001  any end of a program is an end to compare
        kind, error, trace = sys.exc_info()
        said.append(f"{kind}: {error}")
        places = [
            (frame.name, frame.lineno or 0) for frame in traceback.extract_tb(trace) if frame.filename == "program.py"
        ]
    return said, places
