"""From a browser to a test that proves the bug: really recorded, really run."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.journeys.web_project import WebProject
from tests.pipeline.web.small_app import (
    CODE,
    INJECTION,
    TAGS,
    load_profile,
    press_the_odd_button,
    small_app,
)
from testwright.generate.web.trees import root_of
from testwright.observe.recording.options import RecordOptions
from testwright.pipeline.recording import record_session
from testwright.pipeline.web.proof import Verdict
from testwright.pipeline.web.request import web_test_request
from testwright.pipeline.web.tool import answer_web_test, write_web_test
from testwright.settings import Settings
from testwright.wiring import web_test_tools

pytestmark = [pytest.mark.needs_chromium, pytest.mark.needs_node]

FRAMEWORKS = pytest.mark.parametrize("framework", ["playwright", "pytest"])


@dataclass(frozen=True)
class Recorded:
    """A project, an application that runs, and two sessions of it."""

    project: WebProject
    address: str
    profile: str
    odd: str

    @property
    def root(self) -> Path:
        return self.project.root


@pytest.fixture(scope="module")
def recorded(
    tmp_path_factory: pytest.TempPathFactory, node: str, node_modules: Path, chromium: str
) -> Iterator[Recorded]:
    root = tmp_path_factory.mktemp("app")
    project = WebProject(root, node=node, node_modules=node_modules, chromium=chromium)
    options = RecordOptions(headless=True, chromium=Path(chromium))
    with small_app() as address, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TESTWRIGHT_CHROMIUM", chromium)
        profile = record_session(root, Settings(), f"{address}/", options, drive=load_profile)
        odd = record_session(root, Settings(), f"{address}/odd", options, drive=press_the_odd_button)
        yield Recorded(project, address, str(profile.session), str(odd.session))


def test_TG_001_a_test_from_a_single_error_is_a_valid_playwright_test(recorded: Recorded, node: str) -> None:  # noqa: N802
    test = write_web_test(recorded.root, recorded.profile)
    folder = recorded.root / "specs"
    (folder / test.filename).write_text(test.content)

    cli = recorded.root / "node_modules" / "@playwright" / "test" / "cli.js"
    command = [node, str(cli), "test", "--list", test.filename]
    listed = subprocess.run(command, cwd=recorded.root, capture_output=True, text=True, check=False)
    (folder / test.filename).unlink()

    assert not root_of(test.content, "typescript").has_error
    assert listed.returncode == 0, listed.stdout + listed.stderr
    assert "Total: 1 test in 1 file" in listed.stdout
    assert test.assertions >= 2


@FRAMEWORKS
def test_TG_INT_001_a_recorded_error_becomes_a_test_that_reproduces_it(recorded: Recorded, framework: str) -> None:  # noqa: N802
    request = web_test_request(
        {
            "context": "error",
            "session": recorded.profile,
            "framework": framework,
            "include_mocks": True,
            "verify": True,
        }
    )
    tools = web_test_tools(recorded.root, Settings(python=sys.executable), progress=lambda _: None)

    answer = answer_web_test(request, tools)

    assert answer.proof.verdict is Verdict.REPRODUCED, answer.proof.told
    assert answer.shape()["test"]["coverage"] == {
        "error_reproduced": True,
        "network_mocked": True,
        "state_captured": False,
    }
    assert answer.shape()["metadata"]["source_error"].startswith("err_")
    assert not any("error-" in path.name for path in recorded.root.rglob("*.spec.ts") if path.parent.name == "specs")


@FRAMEWORKS
def test_a_password_that_was_typed_is_in_no_test(recorded: Recorded, framework: str) -> None:
    content = write_web_test(recorded.root, recorded.profile, framework=framework).content

    assert "kestrel" not in content
    assert "PASSWORD" in content


def test_a_page_that_is_full_of_code_and_orders_is_data_only(recorded: Recorded) -> None:
    """Were any of it code, the runners would end, or the test would not be about the recorded error."""
    recorded.project.add_typescript("odd", write_web_test(recorded.root, recorded.odd).content)
    recorded.project.add_python("odd", write_web_test(recorded.root, recorded.odd, framework="pytest").content)

    [in_typescript] = recorded.project.run_typescript(recorded.address, workers=1)["odd"]
    [in_python] = recorded.project.run_python(recorded.address)["odd"]

    for ran in (in_typescript, in_python):
        assert not ran.green
        assert "the recorded error is back" in ran.said


@FRAMEWORKS
def test_what_cannot_be_seen_is_spelled_out(recorded: Recorded, framework: str) -> None:
    test = write_web_test(recorded.root, recorded.odd, framework=framework)

    assert not set(TAGS) & set(test.content)
    assert not root_of(test.content, "python" if framework == "pytest" else "typescript").has_error
    assert INJECTION in test.content  # told as what it is: a text of the page
    quoted = CODE if framework == "pytest" else CODE.replace("'", "\\'")
    assert f"fill({quoted!r})" in test.content or quoted in test.content
    assert test.filename.isascii()
