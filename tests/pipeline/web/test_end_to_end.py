"""From a browser to a test that proves the bug: really recorded, really run."""

import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.web_project import Runs, WebProject
from tests.pipeline.web.small_app import (
    CODE,
    INJECTION,
    TAGS,
    load_profile,
    press_the_odd_button,
    small_app,
    take_the_tour,
)
from testwright.generate.web.syntax_trees import root_of
from testwright.observe.recording.record_options import RecordOptions
from testwright.pipeline.observing.journey import record_session
from testwright.pipeline.web.journey import answer_web_test, write_web_test
from testwright.pipeline.web.proof import ProofVerdict
from testwright.pipeline.web.request import web_test_request
from testwright.settings import Settings
from testwright.wiring import web_test_tools

pytestmark = [pytest.mark.needs_chromium, pytest.mark.needs_node]

LANGUAGES = pytest.mark.parametrize("language", ["typescript", "python"])
FRAMEWORKS = pytest.mark.parametrize("framework", ["playwright", "pytest"])


@dataclass(frozen=True)
class Recorded:
    """A project, an application that runs, and two sessions of it."""

    project: WebProject
    address: str
    profile: str
    odd: str
    tour: str

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
        tour = record_session(root, Settings(), f"{address}/tour", options, drive=take_the_tour)
        yield Recorded(project, address, str(profile.session), str(odd.session), str(tour.session))


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


def test_TG_INT_001_a_recorded_error_becomes_a_test_that_reproduces_it(recorded: Recorded) -> None:  # noqa: N802
    given = {"context": "error", "session": recorded.profile, "include_mocks": True, "verify": True}

    answer = answer_web_test(
        web_test_request(given), web_test_tools(recorded.root, Settings(), progress=lambda _: None)
    )

    assert answer.proof.verdict is ProofVerdict.REPRODUCED, answer.proof.told
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


@pytest.fixture(scope="module")
def ran(recorded: Recorded) -> Mapping[str, Runs]:
    """Every kind of test that came of the sessions, run once, by its language."""
    project = recorded.project
    kinds: dict[str, dict[str, Any]] = {
        "odd": {"session": recorded.odd},
        "regression": {"session": recorded.tour, "context": "regression"},
        "live": {"session": recorded.tour, "context": "regression", "include_mocks": False},
    }
    for name, options in kinds.items():
        project.add_typescript(name, write_web_test(recorded.root, **options).content)
        project.add_python(name, write_web_test(recorded.root, framework="pytest", **options).content)
    return {
        "typescript": project.run_typescript(recorded.address, workers=2),
        "python": project.run_python(recorded.address),
    }


@LANGUAGES
def test_a_page_that_is_full_of_code_and_orders_is_data_only(ran: Mapping[str, Runs], language: str) -> None:
    """Were any of it code, the runner would end, or the test would not be about the recorded error."""
    [odd] = ran[language]["odd"]

    assert not odd.green
    assert "the recorded error is back" in odd.said


@LANGUAGES
@pytest.mark.parametrize("name", ["regression", "live"])
def test_what_somebody_did_can_be_done_again(ran: Mapping[str, Runs], language: str, name: str) -> None:
    [again] = ran[language][name]

    assert again.green, again.said


@FRAMEWORKS
def test_what_cannot_be_seen_is_spelled_out(recorded: Recorded, framework: str) -> None:
    test = write_web_test(recorded.root, recorded.odd, framework=framework)

    assert not set(TAGS) & set(test.content)
    assert not root_of(test.content, "python" if framework == "pytest" else "typescript").has_error
    assert INJECTION in test.content  # shown as what it is: a text of the page
    quoted = CODE if framework == "pytest" else CODE.replace("'", "\\'")
    assert f"fill({quoted!r})" in test.content or quoted in test.content
    assert test.filename.isascii()
