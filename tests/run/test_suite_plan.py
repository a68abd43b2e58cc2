"""From what a person asked for to the suites that have to run."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import (
    InvalidPath,
    NotARegularFile,
    NoTests,
    PathNotAllowed,
    PathNotFound,
    PathUnreadable,
    UsageError,
)
from testwright.run.framework_adapter import FrameworkAdapter, RunnerLaunch, RunRequest, Suite
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project
from testwright.run.suite_plan import RunTarget, parse_target, plan_suites

Found = Callable[..., Project]


@dataclass(frozen=True)
class VitestLike:
    """Knows its suites, as an adapter for JavaScript tests does."""

    files: tuple[str, ...]
    framework = Framework.VITEST

    def suites(self, project: Project) -> Sequence[Suite]:
        return [Suite(self.framework, project.root, tuple(project.path(name) for name in self.files))]

    def launches(self, suite: Suite, request: RunRequest, env: Mapping[str, str]) -> Sequence[RunnerLaunch]:
        raise AssertionError(f"planning starts nothing, yet {suite} was to run {request} in {env}")


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Found:
    root = tmp_path / "proj"
    root.mkdir()
    monkeypatch.chdir(root)

    def make(*names: str) -> Project:
        for name in names:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("")
        return Project.at(root)

    return make


def requests(
    project: Project, *targets: str, request: RunRequest | None = None, js: tuple[str, ...] = ()
) -> list[RunRequest]:
    adapters: list[FrameworkAdapter] = [PytestAdapter(project), *([VitestLike(js)] if js else [])]
    asked = [parse_target(text, project) for text in targets]
    return [item.request for item in plan_suites(project, adapters, request or RunRequest(), targets=asked)]


# --- targets -----------------------------------------------------------------------------------


def test_a_target_is_a_path_and_maybe_a_name(found: Found) -> None:
    project = found("tests/test_a.py", "odd::name.py")
    root = project.root
    assert parse_target("tests", project) == RunTarget(root / "tests")
    assert parse_target("tests/../tests/test_a.py", project) == RunTarget(root / "tests/test_a.py")
    assert parse_target("tests/test_a.py::TestX::test_y[a::b]", project) == RunTarget(
        root / "tests/test_a.py", "TestX::test_y[a::b]"
    )
    assert parse_target("odd::name.py", project) == RunTarget(root / "odd::name.py")
    assert parse_target("odd::name.py::test_x", project) == RunTarget(root / "odd::name.py", "test_x")


def test_a_target_is_seen_from_here_before_the_root(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    project = found("test_a.py", "sub/test_a.py", "test_b.py")
    monkeypatch.chdir(project.root / "sub")
    assert parse_target("test_a.py", project).path == project.root / "sub/test_a.py"
    assert parse_target("test_b.py", project).path == project.root / "test_b.py"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("tests/gone.py", PathNotFound),
        ("tests/gone.py::test_x", PathNotFound),
        ("tests/%2e%2e/x.py", PathNotFound),
        ("$HOME/x.py", PathNotFound),
        ("x" * 5000, PathNotFound),
        ("tests/a.py\0.png", InvalidPath),
        ("../proj-evil/test_s.py", PathNotAllowed),
        ("../../../../../../../../etc/passwd", PathNotAllowed),
        ("tests/etc/passwd", PathNotAllowed),
        ("..", PathNotAllowed),
        ("tests/pipe.py", NotARegularFile),
    ],
)
def test_a_target_that_cannot_be_run_is_refused_with_a_reason(found: Found, text: str, error: type[UsageError]) -> None:
    project = found("tests/test_a.py", "../proj-evil/test_s.py")
    (project.root / "tests/etc").symlink_to("/etc")
    os.mkfifo(project.root / "tests/pipe.py")
    with pytest.raises(error) as caught:
        parse_target(text, project)
    assert caught.value.message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_target_that_may_not_be_read_is_refused(found: Found) -> None:
    project = found("test_a.py")
    (project.root / "test_a.py").chmod(0)
    with pytest.raises(PathUnreadable):
        parse_target("test_a.py", project)


# --- plans -------------------------------------------------------------------------------------


def test_no_target_means_everything(found: Found) -> None:
    project = found("test_a.py", "sub/pytest.ini", "sub/test_b.py")
    assert requests(project) == [RunRequest(), RunRequest()]


def test_a_folder_runs_the_suites_in_it_and_its_part_of_the_suite_around_it(found: Found) -> None:
    project = found("tests/test_a.py", "test_c.py", "sub/pytest.ini", "sub/test_b.py")
    root = project.root
    assert requests(project, "sub") == [RunRequest()]
    assert requests(project, "tests") == [RunRequest(paths=(root / "tests",))]
    assert requests(project, ".") == [RunRequest(), RunRequest()]


def test_names_of_pytest_tests_stay_with_their_files(found: Found) -> None:
    project = found("test_a.py", "test_b.py", "test_c.py")
    root = project.root
    [request] = requests(
        project, "test_a.py::test_x", "test_b.py::test_y", "test_c.py", request=RunRequest(select=("z*",))
    )
    assert request.named == ((root / "test_a.py", "test_x"), (root / "test_b.py", "test_y"))
    assert (request.paths, request.select) == ((root / "test_c.py",), ("z*",))


def test_names_of_other_tests_become_a_part_for_each_file(found: Found) -> None:
    project = found("a.test.js", "b.test.js", "c.test.js")
    root = project.root
    js = ("a.test.js", "b.test.js", "c.test.js")
    parts = requests(project, "a.test.js::adds [1]", "b.test.js::subtracts", "c.test.js", js=js)
    assert [part.paths for part in parts] == [(root / "c.test.js",), (root / "a.test.js",), (root / "b.test.js",)]
    assert parts[0].select == ()
    assert parts[1].select == ("adds [[]1]", "* › adds [[]1]", "adds [[]1] › *")
    with pytest.raises(UsageError):
        requests(project, "a.test.js::adds", request=RunRequest(select=("x",)), js=js)


def test_a_python_file_of_any_name_can_be_named(found: Found) -> None:
    project = found("test_a.py", "checks/check_b.py", "notes.txt")
    assert requests(project, "checks/check_b.py") == [RunRequest(paths=(project.root / "checks/check_b.py",))]
    with pytest.raises(NoTests):
        requests(project, "notes.txt")


def test_a_file_belongs_to_the_framework_that_claims_it(found: Found) -> None:
    project = found("test_a.py", "b.test.js")
    [request] = requests(project, "b.test.js", js=("b.test.js",))
    assert request.paths == (project.root / "b.test.js",)


def test_a_project_without_tests_says_what_was_looked_for(found: Found) -> None:
    with pytest.raises(NoTests) as caught:
        requests(found("README.md"))
    assert "pytest" in caught.value.next_step


def test_the_last_failed_go_to_the_innermost_suite_and_only_while_their_file_exists(found: Found) -> None:
    project = found("test_a.py", "sub/pytest.ini", "sub/test_b.py")
    outer, inner, gone = (
        TestCase(Framework.PYTEST, name, ("test_x",)) for name in ("test_a.py", "sub/test_b.py", "test_gone.py")
    )
    planned = plan_suites(project, [PytestAdapter(project)], RunRequest(), last_failed=[outer, inner, gone])
    assert [(project.name_of(item.suite.root), item.request.only) for item in planned] == [
        (".", (outer,)),
        ("sub", (inner,)),
    ]
    with pytest.raises(NoTests):
        plan_suites(project, [PytestAdapter(project)], RunRequest(), last_failed=[gone])
