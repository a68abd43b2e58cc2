"""What the page was, at a failure in the browser: a sign-in, an error, nothing at all. Only where looking is cheap."""

from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.model.result import Attempt
from testwright.model.verdict import Label, Verdict

_OUTLINE = "error-context"  # the artifact in which Playwright leaves the page in words
_MOST_BYTES = 64 << 10
MOST_LOOKS = 20  # pages of one run
# What a page can turn into something else: with any other verdict the page has nothing to say.
_SYMPTOMS_OF_A_PAGE = frozenset(
    {Label.SELECTOR_BROKEN, Label.TIMING_FLAKY, Label.ASSERTION_MISMATCH, Label.URL_MISMATCH, Label.FRAME_FAIL}
)


def may_depend_on_page(verdict: Verdict) -> bool:
    return verdict.label in _SYMPTOMS_OF_A_PAGE


def has_outline(attempt: Attempt) -> bool:
    return not attempt.outcome.is_success and any(artifact.name == _OUTLINE for artifact in attempt.artifacts)


def page_trouble_at(attempt: Attempt, root: Path) -> str:
    """A code such as login_page or error_page; empty where the page is in order, or was not kept."""
    for artifact in attempt.artifacts:
        if artifact.name == _OUTLINE:
            return _trouble(root / artifact.path)
    return ""


def _trouble(file: Path) -> str:
    from testwright.observe.aria_page import snapshot_from_aria
    from testwright.observe.page_kind import page_trouble

    try:
        if file.stat().st_size > _MOST_BYTES:
            return ""
        return page_trouble(snapshot_from_aria(file.read_text(encoding="utf-8", errors="replace")))
    except (OSError, ValueError, TestwrightError):  # gone or torn: as if it had not been kept
        return ""
