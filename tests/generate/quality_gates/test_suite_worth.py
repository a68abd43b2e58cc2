"""What tests are worth to a module is found by running them, and the mutants of the module against them."""

from pathlib import Path

import pytest

from tests.generate.conftest import BASKET, Scale
from testwright.generate.quality_gates.suite_worth import WorthBudget
from testwright.instrument.mutants import Mutant, list_mutants
from testwright.isolate.child import Cancel

RAISES_AND_NOTHING_ELSE = """
import pytest
from shop import basket

def test_total_of_nothing():
    assert basket.total([]) == 0

def test_total_refuses_large_discounts():
    with pytest.raises(ValueError):
        basket.total([1], 101)
"""


@pytest.fixture
def suite(shop: Path) -> Path:
    file = shop / "tests" / "test_mine.py"
    file.write_text(RAISES_AND_NOTHING_ELSE)
    return file


def mutants(*lines: int) -> list[Mutant]:
    return [each for each in list_mutants(BASKET) if each.line in lines]


def test_it_knows_what_passing_tests_run_and_which_mutants_they_notice(weigh_tests: Scale, suite: Path) -> None:
    worth = weigh_tests(suite)

    assert worth is not None
    assert (worth.tests, worth.failed) == (2, ())
    assert worth.covered.uncovered_lines == (10, 11, 15)
    assert worth.covered.missing_branches == ("L8: false",)
    noticed = {each.description: each.number in worth.killed for each in mutants(6, 7, 8)}
    assert noticed["`not prices` became `prices`"]
    assert not noticed["`>` became `>=`"]
    assert set(worth.killed).isdisjoint(worth.survived)


def test_mutants_that_no_test_reaches_have_survived_without_being_tried(weigh_tests: Scale, suite: Path) -> None:
    worth = weigh_tests(suite, effort=WorthBudget(mutants=0, runs=0, seconds=60))

    assert worth is not None
    assert worth.killed == ()
    assert {each.number for each in mutants(10, 11, 15)} == set(worth.survived)
    assert len(worth.survivors) == len(worth.survived)


def test_the_same_tests_are_worth_the_same_every_time(weigh_tests: Scale, suite: Path) -> None:
    effort = WorthBudget(mutants=3, runs=100, seconds=60)

    first, second = weigh_tests(suite, effort=effort), weigh_tests(suite, effort=effort)

    assert first is not None
    assert second is not None
    assert (first.hits, first.killed, first.survived) == (second.hits, second.killed, second.survived)
    assert len(first.killed) <= 3


def test_tests_that_fail_crash_or_cannot_be_collected_are_named_and_count_for_nothing(
    weigh_tests: Scale, suite: Path
) -> None:
    bad = suite.with_name("test_bad.py")
    bad.write_text(
        "import os, pytest\nfrom shop import basket\n"
        "def test_fails():\n    assert basket.names('a') == 'b'\n"
        "def test_exits():\n    basket.names('a')\n    os._exit(0)\n"
        "@pytest.mark.xfail\ndef test_is_known_to_fail():\n    assert basket.names('a') == 'b'\n"
        "def test_after_it():\n    assert basket.total([1, 2]) == 3\n"
    )
    broken = suite.with_name("test_broken.py")
    broken.write_text("import no_such_module_anywhere\nfrom shop import basket\n")

    worth = weigh_tests(suite, bad, broken)

    assert worth is not None
    assert worth.tests == 3
    assert worth.covered.uncovered_lines == (15,)
    reasons = {each.name.rpartition("/")[2]: each.reason for each in worth.failed}
    assert set(reasons) == {"test_broken.py", "test_bad.py::test_fails", "test_bad.py::test_exits"}
    assert "no_such_module_anywhere" in reasons["test_broken.py"]
    assert "== 'b'" in reasons["test_bad.py::test_fails"]


def test_a_test_that_hangs_is_given_up_and_the_others_count(weigh_tests: Scale, suite: Path) -> None:
    hanging = suite.with_name("test_hanging.py")
    hanging.write_text(
        "import threading\nfrom shop import basket\ndef test_hangs():\n    threading.Event().wait()\n"
        "def test_after_it():\n    assert basket.total([1, 2]) == 3\n"
    )

    worth = weigh_tests(hanging, effort=WorthBudget(mutants=0, runs=0, seconds=60, test_seconds=1))

    assert worth is not None
    assert [(each.name, "took longer" in each.reason) for each in worth.failed] == [
        ("tests/test_hanging.py::test_hangs", True)
    ]
    assert 11 not in worth.covered.uncovered_lines


def test_a_test_that_leans_on_one_before_it_is_not_taken_for_one_that_notices(weigh_tests: Scale, shop: Path) -> None:
    file = shop / "tests" / "test_leaning.py"
    file.write_text(
        "from shop import basket\nseen = []\n"
        "def test_first():\n    seen.append(1)\n"
        "def test_second():\n    basket.total([1, 2])\n    assert seen\n"
    )

    worth = weigh_tests(file)

    assert worth is not None
    assert worth.failed == ()
    assert worth.killed == ()
    assert 11 not in worth.covered.uncovered_lines


def test_what_a_shared_fixture_runs_counts_for_every_test_that_uses_it(weigh_tests: Scale, shop: Path) -> None:
    file = shop / "tests" / "test_shared.py"
    file.write_text(
        "import pytest\n"
        "@pytest.fixture(scope='module')\ndef whole():\n"
        "    from shop import basket\n    return basket.total([1, 2])\n"
        "def test_first(whole):\n    assert whole is not None\n"
        "def test_second(whole):\n    assert whole == 3\n"
    )

    worth = weigh_tests(file)

    assert worth is not None
    assert worth.tests == 2
    assert {each.number for each in mutants(11)} & set(worth.killed)


def test_tests_that_reach_nothing_of_the_module_are_none_of_it(weigh_tests: Scale, shop: Path) -> None:
    file = shop / "tests" / "test_other.py"
    file.write_text("from shop import basket\ndef test_other():\n    assert basket.__doc__\n")

    worth = weigh_tests(file)

    assert worth is not None
    assert worth.tests == 0


def test_stopping_it_gives_nothing(weigh_tests: Scale, suite: Path) -> None:
    cancel = Cancel()
    cancel()

    assert weigh_tests(suite, cancel=cancel) is None
