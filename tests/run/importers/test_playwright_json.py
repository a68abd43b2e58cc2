"""Playwright's JSON report: a test for each project, an attempt for each try, and expectations turned around."""

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.errors import MalformedReport
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, RunResult

ReadText = Callable[..., RunResult]
Json = dict[str, object]


def result(status: str | None = "passed", **more: object) -> Json:
    return {"status": status, "duration": 40, "errors": [], "stdout": [], "stderr": [], "retry": 0, **more}


def tried(*results: Json, status: str = "expected", expected: str = "passed", project: str = "") -> Json:
    return {"expectedStatus": expected, "projectName": project, "status": status, "results": list(results)}


def spec(title: str, *tests: Json) -> Json:
    return {"title": title, "ok": True, "tests": list(tests), "id": f"id-{title}", "file": "cart.spec.ts", "line": 4}


def report(
    *specs: Json, root: str = "/home/ann/shop/tests", inner: Json | None = None, errors: tuple[Json, ...] = ()
) -> str:
    file = {"title": "cart.spec.ts", "file": "cart.spec.ts", "specs": list(specs), "suites": [inner] if inner else []}
    return json.dumps(
        {
            "config": {"rootDir": root, "configFile": "/home/ann/shop/playwright.config.ts", "version": "1.63.0"},
            "suites": [file],
            "errors": list(errors),
            "stats": {"startTime": "2026-02-03T10:00:00.500Z", "duration": 1234.5, "expected": 1},
        },
        indent=2,
    )


def test_groups_projects_and_places_make_the_name(read_text: ReadText, project: Path) -> None:
    both = spec("pays", tried(result(), project="chromium"), tried(result(), project="firefox"))
    inner: Json = {
        "title": "cart",
        "specs": [both],
        "suites": [{"title": "", "specs": [spec("deep", tried(result()))]}],
    }

    run = read_text(report(spec("opens", tried(result())), inner=inner, root=f"{project}/tests"))

    assert run.source == "playwright"
    assert [found.case.id for found in run.results] == [
        "playwright:tests/cart.spec.ts::opens",
        "playwright:tests/cart.spec.ts::cart › pays [chromium]",
        "playwright:tests/cart.spec.ts::cart › pays [firefox]",
        "playwright:tests/cart.spec.ts::cart › deep",
    ]
    assert run.results[0].case.line == 4
    assert run.started_at.isoformat() == "2026-02-03T10:00:00.500000+00:00"
    assert run.duration_ms == 1234.5


def test_a_report_of_another_machine_finds_its_files_below_the_configuration(
    read_text: ReadText, project: Path
) -> None:
    (project / "tests").mkdir()
    (project / "tests/cart.spec.ts").touch()

    assert read_text(report(spec("a", tried(result())))).results[0].case.file == "tests/cart.spec.ts"


def test_a_file_that_the_project_does_not_have_keeps_the_name_it_was_given(read_text: ReadText) -> None:
    assert read_text(report(spec("a", tried(result())))).results[0].case.file == "cart.spec.ts"


@pytest.mark.parametrize(
    ("status", "expected", "outcome", "reason"),
    [
        ("passed", "passed", Outcome.PASSED, ""),
        ("failed", "passed", Outcome.FAILED, ""),
        ("timedOut", "passed", Outcome.TIMEOUT, ""),
        ("interrupted", "passed", Outcome.INTERRUPTED, ""),
        ("skipped", "skipped", Outcome.SKIPPED, ""),
        ("skipped", "passed", Outcome.SKIPPED, ""),
        ("failed", "failed", Outcome.PASSED, "expected_failure"),
        ("passed", "failed", Outcome.FAILED, "unexpected_pass"),
        ("timedOut", "failed", Outcome.TIMEOUT, ""),
        ("exploded", "passed", Outcome.NO_VERDICT, ""),
        (None, "passed", Outcome.NO_VERDICT, ""),
    ],
)
def test_each_status_is_read_against_what_was_expected(
    read_text: ReadText, status: str | None, expected: str, outcome: Outcome, reason: str
) -> None:
    run = read_text(report(spec("a", tried(result(status), expected=expected))))

    assert (run.results[0].outcome, run.results[0].last.reason) == (outcome, reason)
    assert run.interrupted is (status == "interrupted")


def test_each_try_is_an_attempt(read_text: ReadText) -> None:
    failed = result("failed", error={"message": "no", "stack": "no\n  at x"}, startTime="2026-02-03T10:00:01Z")

    found = read_text(report(spec("a", tried(failed, result(retry=1), status="flaky")))).results[0]

    assert [(attempt.number, attempt.outcome) for attempt in found.attempts] == [
        (1, Outcome.FAILED),
        (2, Outcome.PASSED),
    ]
    assert found.attempts[0].message == "no"
    assert found.attempts[0].stack == "no\n  at x"
    assert found.is_flaky


def test_every_error_is_kept_with_its_colours(read_text: ReadText) -> None:
    errors = [{"message": "\x1b[31mone\x1b[39m"}, {"value": "two"}]

    attempt = read_text(report(spec("a", tried(result("failed", errors=errors))))).results[0].last

    assert attempt.message == "\x1b[31mone\x1b[39m"
    assert attempt.errors == ("\x1b[31mone\x1b[39m", "two")


def test_attachments_with_a_file_become_artifacts(read_text: ReadText, project: Path) -> None:
    attachments = [
        {"name": "trace", "contentType": "application/zip", "path": f"{project}/out/trace.zip"},
        {"name": "screenshot", "contentType": "image/png", "path": "/elsewhere/1.png"},
        {"name": "note", "contentType": "text/plain", "body": "aGk="},
    ]

    attempt = read_text(report(spec("a", tried(result(attachments=attachments))))).results[0].last

    assert attempt.artifacts == (
        Artifact("trace", "out/trace.zip", "application/zip"),
        Artifact("screenshot", "/elsewhere/1.png", "image/png"),
    )


def test_output_may_be_text_or_bytes(read_text: ReadText) -> None:
    chunks = [{"text": "a\n"}, {"buffer": base64.b64encode("b·\n".encode()).decode()}, {"buffer": "%%%"}]

    attempt = read_text(report(spec("a", tried(result(stdout=chunks, stderr=[{"text": "e"}]))))).results[0].last

    assert attempt.stdout.startswith("a\nb·\n")
    assert attempt.stderr == "e"


@pytest.mark.parametrize(("expected", "outcome"), [("skipped", Outcome.SKIPPED), ("passed", Outcome.INTERRUPTED)])
def test_a_test_without_a_result_did_not_run(read_text: ReadText, expected: str, outcome: Outcome) -> None:
    run = read_text(report(spec("a", tried(status="skipped", expected=expected))))

    assert run.results[0].outcome is outcome


def test_a_verdict_that_its_results_do_not_bear_out_is_not_a_pass(read_text: ReadText) -> None:
    run = read_text(report(spec("a", tried(result("passed"), status="unexpected"))))

    assert run.results[0].outcome is Outcome.NO_VERDICT
    assert not run.success


def test_an_error_with_a_place_is_a_file_that_did_not_load(read_text: ReadText, project: Path) -> None:
    error: Json = {
        "message": "SyntaxError: no",
        "location": {"file": f"{project}/tests/bad.spec.ts", "line": 3, "column": 1},
    }

    found = read_text(report(errors=(error,))).results[0]

    assert (found.case.id, found.case.line) == ("playwright:tests/bad.spec.ts", 3)
    assert (found.outcome, found.last.message) == (Outcome.ERROR, "SyntaxError: no")


def test_an_error_without_a_place_is_a_problem_of_the_run(read_text: ReadText) -> None:
    run = read_text(report(errors=({"message": "Error: No tests found"},)))

    assert [(problem.code, problem.message) for problem in run.suites[0].problems] == [
        ("runner_error", "Error: No tests found")
    ]
    assert not run.success


def test_repeated_tests_are_kept_apart(read_text: ReadText) -> None:
    run = read_text(report(spec("a", tried(result()), tried(result()))))

    assert [found.case.occurrence for found in run.results] == [1, 2]


def test_groups_may_nest_deeper_than_our_own_stack(read_text: ReadText) -> None:
    inner: Json = {"title": "g", "specs": [spec("deep", tried(result()))]}
    for _ in range(200):
        inner = {"title": "g", "suites": [inner]}

    assert len(read_text(report(inner=inner)).results[0].case.title) == 202


def test_a_field_of_the_wrong_type_is_named(read_text: ReadText) -> None:
    with pytest.raises(MalformedReport, match=r"Expected `str`, got `int` - at `\$\.suites\[0\]\.specs\[0\]\.title`"):
        read_text(report({"title": 1, "tests": []}))
