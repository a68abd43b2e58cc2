"""The mutants of a module: which there are, which there are not, and how they are described."""

import ast
import sysconfig
from pathlib import Path
from textwrap import dedent

import pytest

from testwright.instrument.live_mutants import LiveMutants
from testwright.instrument.mutants import Mutant, list_mutants

STDLIB = Path(sysconfig.get_path("stdlib"))


def changes(source: str) -> list[str]:
    return [f"{mutant.operator} {mutant.description}" for mutant in list_mutants(dedent(source))]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("x = a < b", ["ROR `<` became `<=`", "ROR `<` became `>=`"]),
        ("x = a == b", ["ROR `==` became `!=`"]),
        ("x = a not in b", ["ROR `not in` became `in`"]),
        ("x = a is b", ["ROR `is` became `is not`"]),
        ("x = a + b", ["AOR `+` became `-`"]),
        ("x = a % b", ["AOR `%` became `//`"]),
        ("x += a", ["SDL `x += a` was removed", "ASR `+=` became `-=`"]),
        ("x = a and b and c", ["LCR `and` became `or`"]),
        ("x = not a", ["UOD `not a` became `a`"]),
        ("x = -a", ["UOD `-a` became `a`"]),
        ("x = a if b else c", ["COI the condition `b` was negated"]),
        ("x = [a for a in b if a]", ["COI the condition `a` was negated"]),
        ("if a: f = b", ["COI the condition `a` was negated"]),
        ("if not a: f = b", ["UOD `not a` became `a`"]),
        ("if a == b: f = b", ["ROR `==` became `!=`"]),
        ("x = 5", ["CRP `5` became `6`", "CRP `5` became `4`"]),
        ("x = 0.5", ["CRP `0.5` became `1.5`", "CRP `0.5` became `-0.5`"]),
        ("x = True", ["CRP `True` became `False`"]),
        ("x = 'a'", ["CRP `'a'` became `'XXa'`"]),
        ("x = ''", ["CRP `''` became `'XX'`"]),
        ("x = b'a'", ["CRP `b'a'` became `b'XXa'`"]),
        ("f(a)", ["SDL `f(a)` was removed"]),
        ("raise E", ["SDL `raise E` was removed"]),
        ("x = a[b:c]", ["SBR `[b:c]` became `[:c]`", "SBR `[b:c]` became `[b:]`"]),
    ],
)
def test_each_operator_makes_its_mutants(statement: str, expected: list[str]) -> None:
    assert changes(statement) == expected


def test_what_a_function_returns_and_how_it_leaves_a_loop_is_mutated() -> None:
    source = """\
        def f(items):
            for item in items:
                if item:
                    break
                continue
            self.last = item
            return item
    """

    assert changes(source) == [
        "COI the condition `item` was negated",
        "BCR `break` became `continue`",
        "BCR `continue` became `break`",
        "SDL `self.last = item` was removed",
        "RVR `return item` became `return None`",
    ]


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring."""',
        "from __future__ import annotations",
        "from a import b",
        "import a",
        "__all__ = ['a']",
        "__version__ = '1' + 'a'",
        "x: 'int' = y",
        "def f(a: 'str') -> 'int': pass",
        "def f():\n    '''Doc.'''",
        "@decorated(1, 'a')\ndef f(): pass",
        "if __name__ == '__main__':\n    main(1)",
        "if TYPE_CHECKING:\n    x = 1",
        "x = f'text {a}'",
        "x = 1  # pragma: no cover",
        "if a:  # pragma: no cover\n    x = 1",
        "@overload\ndef f(a=1): return 1",
        "class A:\n    @abstractmethod\n    def f(self): raise NotImplementedError",
        "def f(): ...",
        "T = TypeVar('T')",
        "logger.info('told %s', 1)",
        "self.log.debug('x' + 'y')",
        "def f():\n    return None",
        "try:\n    pass\nexcept E:  # pragma: no cover\n    x = 1",
    ],
)
def test_what_no_test_is_meant_to_notice_is_left_alone(source: str) -> None:
    assert changes(source) == []


def test_joining_and_formatting_text_is_no_arithmetic() -> None:
    assert changes("x = 'a %s' % b") == ["CRP `'a %s'` became `'XXa %s'`"]
    assert changes("x = b + f'{a}'") == []


def test_mutants_are_numbered_in_the_order_of_the_source_and_say_where_they_are() -> None:
    source = dedent("""\
        LIMIT = 1
        class A:
            size = 2
            def f(self, n=3):
                def g():
                    return (
                        4
                    )
                return lambda: 5
        double = lambda x: x * 2
    """)

    found = list_mutants(source)

    assert [mutant.number for mutant in found] == list(range(len(found)))
    assert sorted(found, key=lambda mutant: (mutant.line, mutant.column)) == found
    assert list_mutants(source) == found
    where = {mutant.description: (mutant.function, mutant.line, mutant.statement) for mutant in found}
    assert where["`1` became `2`"] == (None, 1, 1)
    assert where["`2` became `3`"] == ("<lambda>", 10, 10)
    assert where["`3` became `4`"] == (None, 4, 4)
    assert where["`4` became `5`"] == ("A.f.<locals>.g", 7, 6)
    assert where["`5` became `6`"] == ("A.f.<locals>.<lambda>", 9, 9)
    assert where["`*` became `//`"] == ("<lambda>", 10, 10)


@pytest.mark.parametrize("name", ["argparse", "fractions", "dataclasses", "configparser", "ast", "typing"])
def test_every_mutant_of_a_real_module_compiles_to_something_else(name: str) -> None:
    path = STDLIB / f"{name}.py"
    source = path.read_text(encoding="utf-8")
    live_mutants = LiveMutants(source, str(path))
    plain = compile(ast.parse(source), str(path), "exec")

    for mutant in some(live_mutants.mutants, 120):
        code = live_mutants.code_for(mutant)
        if code is None:
            assert mutant.function is None
            assert live_mutants.module_code_for(mutant) != plain
        else:
            assert code.co_qualname == (mutant.function or "").partition(".<locals>")[0]


def some(mutants: tuple[Mutant, ...], count: int) -> tuple[Mutant, ...]:
    return mutants[:: max(1, len(mutants) // count)]
