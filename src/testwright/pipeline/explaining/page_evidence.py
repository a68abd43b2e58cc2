"""What the page of a failure adds to its verdict: what it was, and what the heal pass of the run found on it.

A sign-in, an error or nothing in the place of the page can explain many other failures.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from testwright.classify.classifier import classify
from testwright.model.artifact_names import ERROR_CONTEXT
from testwright.model.errors import TestwrightError
from testwright.model.failure_labels import FailureLabel
from testwright.model.result import Attempt
from testwright.model.verdict import OUTSIDE_THE_TEXT, Quote, SuggestedFix, Verdict
from testwright.pipeline.explaining.failed_tests import FailedTest
from testwright.pipeline.healing.heal_report import HealEntry, HealStatus

_MOST_BYTES = 64 << 10
_MOST_PAGES = 20  # of one run


def with_pages(failures: Sequence[FailedTest], verdicts: Sequence[Verdict], root: Path) -> list[Verdict]:
    """With the page of each failure that a page could explain, where the heal pass has not looked at it already."""
    found = list(verdicts)
    pages = 0
    for at, failure in enumerate(failures):
        if failure.context.page_trouble or not found[at].label.traits.page_may_explain or pages >= _MOST_PAGES:
            continue
        seen = next((each for each in reversed(failure.result.attempts) if _has_outline(each)), None)
        if seen is not None:
            pages += 1
            trouble = _page_trouble_at(seen, root)
            if trouble:
                found[at] = classify(failure.detail, replace(failure.context, page_trouble=trouble))
    return found


def _has_outline(attempt: Attempt) -> bool:
    return not attempt.outcome.is_success and any(artifact.name == ERROR_CONTEXT for artifact in attempt.artifacts)


def _page_trouble_at(attempt: Attempt, root: Path) -> str:
    """A code such as login_page or error_page; empty where the page is in order, or was not kept."""
    for artifact in attempt.artifacts:
        if artifact.name == ERROR_CONTEXT:
            return _trouble(root / artifact.path)
    return ""


def _trouble(file: Path) -> str:
    # late: start-up: only where the page of a failure was kept
    from testwright.observe.aria_page import snapshot_from_aria
    from testwright.observe.page_trouble import page_trouble

    try:
        if file.stat().st_size > _MOST_BYTES:
            return ""
        return page_trouble(snapshot_from_aria(file.read_text(encoding="utf-8", errors="replace")))
    except (OSError, ValueError, TestwrightError):  # gone or torn: as if it had not been kept
        return ""


def with_heal(verdict: Verdict, entry: HealEntry | None) -> Verdict:
    """With what the heal pass found on the page, where the verdict is about a lost element."""
    if entry is None or verdict.label is not FailureLabel.SELECTOR_BROKEN or entry.status is HealStatus.NOT_TRIED:
        return verdict
    new = entry.heal.new or next((one.selector for one in entry.heal.suggestions), "")
    if not new:
        return verdict
    old = entry.heal.old or (verdict.fix.old if verdict.fix is not None else "")
    said = Quote(f"An element that may be meant: {new}", OUTSIDE_THE_TEXT, "similar_element")
    return replace(verdict, evidence=(*verdict.evidence, said), fix=SuggestedFix("selector_update", old=old, new=new))
