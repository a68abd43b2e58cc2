"""The units of a module, in the order of its source."""

import ast
import sys
from types import ModuleType

from testwright.generate.inside.unit_finder import UnitList, list_units
from testwright.generate.inside.units import Unit, UnitKind, is_private

SOURCE = '''
import abc
import contextlib
import functools
from typing import TYPE_CHECKING, Optional, Protocol

if TYPE_CHECKING:
    from elsewhere import Unknown


def greet(name: str, *names: str, loud: bool = False, **more: int) -> str:
    """Say hello."""
    return name


async def fetch(url): ...


def numbers(upto: "Unknown", step: "int" = 1):
    yield upto


@contextlib.contextmanager
def opened(path):
    yield path


@functools.lru_cache
def remembered(n: int) -> int:
    return n


if True:
    def conditional(): ...


class Basket:
    def __init__(self, owner: Optional[str] = None): ...
    def add(self, item: str) -> None: ...
    def __len__(self): return 0
    def __secret(self): ...
    @classmethod
    def empty(cls) -> "Basket": ...
    @staticmethod
    def limit(): ...
    @property
    def total(self) -> float: return 0.0
    @functools.cached_property
    def slow(self): return 1

    class Line:
        def cost(self): ...


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...


class Sized(Protocol):
    size: int


def _hidden(): ...


if __name__ == "__main__":
    def only_as_program(): ...
    greet("x")
'''


def _listing(source: str = SOURCE) -> UnitList:
    tree = ast.parse(source)
    module = ModuleType("listed")
    sys.modules["listed"] = module
    try:
        exec(compile(tree, "listed.py", "exec"), module.__dict__)
        return list_units(module, tree)
    finally:
        del sys.modules["listed"]


def _units(source: str = SOURCE) -> dict[str, Unit]:
    return {unit.qualname: unit for unit in _listing(source).units}


def test_everything_that_can_be_called_is_listed_in_source_order() -> None:
    assert list(_units()) == [
        "greet", "fetch", "numbers", "opened", "remembered", "conditional",
        "Basket", "Basket.add", "Basket.__len__", "Basket.__secret", "Basket.empty", "Basket.limit", "Basket.total",
        "Basket.slow", "Basket.Line", "Basket.Line.cost", "Shape.area", "_hidden",
    ]  # fmt: skip


def test_each_unit_knows_its_kind() -> None:
    kinds = {name: unit.kind for name, unit in _units().items()}

    assert kinds["greet"] is UnitKind.FUNCTION
    assert kinds["Basket"] is UnitKind.CONSTRUCTOR
    assert kinds["Basket.add"] is UnitKind.METHOD
    assert kinds["Basket.empty"] is UnitKind.CLASS_METHOD
    assert kinds["Basket.limit"] is UnitKind.STATIC_METHOD
    assert kinds["Basket.total"] is kinds["Basket.slow"] is UnitKind.PROPERTY


def test_parameters_come_without_self_and_with_their_types() -> None:
    units = _units()

    assert [(each.name, each.kind, each.annotation) for each in units["greet"].parameters] == [
        ("name", "POSITIONAL_OR_KEYWORD", str),
        ("names", "VAR_POSITIONAL", str),
        ("loud", "KEYWORD_ONLY", bool),
        ("more", "VAR_KEYWORD", int),
    ]
    assert [each.name for each in units["Basket.add"].parameters] == ["item"]
    assert [each.name for each in units["Basket"].parameters] == ["owner"]
    assert [each.name for each in units["remembered"].parameters] == ["n"]
    assert units["greet"].returns is str
    assert units["greet"].docstring == "Say hello."


def test_a_type_that_cannot_be_resolved_stays_text_and_hides_no_other() -> None:
    upto, step = _units()["numbers"].parameters

    assert upto.annotation == "Unknown"
    assert step.annotation is int
    assert step.has_default
    assert step.default == 1


def test_asynchronous_functions_generators_and_context_managers_are_told_apart() -> None:
    units = _units()

    assert units["fetch"].is_async
    assert units["numbers"].is_generator
    assert units["opened"].is_context_manager
    assert not units["greet"].is_async


def test_what_cannot_be_tested_is_named_with_the_reason() -> None:
    assert {each.qualname: each.reason for each in _listing().skipped} == {
        "Shape": "an abstract class: it cannot be made",
        "Sized": "a protocol: it has no behaviour of its own",
        "__main__": "runs only when the file is started as a program",
    }


def test_a_function_that_its_decorator_turned_into_a_value_is_skipped() -> None:
    listing = _listing("def at_once(f): return f()\n@at_once\ndef answer(): return 42\n")

    assert [unit.qualname for unit in listing.units] == ["at_once"]
    assert [each.qualname for each in listing.skipped] == ["answer"]


def test_private_names_are_known_by_their_underscore_and_dunders_are_not_private() -> None:
    assert is_private("_hidden")
    assert is_private("Basket.__secret")
    assert is_private("_Helper.run")
    assert not is_private("Basket.__len__")


def test_odd_objects_do_not_stop_the_listing() -> None:
    source = """
class Odd:
    def __getattr__(self, name): raise RuntimeError("no")
    @property
    def __signature__(self): raise RuntimeError("no")
    def __call__(self): ...
def wrap(f): return Odd()
@wrap
def strange(a, b): ...
"""
    listing = _listing(source)

    assert [unit.qualname for unit in listing.units] == [
        "Odd",
        "Odd.__getattr__",
        "Odd.__signature__",
        "Odd.__call__",
        "wrap",
    ]
    assert [(each.qualname, each.reason) for each in listing.skipped] == [
        ("strange", "looking at it raises RuntimeError")
    ]
