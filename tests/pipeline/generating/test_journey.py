"""Each module goes its own way from engine to gates, and none can stop another."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.generate.inside.generated_case import Argument, Call, Case, Check, Relation
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.measured_results import Covered, Generated, Mutants, Skipped
from testwright.generate.module_request import ModuleRequest, Progress
from testwright.generate.target_files import ModuleTarget
from testwright.isolate.available_levels import probe_levels
from testwright.isolate.child import Cancel
from testwright.model.errors import ExitCode, SpawnFailed
from testwright.pipeline.generating.journey import generate_modules
from testwright.pipeline.generating.module_outcome import (
    Begun,
    Ended,
    Engine,
    GenerationWork,
    Happening,
    ModuleOutcome,
    Status,
    Stops,
    exit_code_of,
    outcome_shape,
    unusable,
)
from testwright.pipeline.generating.module_plan import Wish, plan_modules

MODULE = '''
def half(number):
    """Half of `number`, never negative."""
    return number / 2
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    for name in ("one", "two", "three"):
        (root / f"{name}.py").write_text(MODULE)
    return root


def writes(body: str, mutants: Mutants = Mutants(1, 2)) -> Engine:  # noqa: B008  it is frozen
    """An engine that always has the same idea."""

    def engine(request: ModuleRequest, on_progress: Callable[[Progress], None], cancel: Cancel) -> Generated:
        on_progress(Progress("exploring", 0.5))
        return Generated(f"{request.import_map.target_import}\n\n\n{body}\n", cases=1, tests=1, mutants=mutants)

    return engine


GOOD = writes("def test_half_of_two():\n    assert _under_test.half(2) == 1")


def outcomes(
    root: Path,
    *names: str,
    engine: Engine,
    stops: Stops | None = None,
    listen: Callable[[Happening], None] = lambda _: None,
    parallel: int = 2,
    with_bugs: bool = False,
) -> list[ModuleOutcome]:
    wish = Wish(root, python=Path(sys.executable), level=probe_levels().strongest)
    plans = plan_modules([ModuleTarget(root / name) for name in names], wish)
    work = GenerationWork(engine, stops or Stops(), listen, with_bugs=with_bugs)
    return list(generate_modules(plans, work, parallel=parallel))


def test_what_comes_through_the_gates_is_a_file_for_the_projects_tests(project: Path) -> None:
    [outcome] = outcomes(project, "one.py", engine=GOOD)

    assert outcome.status is Status.TESTED
    assert outcome.suite is not None
    assert outcome.suite.path == project / "tests" / "test_one.py"
    assert outcome.tests == 1
    assert outcome.covered.share == 1.0
    assert outcome.conftest is not None
    assert list(project.rglob("test_*.py")) == []


def test_outcomes_come_in_the_order_of_the_targets_however_many_run_at_once(project: Path) -> None:
    names = ["three.py", "one.py", "two.py"]

    assert [outcome.shown for outcome in outcomes(project, *names, engine=GOOD, parallel=3)] == names


def test_one_modules_failure_never_stops_the_rest(project: Path) -> None:
    def engine(request: ModuleRequest, on_progress: Callable[[Progress], None], cancel: Cancel) -> Generated:
        match request.file.name:
            case "one.py":
                raise SpawnFailed("it could not be started")
            case "two.py":
                raise ZeroDivisionError("a fault of the engine's")
        return GOOD(request, on_progress, cancel)

    failed, crashed, fine = outcomes(project, "one.py", "two.py", "three.py", engine=engine)

    assert (failed.status, failed.reason) == (Status.FAILED, "it could not be started")
    assert crashed.status is Status.FAILED
    assert "ZeroDivisionError: a fault of the engine's" in crashed.reason
    assert fine.status is Status.TESTED


def test_a_module_that_cannot_be_tested_is_named_with_the_reason(project: Path) -> None:
    def engine(*_: object) -> Generated:
        return Generated(None, skipped=(Skipped("one", "its import fails: ModuleNotFoundError: No module named 'x'"),))

    [outcome] = outcomes(project, "one.py", engine=engine)

    assert outcome.status is Status.FAILED
    assert "No module named 'x'" in outcome.reason


@pytest.mark.parametrize(
    "source", ["", '"""Words."""\nLIMIT = 3\n', "if __name__ == '__main__':\n    print('hello')\n"]
)
def test_a_module_with_nothing_to_call_is_not_a_failure(project: Path, source: str) -> None:
    (project / "one.py").write_text(source)

    [outcome] = outcomes(project, "one.py", engine=GOOD)

    assert outcome.status is Status.NOTHING
    assert exit_code_of([outcome]) is ExitCode.OK


def test_tests_that_do_not_pass_are_not_handed_on(project: Path) -> None:
    [outcome] = outcomes(project, "one.py", engine=writes("def test_wrong():\n    assert _under_test.half(2) == 3"))

    assert outcome.status is Status.FAILED
    assert outcome.suite is None
    assert "determinism gate" in outcome.reason
    assert outcome_shape(outcome)["feedback"]["result"] == "fail"


def test_a_module_that_is_tested_already_needs_nothing_and_is_not_a_failure(project: Path) -> None:
    (project / "tests" / "test_mine.py").write_text(
        "from one import half\n\ndef test_mine():\n    assert half(4) == 2\n"
    )
    (project / "conftest.py").write_text("")  # makes pytest put the project's root on the import path

    nothing_new = writes("def test_half():\n    assert _under_test.half(2) == 1", Mutants(1, 2, before=1))

    [outcome] = outcomes(project, "one.py", engine=nothing_new)

    assert outcome.status is Status.NOTHING
    said = r"existing tests already cover this: 2 of 2 lines and branches, (\d+) of \1 mutants noticed"
    assert re.fullmatch(said, outcome.reason)
    assert exit_code_of([outcome]) is ExitCode.OK


def test_an_engine_knows_what_the_existing_tests_show_and_may_find_nothing_to_add(project: Path) -> None:
    (project / "tests" / "test_mine.py").write_text("import one\n\ndef test_mine():\n    assert one.half(4) == 2\n")
    told: list[ModuleRequest] = []

    def engine(request: ModuleRequest, _: object, __: object) -> Generated:
        told.append(request)
        return Generated(None, covered=Covered(2, 2), skipped=(Skipped("other", "no input was found"),))

    [outcome] = outcomes(project, "one.py", engine=engine)

    assert told[0].baseline is not None
    assert told[0].baseline.tests == 1
    assert outcome.status is Status.NOTHING
    assert outcome.reason.startswith("existing tests already cover this: 2 of 2")


def test_existing_tests_that_fail_are_named_and_stop_nothing(project: Path) -> None:
    (project / "tests" / "test_mine.py").write_text("import one\n\ndef test_mine():\n    assert one.half(4) == 3\n")

    [outcome] = outcomes(project, "one.py", engine=GOOD)

    assert outcome.status is Status.TESTED
    assert any("tests/test_mine.py::test_mine (assert 2.0 == 3" in note for note in outcome.notes)
    assert any("no existing test that passes reaches the module" in note for note in outcome.notes)


def test_enough_keeps_the_best_so_far_and_leaves_the_rest(project: Path) -> None:
    stops = Stops()

    def engine(request: ModuleRequest, on_progress: Callable[[Progress], None], cancel: Cancel) -> Generated:
        stops.enough()  # as a Ctrl-C does in the middle of exploring
        assert cancel.raised
        return GOOD(request, on_progress, cancel)

    first, second = outcomes(project, "one.py", "two.py", engine=engine, stops=stops, parallel=1)

    assert first.status is Status.TESTED
    assert (second.status, second.reason) == (Status.FAILED, "stopped before it was its turn")


def test_the_listener_hears_of_begin_and_end_of_each_module(project: Path) -> None:
    heard: list[Happening] = []

    outcomes(project, "one.py", "two.py", engine=GOOD, listen=heard.append)

    assert sorted(each.shown for each in heard if isinstance(each, Begun)) == ["one.py", "two.py"]
    assert sorted(each.outcome.shown for each in heard if isinstance(each, Ended)) == ["one.py", "two.py"]


# --- broken promises -------------------------------------------------------------------------


def broken(expected: str) -> Engine:
    promise = Breach(
        unit="half",
        symptom="is_negative",
        promise="Half of `number`, never negative.",
        promised_at="one.py:3",
        where="one.py:4",
        case=Case("half", Call("_under_test.half", (Argument(None, "-4"),))),
        expected=(Check("result", "{}", Relation.EQUAL, expected),),
        actual="returned -2.0",
        parameters=("number",),
    )

    def engine(request: ModuleRequest, on_progress: Callable[[Progress], None], cancel: Cancel) -> Generated:
        text = f"{request.import_map.target_import}\n\n\ndef test_half():\n    assert _under_test.half(2) == 1\n"
        return Generated(text, cases=1, tests=1, broken_promises=(promise,))

    return engine


def test_a_broken_promise_is_reported_and_becomes_files_only_when_asked_for(project: Path) -> None:
    [told] = outcomes(project, "one.py", engine=broken("2.0"))
    [filed] = outcomes(project, "one.py", engine=broken("2.0"), with_bugs=True)

    assert told.promises == filed.promises
    assert "half is negative (one.py:4)" in told.promises[0]
    assert told.bugs == ()
    assert [file.path.relative_to(project / "tests").as_posix() for file in filed.bugs] == [
        "bugs/test_bug_half_is_negative.py",
        "bugs/bug_half_is_negative.md",
    ]
    assert filed.suite is not None


def test_a_bug_that_its_test_does_not_show_is_not_filed(project: Path) -> None:
    [outcome] = outcomes(project, "one.py", engine=broken("-2.0"), with_bugs=True)

    assert outcome.bugs == ()
    assert any("could not be shown" in note for note in outcome.notes)


# --- exit codes ------------------------------------------------------------------------------


def test_the_exit_code_says_how_it_went_as_a_whole() -> None:
    fine = ModuleOutcome("a.py", Status.TESTED)
    failed = ModuleOutcome("b.py", Status.FAILED, "no tests")
    missing = unusable(Skipped("c.py", "it is not there"))
    no_start = ModuleOutcome("d.py", Status.FAILED, error=SpawnFailed("no"))
    fault = ModuleOutcome("e.py", Status.FAILED, error=KeyError("x"))

    assert exit_code_of([fine]) == 0
    assert exit_code_of([fine, missing]) == 1
    assert exit_code_of([fine, failed]) == 1
    assert exit_code_of([missing]) == 2
    assert exit_code_of([no_start, no_start]) == 3
    assert exit_code_of([fault]) == 4
    assert exit_code_of([missing, no_start]) == 1
