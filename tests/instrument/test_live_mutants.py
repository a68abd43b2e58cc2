"""A mutant comes to life in the functions that are already there, and goes without a trace."""

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

import pytest

from testwright.instrument.live_mutants import LiveMutants
from testwright.instrument.mutants import Mutant
from testwright.instrument.probes import ProbeRecorder
from testwright.instrument.twin import make_twin


@dataclass(frozen=True)
class Living:
    globals: dict[str, Any]
    live_mutants: LiveMutants
    recorder: ProbeRecorder | None

    def mutant(self, description: str, line: int | None = None) -> Mutant:
        [found] = [
            mutant
            for mutant in self.live_mutants.mutants
            if mutant.description == description and line in (None, mutant.line)
        ]
        return found


Bring = Callable[..., Living]


@pytest.fixture(params=[False, True], ids=["plain", "twin"])
def bring_to_life(request: pytest.FixtureRequest) -> Bring:
    """Executes a program, as it is or as its twin, and gives its live_mutants."""

    def bring(source: str) -> Living:
        source, name = dedent(source), f"living-{request.node.name}.py"
        program: dict[str, Any] = {"__name__": "program"}
        recorder = None
        if request.param:
            twin = make_twin(source, name)
            recorder = ProbeRecorder(twin.probes)
            recorder.attach(program)
            code = twin.code
        else:
            code = compile(source, name, "exec", dont_inherit=True)
        exec(code, program)
        return Living(program, LiveMutants(source, name, twin=request.param), recorder)

    return bring


def test_a_mutant_lives_as_long_as_the_block(bring_to_life: Bring) -> None:
    living = bring_to_life("def f(a, b):\n    return a + b\n")
    f = living.globals["f"]

    with living.live_mutants.live(living.mutant("`+` became `-`")) as is_live:
        assert is_live
        assert f(5, 3) == 2
    assert f(5, 3) == 8


def test_it_goes_when_the_block_raises(bring_to_life: Bring) -> None:
    living = bring_to_life("def f(a):\n    raise ValueError\n")

    def use_it_and_fail() -> None:
        with living.live_mutants.live(living.mutant("`raise ValueError` was removed")):
            living.globals["f"](1)
            raise KeyError

    with pytest.raises(KeyError):
        use_it_and_fail()
    with pytest.raises(ValueError):
        living.globals["f"](1)


def test_methods_properties_and_static_methods_are_reached(bring_to_life: Bring) -> None:
    living = bring_to_life("""\
        class Base:
            def who(self): return "base"
        class A(Base):
            __secret = 7
            def who(self): return super().who() + "!"
            @property
            def two(self): return 1 + 1
            @staticmethod
            def three(x=0): return x * 3
            @classmethod
            def secret(cls): return cls.__secret // 2
    """)
    made = living.globals["A"]()

    with living.live_mutants.live(living.mutant("`+` became `-`", 7)):
        assert made.two == 0
    with living.live_mutants.live(living.mutant("`*` became `//`")):
        assert made.three(9) == 3
    with living.live_mutants.live(living.mutant("`//` became `*`")):
        assert made.secret() == 14
    with living.live_mutants.live(living.mutant("`'!'` became `'XX!'`")):
        assert made.who() == "baseXX!"
    assert (made.two, made.three(9), made.secret(), made.who()) == (2, 27, 3, "base!")


def test_what_a_decorator_has_made_already_is_reached(bring_to_life: Bring) -> None:
    living = bring_to_life("""\
        import functools
        def twice(function):
            factor = 2
            @functools.wraps(function)
            def wrapper(*args):
                return function(*args) * factor
            return wrapper
        @twice
        def f(x):
            return x + 1
    """)
    f = living.globals["f"]

    with living.live_mutants.live(living.mutant("`*` became `//`")):
        assert f(3) == 2
    with living.live_mutants.live(living.mutant("`+` became `-`")):
        assert f(3) == 4
    assert f(3) == 8


def test_a_closure_whose_only_use_of_a_variable_is_removed_keeps_working(bring_to_life: Bring) -> None:
    living = bring_to_life("""\
        def make():
            seen = []
            base = 10
            def note(x):
                seen.append(x)
                return base + x
            return note, seen
        note, seen = make()
    """)

    with living.live_mutants.live(living.mutant("`seen.append(x)` was removed")) as is_live:
        assert is_live
        assert living.globals["note"](1) == 11
    assert living.globals["seen"] == []
    living.globals["note"](2)
    assert living.globals["seen"] == [2]


def test_a_method_that_no_longer_calls_super_keeps_working(bring_to_life: Bring) -> None:
    living = bring_to_life("""\
        class Base:
            def __init__(self): self.ready = True
        class A(Base):
            def __init__(self):
                super().__init__()
    """)

    with living.live_mutants.live(living.mutant("`super().__init__()` was removed")):
        assert not hasattr(living.globals["A"](), "ready")
    assert living.globals["A"]().ready


def test_lambdas_on_one_line_are_told_apart(bring_to_life: Bring) -> None:
    living = bring_to_life("f, g = (lambda x: x + 1), (lambda x, y=(lambda: 2)(): x - y)\n")
    f, g = living.globals["f"], living.globals["g"]

    with living.live_mutants.live(living.mutant("`+` became `-`")):
        assert (f(5), g(5)) == (4, 3)
    with living.live_mutants.live(living.mutant("`-` became `+`")):
        assert (f(5), g(5)) == (6, 7)


def test_generators_and_coroutines_are_reached(bring_to_life: Bring) -> None:
    living = bring_to_life("""\
        import asyncio
        def numbers(n):
            for i in range(n):
                yield i + 1
        async def wait(x):
            await asyncio.sleep(0)
            return [i async for i in many(x) if i > 1]
        async def many(n):
            for i in range(n):
                yield i
        def run(n): return asyncio.run(wait(n))
    """)

    with living.live_mutants.live(living.mutant("`+` became `-`")):
        assert list(living.globals["numbers"](3)) == [-1, 0, 1]
    with living.live_mutants.live(living.mutant("`>` became `<=`")):
        assert living.globals["run"](4) == [0, 1]


def test_what_the_import_has_decided_needs_the_module_executed_again(bring_to_life: Bring) -> None:
    living = bring_to_life("""\
        LIMIT = 3
        class A:
            size = LIMIT + 1
        def f(x=5): return x
    """)

    for description in ("`3` became `4`", "`+` became `-`", "`5` became `6`"):
        mutant = living.mutant(description)
        assert mutant.function is None
        assert living.live_mutants.code_for(mutant) is None
        with living.live_mutants.live(mutant) as is_live:
            assert not is_live
    again: dict[str, Any] = {"__name__": "program"}
    if living.recorder is not None:
        living.recorder.attach(again)
    exec(living.live_mutants.module_code_for(living.mutant("`+` became `-`")), again)
    assert again["A"].size == 2


def test_functions_that_came_to_life_later_are_found_when_told_to_look_again(bring_to_life: Bring) -> None:
    living = bring_to_life("""\
        def make():
            def late(x):
                return x + 1
            return late
    """)
    mutant = living.mutant("`+` became `-`")
    with living.live_mutants.live(mutant):
        pass
    late = living.globals["make"]()

    living.live_mutants.look_again()

    with living.live_mutants.live(mutant):
        assert late(1) == 0


def test_the_probes_of_a_mutated_twin_keep_their_numbers() -> None:
    source = "def f(x):\n    x += 1\n    if x > 1 and x < 9:\n        return x\n    return 0\n"
    twin = make_twin(source, "numbers.py")
    recorder, program = ProbeRecorder(twin.probes), dict[str, Any]()
    recorder.attach(program)
    exec(twin.code, program)
    live_mutants = LiveMutants(source, "numbers.py", twin=True)
    [removed] = [mutant for mutant in live_mutants.mutants if mutant.description == "`x += 1` was removed"]

    with live_mutants.live(removed):
        recorder.reset(100)
        program["f"](1)

    hit = [probe.label for probe in twin.probes if recorder.hits()[probe.index]]
    assert hit == ["L2", "L3", "L3 false", "L3 x > 1 false", "L5"]
