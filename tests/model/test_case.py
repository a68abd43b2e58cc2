"""A test's name, by which it is known in every run."""

import pickle
from dataclasses import replace

from testwright.model.case import RUNNABLE, Framework, TestCase

CASE = TestCase(Framework.PYTEST, "tests/test_a.py", ("TestX", "test_y[a::b]"), line=3)


def test_an_id_does_not_change_when_lines_above_do() -> None:
    assert CASE.id == replace(CASE, line=99, native_id="x").id == "pytest:tests/test_a.py::TestX::test_y[a::b]"


def test_an_id_is_made_once_and_is_no_part_of_what_a_case_is() -> None:
    named, unnamed = replace(CASE), replace(CASE)

    assert named.id is named.id
    assert (named, hash(named), repr(named)) == (unnamed, hash(unnamed), repr(unnamed))
    assert pickle.loads(pickle.dumps(named)).id == named.id


def test_everything_else_tells_cases_apart() -> None:
    cases = [
        CASE,
        replace(CASE, file="tests/test_b.py"),
        replace(CASE, title=("test_y[a::b]",)),
        replace(CASE, variant="firefox"),
        replace(CASE, occurrence=2),
        replace(CASE, framework=Framework.JUNIT),
        replace(CASE, title=()),
    ]
    assert len({case.id for case in cases}) == len(cases)


def test_a_case_without_a_title_goes_by_its_file() -> None:
    assert replace(CASE, title=()).name == "tests/test_a.py"
    assert CASE.name == "TestX › test_y[a::b]"


def test_frameworks_whose_results_are_only_read_are_not_runnable() -> None:
    assert {framework for framework in Framework if framework not in RUNNABLE} == {
        Framework.FLUTTER,
        Framework.GO,
        Framework.JUNIT,
    }
