"""Argument lists from the candidates of each parameter."""

import itertools

from testwright.generate.inside.generated_case import Argument
from testwright.generate.inside.units import Parameter
from testwright.generate.inside.values.argument_lists import assembled, choices

LEFT = Parameter("left", "POSITIONAL_OR_KEYWORD", None, has_default=False, default=None)
RIGHT = Parameter("right", "POSITIONAL_OR_KEYWORD", None, has_default=False, default=None)
MODE = Parameter("mode", "POSITIONAL_OR_KEYWORD", None, has_default=True, default="x")
REST = Parameter("rest", "VAR_POSITIONAL", None, has_default=False, default=None)
FLAG = Parameter("flag", "KEYWORD_ONLY", None, has_default=True, default=False)
MORE = Parameter("more", "VAR_KEYWORD", None, has_default=False, default=None)
ALL = (LEFT, RIGHT, MODE, REST, FLAG, MORE)
RANKED = {
    "left": ["1", "2", "3"],
    "right": ["4", "5", "6"],
    "mode": ['"m"'],
    "rest": ["(7,)"],
    "flag": ["True"],
    "more": ['{"k": 8}'],
}


def test_the_best_of_each_comes_first_then_one_is_changed_at_a_time() -> None:
    first = list(itertools.islice(choices((LEFT, RIGHT), RANKED, "seed"), 4))
    assert first == [
        {"left": "1", "right": "4"},
        {"left": "2", "right": "4"},
        {"left": "1", "right": "5"},
        {"left": "2", "right": "5"},
    ]


def test_every_value_of_every_parameter_is_used_and_none_twice() -> None:
    made = list(choices(ALL, RANKED, "seed"))
    assert len({tuple(each.items()) for each in made}) == len(made)
    for name, values in RANKED.items():
        assert {each[name] for each in made if name in each} == set(values)


def test_a_function_without_parameters_has_one_call() -> None:
    assert list(choices((), {}, "seed")) == [{}]


def test_arguments_are_written_in_an_order_that_python_takes() -> None:
    def called(left: int, right: int, mode: str = "x", *rest: int, flag: bool = False, **more: int) -> object:
        return left, right, mode, rest, flag, more

    for choice in choices(ALL, RANKED, "seed"):
        written = ", ".join(_written(each) for each in assembled(ALL, choice))
        left, right, mode, *_ = eval(f"called({written})", {"called": called})
        assert (str(left), str(right)) == (choice["left"], choice["right"])
        assert mode == ("m" if "mode" in choice else mode)


def _written(argument: Argument) -> str:
    if argument.name in ("*", "**"):
        return f"{argument.name}{argument.value}"
    return argument.value if argument.name is None else f"{argument.name}={argument.value}"
