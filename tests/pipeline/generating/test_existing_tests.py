"""What is known of existing tests is handed to the engine, and said to the person in plain figures."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from testwright.generate.measured_results import Covered, Generated, Mutants, SuiteWorth
from testwright.generate.module_request import Budget, ModuleRequest
from testwright.generate.quality_gates.all_gates import GateResult
from testwright.generate.quality_gates.single_run import SuiteFile
from testwright.isolate.available_levels import probe_levels
from testwright.isolate.child import Cancel
from testwright.model.execution_feedback import CoverageGaps, ExecutionFeedback, FeedbackResult
from testwright.pipeline.generating.existing_tests import (
    Refined,
    already_covered,
    growth,
    is_refined_to_nothing,
    refined,
)
from testwright.repo.import_map import resolve_import

BASELINE = SuiteWorth(tests=1, covered=Covered(3, 4, 1, 2), killed=(1, 2), survived=(5,))


@pytest.fixture
def request_for_half(tmp_path: Path) -> ModuleRequest:
    file = tmp_path / "one.py"
    file.write_text("def half(number):\n    if number:\n        return number / 2\n    return 0\n")
    (tmp_path / "tests").mkdir()
    python = Path(sys.executable)
    imported = resolve_import(file, root=tmp_path, python=python)
    return ModuleRequest(file, imported, python, tmp_path, budget=Budget.of(2), level=probe_levels().strongest)


def refine(request: ModuleRequest, cancel: Cancel | None = None, **tests: str) -> Refined:
    files = []
    for name, text in tests.items():
        file = request.root / "tests" / f"test_{name}.py"
        file.write_text(text)
        files.append(file)
    suite = SuiteFile("test_one.py", "", request.root / "tests", request.root, request.python, request.level)
    return refined(replace(request, existing_tests=tuple(files)), suite, cancel or Cancel())


def test_without_existing_tests_nothing_is_run_and_nothing_known(request_for_half: ModuleRequest) -> None:
    assert refine(request_for_half) == Refined(request_for_half)


def test_what_passing_tests_show_goes_into_the_request(request_for_half: ModuleRequest) -> None:
    known = refine(request_for_half, mine="import one\ndef test_half():\n    assert one.half(4) == 2\n")

    assert known.notes == ()
    assert known.request.baseline is not None
    assert known.request.baseline.covered.uncovered_lines == (4,)
    assert known.request.baseline.killed
    assert known.cpu_s > 0


def test_only_a_few_of_many_failing_tests_are_named(request_for_half: ModuleRequest) -> None:
    failing = "".join(f"def test_{number}():\n    assert one.half({number}) is None\n" for number in range(5))

    known = refine(request_for_half, mine=f"import one\n{failing}")

    assert known.request.baseline is None
    assert known.notes[0].startswith("5 of the existing tests do not pass here and count for nothing: ")
    assert known.notes[0].endswith("; and 2 more")


def test_tests_that_could_not_be_run_are_a_note_and_no_failure(request_for_half: ModuleRequest) -> None:
    stop = Cancel()
    stop()

    known = refine(request_for_half, stop, mine="import one\n")

    assert known.request.baseline is None
    assert "could not be run" in known.notes[0]


def test_nothing_is_left_to_add_only_where_the_engine_came_to_its_end(request_for_half: ModuleRequest) -> None:
    request = replace(request_for_half, baseline=BASELINE)

    assert is_refined_to_nothing(request, Generated(None, covered=Covered(4, 4)))
    assert not is_refined_to_nothing(request, Generated(None))
    assert not is_refined_to_nothing(request, Generated("text", covered=Covered(4, 4)))
    assert not is_refined_to_nothing(request_for_half, Generated(None, covered=Covered(4, 4)))


def test_the_figures_are_said_as_a_person_would() -> None:
    feedback = ExecutionFeedback(FeedbackResult.PASS, "", CoverageGaps("one.py"), ())
    gated = GateResult("text", feedback, (), covered=Covered(4, 4, 2, 2), mutants=Mutants(3, 3, before=2))

    assert already_covered(BASELINE) == (
        "existing tests already cover this: 4 of 6 lines and branches, 2 of 3 mutants noticed"
    )
    assert growth(BASELINE, gated) == (
        "with the existing tests: 6 of 6 lines and branches, 4 before; 3 of 3 mutants, 2 before",
    )
    assert growth(None, gated) == ()
