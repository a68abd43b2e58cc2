"""Recording is seldom: once for each test file as it is, again when it changed, and after a while."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.model.artifact_names import OUR_TRACE
from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt, RunId, RunResult, SuiteResult, TestResult
from testwright.pipeline.healing.recording_schedule import (
    forget_old_pages,
    is_due,
    is_of_all_tests,
    is_recorded,
    known_places,
    note_places,
    note_recorded,
    note_recording,
    remove_our_traces,
    watched,
)
from testwright.run.framework_adapter import RunRequest, Shard, Suite
from testwright.run.frameworks.playwright_test import PlaywrightAdapter
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project
from testwright.run.suite_plan import PlannedSuite

NOW = 1_800_000_000.0
HOUR, DAY = 3600.0, 24 * 3600.0


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    file = tmp_path / "tests" / "a.spec.ts"
    file.parent.mkdir()
    file.write_text("test('a', () => {});")
    return file


@pytest.fixture
def plan_for(tmp_path: Path, spec: Path) -> Callable[..., PlannedSuite]:
    def make(framework: Framework = Framework.PLAYWRIGHT, request: RunRequest | None = None) -> PlannedSuite:
        project = Project.at(tmp_path)
        adapter = PlaywrightAdapter(project) if framework is Framework.PLAYWRIGHT else PytestAdapter(project)
        return PlannedSuite(adapter, Suite(framework, tmp_path, (spec,)), request or RunRequest())

    return make


def test_a_file_that_was_never_recorded_is_due(tmp_path: Path, spec: Path) -> None:
    assert is_due(tmp_path, [spec], NOW)


def test_a_file_that_was_recorded_as_it_is_is_not_due(tmp_path: Path, spec: Path) -> None:
    note_recorded(tmp_path, [spec], NOW)

    assert not is_due(tmp_path, [spec], NOW + DAY)


def test_one_new_file_among_many_makes_them_due(tmp_path: Path, spec: Path) -> None:
    note_recorded(tmp_path, [spec], NOW)

    assert is_due(tmp_path, [spec, spec.with_name("new.spec.ts")], NOW)


@pytest.mark.parametrize(("age", "due"), [(HOUR / 2, False), (2 * HOUR, True)])
def test_a_changed_file_is_due_again_but_not_at_every_save(tmp_path: Path, spec: Path, age: float, due: bool) -> None:
    note_recorded(tmp_path, [spec], NOW)
    spec.write_text("test('another', () => {});")

    assert is_due(tmp_path, [spec], NOW + age) is due


@pytest.mark.parametrize("age", [8 * DAY, -DAY])
def test_what_was_recorded_long_ago_or_by_a_wrong_clock_is_due(tmp_path: Path, spec: Path, age: float) -> None:
    note_recorded(tmp_path, [spec], NOW)

    assert is_due(tmp_path, [spec], NOW + age)


@pytest.mark.parametrize("torn", ["", "{", "[]", '{"tests/a.spec.ts": "yes"}', '{"tests/a.spec.ts": [1]}'])
def test_a_torn_note_means_that_everything_is_due(tmp_path: Path, spec: Path, torn: str) -> None:
    note_recorded(tmp_path, [spec], NOW)
    (tmp_path / ".testwright" / "recorded.json").write_text(torn)

    assert is_due(tmp_path, [spec], NOW)


def test_playwright_is_traced_only_when_it_is_due(
    tmp_path: Path, spec: Path, plan_for: Callable[..., PlannedSuite]
) -> None:
    [first] = watched([plan_for()], tmp_path)
    note_recorded(tmp_path, [spec])
    [second] = watched([plan_for()], tmp_path)

    assert (first.request.trace, is_recorded(first)) == ("on", True)
    assert (second.request.trace, is_recorded(second)) == (None, False)


def test_pytest_is_always_watched_and_records_when_it_is_due(
    tmp_path: Path, spec: Path, plan_for: Callable[..., PlannedSuite]
) -> None:
    [first] = watched([plan_for(Framework.PYTEST)], tmp_path)
    note_recorded(tmp_path, [spec])
    [second] = watched([plan_for(Framework.PYTEST)], tmp_path)

    assert first.request.pages is not None
    assert second.request.pages is not None
    assert (first.request.pages.record, second.request.pages.record) == (True, False)


def test_only_the_files_that_will_run_count(tmp_path: Path, spec: Path, plan_for: Callable[..., PlannedSuite]) -> None:
    other = spec.with_name("b.spec.ts")
    other.write_text("")
    note_recorded(tmp_path, [spec])
    both = plan_for()._replace(suite=Suite(Framework.PLAYWRIGHT, tmp_path, (spec, other)))
    asked = [
        RunRequest(paths=(spec,)),
        RunRequest(only=(TestCase(Framework.PLAYWRIGHT, "tests/a.spec.ts", ("a",)),)),
        RunRequest(paths=(tmp_path / "tests",)),
    ]

    due = [is_recorded(watched([both._replace(request=request)], tmp_path)[0]) for request in asked]

    assert due == [False, False, True]


def test_a_project_that_may_not_be_written_to_is_left_alone(
    tmp_path: Path, plan_for: Callable[..., PlannedSuite]
) -> None:
    (tmp_path / ".testwright").symlink_to(tmp_path)

    [item] = watched([plan_for()], tmp_path)

    assert not is_recorded(item)


def test_who_asks_for_traces_gets_those_and_no_others(tmp_path: Path, plan_for: Callable[..., PlannedSuite]) -> None:
    [item] = watched([plan_for(request=RunRequest(extra=("--trace=retain-on-failure",)))], tmp_path)

    assert not is_recorded(item)


def test_a_file_of_which_some_tests_were_recorded_is_due_again_before_long(tmp_path: Path, spec: Path) -> None:
    note_recorded(tmp_path, [spec], NOW, in_part=True)

    assert [is_due(tmp_path, [spec], NOW + age) for age in (HOUR / 2, 2 * HOUR)] == [False, True]


def test_only_a_run_of_whole_files_is_of_all_tests(spec: Path, plan_for: Callable[..., PlannedSuite]) -> None:
    requests = [
        RunRequest(paths=(spec,)),
        RunRequest(select=("*a*",)),
        RunRequest(named=((spec, "a"),)),
        RunRequest(shard=Shard(1, 2)),
        RunRequest(only=()),
    ]

    assert [is_of_all_tests(plan_for(request=request)) for request in requests] == [True, False, False, False, False]


def test_an_unfinished_recording_goes_on_where_it_was_cut_short(
    tmp_path: Path, spec: Path, plan_for: Callable[..., PlannedSuite]
) -> None:
    note_places(tmp_path, [("tests/a.spec.ts", 3), ("tests/gone.ts", 1)])
    note_places(tmp_path, [("tests/a.spec.ts", 7)])

    [item] = watched([plan_for(Framework.PYTEST)], tmp_path)

    assert item.request.pages is not None
    assert item.request.pages.known == ("tests/a.spec.ts:3", "tests/a.spec.ts:7")


def test_places_of_a_file_that_has_changed_and_old_ones_are_recorded_anew(tmp_path: Path, spec: Path) -> None:
    note_places(tmp_path, [("tests/a.spec.ts", 3)], NOW)

    assert known_places(tmp_path, NOW + DAY)
    assert not known_places(tmp_path, NOW + 8 * DAY)
    spec.write_text("test('another', () => {});")
    assert not known_places(tmp_path, NOW + DAY)


def test_files_that_are_unfinished_stay_due_until_nothing_new_is_seen(tmp_path: Path, spec: Path) -> None:
    other = spec.with_name("b.spec.ts")
    other.write_text("")
    files = ["tests/a.spec.ts", "tests/b.spec.ts"]

    note_recording(tmp_path, files, unfinished=["tests/a.spec.ts"], places=[("tests/a.spec.ts", 1)])
    cut_short = is_due(tmp_path, [spec]), is_due(tmp_path, [other]), known_places(tmp_path)
    note_recording(tmp_path, files, unfinished=["tests/a.spec.ts"])

    assert cut_short == (True, False, ("tests/a.spec.ts:1",))
    assert (is_due(tmp_path, [spec]), known_places(tmp_path)) == (False, ())


def test_a_trace_that_only_we_asked_for_is_removed_and_no_other(tmp_path: Path) -> None:
    results = tmp_path / "test-results"
    names = ["a/trace.zip", "b/trace.zip", "b/shot.png", "c/trace.zip", "d/other.zip"]
    for name in names:
        (results / name).parent.mkdir(parents=True, exist_ok=True)
        (results / name).write_bytes(b"PK")
    kinds = {"a/trace.zip": OUR_TRACE, "b/trace.zip": OUR_TRACE, "c/trace.zip": "trace", "d/other.zip": OUR_TRACE}
    artifacts = tuple(Artifact(kind, f"test-results/{name}") for name, kind in kinds.items())
    case = TestCase(Framework.PLAYWRIGHT, "tests/a.spec.ts", ("a",))
    suite = SuiteResult(Framework.PLAYWRIGHT, "", (TestResult(case, (Attempt(Outcome.PASSED, artifacts=artifacts),)),))

    remove_our_traces(RunResult(RunId("1"), datetime.now(UTC), (suite,)), tmp_path)

    left = sorted(str(path.relative_to(results)) for path in results.rglob("*"))
    assert left == ["b", "b/shot.png", "c", "c/trace.zip", "d", "d/other.zip"]


def test_pages_of_old_runs_go_and_empty_folders_with_them(tmp_path: Path) -> None:
    pages = tmp_path / ".testwright" / "pages"
    for number in range(8):
        (pages / f"run-{number}").mkdir(parents=True)
        if number != 7:
            (pages / f"run-{number}" / "page.json").write_text("[]")

    forget_old_pages(tmp_path)

    assert sorted(folder.name for folder in pages.iterdir()) == ["run-2", "run-3", "run-4", "run-5", "run-6"]
