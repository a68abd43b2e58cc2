"""The heal adapter of Flutter widget tests. One for each failure."""

from collections.abc import Mapping

from testwright.heal.flutter.finder_failures import call_sites, original_selector
from testwright.heal.flutter.widget_finders import finder_for
from testwright.heal.heal_adapter import NotHealable
from testwright.heal.page_strategies import PageStrategies
from testwright.heal.selector_draft import SelectorDraft, draft_of, place_of
from testwright.heal.source.unified_patch import patch_bytes
from testwright.model.case import Framework
from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import TestwrightError
from testwright.model.heal import FailureRecord, OriginalSelector, Strategy


class FlutterAdapter(PageStrategies):
    """`files` are the project's Dart sources, read when they are asked for."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._page: DomSnapshot | None = None

    def parse_failure(self, record: FailureRecord) -> tuple[OriginalSelector, DomSnapshot]:
        if record.case.framework is not Framework.FLUTTER:
            raise NotHealable("other_framework", "This is not a Flutter test.")
        original = original_selector(record.message, record.stack or call_sites(record.message, self._files))
        if record.page is None or not record.page.elements:
            raise NotHealable("no_page", "No widget or semantics tree of the moment of failure is known.")
        self._page = record.page
        return original, record.page

    def emit_patch(self, original: OriginalSelector, found: Element, strategy: Strategy) -> bytes:
        return self.patch_of(self.draft(original, found, strategy), original, strategy)

    def patch_of(self, draft: SelectorDraft, original: OriginalSelector, strategy: Strategy) -> bytes:
        """The patch of a draft. Its header names the finder as the failure does: a test may build it elsewhere."""
        old, new = original.text, draft.new.text
        try:
            return patch_bytes(draft.file, draft.before, draft.after, strategy=str(strategy), old=old, new=new)
        except TestwrightError as error:
            raise NotHealable(error.code, error.message) from None

    def draft(self, original: OriginalSelector, found: Element, strategy: Strategy) -> SelectorDraft:
        """The new finder where the old one is written. Raises NotHealable."""
        assert self._page is not None, "parse_failure comes first"
        place = place_of(self._files, original)
        source = self._files[place.file]
        new = finder_for(self._page, found.number, strategy, action=original.action, source=source)
        if new is None:
            raise NotHealable("no_selector", "No finder that we would write finds just this widget.")
        return draft_of(self._files, place, new)
