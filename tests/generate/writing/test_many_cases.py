"""Whatever the cases are, the suite compiles, is green, has unique names, and is the same every time."""

import ast
import random
import re

import pytest

from tests.campaigns import campaign, repetitions
from tests.generate.writing.making import IMPORT_LINE, MODULE, Shop, arguments, of_function, raised, returned
from testwright.generate.writing.pytest_file import MOST_TESTS, ChosenCase, compose_suite

SOURCE = """def echo_{n}(value, *rest, **more):
    if value == "bad":
        raise ValueError(rest, more)
    return value
"""
ATOMS: list[object] = [
    None, True, False, 0, 1, -1, 10**20, 1.5, "", "a", "bad?", 'q"q', "it's", "\\w", "two\nlines\n", "é",
    "\x00", b"\xff", "long " * 40,
]  # fmt: skip


def value(rng: random.Random, depth: int = 0) -> object:
    kind = rng.randrange(6 if depth < 3 else 1)
    if kind <= 2:
        return rng.choice(ATOMS)
    items = [value(rng, depth + 1) for _ in range(rng.randrange(5))]
    if kind == 3:
        return items
    if kind == 4:
        return tuple(items)
    return {f"key {index}": item for index, item in enumerate(items)}


def random_case(rng: random.Random, units: int) -> ChosenCase:
    unit = f"echo_{rng.randrange(units)}"
    rest = [repr(value(rng)) for _ in range(rng.randrange(3))]
    more = {
        name: repr(value(rng))
        for name in rng.sample(["strict", "list", "expected", "request", "pytest"], rng.randrange(3))
    }
    if rng.random() < 0.2:
        return of_function(unit, arguments("'bad'", *rest, **more), *raised("ValueError"), parameters=("value",))
    given = value(rng)
    return of_function(unit, arguments(repr(given), *rest, **more), returned(given), parameters=("value",))


CASES = repetitions(full=120, usual=40)


@campaign
@pytest.mark.parametrize("units", [1, 3, 30])
def test_a_suite_of_random_cases_keeps_every_promise(shop: Shop, units: int) -> None:
    rng = random.Random(f"cases for {units}")
    shop.module("basket", "\n\n".join(SOURCE.format(n=number) for number in range(units)))
    cases = [random_case(rng, units) for _ in range(CASES)]

    suite = compose_suite(IMPORT_LINE, MODULE, cases)

    assert suite == compose_suite(IMPORT_LINE, MODULE, cases)
    assert {dropped.reason for dropped in suite.dropped} <= {"the same as another case"}
    assert len(set(suite.tests)) == len(suite.tests) <= MOST_TESTS
    assert not [name for name in suite.tests if re.fullmatch(r"test_(case_)?\d+", name) or len(name) > 70]
    ran = shop.run(suite.text)
    passed = len(cases) - len(suite.dropped) - calls_that_share_a_test(suite.text)
    assert f"{passed} passed" in ran.output, ran.output


def calls_that_share_a_test(text: str) -> int:
    """How many calls stand in a test after its first one: those are cases that pytest does not count."""
    tests = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return sum(ast.unparse(test).count("_under_test.echo_") - 1 for test in tests)
