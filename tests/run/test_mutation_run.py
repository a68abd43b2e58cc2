"""Mutants of a file, tried on the project's own tests in real processes."""

import os
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.run.conftest import CLEAN, PYTHON, Write
from testwright.model.errors import ControlFailed, InvalidSource, MutationFailed, NoTests, RunnerMissing
from testwright.model.mutation_result import MutantStatus, MutationResult
from testwright.run.mutation_run import MutationProgress, MutationRequest, find_survivors, share_text
from testwright.run.project import Project

SETTINGS = '[tool.pytest.ini_options]\npythonpath = ["src"]\n'

Mutate = Callable[..., MutationResult]


@pytest.fixture
def mutate(project: Write) -> Mutate:
    """Tries every mutant of `src/shop/cart.py` on the tests of a small project."""

    def run(
        cart: str,
        tests: str,
        *,
        on_progress: Callable[[MutationProgress], None] = lambda _: None,
        env: dict[str, str] | None = None,
        python: Path = PYTHON,
        files: dict[str, str] | None = None,
        **wanted: object,
    ) -> MutationResult:
        root = project(
            {
                "pyproject.toml": SETTINGS,
                "src/shop/__init__.py": "",
                "src/shop/cart.py": dedent(cart),
                "tests/test_cart.py": dedent(tests),
                **(files or {}),
            }
        )
        request = MutationRequest(root / "src" / "shop" / "cart.py", (root / "tests",), **wanted)  # type: ignore[arg-type]  # what a test wants
        return find_survivors(
            Project.at(root), request, {**os.environ, **CLEAN, **(env or {})}, python=python, on_progress=on_progress
        )

    return run


def statuses(result: MutationResult) -> dict[str, str]:
    return {verdict.description: str(verdict.status) for verdict in result.verdicts}


ADDER = "def add(a, b):\n    return a + b\n"


def test_a_test_that_looks_at_the_result_notices_and_is_named(mutate: Mutate) -> None:
    result = mutate(ADDER, "from shop.cart import add\ndef test_adds(): assert add(1, 2) == 3\n")

    assert statuses(result) == {"`return a + b` became `return None`": "killed", "`+` became `-`": "killed"}
    assert {verdict.killed_by for verdict in result.verdicts} == {"tests/test_cart.py::test_adds"}
    assert result.score == 1.0
    assert (result.tests, result.reaching, result.mutants) == (1, 1, 2)


def test_a_test_that_does_not_look_lets_mutants_live(mutate: Mutate) -> None:
    result = mutate(ADDER, "from shop.cart import add\ndef test_adds(): assert add(1, 0) in (1, None)\n")

    assert set(statuses(result).values()) == {"survived"}
    assert result.score == 0.0
    assert len(result.survivors) == 2


def test_what_no_test_reaches_is_said_to_be_uncovered(mutate: Mutate) -> None:
    result = mutate(
        ADDER + "def never(a):\n    return not a\n",
        "from shop.cart import add\ndef test_adds(): assert add(1, 2) == 3\n",
    )

    assert statuses(result)["`not a` became `a`"] == "uncovered"
    assert result.score == 0.5


def test_a_mutant_that_never_ends_is_noticed_without_waiting_for_the_clock(mutate: Mutate) -> None:
    result = mutate(
        """\
        def count(n):
            while n > 0:
                n -= 1
            return n
        """,
        "from shop.cart import count\ndef test_counts(): assert count(3) == 0\n",
        timeout=600.0,
    )

    assert statuses(result)["`n -= 1` was removed"] == "timeout"
    assert statuses(result)["`-=` became `+=`"] == "timeout"


def test_a_mutant_that_never_ends_in_code_of_others_is_noticed_by_the_clock(mutate: Mutate) -> None:
    result = mutate(
        """\
        import itertools
        def first(n):
            return next(i for i in map(lambda i: i, itertools.count()) if i == n)
        def last(n):
            return sum(1 for _ in range(n)) and sum(itertools.repeat(0, n * 2 - n))
        def spin(n):
            return max(itertools.takewhile(str, itertools.count())) if n < 0 else n
        """,
        "from shop.cart import spin\ndef test_spins(): assert spin(5) == 5\n",
        timeout=2.0,
    )

    assert statuses(result)["`<` became `>=`"] == "timeout"


def test_a_mutant_that_ends_its_process_is_noticed(mutate: Mutate) -> None:
    result = mutate(
        """\
        import os
        def leave(now):
            if now:
                os._exit(0)
            return 5
        """,
        "from shop.cart import leave\ndef test_stays(): leave(False)\n",
    )

    assert statuses(result)["the condition `now` was negated"] == "killed"
    assert statuses(result)["`5` became `6`"] == "survived"


def test_constants_of_the_module_and_of_classes_and_defaults_are_tried_with_a_new_import(mutate: Mutate) -> None:
    result = mutate(
        """\
        RATE = 7
        class Cart:
            size = 3
        def f(x=5): return x
        table = {str(n): n for n in range(RATE)}
        """,
        """\
        from shop.cart import RATE, Cart, f
        def test_rate(): assert RATE == 7
        def test_size(): assert Cart.size > 2
        def test_default(): assert f() == 5
        """,
    )

    assert statuses(result) == {
        "`7` became `8`": "killed",
        "`7` became `6`": "killed",
        "`3` became `4`": "survived",
        "`3` became `2`": "killed",
        "`5` became `6`": "killed",
        "`5` became `4`": "killed",
        "`return x` became `return None`": "killed",
    }


def test_a_mutant_that_keeps_the_tests_from_loading_is_noticed(mutate: Mutate) -> None:
    result = mutate(
        "KINDS = ['a', 'b']\nFIRST = KINDS.index('a')\n",
        "from shop.cart import FIRST\ndef test_first(): assert FIRST == 0\n",
    )

    by = {verdict.description: verdict.killed_by for verdict in result.verdicts if verdict.column == 9}
    assert by == {"`'a'` became `'XXa'`": "tests/test_cart.py"}


def test_only_test_files_that_concern_the_module_are_loaded_again(mutate: Mutate, tmp_path: Path) -> None:
    loaded = tmp_path / "loaded"
    other = f"with open({str(loaded)!r}, 'a') as file: file.write('x')\ndef test_other(): pass\n"

    result = mutate(
        "RATE = 7\n",
        "from shop import cart\ndef test_rate(): assert cart.RATE == 7\n",
        files={"tests/test_other.py": other},
    )

    assert set(statuses(result).values()) == {"killed"}
    assert loaded.read_text() == "x"


def test_functions_that_ran_while_the_tests_were_collected_are_tried_with_a_new_import(mutate: Mutate) -> None:
    result = mutate(
        "def cases(n):\n    return list(range(n + 1))\n",
        """\
        import pytest
        from shop.cart import cases
        @pytest.mark.parametrize("n", cases(2))
        def test_each(n): assert 0 <= n <= 2
        def test_still_there(): assert cases
        """,
    )

    assert statuses(result) == {
        "`return list(range(n + 1))` became `return None`": "killed",
        "`+` became `-`": "survived",
        "`1` became `2`": "killed",
        "`1` became `0`": "survived",
    }


def test_every_test_that_uses_a_shared_fixture_is_asked(mutate: Mutate) -> None:
    result = mutate(
        "def make():\n    return [1 + 1]\n",
        """\
        import pytest
        from shop.cart import make
        @pytest.fixture(scope="module")
        def made(): return make()
        def test_uses_it(made): assert made
        def test_looks_at_it(made): assert made == [2]
        """,
    )

    by = {verdict.description: verdict.killed_by for verdict in result.verdicts}
    assert by["`+` became `-`"] == "tests/test_cart.py::test_looks_at_it"


def test_a_test_that_needs_others_before_it_is_believed_only_after_them(mutate: Mutate) -> None:
    result = mutate(
        "def add(a, b):\n    return abs(a + b)\n",
        """\
        from shop import cart
        ready = []
        def test_first(): ready.append(1)
        def test_second():
            assert ready
            assert cart.add(1, 0) == 1
        """,
    )

    assert statuses(result) == {"`return abs(a + b)` became `return None`": "killed", "`+` became `-`": "survived"}


def test_decorated_functions_and_closures_are_mutated_where_they_live(mutate: Mutate) -> None:
    result = mutate(
        """\
        import functools
        def doubled(function):
            @functools.wraps(function)
            def wrapper(x):
                return function(x) * 2
            return wrapper
        @doubled
        @functools.lru_cache
        def f(x):
            return x + 1
        """,
        "from shop.cart import f\ndef test_f(): assert f(3) == 8\n",
    )

    assert set(statuses(result).values()) == {"killed"}


def test_the_same_sample_is_tried_each_time_and_another_seed_gives_another(mutate: Mutate) -> None:
    cart = "".join(f"def f{n}(x):\n    return x + {n}\n" for n in range(20))
    tests = "from shop.cart import f1\ndef test_it(): assert f1(1) == 2\n"

    first = mutate(cart, tests, limit=6, seed=1, parallel=2)
    again = mutate(cart, tests, limit=6, seed=1)
    other = mutate(cart, tests, limit=6, seed=2)

    assert len(first.verdicts) == 6
    assert first.verdicts == again.verdicts
    assert first.mutants == 80
    assert [verdict.number for verdict in other.verdicts] != [verdict.number for verdict in first.verdicts]


def test_each_verdict_is_reported_as_it_comes(mutate: Mutate) -> None:
    heard: list[MutationProgress] = []

    mutate(ADDER, "from shop.cart import add\ndef test_adds(): assert add(1, 2) == 3\n", on_progress=heard.append)

    assert [progress.planned for progress in heard] == [2, 2, 2]
    assert [progress.verdict.status for progress in heard if progress.verdict] == [MutantStatus.KILLED] * 2


def test_nothing_in_the_project_is_changed(mutate: Mutate, tmp_path: Path) -> None:
    mutate(ADDER, "from shop.cart import add\ndef test_adds(): assert add(1, 2) == 3\n")

    root = tmp_path / "project"
    files = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    assert files == ["pyproject.toml", "src/shop/__init__.py", "src/shop/cart.py", "tests/test_cart.py"]
    assert (root / "src/shop/cart.py").read_text() == ADDER


# --- when it cannot be done ------------------------------------------------------------------


def test_tests_that_fail_as_they_are_are_named(mutate: Mutate) -> None:
    with pytest.raises(ControlFailed) as refused:
        mutate(ADDER, "from shop.cart import add\ndef test_wrong(): assert add(1, 1) == 3\ndef test_right(): pass\n")

    assert "tests/test_cart.py::test_wrong" in refused.value.message
    assert "test_right" not in refused.value.message


def test_tests_that_do_not_load_are_named(mutate: Mutate) -> None:
    with pytest.raises(ControlFailed, match=r"tests/test_cart\.py"):
        mutate(ADDER, "import nothing_of_that_name\n")


def test_a_test_that_ends_the_process_is_named(mutate: Mutate) -> None:
    with pytest.raises(ControlFailed, match="test_leaves"):
        mutate(ADDER, "import os\ndef test_fine(): pass\ndef test_leaves(): os._exit(0)\n")


def test_a_project_without_tests_is_reported(mutate: Mutate) -> None:
    with pytest.raises(NoTests):
        mutate(ADDER, "x = 1\n")


def test_a_file_that_is_not_python_is_named(mutate: Mutate) -> None:
    with pytest.raises(InvalidSource, match=r"cart\.py"):
        mutate("def add(:\n", "def test_it(): pass\n")


def test_a_wrong_option_for_pytest_is_reported_in_its_own_words(mutate: Mutate) -> None:
    with pytest.raises(NoTests) as refused:
        mutate(ADDER, "def test_it(): pass\n", extra=("--no-such-option",))

    assert "no-such-option" in refused.value.message


def test_an_interpreter_without_pytest_is_reported(mutate: Mutate, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nexec "{PYTHON}" -S -I "$@"\n')
    bare.chmod(0o755)

    with pytest.raises(RunnerMissing, match="pytest"):
        mutate(ADDER, "def test_it(): pass\n", python=bare)


def test_a_file_that_the_tests_never_import_has_only_uncovered_mutants(mutate: Mutate) -> None:
    result = mutate(ADDER, "def test_it(): pass\n")

    assert result.reaching == 0
    assert set(statuses(result).values()) == {"uncovered"}


def test_a_runner_that_dies_is_not_taken_for_a_result(mutate: Mutate) -> None:
    with pytest.raises(MutationFailed):
        mutate(ADDER, "def test_it(): pass\n", files={"conftest.py": "import os\nos._exit(7)\n"})


def test_a_file_without_anything_to_mutate_has_no_score(mutate: Mutate) -> None:
    result = mutate('"""Nothing."""\n', "def test_it(): pass\n")

    assert result.verdicts == ()
    assert result.score is None


@pytest.mark.parametrize(("share", "text"), [(1.0, "100 %"), (0.9999, "99.9 %"), (0.5, "50 %"), (0.0, "0 %")])
def test_a_share_is_never_rounded_up(share: float, text: str) -> None:
    assert share_text(share) == text
