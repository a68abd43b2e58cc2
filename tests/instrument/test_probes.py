"""A twin does what its module does, and tells which statements, branches and conditions ran."""

import ast
import importlib.util
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.instrument.conftest import Watch, told_by
from tests.instrument.programs import PROGRAMS
from testwright.instrument.mutants import list_mutants
from testwright.instrument.probes import ProbeRecorder, WorkExceeded
from testwright.instrument.twin import make_twin

STDLIB = Path(sysconfig.get_path("stdlib"))


# --- the twin does the same ------------------------------------------------------------------


@pytest.mark.parametrize("capture", [False, True], ids=["plain", "capturing"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_twin_says_the_same_and_fails_on_the_same_lines(name: str, capture: bool) -> None:
    expected = told_by(PROGRAMS[name], twin=False)

    assert told_by(PROGRAMS[name], twin=True, capture=capture) == expected


REAL_MODULES = sorted(STDLIB.glob("*.py"))[::3]


@pytest.mark.parametrize("path", REAL_MODULES, ids=[path.stem for path in REAL_MODULES])
def test_the_twin_of_a_real_module_has_a_probe_for_every_return(path: Path) -> None:
    source = path.read_text(encoding="utf-8")

    twin = make_twin(source, str(path), capture=True)

    probed = {probe.line for probe in twin.probes if probe.kind == "statement"}
    returns = {node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Return)}
    assert [probe.index for probe in twin.probes] == list(range(len(twin.probes)))
    assert returns <= probed or "__main__" in source or "pragma" in source or "TYPE_CHECKING" in source


@pytest.mark.parametrize("name", ["textwrap", "difflib", "shlex", "fractions", "configparser", "calendar"])
def test_the_twin_of_a_real_module_has_the_same_names_in_the_same_order(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    twin = make_twin(Path(spec.origin).read_text(encoding="utf-8"), spec.origin)
    module = importlib.util.module_from_spec(spec)
    ProbeRecorder(twin.probes).attach(module.__dict__)

    exec(twin.code, module.__dict__)

    public = [key for key in vars(module) if not key.startswith("__tw_")]
    plain = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(plain)
    assert sorted(public) == sorted(vars(plain))


def test_an_expression_of_many_levels_is_no_obstacle(watch: Watch) -> None:
    program = watch("def f(x):\n    return " + " + ".join(["x"] * 800) + "\n")

    assert program.call("f", 1) == 800
    assert len(list_mutants("x = " + " + ".join(["y"] * 800))) == 799


def test_source_that_is_not_python_is_a_syntax_error() -> None:
    with pytest.raises(SyntaxError):
        make_twin("def f(:\n", "broken.py")


# --- what it tells ---------------------------------------------------------------------------


def test_both_ways_of_a_condition_are_told_apart_where_there_is_no_else(watch: Watch) -> None:
    program = watch("""\
        def f(x):
            if x:
                x = 1
            return x
    """)

    program.call("f", 0)
    assert program.labels == ["L2", "L2 false", "L4"]
    program.call("f", 1)
    assert program.labels == ["L2", "L2 true", "L3", "L4"]


def test_a_reset_forgets_and_importing_is_seen_before_it(watch: Watch) -> None:
    program = watch("a = 1\nif a:\n    b = 2\n")

    assert program.labels == ["L1", "L2", "L2 true", "L3"]
    program.recorder.reset(1)
    assert program.labels == []


def test_each_operand_is_told_both_ways_and_only_if_it_was_asked(watch: Watch) -> None:
    program = watch("""\
        def f(a, b):
            if a and b:
                return 1
    """)

    program.call("f", 1, 0)
    assert program.hit("condition") == ["L2 a true", "L2 b false"]
    program.call("f", 0, 1)
    assert program.hit("condition") == ["L2 a false"]


def test_operands_whose_value_is_the_result_are_told_both_ways_too(watch: Watch) -> None:
    program = watch("def f(a, b):\n    return a or b\n")

    program.call("f", 0, [])
    assert program.hit("condition") == ["L2 a false", "L2 b false"]
    program.call("f", 3, [])
    assert program.hit("condition") == ["L2 a true"]


def test_the_truth_of_a_last_operand_of_unknown_type_is_not_asked_for(watch: Watch) -> None:
    program = watch("""\
        class Odd:
            def __bool__(self):
                raise ValueError
        def f(a):
            return a or Odd()
    """)

    program.call("f", 0)

    assert program.hit("condition") == ["L5 a false", "L5 Odd() true", "L5 Odd() false"]


def test_loops_tell_of_their_turns_and_of_their_natural_end(watch: Watch) -> None:
    program = watch("""\
        def f(items):
            for item in items:
                if item == 9:
                    break
    """)

    program.call("f", [])
    assert program.hit("branch") == ["L2 end of loop"]
    program.call("f", [9])
    assert program.hit("branch") == ["L2 loop", "L3 true"]


def test_an_endless_loop_is_not_expected_to_end(watch: Watch) -> None:
    program = watch("def f():\n    while True:\n        return 1\n")

    assert program.known("branch") == ["L2 loop"]


def test_cases_guards_and_the_lack_of_a_case_are_branches(watch: Watch) -> None:
    program = watch("""\
        def f(x):
            match x:
                case 1:
                    return "one"
                case int() if x > 5:
                    return "many"
    """)

    program.call("f", 1)
    assert program.hit("branch") == ["L3 case"]
    program.call("f", 3)
    assert program.hit("branch") == ["L5 guard false", "L2 no case"]


def test_handlers_else_and_assertions_are_branches(watch: Watch) -> None:
    program = watch("""\
        def f(x):
            try:
                assert x, "no"
            except AssertionError:
                return "caught"
            else:
                return "fine"
    """)

    assert program.call("f", 0) == "caught"
    assert program.hit("branch") == ["L3 assert fails", "L4 except"]
    assert program.call("f", 1) == "fine"
    assert program.hit("branch") == ["L3 assert holds", "L7 no exception"]


def test_conditional_expressions_and_comprehensions_are_branches(watch: Watch) -> None:
    program = watch("""\
        def f(items):
            return [i if i > 1 else 0 for i in items if i]
    """)

    program.call("f", [0, 1])

    assert program.hit("branch") == ["L2 false", "L2 if true", "L2 if false"]


def test_a_lambda_tells_that_it_ran(watch: Watch) -> None:
    program = watch("f = lambda x: x\ng = lambda x: x\n")

    program.call("f", 1)

    assert program.labels == ["L1 lambda"]


def test_a_probe_knows_the_function_it_is_in(watch: Watch) -> None:
    program = watch("""\
        class A:
            size = 1
            def f(self):
                def g():
                    return 1
                return g
    """)

    assert [probe.function for probe in program.probes] == ["", "", "", "A.f", "A.f.<locals>.g", "A.f"]


def test_what_no_test_is_meant_to_run_has_no_probes(watch: Watch) -> None:
    program = watch("""\
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            import nothing_of_that_name
        def f(x):
            if x:  # pragma: no cover
                return 1
            return 2
        def stub(): ...
        if __name__ == "__main__":
            f(1)
    """)

    assert [probe.line for probe in program.probes] == [2, 5, 8, 9]


# --- work ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "while x: x = x or 1",
        "return [i for i in iter(int, 1)]",
        "return [i for i in iter(int, 1) if i]",
        "return sum(1 for i in iter(int, 1))",
        "for i in iter(int, 1): pass",
        "return f(x) + f(x) if x else f(1)",
    ],
)
def test_work_without_end_is_ended(watch: Watch, body: str) -> None:
    program = watch(f"import sys\ndef f(x):\n    {body}\n")

    with pytest.raises((WorkExceeded, RecursionError)):
        program.call("f", 1, work=500)


def test_swallowing_the_news_that_the_work_is_used_up_does_not_help(watch: Watch) -> None:
    program = watch("""\
        def f():
            while True:
                try:
                    while True:
                        pass
                except BaseException:  # what is tried here swallows the limit
                    pass
    """)

    with pytest.raises(WorkExceeded):
        program.call("f", work=1000)
    assert program.recorder.exceeded


def test_work_within_the_limit_is_counted_and_not_ended(watch: Watch) -> None:
    program = watch("def f(n):\n    for i in range(n):\n        pass\n")

    program.call("f", 10, work=11)

    assert program.recorder.used() == 11  # the call, and ten turns
    assert not program.recorder.exceeded


# --- operands --------------------------------------------------------------------------------


def test_both_sides_of_a_comparison_are_shown(watch: Watch) -> None:
    program = watch(
        """\
        def f(x):
            if x == "secret" or 3 < len(x) <= 7:
                return True
            return x.startswith("pre") or x in {"b", "a"}
    """,
        capture=True,
    )

    program.call("f", "zz")

    assert program.recorder.comparisons() == [
        (2, "zz", "secret"), (2, 3, 2), (4, "zz", "pre"), (4, "zz", ("a", "b")),
    ]  # fmt: skip
    assert program.recorder.operands() == ["zz", "secret", 3, 2, "pre", "a", "b"]


def test_a_pattern_is_shown_with_the_text_it_is_tried_on(watch: Watch) -> None:
    program = watch(
        """\
        import re
        P = re.compile("a+")
        def f(x):
            return P.match(x), re.search("b*", x)
    """,
        capture=True,
    )

    program.call("f", "text")

    assert program.recorder.comparisons() == [(4, "a+", "text"), (4, "b*", "text")]


def test_values_that_are_equal_but_not_the_same_are_both_shown(watch: Watch) -> None:
    program = watch("def f(x):\n    return x == 1\n", capture=True)

    program.call("f", True)

    assert [type(value) for value in program.recorder.operands()] == [bool, int]


def test_an_object_that_was_compared_does_not_live_longer_for_it(watch: Watch) -> None:
    program = watch("def f(x):\n    return x == 1\n", capture=True)
    thing = object()
    before = sys.getrefcount(thing)

    program.call("f", thing)

    assert sys.getrefcount(thing) == before
    assert program.recorder.operands() == []


def test_a_twin_that_does_not_capture_shows_nothing(watch: Watch) -> None:
    program = watch("def f(x):\n    return x == 1\n")

    program.call("f", 5)

    assert program.recorder.operands() == []
