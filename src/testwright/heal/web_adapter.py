"""The adapter of Playwright on the heal seam, for tests in TypeScript, JavaScript and Python. One for each failure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from testwright.heal.heal_adapter import NotHealable
from testwright.heal.page_strategies import PageStrategies
from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import TestwrightError
from testwright.model.heal import FailureRecord, OriginalSelector, Strategy
from testwright.model.selector import Selector
from testwright.selectors.selector_choice import choose_selector
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical, spelled

if TYPE_CHECKING:
    from testwright.heal.source.selector_edit import SelectorEdit


@dataclass(frozen=True, slots=True)
class SelectorDraft:
    """A selector as it would be written anew, in the one place where it is written."""

    edit: "SelectorEdit"
    before: bytes  # the file as it is
    after: bytes  # the file with this one selector changed
    new: Selector
    old_text: str  # as it is written

    @property
    def file(self) -> str:
        return self.edit.file

    @property
    def key(self) -> tuple[str, int, int]:
        """Which place this is: two drafts of one place are about the same selector."""
        return self.edit.file, self.edit.start, self.edit.end


class WebAdapter(PageStrategies):
    """`files` are the project's sources, read when they are asked for."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        *,
        is_miss: Callable[[str], bool],
        is_list: Callable[[str], bool] = lambda _: False,
        test_id_attributes: Sequence[str] = ("data-testid",),
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
        from testwright.heal.source.selector_definition import NotDefinable, definition_of
        from testwright.heal.source.selector_edit import apply_edit, edit_for

        assert self._page is not None, "parse_failure comes first"
        place = definition_of(self._files, original.sites, original.text)
        if isinstance(place, NotDefinable):
            raise NotHealable("not_definable", place.reason)
        try:
            old = parse_selector(original.text)
            new = choose_selector(
                self._page,
                found.number,
                like=old,
                test_id_attributes=self._test_ids,
                string_only=place.string_only,
            )
            if new is None:
                raise NotHealable("no_selector", "No selector that we would write finds just this element.")
            if canonical(new) == canonical(old):
                raise NotHealable("same_selector", "The selector is right; something else kept it from matching.")
            edit = edit_for(place, new)
            before = self._files[edit.file]
            after = apply_edit(before, edit)
        except TestwrightError as error:
            raise NotHealable(error.code, error.message) from error
        self._refuse_weaker(edit, before, after)
        return SelectorDraft(edit, before, after, new, _written(edit, before))

    def suggestion(self, number: int, like: str) -> str:
        """A selector for an element that may be the lost one, for a person to read; empty where there is none."""
        assert self._page is not None, "parse_failure comes first"
        try:
            old = parse_selector(like)
            new = choose_selector(self._page, number, like=old, test_id_attributes=self._test_ids)
        except TestwrightError:
            return ""
        return "" if new is None else spelled(new, old.dialect)

    @staticmethod
    def _refuse_weaker(edit: "SelectorEdit", before: bytes, after: bytes) -> None:
        from testwright.heal.source.languages import language_of
        from testwright.heal.source.weakening_guard import never_weaker

        language = language_of(edit.file)
        if language is None:
            raise NotHealable("weaker", "The selector is written in no language that we know.")
        replaced = edit.start, edit.end, edit.start + len(edit.new.encode())
        complaints = never_weaker(before, after, language, replaced=replaced)
        if complaints:
            raise NotHealable("weaker", f"The patch would change more than a selector. {complaints[0]}")


def _written(edit: "SelectorEdit", before: bytes) -> str:
    """What stands where the edit is made."""
    from testwright.heal.source.languages import read_source

    return read_source(before, edit.file).text[edit.start : edit.end].decode("utf-8", "replace")


def patch_of(draft: SelectorDraft, strategy: Strategy, extra: Mapping[str, str]) -> bytes:
    """The patch for people and tools: a header that says what and why, and a diff that `git apply` takes."""
    from testwright.heal.source.unified_patch import patch_bytes

    return patch_bytes(
        draft.file,
        draft.before,
        draft.after,
        strategy=str(strategy),
        old=draft.old_text,
        new=draft.edit.new,
        extra=extra,
    )
