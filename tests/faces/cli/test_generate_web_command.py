"""`testwright generate web`: a test from a session, proven where the application answers, waiting for review."""

import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.conftest import CommandLine, Said
from tests.faces.cli.commands import call, call_json
from tests.generate.web.sessions import asks, breaks, button, clicks, does, goes
from tests.pipeline.web.kept import keep
from tests.pipeline.web.small_app import small_app
from testwright.faces.cli import generate_web_command
from testwright.generate.web.syntax_trees import root_of
from testwright.generate.web.web_plan import WrittenTest
from testwright.model.outcome import Outcome
from testwright.model.session import ActionType
from testwright.pipeline.web.proof import TrialResult

NULL = "Cannot read properties of null (reading 'name')"
ERROR = ("generate", "web", "--from", "error")
FILE = "tests/test_error_load_profile_typeerror.py"


@pytest.fixture(scope="module")
def nowhere() -> str:
    """An address of this machine at which nothing answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def meets_the_bug(root: Path, app: str) -> str:
    """A session in which a person met the bug of the application at that address."""
    load = does(2, ActionType.CLICK, button("Load profile"), url=f"{app}/")
    asked = asks(3, f"{app}/api/profile", '{"profile": null}', after=2)
    return keep(root, goes(1, f"{app}/"), load, asked, breaks(4, NULL), url=f"{app}/")


@pytest.fixture
def session(tmp_path: Path, nowhere: str) -> str:
    return meets_the_bug(tmp_path, nowhere)


# --- proven ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with tests in Python, which use any browser that is installed."""
    root = tmp_path_factory.mktemp("project")
    (root / "tests").mkdir()
    (root / "pytest.ini").write_text("[pytest]\n")
    (root / "tests" / "conftest.py").write_text(
        "import os, pytest\n\n"
        "@pytest.fixture(scope='session')\n"
        "def browser_type_launch_args(browser_type_launch_args):\n"
        "    return {**browser_type_launch_args, 'executable_path': os.environ['TESTWRIGHT_CHROMIUM']}\n"
    )
    (root / "testwright.toml").write_text(f'python = "{sys.executable}"\n')
    return root


@pytest.mark.needs_chromium
def test_a_proven_test_waits_for_review_and_is_written_once_it_is_accepted(
    project: Path, chromium: str, testwright: CommandLine
) -> None:
    env = {"TESTWRIGHT_CHROMIUM": chromium}
    with small_app() as app:
        meets_the_bug(project, app)
        made = testwright(*ERROR, "--framework", "pytest", "--verify", cwd=project, env=env)

    assert made.code == 0, made.out + made.err
    assert "reproduced: The guard was red for the recorded error 3 times of 3" in made.out
    proposal = made.out.rpartition("testwright review show ")[2].strip()
    assert not (project / FILE).exists()
    assert proposal in testwright("review", "list", cwd=project).out
    assert "the repro green 3 times of 3" in testwright("review", "show", proposal, cwd=project).out

    accepted = testwright("review", "accept", proposal, cwd=project)

    assert accepted.code == 0, accepted.err
    assert "the recorded error is back" in (project / FILE).read_text()


# --- not run -----------------------------------------------------------------------------------


def test_where_nothing_answers_the_test_is_proposed_with_a_word_about_that(
    tmp_path: Path, session: str, testwright: CommandLine, nowhere: str
) -> None:
    said = testwright(*ERROR)

    assert said.code == 0
    assert f"not_run: Nothing answers at {nowhere}/: the test was not run." in said.out
    assert f"err_1700000000004_0badc0de of session {session}" in said.out
    proposal = said.out.rpartition("testwright review show ")[2].strip()
    assert "The test has not been run." in testwright("review", "show", proposal).out


def test_unless_it_must_be_run(session: str, testwright: CommandLine) -> None:
    said = testwright(*ERROR, "--verify")

    assert said.code == 2
    assert "Nothing answers at" in said.err
    assert "Start the application" in said.err
    assert testwright("review", "list").out == "Nothing waits for you.\n"


def test_inline_prints_the_test_and_nothing_else(session: str, testwright: CommandLine) -> None:
    said = testwright(*ERROR, "--output-format", "inline", "--no-verify")

    assert said.code == 0
    assert said.out.startswith("// Recorded by Testwright in session cap_")
    assert not root_of(said.out, "typescript").has_error
    assert testwright("review", "list").out == "Nothing waits for you.\n"


def test_the_answer_as_json_has_a_summary_and_the_data_of_the_contract(
    tmp_path: Path, session: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = call_json(
        generate_web_command, capsys, "--from", "error", "--project", tmp_path, "--output-format", "inline"
    )

    assert list(answer) == ["summary", "data"]
    assert answer["summary"].startswith("Generated Playwright test 'error-load-profile-typeerror.spec.ts' (")
    assert list(answer["data"])[:2] == ["test", "metadata"]
    assert answer["data"]["session"] == session
    assert answer["data"]["test"]["coverage"]["error_reproduced"] is None


def test_the_test_brings_the_servers_answers_where_code_asked_for_them(
    tmp_path: Path, session: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def content(*options: str) -> str:
        arguments = ("--from", "error", "--project", tmp_path, "--no-verify", "--output-format", "inline", *options)
        return str(call_json(generate_web_command, capsys, *arguments)["data"]["test"]["content"])

    assert "GET /api/profile" in content("--mocks")
    assert content() == content("--mocks")
    assert "RECORDED" not in content("--no-mocks")


def test_a_test_that_the_project_has_already_is_not_proposed_again(
    tmp_path: Path, session: str, testwright: CommandLine
) -> None:
    inline = testwright(*ERROR, "--output-format", "inline", "--no-verify").out
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "error-load-profile-typeerror.spec.ts").write_text(inline)

    said = testwright(*ERROR, "--no-verify")

    assert said.code == 0
    assert "tests/error-load-profile-typeerror.spec.ts reads like this already." in said.out


# --- not proven --------------------------------------------------------------------------------


def unmoved(tests: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
    """The bug does not show: every test is green, but for those that wait for it."""
    return {
        one.filename: TrialResult(Outcome.FAILED, "it did not come")
        if "repro" in one.filename
        else TrialResult(Outcome.PASSED)
        for one in tests
    }


def test_a_test_that_proves_nothing_is_not_proposed(
    tmp_path: Path, session: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("testwright.pipeline.web.trial_runner.answers_at", lambda _: True)
    monkeypatch.setattr("testwright.pipeline.web.trial_runner.trial_on", lambda *_: unmoved)

    code = call(generate_web_command, "--from", "error", "--project", tmp_path)

    said = capsys.readouterr().out
    assert code == 1
    assert "not_reproduced: The guard was red for the recorded error 0 times of 1" in said
    assert "It is not proposed, since it does not prove what it should" in said


# --- refused -----------------------------------------------------------------------------------


def refused(said: Said, code: str) -> bool:
    return said.code == 2 and f"[{code}]" in said.err and "Traceback" not in said.err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--error-id", "err_-1_a1b2c3d4"), "invalid_error_id"),
        (("--base-url", "file:///etc/passwd"), "url_not_allowed"),
        (("--base-url", "http://"), "invalid_url"),
        (("--session", "../../etc"), "session_not_found"),
    ],
)
def test_bad_input_is_told_by_its_code(
    session: str, testwright: CommandLine, options: tuple[str, ...], code: str
) -> None:
    assert refused(testwright(*ERROR, *options), code)


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "web"),
        ("generate", "web", "--from", "dream"),
        (*ERROR, "--framework", "cypress"),
        (*ERROR, "--mocks", "--no-mocks"),
        ("generate", "web", "--from", "interaction", "--polarity", "repro"),
        ("generate", "web", "--from", "interaction", "--framework", "jest"),
    ],
)
def test_what_is_no_request_is_a_usage_error(testwright: CommandLine, arguments: tuple[str, ...]) -> None:
    said = testwright(*arguments)

    assert said.code == 2
    assert "Traceback" not in said.err


def test_an_error_that_is_not_there_is_no_error_context(session: str, testwright: CommandLine) -> None:
    said = testwright(*ERROR, "--error-id", "err_1706520600000_a1b2c3d4")

    assert said.code != 0
    assert "[no_error_context]" in said.err


def test_a_session_without_actions_makes_no_test(tmp_path: Path, testwright: CommandLine) -> None:
    keep(tmp_path, goes(1), asks(2))

    said = testwright("generate", "web", "--from", "interaction")

    assert said.code != 0
    assert "[no_actions_captured]" in said.err


def test_a_folder_outside_of_the_project_is_refused(tmp_path: Path, nowhere: str, testwright: CommandLine) -> None:
    inside = tmp_path / "project"
    inside.mkdir()
    meets_the_bug(inside, nowhere)
    (inside / "testwright.toml").write_text('web-tests = "../elsewhere"\n')

    said = testwright(*ERROR, "--no-verify", cwd=inside)

    assert said.code == 2
    assert "web-tests" in said.err
    assert not (tmp_path / "elsewhere").exists()


def test_without_errors_what_was_done_is_the_test_and_a_note_says_so(tmp_path: Path, testwright: CommandLine) -> None:
    keep(tmp_path, goes(1), clicks(2))

    said = testwright(*ERROR, "--no-verify")

    assert said.code == 0
    assert "note      The session has no errors: the test is made from what was done." in said.out
