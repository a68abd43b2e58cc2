"""The inputs as the search sees them: argument lists, neighbours, simpler forms."""

import ast
import itertools
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generate.inside.values.conftest import Laboratory
from testwright.generate.inside.generated_case import Argument
from testwright.generate.inside.units import Parameter, Unit, UnitKind

MIXED = """
    import re
    from dataclasses import dataclass
    from enum import Enum

    KINDS = {"small", "large", "huge"}
    WORD = re.compile(r"(?P<word>[a-z]+)-(?P<number>\\d{2,4})")

    class Color(Enum):
        RED = "red"
        BLUE = "blue"

    @dataclass
    class Point:
        x: int
        y: int = 0

        def moved(self, by: "Point") -> "Point":
            return Point(self.x + by.x, self.y + by.y)

    def size(kind, *, strict=False):
        if kind in KINDS:
            return len(kind)
        if strict:
            raise ValueError(kind)
        return 0

    def split(text: str) -> tuple[str, int] | None:
        found = WORD.match(text)
        return (found["word"], int(found["number"])) if found else None

    def paint(point: Point, color: Color, *names: str, **options: int) -> str:
        return f"{point} {color.value} {names} {options}"
"""


def test_calls_that_were_harvested_come_first_as_they_were_written(lab: Laboratory) -> None:
    made = lab(MIXED, {"size": ["size('a very special kind', strict=True)"]})
    assert made.calls("size")[0] == '_under_test.size("a very special kind", strict=True)'


def test_calls_inside_a_harvested_snippet_are_found(lab: Laboratory) -> None:
    snippet = (
        "def test_it():\n    assert split('abc-123') == ('abc', 123)\n    assert mod.split(unknown_name) is None\n"
    )
    made = lab(MIXED, {"split": [snippet]})
    assert made.calls("split")[0] == '_under_test.split("abc-123")'
    assert not any("unknown_name" in call for call in made.calls("split"))


def test_examples_in_the_docstring_are_used(lab: Laboratory) -> None:
    made = lab('''
        def shout(text):
            """Louder.

            >>> shout("quiet please")
            'QUIET PLEASE!'
            """
            return text.upper() + "!"
    ''')
    assert made.calls("shout")[0] == '_under_test.shout("quiet please")'


def test_names_of_the_module_in_harvested_calls_are_told_through_the_module(lab: Laboratory) -> None:
    made = lab(MIXED, {"paint": ["paint(Point(1), Color.RED)"]})
    assert made.calls("paint")[0] == "_under_test.paint(_under_test.Point(1), _under_test.Color.RED)"


def test_every_branch_of_a_small_module_is_reached_by_the_first_lists(lab: Laboratory) -> None:
    made = lab(MIXED)
    sizes = made.results("size")
    assert {5, 4, 0} <= {each for each in sizes if isinstance(each, int)}
    assert any(isinstance(each, ValueError) for each in sizes)
    splits = made.results("split")
    assert None in splits
    assert any(isinstance(each, tuple) and each[0].isalpha() for each in splits)
    paints = [each for each in made.results("paint") if isinstance(each, str)]
    assert any("red" in each for each in paints)
    assert any("blue" in each for each in paints)
    assert any("('" in each for each in paints), "some names are given"


def test_first_arguments_are_lazy_finite_and_each_given_once(lab: Laboratory) -> None:
    made = lab(MIXED)
    lists = list(itertools.islice(made.inputs.first_arguments(made.units["paint"]), 100_000))
    assert 100 < len(lists) < 100_000
    assert len(set(lists)) == len(lists)


def test_optional_arguments_are_left_out_first_and_given_by_name_later(lab: Laboratory) -> None:
    made = lab("""
        def greet(name, greeting="Hello", mark="!"):
            return f"{greeting}, {name}{mark}"
    """)
    unit = made.units["greet"]
    lists = list(itertools.islice(made.inputs.first_arguments(unit), 80))
    assert [each.name for each in lists[0]] == [None]
    assert any([each.name for each in arguments] == [None, "mark"] for arguments in lists)
    assert any([each.name for each in arguments] == [None, "greeting", "mark"] for arguments in lists)


def test_positional_only_parameters_are_never_given_by_name(lab: Laboratory) -> None:
    made = lab("""
        def join(left, right="b", /, *, glue="-"):
            return f"{left}{glue}{right}"
    """)
    assert not any(isinstance(each, TypeError) and "positional-only" in str(each) for each in made.results("join", 200))


def test_ill_typed_values_come_but_not_among_the_first(lab: Laboratory) -> None:
    made = lab("""
        def repeat(text: str) -> str:
            return text * 2
    """)
    values = made.values("repeat", 200)
    assert "None" not in values[:8]
    assert {"None", "1", "[]"} <= set(values)


def test_the_same_inputs_come_in_every_process(tmp_path: Path) -> None:
    """Given other hash seeds, when the inputs are made again, then they are the same to the letter."""
    program = """
import ast, importlib, itertools, random, sys
from testwright.generate.inside.unit_finder import list_units
from testwright.generate.inside.values.input_source import InputSource
module = importlib.import_module("textwrap")
tree = ast.parse(open(module.__file__).read())
units = list_units(module, tree).units
inputs = InputSource(module, tree, units, {}, seed="7")
rng = random.Random("1")
for unit in units:
    for arguments in itertools.islice(inputs.first_arguments(unit), 80):
        print(arguments)
        print(inputs.vary_arguments(unit, arguments, rng, ["wanted", 70]))
    for call in itertools.islice(inputs.first_subjects(unit.owner), 10) if unit.owner else ():
        print(call)
"""
    file = tmp_path / "program.py"
    file.write_text(program, encoding="utf-8")
    printed = set()
    for hash_seed in ("0", "1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True, env=environment)
        printed.add(done.stdout)
    assert len(printed) == 1
    assert len(printed.pop().splitlines()) > 500


def test_varied_arguments_still_make_a_call_and_nearly_always_differ(lab: Laboratory) -> None:
    made = lab(MIXED)
    unit = made.units["paint"]
    rng = random.Random("vary")
    arguments = next(made.inputs.first_arguments(unit))
    changed = 0
    for _ in range(200):
        varied = made.inputs.vary_arguments(unit, arguments, rng, ["hint", 7])
        changed += varied != arguments
        for argument in varied:
            ast.parse(argument.value, mode="eval")
    assert changed > 180


def test_varying_adds_and_drops_optional_arguments(lab: Laboratory) -> None:
    made = lab(MIXED)
    unit = made.units["size"]
    rng = random.Random("optional")
    bare = (Argument(None, '"small"'),)
    full = (*bare, Argument("strict", "True"))
    assert any(len(made.inputs.vary_arguments(unit, bare, rng)) == 2 for _ in range(60))
    assert any(made.inputs.vary_arguments(unit, full, rng) == bare for _ in range(100))


def test_an_expression_that_was_seen_to_work_is_used_for_arguments_of_its_type(lab: Laboratory) -> None:
    made = lab(MIXED)
    made.inputs.remember(made.module.Point, "_under_test.Point(41, 42)")
    assert made.calls("paint")[0].startswith("_under_test.paint(_under_test.Point(41, 42)")


@pytest.mark.parametrize(
    "source",
    [
        """
        class Meta(type):
            def __getattribute__(cls, name):
                raise RuntimeError(name)
            def __instancecheck__(cls, other):
                raise RuntimeError("instance")
            def __eq__(cls, other):
                raise RuntimeError("eq")
            __hash__ = None
        class Hostile(metaclass=Meta):
            pass
        def use(thing: Hostile, other=Hostile):
            return thing.name
        """,
        """
        class Liar:
            __class__ = property(lambda self: 1 / 0)
            def __getattr__(self, name):
                raise SystemExit(name)
            def __eq__(self, other):
                raise KeyError(other)
            def __repr__(self):
                raise ValueError
        LIAR = Liar()
        def use(thing=LIAR, *more: "Undefined[Nowhere]", **rest: "not even a type"):
            if thing == LIAR:
                return 1
            return rest[LIAR]
        """,
        """
        class Node:
            def __init__(self, parent: "Node", children: "list[Node]"):
                self.parent, self.children = parent, children
        def use(node: Node) -> Node:
            return use(node.parent)
        """,
        """
        def use(a: [1, 2], b: {"x": int}, c: lambda x: x, d: "list[" = 1, e: 3.5 = None):
            return a
        """,
    ],
)
def test_hostile_classes_and_annotations_do_no_harm(lab: Laboratory, source: str) -> None:
    made = lab(source)
    kinds = [value for value in vars(made.module).values() if issubclass(type(value), type)]
    for kind in kinds:
        list(itertools.islice(made.inputs.first_subjects(kind), 20))
    hostile = Parameter("thing", "POSITIONAL_OR_KEYWORD", kinds[-1] if kinds else 3.5, has_default=True, default=kinds)
    use = Unit("use", UnitKind.FUNCTION, (hostile,), None, None, made.module.use, made.tree.body[-1])  # type: ignore[arg-type]  # hostile
    for unit in (*made.units.values(), use):
        arguments = list(itertools.islice(made.inputs.first_arguments(unit), 40))
        assert arguments
        made.inputs.vary_arguments(unit, arguments[-1], random.Random("1"), [vars(made.module)])
