"""Running the tests of many skills, and their sum."""

from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.errors import RunnerMissing, UsageError
from testwright.run.skills.catalog import SkillTest, discover_skill_tests
from testwright.run.skills.suite_runner import run_test_suite

Write = Callable[[str, str], Path]


@pytest.fixture
def tests(tmp_path: Path, write: Write) -> list[SkillTest]:
    counts = {"cart": (2, 0, []), "orders": (1, 2, ["late", "lost"]), "stock": (3, 0, [])}
    for name, (passed, failed, errors) in counts.items():
        write(f"skills/{name}/SKILL.md", "")
        write(
            f"tests/{name}_tests.py",
            f"""
            def run_tests():
                print("{name}")
                return {{"passed": {passed}, "failed": {failed}, "errors": {errors}}}
            """,
        )
    return discover_skill_tests(tmp_path)


@pytest.mark.parametrize("parallel", [False, True, 2, 8])
def test_results_are_summed_up_in_the_order_of_the_tests(tests: list[SkillTest], parallel: bool | int) -> None:
    suite = run_test_suite(tests, parallel=parallel)

    assert [entry.test.short_name for entry in suite.results] == ["cart", "orders", "stock"]
    assert [entry.result.output for entry in suite.results] == ["cart\n", "orders\n", "stock\n"]
    assert not suite.success
    assert (suite.total_tests, suite.total_passed, suite.total_failed) == (3, 6, 2)
    assert suite.errors == ("late", "lost")


def test_a_suite_of_passing_tests_is_a_success(tests: list[SkillTest]) -> None:
    assert run_test_suite([test for test in tests if test.short_name != "orders"]).success


def test_no_tests_at_all_are_a_success_of_nothing() -> None:
    suite = run_test_suite([])
    assert (suite.success, suite.total_tests) == (True, 0)


def test_the_answer_has_the_fields_of_the_contract_and_no_other(tests: list[SkillTest]) -> None:
    answer = run_test_suite(tests[:1], verbose=True).as_dict()
    assert list(answer) == ["success", "totalTests", "totalPassed", "totalFailed", "results", "errors", "duration"]
    (entry,) = run_test_suite(tests[:1]).results
    assert list(entry.as_dict()) == [
        *("skillName", "shortName", "skillType", "testFile", "skillDir"),
        *("success", "passed", "failed", "output", "errors", "duration"),
    ]


def test_a_file_that_gives_no_verdict_counts_as_a_failure(tests: list[SkillTest]) -> None:
    tests[0].test_file.write_text("")
    suite = run_test_suite(tests[:1])
    assert (suite.success, suite.total_passed, suite.total_failed) == (False, 0, 1)


def test_the_time_limit_is_for_each_test(tests: list[SkillTest]) -> None:
    tests[1].test_file.write_text("while True: pass")
    suite = run_test_suite(tests, timeout=1500)
    assert [entry.result.success for entry in suite.results] == [True, False, True]
    assert suite.errors == ("Test timeout exceeded",)


def test_a_runner_that_cannot_be_started_is_reported_once_and_stops_the_suite(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("skills/cart/SKILL.md", "")
    write("tests/cart.tests.mjs", "")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RunnerMissing, match=r"Node\.js"):
        run_test_suite(discover_skill_tests(tmp_path), parallel=2)


def test_an_impossible_number_at_a_time_is_refused(tests: list[SkillTest]) -> None:
    with pytest.raises(UsageError, match="-1"):
        run_test_suite(tests, parallel=-1)
