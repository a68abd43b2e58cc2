"""The twins of the artifact names, in the files that cannot import them."""

import re
from pathlib import Path

import testwright
from testwright.model import artifact_names
from testwright.run.inside import pytest_browser

_REPORTER = Path(testwright.__file__).parent / "run" / "inside" / "playwright_reporter.cjs"


def test_reporter_inside_pytest_uses_the_same_names() -> None:
    assert pytest_browser.PAGE == artifact_names.PAGE_WALK
    assert pytest_browser.FAILED_CALL == artifact_names.FAILED_CALL
    assert pytest_browser.TARGETS == artifact_names.TARGETS


def test_reporter_inside_playwright_uses_the_same_names() -> None:
    source = _REPORTER.read_text(encoding="utf-8")
    spelled = re.findall(r"const OUR_TRACE = '([^']*)'", source)
    assert spelled == [artifact_names.OUR_TRACE]
    assert f"name === '{artifact_names.TRACE}'" in source
