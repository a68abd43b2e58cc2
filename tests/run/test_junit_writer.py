"""A run written as JUnit XML says the same to a CI service as it says to us."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from lxml import etree

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, Problem, RunId, RunResult, SuiteResult, TestResult
from testwright.run.importers.report_reader import read_report
from testwright.run.junit_writer import junit_xml


def result(name: str, *attempts: Attempt, file: str = "tests/test_cart.py", **more: str) -> TestResult:
    return TestResult(TestCase(Framework.PYTEST, file, (name,) if name else (), **more), attempts)  # type: ignore[arg-type]  # text fields only


def run_of(*results: TestResult, problems: tuple[Problem, ...] = (), interrupted: bool = False) -> RunResult:
    suite = SuiteResult(Framework.PYTEST, "shop", results, problems, duration_ms=1500)
    started = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    return RunResult(RunId("r1"), started, (suite,), duration_ms=2000, interrupted=interrupted)


def written(run: RunResult) -> etree._Element:
    return etree.fromstring(junit_xml(run))


def only_case(run: RunResult) -> etree._Element:
    (case,) = written(run).iter("testcase")
    return case


PASSED = Attempt(Outcome.PASSED, duration_ms=10)
FAILED = Attempt(Outcome.FAILED, duration_ms=20, message="1 != 2", stack="cart.py:3", stdout="o", stderr="e")
MIXED = (
    result("passes", PASSED),
    result("fails", FAILED),
    result("errs", Attempt(Outcome.ERROR, message="no database")),
    result("skips", Attempt(Outcome.SKIPPED, message="not today")),
    result("flaky", FAILED, Attempt(Outcome.TIMEOUT, message="slow"), PASSED),
    result("fails twice", FAILED, Attempt(Outcome.CRASHED, message="signal 11")),
    result("", Attempt(Outcome.ERROR, message="does not load"), file="tests/test_broken.py"),
)


def test_suites_and_tests_are_counted(tmp_path: Path) -> None:
    root = written(run_of(*MIXED))

    assert (root.tag, root.get("tests"), root.get("failures"), root.get("errors")) == ("testsuites", "7", "2", "2")
    (suite,) = root
    counted = {
        name: suite.get(name) for name in ("name", "tests", "failures", "errors", "skipped", "time", "timestamp")
    }
    assert counted == {
        "name": "pytest shop",
        "tests": "7",
        "failures": "2",
        "errors": "2",
        "skipped": "1",
        "time": "1.500",
        "timestamp": "2026-05-04T03:02:01+00:00",
    }


def test_a_test_is_named_by_its_file_its_title_and_what_sets_it_apart() -> None:
    case = only_case(run_of(result("pays", PASSED, variant="firefox")))

    assert (case.get("classname"), case.get("name"), case.get("time")) == (
        "tests/test_cart.py",
        "pays [firefox]",
        "0.010",
    )


def test_a_failure_carries_message_stack_and_output() -> None:
    case = only_case(run_of(result("fails", FAILED)))

    failure = case.find("failure")
    assert failure is not None
    assert (failure.get("message"), failure.get("type"), failure.text) == ("1 != 2", "failed", "cart.py:3")
    assert (case.findtext("system-out"), case.findtext("system-err")) == ("o", "e")


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if not outcome.is_success])
def test_everything_but_a_success_is_red_and_keeps_its_name(tmp_path: Path, outcome: Outcome) -> None:
    run = run_of(result("t", Attempt(outcome)))
    (tmp_path / "r").write_bytes(junit_xml(run))

    back = read_report(tmp_path / "r", project=tmp_path)

    assert [found.outcome for found in back.results] == [outcome]


@pytest.mark.parametrize("outcome", [Outcome.PASSED, Outcome.PASSED_WITH_HEAL])
def test_everything_that_passed_is_green(outcome: Outcome) -> None:
    assert len(only_case(run_of(result("t", Attempt(outcome))))) == 0


def test_a_round_trip_keeps_counts_attempts_and_names(tmp_path: Path) -> None:
    run = run_of(*MIXED)
    (tmp_path / "r").write_bytes(junit_xml(run))

    back = read_report(tmp_path / "r", project=tmp_path)

    (before,), (after,) = run.suites, back.suites
    for count in ("total_tests", "total_passed", "total_failed", "total_skipped"):
        assert getattr(after, count) == getattr(before, count), count
    for mine, theirs in zip(run.results, back.results, strict=True):
        assert (theirs.case.file, theirs.case.title) == (mine.case.file, mine.case.title)
        assert [a.outcome for a in theirs.attempts] == [a.outcome for a in mine.attempts]
        assert [a.message for a in theirs.attempts] == [a.message for a in mine.attempts]
        assert theirs.is_flaky == mine.is_flaky
    assert (back.started_at, back.duration_ms) == (run.started_at, run.duration_ms)


def test_a_message_of_several_lines_stays_one() -> None:
    failure = only_case(run_of(result("t", Attempt(Outcome.FAILED, message='a\n\tb <c> & "d"')))).find("failure")

    assert failure is not None
    assert failure.get("message") == 'a\n\tb <c> & "d"'


def test_characters_that_xml_forbids_are_spelled_out_and_colours_dropped() -> None:
    hostile = "\x1b[31mred\x1b[0m \x00\x08\x0b\x1b[2K \u202e \ufffe\uffff \ud800 ]]> </failure>"
    attempt = Attempt(Outcome.FAILED, message=hostile, stack=hostile, stdout=hostile, stderr=hostile)

    case = only_case(run_of(result(hostile, attempt, file=hostile), problems=()))

    expected = r"red \x00\x08\x0b\x1b[2K \u{202e} \u{fffe}\u{ffff} " + "\ufffd ]]> </failure>"
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == expected
    assert case.get("name") == expected
    assert case.get("classname") == expected
    for text in (failure.text, case.findtext("system-out")):
        assert text is not None
        assert text.startswith(r"red \x00\x08")


def test_output_is_capped() -> None:
    long = "start" + "x" * 1_000_000 + "end"
    attempt = Attempt(Outcome.FAILED, message=long, stack=long, stdout=long)

    document = junit_xml(run_of(result("t", attempt)))

    assert len(document) < 300_000
    assert b"bytes not kept" in document


def test_a_problem_turns_the_build_red() -> None:
    problem = Problem("runner_missing", "pytest is not installed.", next_step="Install it.", file="shop")

    root = written(run_of(result("passes", PASSED), problems=(problem,)))

    assert (root.get("tests"), root.get("errors")) == ("2", "1")
    error = root.find(".//error")
    assert error is not None
    assert (error.get("type"), error.get("message")) == ("runner_missing", "pytest is not installed.")
    assert error.text == "pytest is not installed.\nInstall it."


def test_a_run_that_was_stopped_never_looks_green() -> None:
    assert written(run_of(result("passes", PASSED), interrupted=True)).get("errors") == "1"
    cut_off = result("cut", Attempt(Outcome.INTERRUPTED))
    assert written(run_of(cut_off, interrupted=True)).get("errors") == "1"


def test_an_empty_run_is_still_a_document() -> None:
    root = written(RunResult(RunId("r"), datetime(2026, 1, 1, tzinfo=UTC)))

    assert (root.tag, root.get("tests"), len(root)) == ("testsuites", "0", 0)
