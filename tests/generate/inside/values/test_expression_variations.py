"""Neighbours of expressions."""

import ast
import random
import re

import pytest

from tests.generate.inside.values.conftest import Laboratory

EXPRESSIONS = [
    '"hello world"', "42", "-1.5", 'b"abc"', "True", "None", "[1, 2, 3]", '{"a": {"b": [1]}}', "(1, 'x')", "{1, 2}",
    "lambda x: x + 1", "datetime.date(2020, 1, 2)", '_under_test.Point(1, name="é")', 'f"{1}-a"', "[]", "{}",
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_neighbour_is_an_expression_and_most_differ(lab: Laboratory, expression: str) -> None:
    inputs = lab("PREFIX = 'pre-'\nLIMIT = 99\n").inputs
    rng = random.Random(expression)
    neighbours = [inputs.vary(expression, rng, ["hint", 7, b"b"]) for _ in range(150)]
    for each in neighbours:
        ast.parse(each, mode="eval")
    if expression != 'f"{1}-a"':
        assert sum(each != expression for each in neighbours) > 120
        assert len(set(neighbours)) > (1 if expression in ("True", "None") else 8)


def test_hints_are_taken_up_also_one_beside_and_inside(lab: Laboratory) -> None:
    inputs = lab("").inputs
    rng = random.Random("hints")
    numbers = {inputs.vary("1", rng, [1000]) for _ in range(200)}
    assert {"1000", "999", "1001"} <= numbers
    texts = [ast.literal_eval(inputs.vary('"abc"', rng, ["needle"])) for _ in range(300)]
    assert "needle" in texts
    assert any(each != "needle" and "needle" in str(each) for each in texts)
    keys = [inputs.vary('{"a": 1}', rng, ["wanted_key"]) for _ in range(200)]
    assert any('"wanted_key": 1' in each for each in keys)


def test_literals_of_the_module_are_spliced_in(lab: Laboratory) -> None:
    inputs = lab("def f(x):\n    return x == 'xyzzy' or x == 31337\n").inputs
    rng = random.Random("pool")
    made = [inputs.vary('"abc"', rng) for _ in range(400)] + [inputs.vary("5", rng) for _ in range(100)]
    assert any("xyzzy" in each for each in made)
    assert any("31337" in each or "31338" in each for each in made)


def test_an_annotation_lets_the_whole_value_be_exchanged(lab: Laboratory) -> None:
    inputs = lab("").inputs
    rng = random.Random("annotation")
    made = {inputs.vary("None", rng, (), bytes) for _ in range(200)}
    assert any(each.startswith('b"') for each in made)


def test_files_stay_in_the_folder_of_the_test(lab: Laboratory) -> None:
    inputs = lab("SECRET = '../../etc/passwd'\nROOT = '/'\n").inputs
    rng = random.Random("files")
    expression = 'tmp_path / "data.txt"'
    for _ in range(500):
        name = re.fullmatch(r"tmp_path / (.+)", inputs.vary(expression, rng, ["/etc", ".."]))
        if name is not None and name[1].startswith(("'", '"')):
            value = ast.literal_eval(name[1])
            assert "/" not in value
            assert value not in ("..", ".", "")


def test_no_string_becomes_a_place_of_this_machine(lab: Laboratory) -> None:
    inputs = lab("SEPARATOR = '/'\nHOME = '~'\nUP = '..'\n").inputs
    rng = random.Random("places")
    value = '"abc"'
    for _ in range(2000):
        value = inputs.vary(value, rng, ["/", "/etc/passwd", "..", "~"])
        found = ast.literal_eval(value) if value[0] in "'\"" else ""
        assert not re.match(r"(/+|~|\.\.?)(/|$)|/+(etc|tmp|root|home|usr)\b", found)


def test_the_same_random_numbers_give_the_same_neighbours(lab: Laboratory) -> None:
    source = "def f(x):\n    return x in ('a', 'b')\n"
    runs = []
    for _ in range(2):
        inputs, rng = lab(source).inputs, random.Random("7")
        value = '{"key": ["a", 1]}'
        runs.append([value := inputs.vary(value, rng, ["h"]) for _ in range(50)])
    assert runs[0] == runs[1]


def test_what_is_not_an_expression_is_given_back(lab: Laboratory) -> None:
    assert lab("").inputs.vary("not an ( expression", random.Random("1")) == "not an ( expression"
