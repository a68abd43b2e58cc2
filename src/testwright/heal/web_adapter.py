"""The heal adapter of Playwright, for tests in TypeScript, JavaScript and Python. One for each failure."""

from collections.abc import Callable, Mapping, Sequence

from testwright.heal.heal_adapter import NotHealable
from testwright.heal.page_strategies import PageStrategies
from testwright.heal.selector_draft import SelectorDraft, draft_of, patch_of, place_of
from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import TestwrightError
from testwright.model.heal import FailureRecord, OriginalSelector, Strategy
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE, Selector
from testwright.selectors.selector_choice import choose_selector
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical, spelled


class WebAdapter(PageStrategies):
    """`files` are the project's sources, read when they are asked for."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        *,
        is_miss: Callable[[str], bool],
        is_list: Callable[[str], bool] = lambda _: False,
        test_id_attributes: Sequence[str] = (DEFAULT_TEST_ID_ATTRIBUTE,),
    ) -> None:
        self._files, self._test_ids = files, tuple(test_id_attributes)
        self._is_miss, self._is_list = is_miss, is_list  # what a failure's message says
        self._page: DomSnapshot | None = None

    def parse_failure(self, record: FailureRecord) -> tuple[OriginalSelector, DomSnapshot]:
        if not record.selector or not self._is_miss(record.message):
            raise NotHealable("not_a_lost_element", "The failure does not say that a selector found nothing.")
        if record.page is None:
            raise NotHealable("no_page", "Nothing was kept of the page at the moment of failure.")
        self._page = record.page
        is_list = self._is_list(record.message)
        return OriginalSelector(record.selector, record.action, record.stack, is_list=is_list), record.page

    def emit_patch(self, original: OriginalSelector, found: Element, strategy: Strategy) -> bytes:
        return patch_of(self.draft(original, found), strategy, {})

    def draft(self, original: OriginalSelector, found: Element) -> SelectorDraft:
        """The new selector where the old one is written. Raises NotHealable."""
        place = place_of(self._files, original)
        return draft_of(self._files, place, self._selector_for(found, original.text, string_only=place.string_only))

    def suggestion(self, number: int, like: str) -> str:
        """A selector for an element that may be the lost one, for a person to read; empty where there is none."""
        assert self._page is not None, "parse_failure comes first"
        try:
            old = parse_selector(like)
            new = choose_selector(self._page, number, like=old, test_id_attributes=self._test_ids)
        except TestwrightError:
            return ""
        return "" if new is None else spelled(new, old.dialect)

    def _selector_for(self, found: Element, like: str, *, string_only: bool) -> Selector:
        assert self._page is not None, "parse_failure comes first"
        try:
            old = parse_selector(like)
            new = choose_selector(
                self._page, found.number, like=old, test_id_attributes=self._test_ids, string_only=string_only
            )
            if new is not None and canonical(new) != canonical(old):
                return new
        except TestwrightError as error:
            raise NotHealable(error.code, error.message) from error
        if new is None:
            raise NotHealable("no_selector", "No selector that we would write finds just this element.")
        raise NotHealable("same_selector", "The selector is right; something else kept it from matching.")
