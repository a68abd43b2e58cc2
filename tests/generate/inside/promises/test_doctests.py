"""Examples in docstrings: what they show is what the code must give."""

from collections.abc import Callable

from testwright.generate.inside.generated_case import Call, Relation
from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]
_ODD = """
class Odd:
    def __repr__(self):
        return f"Odd('{id(self)}')"
"""


def _example(body: str, example: str, head: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in example.strip().splitlines())
    return f'{head}\n\ndef f(n, *more):\n    """Do it.\n\n{lines}    """\n    {body}\n'


def test_an_example_that_gives_another_value_is_broken(look_at: LookAt) -> None:
    (breach,) = look_at(_example("return n + 1", ">>> f(2)\n4")).breaches

    assert breach.unit == "f"
    assert breach.promise == ">>> f(2)\n4"
    assert breach.promised_at.endswith(".py:4")
    assert breach.actual == "returned 3"
    assert breach.case.action == Call("_under_test.f", breach.case.action.arguments)
    assert [(check.of, check.relation, check.expected) for check in breach.expected] == [
        ("result", Relation.EQUAL, "4")
    ]


def test_an_example_that_shows_an_exception_which_does_not_come_is_broken(look_at: LookAt) -> None:
    example = ">>> f(-1)\nTraceback (most recent call last):\n    ...\nValueError: no"
    (breach,) = look_at(_example("return n", example)).breaches

    assert [(check.relation, check.expected) for check in breach.expected] == [(Relation.RAISES, "ValueError")]


def test_an_example_that_prints_another_text_is_broken(look_at: LookAt) -> None:
    (breach,) = look_at(_example("print(n, 'cats')", ">>> f(2)\n2 dogs")).breaches

    assert [(check.of, check.expected) for check in breach.expected] == [("stdout", "'2 dogs\\n'")]


def test_an_example_that_builds_an_object_first_becomes_a_case_on_it(look_at: LookAt) -> None:
    source = '''
    class Bag:
        """A bag.

        >>> bag = Bag()
        >>> bag.put(3)
        >>> bag.size()
        1
        """

        def __init__(self) -> None:
            self.things = []

        def put(self, thing: int) -> None:
            self.things.append(thing)

        def size(self) -> int:
            return len(self.things) + 1
    '''
    (breach,) = look_at(source).breaches

    assert breach.case.subject == Call("_under_test.Bag")
    assert [call.callee for call in breach.case.before] == ["subject.put"]
    assert breach.case.action == Call("subject.size")
    assert breach.setup == ()


def test_an_example_with_other_lines_before_it_brings_them_along(look_at: LookAt) -> None:
    example = ">>> import math\n>>> unused = 5\n>>> numbers = [f(1), math.floor(2.5)]\n>>> sum(numbers)\n5"
    (breach,) = look_at(_example("return n + 1", example)).breaches

    assert breach.setup == ("numbers = [_under_test.f(1), math.floor(2.5)]",)
    assert breach.case.action.callee == "sum"


def test_examples_that_agree_are_not_reported(look_at: LookAt) -> None:
    example = ">>> f(2)\n3\n>>> f(0.1)  # close enough\n1.1\n>>> {f(1), f(2)}\n{3, 2}"

    assert look_at(_example("return n + 1", example)).breaches == []


def test_examples_that_only_seem_to_disagree_are_not_reported(look_at: LookAt) -> None:
    for body, example in [
        ("return n", ">>> f(1)  # doctest: +SKIP\n2"),
        ("return list(range(n))", ">>> f(30)\n[0, 1, ..., 29]"),
        ("return n / 3", ">>> f(1)\n0.33"),
        ("return {'b': n, 'a': n}", ">>> f(1)\n{'a': 1, 'b': 1}"),
        ("return object()", ">>> f(1)\n<object object at 0x7f>"),
        ("return iter([n])", ">>> f(1)\n[1]"),
        ("raise ValueError('other words')", ">>> f(1)\nTraceback (most recent call last):\nValueError: words"),
        ("return helper(n)", ">>> f(1)\n5"),
        ("return Odd()", ">>> f(1)\nOdd()"),
        ("return n", ">>> g(1)\n2"),
        ("return list({str(n), 'b'})", ">>> f(1)\n['b', '1']"),
    ]:
        assert look_at(_example(body, example, _ODD)).breaches == [], example


def test_what_depends_on_the_day_or_on_chance_is_not_reported(look_at: LookAt) -> None:
    today = _example("return datetime.date.today().year + n", ">>> f(0)\n1999", "import datetime")
    chance = _example("return random.random() + n", ">>> f(0)\n0.5", "import random")

    machine = _example("return n", ">>> import os\n>>> a = os.getenv('NOT_SET_ANYWHERE')\n>>> a\n'value'")

    assert look_at(today).breaches == []
    assert look_at(chance).breaches == []
    assert look_at(machine).breaches == []
