"""What the tests of inputs share: a little module under test, its units, and the inputs for them."""

import ast
import importlib.util
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

from testwright.generate.inside.generated_case import Call
from testwright.generate.inside.namespace import Namespace
from testwright.generate.inside.unit_finder import list_units
from testwright.generate.inside.units import Unit
from testwright.generate.inside.values.input_source import InputSource
from testwright.generate.inside.values.object_builder import source_of_call

_numbers = itertools.count()


@dataclass
class Lab:
    """A module under test with everything that is needed to try inputs on it."""

    module: ModuleType
    tree: ast.Module
    units: dict[str, Unit]
    inputs: InputSource

    @cached_property
    def namespace(self) -> Namespace:
        return Namespace(self.module)

    def calls(self, name: str, most: int = 60) -> list[str]:
        """The first calls of a unit, as they would be written."""
        lists = itertools.islice(self.inputs.first_arguments(self.units[name]), most)
        return [source_of_call(Call(f"_under_test.{name}", arguments)) for arguments in lists]

    def values(self, name: str, most: int = 60) -> list[str]:
        """The first values of a unit's only parameter."""
        lists = itertools.islice(self.inputs.first_arguments(self.units[name]), most)
        return [arguments[0].value for arguments in lists if len(arguments) == 1]

    def subjects(self, name: str, most: int = 20) -> list[str]:
        return [
            source_of_call(call)
            for call in itertools.islice(self.inputs.first_subjects(getattr(self.module, name)), most)
        ]

    def outcome(self, expression: str) -> Any:
        """The value of an expression, or the exception that it raises."""
        self.namespace.begin()
        try:
            return self.namespace.evaluate(expression)
        except Exception as error:  # noqa: BLE001 - what is raised is the outcome
            return error

    def results(self, name: str, most: int = 60) -> list[Any]:
        return [self.outcome(call) for call in self.calls(name, most)]


Laboratory = Callable[..., Lab]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Laboratory]:
    """`lab(source, harvested={...})` loads a module of that source and makes its inputs."""
    made: list[Lab] = []

    def make(source: str, harvested: Mapping[str, Sequence[str]] | None = None, seed: str = "1") -> Lab:
        name = f"module_with_inputs_{next(_numbers)}"
        file = tmp_path / f"{name}.py"
        file.write_text(dedent(source), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        tree = ast.parse(dedent(source))
        units = list_units(module, tree).units
        inputs = InputSource(module, tree, units, harvested or {}, seed=seed)
        made.append(Lab(module, tree, {unit.qualname: unit for unit in units}, inputs))
        return made[-1]

    yield make
    for each in made:
        del sys.modules[each.module.__name__]
