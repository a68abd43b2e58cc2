"""What the heal pass of a run adds to a verdict: whether the element was there again, and what it may be now."""

from dataclasses import replace

from testwright.classify.classifier import FailureContext
from testwright.model.failure_labels import FailureLabel
from testwright.model.verdict import OUTSIDE_THE_TEXT, Quote, SuggestedFix, Verdict
from testwright.pipeline.healing.heal_report import HealEntry, HealStatus

_PAGE_TROUBLES = frozenset({"login_page", "error_page", "blank_page", "still_loading"})
_THERE_AGAIN = "there_again"  # the heal pass ran the test once more, and its element was there


def known_from_heal(entry: HealEntry | None, *, passed_on_retry: bool) -> FailureContext:
    """What is known of a failure besides its text, before its page is looked at."""
    reason = entry.heal.reason if entry is not None else ""
    return FailureContext(
        is_found_now=True if reason == _THERE_AGAIN else None,
        passed_on_retry=passed_on_retry or None,
        page_trouble=reason if reason in _PAGE_TROUBLES else "",
    )


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
