"""Pages that nobody made for us: what a person did there becomes tests that run, and that look at what came of it."""

import re
from pathlib import Path

import pytest

from tests.journeys.strangers import STRANGERS, Stranger, served
from tests.journeys.web_project import WebProject
from testwright.observe.recording.recorder import RecordOptions
from testwright.pipeline.observing.journey import record_session
from testwright.pipeline.web.journey import write_web_test
from testwright.settings import Settings

# An assertion about something that a person can see, in either language.
_LOOKS = re.compile(
    r"\.(to_?have_?(text|count|value)|to_?contain_?text|to_?be_?(visible|checked|hidden)|to_?match_?aria)",
    re.IGNORECASE,
)


@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda stranger: stranger.name)
def test_a_recorded_visit_becomes_tests_that_pass_and_notice_when_the_result_is_another(
    stranger: Stranger, tmp_path: Path, node: str, node_modules: Path, chromium: str
) -> None:
    project = WebProject(tmp_path, node=node, node_modules=node_modules, chromium=chromium)
    options = RecordOptions(headless=True, chromium=Path(chromium))
    with served(stranger, node_modules) as address:
        recorded = record_session(tmp_path, Settings(), address + stranger.start, options, drive=stranger.steps)
        typescript = write_web_test(tmp_path, recorded.session, context="interaction", framework="playwright")
        python = write_web_test(tmp_path, recorded.session, context="interaction", framework="pytest")
        for written in (typescript, python):
            assert written.assertions >= 1
            assert _LOOKS.search(written.content), written.content
        project.add_typescript("visit", typescript.content)
        project.add_python("visit", python.content)
        green = [*project.run_typescript(address)["visit"], *project.run_python(address)["visit"]]
    with served(stranger, node_modules, broken=True) as address:
        red = [*project.run_typescript(address)["visit"]]

    assert [ran.said for ran in green] == ["", ""]
    assert [ran.green for ran in red] == [False]
    assert "expect(" in red[0].said
