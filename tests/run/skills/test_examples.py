"""The example project does what its README says."""

import shutil
from pathlib import Path

import pytest

from testwright.run.skills.catalog import discover_skill_tests
from testwright.run.skills.suite_runner import run_test_suite

EXAMPLE = Path(__file__).parents[3] / "examples" / "agent-skills"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")


def test_the_examples_are_found_as_the_readme_lists_them() -> None:
    listed = (EXAMPLE / "README.md").read_text()
    tests = discover_skill_tests(EXAMPLE)
    assert [(test.skill_name, test.skill_type) for test in tests] == [
        ("inventory", "tskill"),
        ("convert-units", "skill"),
        ("duration", "skill"),
    ]
    assert all(f"`tests/{test.test_file.name}`" in listed for test in tests)


def test_all_examples_pass() -> None:
    suite = run_test_suite(discover_skill_tests(EXAMPLE))
    assert suite.errors == ()
    assert suite.success
    assert suite.total_passed == 13


def test_a_changed_number_is_noticed_as_the_readme_says(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "copy")
    source = tmp_path / "copy" / "skills" / "convert-units" / "convert.mjs"
    source.write_text(source.read_text().replace("1609.344", "1609.3"))

    suite = run_test_suite(discover_skill_tests(tmp_path / "copy"))

    assert suite.total_failed == 1
    assert "a mile is 5280 feet" in suite.errors[0]
