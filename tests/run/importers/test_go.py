"""The events of `go test -json` become results, for tests and for packages that never got to run any."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.errors import MalformedReport
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult
from testwright.run.importers.report_reader import read_report

ReadText = Callable[..., RunResult]
Event = dict[str, object]
PACKAGE = "example.com/shop/cart"


def event(action: str, test: str = "", **more: object) -> Event:
    named = {"Test": test} if test else {}
    return {"Time": "2026-02-03T10:00:00.123456789+01:00", "Action": action, "Package": PACKAGE, **named, **more}


def printed(text: str, test: str = "") -> Event:
    return event("output", test, Output=text)


def finished(test: str, action: str, *output: str, elapsed: float = 0.25) -> list[Event]:
    return [
        event("run", test),
        printed(f"=== RUN   {test}\n", test),
        *(printed(line, test) for line in output),
        printed(f"--- {action.upper()}: {test} (0.25s)\n", test),
        event(action, test, Elapsed=elapsed),
    ]


def report(*events: Event) -> str:
    return "".join(json.dumps(each) + "\n" for each in events)


def outcomes(run: RunResult) -> dict[str, Outcome]:
    return {result.case.name: result.outcome for result in run.results}


def test_tests_and_their_subtests_are_read(read_text: ReadText) -> None:
    run = read_text(
        report(
            event("start"),
            *finished("TestAdd", "pass"),
            *finished("TestSub/empty_cart", "fail", "    cart_test.go:12: got 1, want 2\n"),
            *finished("TestSub", "fail"),
            *finished("TestLater", "skip", "    cart_test.go:30: not today\n"),
            printed("FAIL\n"),
            event("fail", Elapsed=1.0),
        )
    )

    assert run.source == "go"
    assert outcomes(run) == {
        "TestAdd": Outcome.PASSED,
        "TestSub › empty_cart": Outcome.FAILED,
        "TestSub": Outcome.FAILED,
        "TestLater": Outcome.SKIPPED,
    }
    _, inner, outer, skipped = run.results
    assert inner.case.id == f"go:{PACKAGE}::TestSub › empty_cart"
    assert inner.case.native_id == f"{PACKAGE}.TestSub/empty_cart"
    assert inner.last.message == "    cart_test.go:12: got 1, want 2"
    assert inner.duration_ms == 250
    assert outer.last.message == "A test inside it failed: TestSub/empty_cart."
    assert skipped.last.message == "    cart_test.go:30: not today"
    assert run.started_at.isoformat() == "2026-02-03T09:00:00.123456+00:00"
    assert not run.interrupted


@pytest.mark.parametrize(
    ("package", "file"),
    [("example.com/shop/cart", "cart"), ("example.com/shop", "."), ("example.com/shopping", "example.com/shopping")],
)
def test_packages_of_the_projects_own_module_are_named_by_folder(
    read_text: ReadText, project: Path, package: str, file: str
) -> None:
    (project / "go.mod").write_text("// the shop\nmodule example.com/shop\n\ngo 1.22\n")

    run = read_text(report({"Action": "run", "Package": package, "Test": "TestA"}))

    assert run.results[0].case.file == file


def test_a_package_without_tests_is_not_a_result(read_text: ReadText) -> None:
    run = read_text(report(event("start"), printed("?   \tcart\t[no test files]\n"), event("skip", Elapsed=0)))

    assert run.results == ()
    assert run.success


@pytest.mark.parametrize("build", [f"{PACKAGE} [{PACKAGE}.test]", f"{PACKAGE}.test"], ids=["types", "syntax"])
def test_a_build_that_fails_is_reported_in_the_compilers_words(read_text: ReadText, build: str) -> None:
    run = read_text(
        report(
            {"ImportPath": build, "Action": "build-output", "Output": f"# {build}\n"},
            {"ImportPath": build, "Action": "build-output", "Output": "./cart.go:3:9: undefined: total\n"},
            {"ImportPath": build, "Action": "build-fail"},
            event("start"),
            printed(f"FAIL\t{PACKAGE} [build failed]\n"),
            event("fail", Elapsed=0, FailedBuild=build),
        )
    )

    assert [result.case.id for result in run.results] == [f"go:{PACKAGE}"]
    attempt = run.results[0].last
    assert (attempt.outcome, attempt.reason) == (Outcome.ERROR, "build_failed")
    assert "undefined: total" in attempt.message


def test_a_build_that_failed_before_any_package_started_is_not_forgotten(read_text: ReadText) -> None:
    run = read_text(
        report(
            {"ImportPath": f"{PACKAGE}.test", "Action": "build-output", "Output": "cart_test.go:1: expected ';'\n"},
            {"ImportPath": f"{PACKAGE}.test", "Action": "build-fail"},
        )
    )

    assert outcomes(run) == {PACKAGE: Outcome.ERROR}
    assert run.results[0].last.message == "cart_test.go:1: expected ';'"


def test_before_go_1_24_the_compilers_words_stand_between_the_events(read_text: ReadText) -> None:
    run = read_text(
        f"# {PACKAGE} [{PACKAGE}.test]\n./cart.go:3:9: undefined: total\n"
        + report({"Action": "pass", "Package": "example.com/other", "Elapsed": 0})
        + f"FAIL\t{PACKAGE} [build failed]\n"
    )

    assert outcomes(run) == {PACKAGE: Outcome.ERROR}
    assert "undefined: total" in run.results[0].last.message


def test_a_package_that_fails_while_its_tests_pass_is_an_error_of_its_own(read_text: ReadText) -> None:
    run = read_text(
        report(
            *finished("TestA", "pass"),
            printed("leaked 3 files\n"),
            printed("exit status 1\n"),
            event("fail", Elapsed=2),
        )
    )

    assert outcomes(run) == {"TestA": Outcome.PASSED, PACKAGE: Outcome.ERROR}
    assert run.results[1].last.message == "leaked 3 files"


PANIC = ("panic: nil map [recovered]\n", "\tpanic: nil map\n", "\n", "goroutine 7 [running]:\n", "cart.add(...)\n")


def test_a_panic_crashed_its_test_and_those_beside_it(read_text: ReadText) -> None:
    run = read_text(
        report(event("run", "TestBeside"), *finished("TestPanics", "fail", *PANIC), event("fail", Elapsed=1))
    )

    assert outcomes(run) == {"TestBeside": Outcome.CRASHED, "TestPanics": Outcome.CRASHED}
    panicked = run.results[1].last
    assert panicked.reason == "panic"
    assert panicked.message.startswith("panic: nil map")
    assert panicked.stack.startswith("goroutine 7 [running]")
    assert not run.interrupted


def test_a_test_that_only_prints_the_word_panic_did_not_crash(read_text: ReadText) -> None:
    run = read_text(report(*finished("TestA", "fail", "panic: not really\n"), event("fail")))

    assert run.results[0].outcome is Outcome.FAILED


def test_the_time_limit_of_the_test_process_is_a_timeout(read_text: ReadText) -> None:
    run = read_text(
        report(
            event("run", "TestSlow"), printed("panic: test timed out after 1s\n", "TestSlow"), event("fail", Elapsed=1)
        )
    )

    assert outcomes(run) == {"TestSlow": Outcome.TIMEOUT}


def test_what_never_finished_was_interrupted(read_text: ReadText) -> None:
    run = read_text(report(event("start"), *finished("TestA", "pass"), event("run", "TestB")))

    assert outcomes(run) == {"TestA": Outcome.PASSED, "TestB": Outcome.INTERRUPTED}
    assert run.interrupted


def test_a_package_that_was_cut_off_before_its_first_test_is_not_forgotten(read_text: ReadText) -> None:
    assert outcomes(read_text(report(event("start")))) == {PACKAGE: Outcome.INTERRUPTED}


def test_repetitions_in_one_process_are_tests_of_their_own(read_text: ReadText) -> None:
    """`-count=2` runs the same test twice; that the second passed does not make the first one pass."""
    run = read_text(report(*finished("TestA", "fail"), *finished("TestA", "pass"), event("fail")))

    assert [(result.case.occurrence, result.outcome) for result in run.results] == [
        (1, Outcome.FAILED),
        (2, Outcome.PASSED),
    ]


def test_a_later_process_for_the_same_package_is_another_attempt(read_text: ReadText) -> None:
    run = read_text(report(*finished("TestA", "fail"), event("fail"), *finished("TestA", "pass"), event("pass")))

    assert [attempt.outcome for attempt in run.results[0].attempts] == [Outcome.FAILED, Outcome.PASSED]
    assert run.results[0].is_flaky


def test_a_field_of_the_wrong_type_is_named(read_text: ReadText) -> None:
    with pytest.raises(MalformedReport, match=r"line 2: Expected `str`, got `int` - at `\$\.Output`"):
        read_text(report(event("start"), event("output", Output=3)))


@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_what_the_real_go_command_prints_is_understood(project: Path) -> None:
    (project / "go.mod").write_text("module example.com/shop\n\ngo 1.18\n")
    (project / "shop_test.go").write_text(
        'package shop\n\nimport "testing"\n\nfunc TestGood(t *testing.T) {}\n\n'
        'func TestBad(t *testing.T) { t.Run("inner", func(t *testing.T) { t.Error("no") }) }\n'
    )
    command = ["go", "test", "-json", "./..."]
    done = subprocess.run(command, cwd=project, capture_output=True, check=False, timeout=300)
    (project / "out").write_bytes(done.stdout)

    run = read_report(project / "out", project=project)

    assert outcomes(run) == {
        "TestGood": Outcome.PASSED,
        "TestBad": Outcome.FAILED,
        "TestBad › inner": Outcome.FAILED,
    }
