"""For each failure of a run, the loop says who takes it from here."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.proposal import Evidence, Proposal, ProposalId, ProposalKind, ProposalStatus
from testwright.model.result import Attempt, RunId, RunResult, SuiteResult, TestResult
from testwright.pipeline.improving.analysed_runs import analysed
from testwright.pipeline.improving.journey import plan_steps
from testwright.pipeline.improving.loop_report import LoopReport, LoopStep, Route, note_lines

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
VALUE = "E       assert 3 == 2\n\ntests/test_shop.py:7: AssertionError"
CRASH = (
    "tests/test_shop.py:7: in test_a\n    order('tea')\nsrc/shop.py:3: in order\n    raise KeyError(item)\n"
    "E   KeyError: 'tea'"
)
LOST = (
    "E   playwright._impl._errors.TimeoutError: Locator.click: Timeout 500ms exceeded.\nE   Call log:\n"
    'E     - waiting for locator("#pay")\n\ntests/test_shop.py:7: TimeoutError'
)
FIXTURE = "E       fixture 'basket' not found\n>       available fixtures: cache\n\n/project/tests/test_shop.py:7"
REFUSED = "E   ConnectionRefusedError: [Errno 111] Connection refused\n\ntests/test_shop.py:7: ConnectionRefusedError"


def failed(name: str, stack: str, *more: Attempt, outcome: Outcome = Outcome.FAILED) -> TestResult:
    case = TestCase(Framework.PYTEST, "tests/test_shop.py", (name,) if name else (), line=6)
    message = next(line[1:].strip() for line in stack.splitlines() if line.startswith("E "))
    return TestResult(case, (Attempt(outcome, message=message, stack=stack), *more))


def planned(root: Path, *results: TestResult, origin: str = "", proposals: Sequence[Proposal] = ()) -> LoopReport:
    run = RunResult(RunId("run-1"), NOON, (SuiteResult(Framework.PYTEST, ".", results),), commit="c0ffee" * 6)
    origins = {"tests/test_shop.py": origin} if origin else {}
    return plan_steps(analysed(run, root), origins=origins, proposals=proposals)


def only_step(report: LoopReport) -> LoopStep:
    [step] = report.steps
    return step


@pytest.mark.parametrize(
    ("stack", "route"),
    [
        (VALUE, Route.BUG_NOTE),
        (CRASH, Route.BUG_NOTE),
        (LOST, Route.HEAL),
        (FIXTURE, Route.REWRITE),
        (REFUSED, Route.ENVIRONMENT),
    ],
)
def test_each_kind_of_failure_goes_its_way(tmp_path: Path, stack: str, route: Route) -> None:
    assert only_step(planned(tmp_path, failed("test_a", stack))).route is route


def test_a_wrong_value_is_never_handed_to_a_rewriter_of_tests(tmp_path: Path) -> None:
    assert only_step(planned(tmp_path, failed("test_a", VALUE), origin="engine")).route is Route.BUG_NOTE


def test_a_generated_test_that_cannot_be_loaded_is_to_be_generated_again(tmp_path: Path) -> None:
    stack = "tests/test_shop.py:1: in <module>\n    import shup\nE   ModuleNotFoundError: No module named 'shup'"
    lost = failed("", stack, outcome=Outcome.ERROR)

    assert only_step(planned(tmp_path, lost, origin="engine")).route is Route.REFINE
    assert only_step(planned(tmp_path, lost)).route is not Route.REFINE


def test_a_bug_note_says_what_where_and_on_what_evidence(tmp_path: Path) -> None:
    note = only_step(planned(tmp_path, failed("test_a", CRASH))).note

    assert note is not None
    assert note.what == "KeyError: 'tea'"
    assert note.where == "src/shop.py:3"
    assert note.evidence
    assert note_lines(note)[2] == "seen by: pytest:tests/test_shop.py::test_a in run run-1, commit c0ffeec0ffee"


def test_a_heal_that_waits_is_linked(tmp_path: Path) -> None:
    result = failed("test_a", LOST)
    seen = Evidence(f"#pay -> #buy by byText: {result.case.id} passes with it", source="run run-0")
    heal = Proposal(
        ProposalId("p7"),
        ProposalKind.SELECTOR_PATCH,
        "Heal",
        result.case.file,
        "x",
        b"",
        "",
        "engine",
        NOON,
        0.9,
        (seen,),
    )

    step = only_step(planned(tmp_path, result, proposals=[heal]))
    decided = only_step(planned(tmp_path, result, proposals=[replace(heal, status=ProposalStatus.REJECTED)]))

    assert (step.proposal, step.said) == ("p7", "A new selector waits by another run: testwright review show p7")
    assert "is rejected" in decided.said


def test_a_test_that_passed_with_a_heal_is_listed_beside_the_failures(tmp_path: Path) -> None:
    healed = failed("test_a", LOST, Attempt(Outcome.PASSED_WITH_HEAL, 2, message="SELF_HEAL_APPLIED test_a"))

    report = planned(tmp_path, healed)

    assert report.steps == ()
    assert report.shape()["healed"] == [
        {"testId": healed.case.id, "said": "SELF_HEAL_APPLIED test_a", "proposal": None}
    ]


def test_urgent_failures_come_first_and_repetitions_are_reported(tmp_path: Path) -> None:
    again = [Attempt(outcome, 2, reason="repeated_alone") for outcome in (Outcome.PASSED, Outcome.FAILED)]

    report = planned(tmp_path, failed("test_a", VALUE, *again), failed("test_b", LOST))

    assert [step.improvement.case.title for step in report.steps] == [("test_b",), ("test_a",)]
    assert report.steps[1].said.startswith("Tried again, it failed 1 of 2 alone.")


def test_no_advice_loosens_a_check_or_swallows_an_error(tmp_path: Path) -> None:
    texts = (VALUE, CRASH, LOST, FIXTURE, REFUSED)
    report = planned(tmp_path, *(failed(f"test_{number}", stack) for number, stack in enumerate(texts)))

    for step in report.steps:
        words = step.said.lower()
        assert not any(
            word in words for word in ("loosen", "remove", "delete the", "try/catch", "skip", "longer timeout")
        )
