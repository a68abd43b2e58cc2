"""pytest projects as they are found, and the exact tests that a request runs."""

import os
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.run.framework_adapter import RunRequest, Shard
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project

if TYPE_CHECKING:
    from tests.run.conftest import RunPytest, Story, Write

PASSING = "def test_a():\n    pass\n"
SEVERAL = """
import pytest
def test_x(): pass
def test_xy(): pass
@pytest.mark.parametrize("value", [1, 2])
def test_p(value): pass
class TestGroup:
    def test_x(self): pass
    def test_z(self): pass
"""


def roots(root: Path) -> dict[str, list[str]]:
    found = Project.at(root)
    return {
        found.name_of(suite.root): [found.name_of(file) for file in suite.files]
        for suite in PytestAdapter(found).suites(found)
    }


def names(story: "Story") -> set[str]:
    return set(story.outcomes)


# --- suites ------------------------------------------------------------------------------------


def test_a_folder_with_a_pytest_configuration_is_a_suite_of_its_own(project: "Write") -> None:
    root = project(
        {
            "tests/test_a.py": "",
            "tests/helper.py": "",
            "sub/pytest.ini": "[pytest]\n",
            "sub/thing_test.py": "",
            "other/pyproject.toml": "[tool.pytest.ini_options]\n",
            "other/deep/test_c.py": "",
            "plain/pyproject.toml": "[project]\n",
            "plain/test_d.py": "",
            "empty/pytest.ini": "[pytest]\n",
        }
    )
    assert roots(root) == {
        ".": ["plain/test_d.py", "tests/test_a.py"],
        "other": ["other/deep/test_c.py"],
        "sub": ["sub/thing_test.py"],
    }


def test_a_configuration_that_names_other_files_makes_a_suite_of_any_folder(
    project: "Write", run_pytest: "RunPytest"
) -> None:
    root = project({"pytest.ini": "[pytest]\npython_files = check_*.py\n", "check_one.py": PASSING})
    assert roots(root) == {".": []}
    assert run_pytest(root).outcomes == {"check_one.py::test_a": "passed"}


def test_a_configuration_that_is_a_pipe_is_not_waited_for(project: "Write") -> None:
    root = project({"test_a.py": PASSING})
    os.mkfifo(root / "pytest.ini")
    assert roots(root) == {".": ["test_a.py"]}


def test_no_test_of_a_nested_suite_runs_twice(project: "Write", run_pytest: "RunPytest") -> None:
    root = project({"test_a.py": PASSING, "sub/pytest.ini": "[pytest]\n", "sub/test_b.py": PASSING})
    story = run_pytest(root)
    assert story.outcomes == {"test_a.py::test_a": "passed", "sub/test_b.py::test_a": "passed"}
    assert all(len(attempts) == 1 for attempts in story.attempts.values())


# --- which tests a request runs --------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shards_are_disjoint_and_complete(project: "Write", run_pytest: "RunPytest", count: int) -> None:
    root = project({f"test_{letter}.py": SEVERAL for letter in "abc"})
    shards = [names(run_pytest(root, RunRequest(shard=Shard(index, count)))) for index in range(1, count + 1)]
    assert sum(map(len, shards)) == 18
    assert set().union(*shards) == names(run_pytest(root))


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        (("*test_x",), {"test_x", "TestGroup::test_x"}),
        (("TestGroup*",), {"TestGroup::test_x", "TestGroup::test_z"}),
        (("TestGroup › test_z", "test_p[[]2]*"), {"TestGroup::test_z", "test_p[2]"}),
        (("test_p[1]",), {"test_p[1]"}),
        (("nothing like it",), set()),
    ],
)
def test_a_selection_matches_ids_and_names(
    project: "Write", run_pytest: "RunPytest", select: tuple[str, ...], expected: set[str]
) -> None:
    story = run_pytest(project({"test_a.py": SEVERAL}), RunRequest(select=select))
    assert {name.partition("::")[2] for name in story.outcomes} == expected
    assert story.problems == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test_x", {"test_x"}),
        ("test_p", {"test_p[1]", "test_p[2]"}),
        ("test_p[2]", {"test_p[2]"}),
        ("TestGroup", {"TestGroup::test_x", "TestGroup::test_z"}),
        ("TestGroup::test_z", {"TestGroup::test_z"}),
    ],
)
@pytest.mark.parametrize("file", ["test_a.py", "odd [1]/test_::b.py"])
def test_a_named_test_runs_alone(
    project: "Write", run_pytest: "RunPytest", file: str, name: str, expected: set[str]
) -> None:
    root = project({file: SEVERAL, "test_other.py": SEVERAL})
    story = run_pytest(root, RunRequest(named=((root / file, name),)))
    assert {tuple(case.title) for case in story.cases.values()} == {tuple(one.split("::")) for one in expected}
    assert {case.file for case in story.cases.values()} == {file}


def test_named_tests_and_whole_files_go_together(project: "Write", run_pytest: "RunPytest") -> None:
    root = project({"test_a.py": SEVERAL, "test_b.py": PASSING, "test_c.py": PASSING})
    story = run_pytest(root, RunRequest(paths=(root / "test_b.py",), named=((root / "test_a.py", "test_x"),)))
    assert names(story) == {"test_a.py::test_x", "test_b.py::test_a"}


def test_options_in_a_test_name_are_not_options(project: "Write", run_pytest: "RunPytest") -> None:
    root = project({"test_a.py": SEVERAL, "evil_plugin.py": "open('PWNED', 'w')\n"})
    story = run_pytest(root, RunRequest(named=((root / "test_a.py", "test_x -p evil_plugin"),)))
    assert (names(story), story.codes) == (set(), ["no_tests"])
    assert "test_x -p evil_plugin" in story.problems[0].message
    assert not (root / "PWNED").exists()


def test_an_option_that_may_take_a_value_does_not_swallow_a_path(project: "Write", run_pytest: "RunPytest") -> None:
    conftest = "def pytest_addoption(parser): parser.addoption('--maybe', nargs='?', const='none')\n"
    root = project({"conftest.py": conftest, "test_a.py": PASSING, "test_b.py": PASSING})
    story = run_pytest(root, RunRequest(paths=(root / "test_a.py",), extra=("--maybe",)))
    assert names(story) == {"test_a.py::test_a"}


def test_hundreds_of_cases_run_and_nothing_else(project: "Write", run_pytest: "RunPytest") -> None:
    code = "import pytest\n@pytest.mark.parametrize('n', range(300))\ndef test_n(n): pass\n"
    root = project({"test_a.py": code, "test_b.py": PASSING})
    everything = run_pytest(root)
    asked = tuple(case for case in everything.cases.values() if case.line == 2)[:250]
    story = run_pytest(root, RunRequest(only=asked))
    assert story.counts == {"passed": 250}
    assert {case.id for case in story.cases.values()} == {case.id for case in asked}


def test_a_case_that_is_gone_does_not_keep_the_others_from_running(project: "Write", run_pytest: "RunPytest") -> None:
    root = project({"test_a.py": PASSING})
    cases = tuple(TestCase(Framework.PYTEST, "test_a.py", (name,)) for name in ("test_a", "test_gone"))
    story = run_pytest(root, RunRequest(only=cases))
    assert (story.outcomes, story.problems) == ({"test_a.py::test_a": "passed"}, [])


def test_a_file_asked_for_by_itself_runs_all_its_tests(project: "Write", run_pytest: "RunPytest") -> None:
    root = project({"test_a.py": SEVERAL, "test_b.py": PASSING})
    story = run_pytest(root, RunRequest(only=(TestCase(Framework.PYTEST, "test_a.py"),)))
    assert sum(name.startswith("test_a.py::") for name in names(story)) == 6
    assert not any(name.startswith("test_b.py") for name in names(story))


def test_no_case_at_all_runs_no_test_at_all(project: "Write", run_pytest: "RunPytest") -> None:
    assert run_pytest(project({"test_a.py": PASSING}), RunRequest(only=())).attempts == {}


def test_only_announcing_tests_runs_none_and_asks_no_more(project: "Write", run_pytest: "RunPytest") -> None:
    story = run_pytest(project({"test_a.py": PASSING}), RunRequest(extra=("--collect-only",)))
    assert (story.announced, story.attempts, story.problems) == (["test_a.py::test_a"], {}, [])


# --- odd names ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "test_'); open('PWNED', 'w'); ('.py",
        'test_"quoted".py',
        "test_with spaces.py",
        "test_new\nline.py",
        "test_grüße_日本.py",
        "test_[x].py",
        "-p no/test_a.py",
        "@args/test_a.py",
        "test_a::test_b.py",
    ],
)
def test_a_file_of_any_name_runs_as_data(project: "Write", run_pytest: "RunPytest", name: str) -> None:
    root = project({name: "import os\ndef test_1(): os._exit(0)\ndef test_2(): pass\n", "test_other.py": PASSING})
    story = run_pytest(root, RunRequest(paths=(root / name,)))
    assert story.outcomes == {f"{name}::test_1": "no_verdict", f"{name}::test_2": "passed"} or "::" in name
    assert story.counts == {"no_verdict": 1, "passed": 1}
    assert {case.file for case in story.cases.values()} == {name}
    assert not (root / "PWNED").exists()


def test_a_file_whose_name_is_not_utf8_runs_too(project: "Write", run_pytest: "RunPytest") -> None:
    root = project({})
    name = os.fsdecode(b"test_\xff\xfe.py")
    (root / name).write_text(PASSING)
    story = run_pytest(root)
    assert story.outcomes == {f"{name}::test_a": "passed"}


# --- the interpreter ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def empty_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python without pytest."""
    folder = tmp_path_factory.mktemp("environments") / "empty"
    venv.create(folder, with_pip=False, symlinks=True)
    return folder


def test_the_projects_own_environment_runs_its_tests(
    project: "Write", run_pytest: "RunPytest", empty_environment: Path
) -> None:
    root = project({"test_a.py": PASSING})
    (root / ".venv").symlink_to(empty_environment)
    story = run_pytest(root, python=root / ".venv")
    [problem] = story.problems
    assert (problem.code, story.attempts) == ("runner_missing", {})
    assert str(root / ".venv" / "bin" / "python") in problem.message
    assert "--python" in problem.next_step


def test_an_environment_without_coverage_is_a_problem_and_the_tests_still_run(
    project: "Write", run_pytest: "RunPytest", tmp_path: Path
) -> None:
    missing = tmp_path / "missing"
    missing.mkdir()
    (missing / "coverage.py").write_text("raise ImportError('as if it were not there')\n")
    request = RunRequest(coverage_file=tmp_path / "data.coverage")
    story = run_pytest(project({"test_a.py": PASSING}), request, env={"PYTHONPATH": str(missing)})
    assert story.codes == ["coverage_missing"]
    assert story["test_a"].outcome is Outcome.PASSED


def test_a_pytest_that_is_there_but_broken_is_a_problem_that_says_why(
    project: "Write", run_pytest: "RunPytest", tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "pluggy.py").write_text("import not_installed_either\n")
    story = run_pytest(project({"test_a.py": PASSING}), env={"PYTHONPATH": str(broken)})
    assert story.codes == ["runner_missing"]
    assert "not_installed_either" in story.problems[0].message


def test_the_runner_leaves_no_trace_of_itself_on_the_import_path(project: "Write", run_pytest: "RunPytest") -> None:
    code = """
import sys
def test_x():
    assert not [place for place in sys.path if place.rstrip("/").endswith("inside")]
    assert "channel" not in sys.modules
"""
    assert run_pytest(project({"test_a.py": code}))["test_x"].outcome is Outcome.PASSED


def test_plugins_that_the_project_turns_off_stay_off(project: "Write", run_pytest: "RunPytest") -> None:
    ini = "[pytest]\naddopts = -p no:cacheprovider -p no:terminal -p no:junitxml\n"
    story = run_pytest(project({"pytest.ini": ini, "test_a.py": SEVERAL}))
    assert story.counts == {"passed": 6}
    assert story.problems == []
