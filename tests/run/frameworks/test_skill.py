"""Agent skills as part of a run."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import RunnerMissing
from testwright.model.events import AttemptFinished, ProblemFound, RunEvent
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, Counts
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest, Shard, Suite
from testwright.run.frameworks.skill import SkillAdapter
from testwright.run.project import Project

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")

SOURCES = {
    "tests/cart.tests.mjs": """
        export default () => { console.log('adding'); return { passed: 2, failed: 0, errors: [] }; };
    """,
    "tests/cart_tests.py": """
        def run_tests():
            print("adding")
            return {"passed": 3, "failed": 0, "errors": []}
    """,
    "tests/orders.tests.mjs": """
        export function runTests() { console.error('oh'); return { passed: 1, failed: 1, errors: ['lost an order'] }; }
    """,
    "tests/stock_tests.py": "import os; os._exit(0)",
    "tests/unknown.tests.mjs": "export default () => ({ passed: 1, failed: 0, errors: [] });",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for name, source in SOURCES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(dedent(source))
    for skill in ("cart", "orders", "stock"):
        (tmp_path / "skills" / skill).mkdir(parents=True)
        (tmp_path / "skills" / skill / "SKILL.md").touch()
    return Project.at(tmp_path)


def only_suite(project: Project) -> Suite:
    (suite,) = SkillAdapter(project).suites(project)
    return suite


def events_of(project: Project, adapter: SkillAdapter, request: RunRequest, **options: int) -> list[RunEvent]:
    return list(Driver(project, os.environ).run(adapter, only_suite(project), request, **options))


def attempts_in(events: Sequence[RunEvent]) -> dict[str, list[Attempt]]:
    attempts: dict[str, list[Attempt]] = {}
    for event in events:
        if isinstance(event, AttemptFinished):
            attempts.setdefault(event.case.id, []).append(event.attempt)
    return attempts


def files_asked_for(project: Project, request: RunRequest, *, warm: bool = False) -> list[list[str]]:
    launches = SkillAdapter(project, warm=warm).launches(only_suite(project), request, os.environ)
    return [[case.file.removeprefix("tests/") for case in launch.request.only or ()] for launch in launches]


def test_a_project_without_skill_tests_has_no_suite(tmp_path: Path) -> None:
    assert list(SkillAdapter(Project.at(tmp_path)).suites(Project.at(tmp_path))) == []


def test_the_suite_holds_each_skills_tests_once(project: Project) -> None:
    (project.root / ".AchillesSkills" / "cart").mkdir(parents=True)  # a second skill of that name
    (project.root / ".AchillesSkills" / "cart" / "tskill.md").touch()
    suite = only_suite(Project.at(project.root))
    assert suite.root == project.root
    assert sorted(file.name for file in suite.files) == [
        *("cart.tests.mjs", "cart_tests.py", "orders.tests.mjs", "stock_tests.py"),
    ]


@needs_node
@pytest.mark.parametrize("warm", [False, True], ids=["fresh", "warm"])
def test_each_file_is_a_test_with_its_counts_and_output(project: Project, warm: bool) -> None:
    events = events_of(project, SkillAdapter(project, warm=warm), RunRequest())
    attempts = {id_: attempt for id_, (attempt,) in attempts_in(events).items()}

    assert {id_: (attempt.outcome, attempt.counts) for id_, attempt in attempts.items()} == {
        "skill:tests/cart.tests.mjs::cart": (Outcome.PASSED, Counts(2, 0)),
        "skill:tests/cart_tests.py::cart": (Outcome.PASSED, Counts(3, 0)),
        "skill:tests/orders.tests.mjs::orders": (Outcome.FAILED, Counts(1, 1)),
        "skill:tests/stock_tests.py::stock": (Outcome.NO_VERDICT, None),
    }
    assert attempts["skill:tests/cart.tests.mjs::cart"].stdout == "adding\n"
    assert attempts["skill:tests/cart_tests.py::cart"].stdout == "adding\n"
    assert attempts["skill:tests/orders.tests.mjs::orders"].stderr == "oh\n"
    assert attempts["skill:tests/orders.tests.mjs::orders"].message == "lost an order"
    assert not [event for event in events if isinstance(event, ProblemFound)]


@needs_node
def test_files_may_run_at_the_same_time(project: Project) -> None:
    assert len(attempts_in(events_of(project, SkillAdapter(project), RunRequest(), parallel=4))) == 4


@needs_node
def test_what_failed_is_tried_again_alone(project: Project) -> None:
    attempts = attempts_in(events_of(project, SkillAdapter(project, warm=True), RunRequest(), retries=1))
    assert {id_.rpartition("::")[2]: len(tried) for id_, tried in attempts.items() if len(tried) > 1} == {
        "orders": 2,
        "stock": 2,
    }


@needs_node
def test_many_files_that_each_end_their_worker_all_get_their_verdict(project: Project) -> None:
    for number in range(8):
        (project.root / "skills" / f"s{number}").mkdir()
        (project.root / "skills" / f"s{number}" / "SKILL.md").touch()
        (project.root / "tests" / f"s{number}.tests.mjs").write_text("process.exit(0);")
    attempts = attempts_in(events_of(Project.at(project.root), SkillAdapter(project, warm=True), RunRequest()))
    assert len(attempts) == 12
    assert not [attempt for (attempt,) in attempts.values() if attempt.reason == "crash_loop"]


@needs_node
def test_a_hanging_file_is_ended_by_the_time_limit(project: Project) -> None:
    (project.root / "tests" / "orders.tests.mjs").write_text("while (true);")
    for warm in (False, True):
        attempts = attempts_in(events_of(project, SkillAdapter(project, warm=warm), RunRequest(test_seconds=1.5)))
        (attempt,) = attempts["skill:tests/orders.tests.mjs::orders"]
        assert attempt.outcome is Outcome.TIMEOUT
        assert attempts["skill:tests/cart.tests.mjs::cart"][0].outcome is Outcome.PASSED


@needs_node
def test_fail_fast_ends_a_worker_at_its_first_failure(project: Project) -> None:
    (project.root / "tests" / "cart.tests.mjs").write_text(
        "export default () => ({ passed: 0, failed: 1, errors: [] });"
    )
    events = events_of(project, SkillAdapter(project, warm=True), RunRequest(fail_fast=True, select=("*.mjs::*",)))
    assert list(attempts_in(events)) == ["skill:tests/cart.tests.mjs::cart"]
    assert not [event for event in events if isinstance(event, ProblemFound)]


def test_a_file_has_thirty_seconds_unless_asked_otherwise(project: Project) -> None:
    suite = only_suite(project)
    for request, seconds in ((RunRequest(), 30.0), (RunRequest(test_seconds=2.0), 2.0)):
        launches = SkillAdapter(project).launches(suite, request, os.environ)
        assert {launch.request.test_seconds for launch in launches} == {seconds}


def test_every_file_has_its_own_process_or_shares_one_with_its_language(project: Project) -> None:
    assert files_asked_for(project, RunRequest()) == [
        *(["cart.tests.mjs"], ["cart_tests.py"], ["orders.tests.mjs"], ["stock_tests.py"]),
    ]
    assert files_asked_for(project, RunRequest(), warm=True) == [
        *(["cart.tests.mjs", "orders.tests.mjs"], ["cart_tests.py", "stock_tests.py"]),
    ]


def test_a_request_narrows_what_runs(project: Project) -> None:
    tests = project.root / "tests"
    cart = TestCase(Framework.SKILL, "tests/cart_tests.py", ("cart",))
    everything = files_asked_for(project, RunRequest())

    assert files_asked_for(project, RunRequest(paths=(tests / "orders.tests.mjs",))) == [["orders.tests.mjs"]]
    assert files_asked_for(project, RunRequest(paths=(tests,))) == everything
    assert files_asked_for(project, RunRequest(paths=(project.root / "skills",))) == []
    assert files_asked_for(project, RunRequest(only=(cart,))) == [["cart_tests.py"]]
    assert files_asked_for(project, RunRequest(only=(replace(cart, line=3),))) == [["cart_tests.py"]]
    assert files_asked_for(project, RunRequest(only=())) == []
    assert files_asked_for(project, RunRequest(select=("cart",))) == [["cart.tests.mjs"], ["cart_tests.py"]]
    assert files_asked_for(project, RunRequest(select=("*_tests.py::*", "orders"))) == [
        *(["cart_tests.py"], ["orders.tests.mjs"], ["stock_tests.py"]),
    ]


def test_shards_together_are_the_whole_and_share_nothing(project: Project) -> None:
    parts = [part for index in (1, 2, 3) for part in files_asked_for(project, RunRequest(shard=Shard(index, 3)))]
    assert sorted(parts) == sorted(files_asked_for(project, RunRequest()))


def test_without_node_the_run_says_what_to_install(project: Project) -> None:
    with pytest.raises(RunnerMissing, match=r"Node\.js"):
        SkillAdapter(project).launches(only_suite(project), RunRequest(), {"PATH": "/nowhere"})


def test_python_files_run_with_the_projects_own_interpreter(project: Project) -> None:
    own = project.root / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    (launch,) = SkillAdapter(project).launches(only_suite(project), RunRequest(select=("*cart_tests.py*",)), os.environ)
    assert launch.command.argv[0] == str(own)
    assert launch.command.cwd == project.root / "tests"
    assert dict(launch.command.env) == dict(os.environ)
