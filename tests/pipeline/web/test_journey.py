"""`test_from_context` as a program calls it: the shape of the answer, and what happens where nothing can be run."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.generate.web.sessions import APP, asks, breaks, clicks, fills, goes, stored
from tests.pipeline.web.kept import keep
from testwright.generate.web.error_wording import GUARD_FAILED
from testwright.generate.web.syntax_trees import root_of
from testwright.generate.web.web_plan import WrittenTest
from testwright.model.case import WebFramework
from testwright.model.errors import RunnerMissing, UsageError
from testwright.model.outcome import Outcome
from testwright.model.session import MessageBody, Secret
from testwright.pipeline.web.answer import WebTestAnswer, WebTestTools
from testwright.pipeline.web.journey import answer_web_test, write_web_test
from testwright.pipeline.web.proof import NOT_RUN, Proof, ProofVerdict, Trial, TrialResult
from testwright.pipeline.web.request import web_test_request

FRAMEWORKS = pytest.mark.parametrize("framework", ["playwright", "pytest"])


def reproducing(tests: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
    """The bug is there: guards are red for it, repros and all other tests green."""
    red = TrialResult(Outcome.FAILED, f"Error: {GUARD_FAILED}")
    return {one.filename: red if GUARD_FAILED in one.content else TrialResult(Outcome.PASSED) for one in tests}


def answered(root: Path, trial: Trial | None = None, tools: Mapping[str, Any] = {}, **given: Any) -> WebTestAnswer:
    ready: dict[str, Any] = {"trial": (lambda _: trial) if trial else None, "is_reachable": lambda _: True}
    request = web_test_request({"context": "error", **given})
    return answer_web_test(request, WebTestTools(root, **{**ready, **tools}))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with one session: a click, an answer of the server, an error."""
    keep(tmp_path, goes(1, state=stored({"cart": "[]"})), clicks(2, "Load profile"), asks(3, after=2), breaks(4))
    return tmp_path


@FRAMEWORKS
def test_TG_002_with_network_context_the_test_waits_for_the_response(root: Path, framework: str) -> None:  # noqa: N802  the spec's name
    content = answered(root, framework=framework).written.content

    assert ("waitForResponse(" if framework == "playwright" else "expect_response(") in content
    assert not root_of(content, "python" if framework == "pytest" else "typescript").has_error


@FRAMEWORKS
def test_TG_007_a_secret_in_a_form_or_a_body_is_not_in_the_test(tmp_path: Path, framework: str) -> None:  # noqa: N802  the spec's name
    told = MessageBody('{"token": "[REDACTED]", "user": "ann"}', "application/json", 60)
    keep(
        tmp_path,
        goes(1),
        fills(2, Secret("PASSWORD", "input[type=password]"), "#password"),
        clicks(3, "Log in"),
        asks(4, "/api/login", method="POST", sent=MessageBody("password=[REDACTED]"), received=told, after=3),
        breaks(5, "no such user for token [REDACTED]"),
    )

    content = answered(tmp_path, framework=framework, include_mocks=True).written.content

    assert '"token": "[REDACTED]"' in content or "token: '[REDACTED]'" in content
    assert "process.env.PASSWORD" in content or 'os.environ.get("PASSWORD"' in content
    assert "token .+" in content  # with any token, the error is the same


def test_the_answer_has_the_shape_of_the_contract(root: Path) -> None:
    answer = answered(root, reproducing, include_mocks=True)

    shape = answer.shape()
    assert (
        answer.summary
        == f"Generated Playwright test 'error-load-profile-typeerror.spec.ts' ({answer.written.assertions} assertions)"
    )
    assert list(shape)[:2] == ["test", "metadata"]
    assert list(shape["test"]) == ["framework", "filename", "content", "selectors", "assertions", "coverage"]
    assert shape["test"]["framework"] == "playwright"
    assert shape["test"]["selectors"] == ["getByRole('button', { name: 'Load profile' })"]
    assert shape["test"]["coverage"] == {"error_reproduced": True, "network_mocked": True, "state_captured": True}
    assert list(shape["test"]["coverage"]) == ["error_reproduced", "network_mocked", "state_captured"]
    assert list(shape["metadata"]) == ["source_error", "generated_at", "context_used"]
    assert shape["metadata"]["source_error"] == "err_1700000000004_0badc0de"
    assert shape["metadata"]["context_used"] == ["console", "dom", "network", "actions", "storage"]
    assert shape["proof"]["verdict"] == "reproduced"
    assert shape["file"] == "tests/error-load-profile-typeerror.spec.ts"
    assert "proposal" not in shape


def test_where_nothing_ran_nothing_is_claimed(root: Path) -> None:
    shape = answered(root, include_mocks=True).shape()

    assert shape["test"]["coverage"] == {"error_reproduced": None, "network_mocked": None, "state_captured": None}
    assert shape["proof"] == {
        "verdict": "not_run",
        "runs": 0,
        "guard_red": 0,
        "repro_green": 0,
        "green": 0,
        "missing": None,
        "told": "",
        "ingredients": [],
    }


def test_what_the_test_does_not_bring_along_was_not_mocked(root: Path) -> None:
    assert answered(root, reproducing).shape()["test"]["coverage"]["network_mocked"] is False


def test_moments_are_given_to_the_second() -> None:
    moment = datetime(2026, 1, 29, 10, 30, tzinfo=UTC)
    test = WrittenTest(WebFramework.PYTEST, "test_x.py", "", assertions=1)
    answer = WebTestAnswer(test, NOT_RUN, moment, (), "cap_1")

    assert answer.shape()["metadata"] == {"generated_at": "2026-01-29T10:30:00Z", "context_used": []}
    assert answer.summary == "Generated Playwright (Python) test 'test_x.py' (1 assertion)"


def test_an_application_that_does_not_answer_leaves_the_test_unrun(root: Path) -> None:
    answer = answered(root, reproducing, {"is_reachable": lambda _: False})

    assert answer.proof.verdict is ProofVerdict.NOT_RUN
    assert answer.proof.told == f"Nothing answers at {APP}/: the test was not run."


def test_unless_running_it_was_asked_for(root: Path) -> None:
    with pytest.raises(UsageError, match="Nothing answers at"):
        answered(root, reproducing, {"is_reachable": lambda _: False}, verify=True)


def test_it_is_looked_for_where_it_is_said_to_be(root: Path) -> None:
    asked: list[str] = []

    def is_reachable(url: str) -> bool:
        asked.append(url)
        return False

    tools = {"is_reachable": is_reachable, "base_url": "http://127.0.0.1:4000"}

    answered(root, reproducing, tools)
    answered(root, reproducing, tools, base_url="http://127.0.0.1:5000/")

    assert asked == ["http://127.0.0.1:4000", "http://127.0.0.1:5000/"]


def test_not_to_be_run_it_is_not_run(root: Path) -> None:
    def trial(_: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
        raise AssertionError

    assert answered(root, trial, verify=False).proof is NOT_RUN


def test_a_missing_runner_is_reported_or_raised_where_it_was_asked_for(root: Path) -> None:
    def trial(_: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
        raise RunnerMissing("There is no runner.", next_step="Install one.")

    assert answered(root, trial).proof.told == "There is no runner. Install one."
    with pytest.raises(RunnerMissing):
        answered(root, trial, verify=True)


def test_a_proven_test_waits_for_review_and_one_that_proves_nothing_does_not(root: Path) -> None:
    def unmoved(tests: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
        return {one.filename: TrialResult(Outcome.PASSED) for one in tests}

    tools = {"propose": lambda _: "p1"}

    assert answered(root, reproducing, tools, output_format="file").proposal == "p1"
    assert answered(root, None, tools, output_format="file").proposal == "p1"  # nothing ran, and it says so
    assert answered(root, unmoved, tools, output_format="file").proposal == ""
    assert answered(root, reproducing, tools, output_format="inline").proposal == ""


def test_from_actions_what_another_run_shows_differently_is_not_checked(root: Path) -> None:
    def moody(tests: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
        return {
            one.filename: TrialResult(Outcome.PASSED if "toHaveText" not in one.content else Outcome.FAILED)
            for one in tests
        }

    from tests.generate.web.test_step_checks import page

    before, after = page("<button>Save</button>"), page("<p data-testid=now>12:07</p>")
    keep(root, goes(1), clicks(2, page="page-2"), last=after)
    assert before.elements

    answer = answered(root, moody, context="interaction")

    assert answer.proof.verdict is ProofVerdict.GREEN
    assert "What was seen to change from one run to the next is not checked." in answer.shape()["notes"]
    assert "source_error" not in answer.shape()["metadata"]
    assert answer.shape()["test"]["coverage"]["error_reproduced"] is None


def test_a_unit_test_of_no_error_is_left_to_the_reader_and_not_run(tmp_path: Path) -> None:
    keep(tmp_path, goes(1), clicks(2))

    answer = answered(tmp_path, reproducing, framework="vitest")

    assert answer.written.level == "todo"
    assert (answer.proof.verdict, answer.proof.told) == (ProofVerdict.NOT_RUN, "There is nothing to run yet.")


def test_a_session_is_its_own_baseline_unless_one_is_named(root: Path) -> None:
    written = write_web_test(root, context="regression")

    assert "as in cap_" in written.content
    assert "x is not a function" in written.content  # an error that was there before


def test_verdicts_are_words_of_the_contract() -> None:
    assert Proof(ProofVerdict.NOT_REPRODUCED).shape["verdict"] == "not_reproduced"
