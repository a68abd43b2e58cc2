"""A module under test, really loaded as its twin, for tests of what the explorer does with one."""

import itertools
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from testwright.generate.inside.corpus import KeptCase
from testwright.generate.inside.generated_case import Argument, Call, Case
from testwright.generate.inside.module_loader import load
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.process_setup import ring_when_too_slow
from testwright.generate.inside.unit_finder import list_units
from testwright.generate.inside.units import Unit
from testwright.generate.inside.values.input_source import InputSource

_numbers = itertools.count()


@dataclass(frozen=True)
class Loaded:
    under_test: ModuleUnderTest
    at_import: int
    notes: list[str]
    units: tuple[Unit, ...]

    @property
    def inputs(self) -> InputSource:
        return InputSource(self.under_test.module, self.under_test.tree, self.units, {}, seed="1")

    def unit(self, name: str) -> Unit:
        return next(unit for unit in self.units if unit.qualname == name)

    def kept(self, unit: str, *values: str) -> KeptCase:
        """The case that calls `unit` with these values, as it was seen."""
        case = call(unit, *values)
        run = self.under_test.attempt(case)
        return KeptCase(case, run.observation, run.hits)


def call(unit: str, *values: str) -> Case:
    return Case(unit, Call(f"_under_test.{unit}", tuple(Argument(None, value) for value in values)))


@contextmanager
def loaded(folder: Path, source: str) -> Iterator[Loaded]:
    """The module of this source; afterwards this process is as if it had never been loaded."""
    name = f"loaded_module_{next(_numbers)}"
    file = folder / f"{name}.py"
    file.write_text(dedent(source), encoding="utf-8")
    (folder / "current folder").mkdir(exist_ok=True)
    here, path, finders = Path.cwd(), list(sys.path), list(sys.meta_path)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGCHLD)}
    os.chdir(folder / "current folder")
    try:
        ring_when_too_slow()
        under_test, at_import, notes = load(name, str(file), [str(folder)])
        yield Loaded(under_test, at_import, notes, list_units(under_test.module, under_test.tree).units)
        under_test.namespace.close()
    finally:
        os.chdir(here)
        sys.path[:], sys.meta_path[:] = path, finders
        sys.modules.pop(name, None)
        for number, handler in handlers.items():
            signal.signal(number, handler)
