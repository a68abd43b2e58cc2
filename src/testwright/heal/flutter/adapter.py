"""Flutter widget tests on the seam of healing. One adapter for each failure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from testwright.heal.flutter.finder_failures import call_sites, original_selector
from testwright.heal.flutter.widget_finders import finder_for
from testwright.heal.heal_adapter import NotHealable
from testwright.heal.page_strategies import PageStrategies
from testwright.model.case import Framework
from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import TestwrightError
from testwright.model.heal import FailureRecord, OriginalSelector, Strategy
from testwright.model.selector import Selector

if TYPE_CHECKING:
    from testwright.heal.source.selector_edit import SelectorEdit


@dataclass(frozen=True, slots=True)
class FinderDraft:
    """A finder as it would be written anew, where it is written now."""

    edit: "SelectorEdit"
    before: bytes
    after: bytes
    new: Selector


class FlutterAdapter(PageStrategies):
    """`files` are the project's Dart sources, read when they are asked for."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._page: DomSnapshot | None = None

    def parse_failure(self, record: FailureRecord) -> tuple[OriginalSelector, DomSnapshot]:
        if record.case.framework is not Framework.FLUTTER:
            raise NotHealable("other_framework", "This is no Flutter test.")
        original = original_selector(record.message, record.stack or call_sites(record.message, self._files))
        if record.page is None or not record.page.elements:
            raise NotHealable("no_page", "No widget or semantics tree of the moment of failure is known.")
        self._page = record.page
        return original, record.page

    def emit_patch(self, original: OriginalSelector, found: Element, strategy: Strategy) -> bytes:
        from testwright.heal.source.unified_patch import patch_bytes

        draft = self.draft(original, found, strategy)
        try:
            return patch_bytes(
                draft.edit.file,
                draft.before,
                draft.after,
                strategy=str(strategy),
                old=original.text,
                new=draft.new.text,
            )
        except TestwrightError as error:
            raise NotHealable(error.code, error.message) from None

    def draft(self, original: OriginalSelector, found: Element, strategy: Strategy) -> FinderDraft:
        """The new finder where the old one is written. Raises NotHealable."""
        from testwright.heal.source.selector_definition import NotDefinable, definition_of
        from testwright.heal.source.selector_edit import apply_edit, edit_for

        assert self._page is not None, "parse_failure comes first"
        place = definition_of(self._files, original.sites, original.text)
        if isinstance(place, NotDefinable):
            raise NotHealable("not_definable", place.reason)
        written_in = self._files[place.file]
        new = finder_for(self._page, found.number, strategy, action=original.action, source=written_in)
        if new is None:
            raise NotHealable("no_selector", "No finder that we would write finds just this widget.")
        try:
            edit = edit_for(place, new)
            before = self._files[edit.file]
            after = apply_edit(before, edit)
        except TestwrightError as error:
            raise NotHealable(error.code, error.message) from error
        _refuse_weaker(edit.file, before, after)
        return FinderDraft(edit, before, after, new)


def _refuse_weaker(file: str, before: bytes, after: bytes) -> None:
    from testwright.heal.source.languages import language_of
    from testwright.heal.source.weakening_guard import never_weaker

    language = language_of(file)
    complaints = never_weaker(before, after, language) if language is not None else ("It is in no known language.",)
    if complaints:
        raise NotHealable("weaker", f"The patch would change more than a finder: {complaints[0]}")
