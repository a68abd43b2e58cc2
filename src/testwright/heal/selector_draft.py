"""A lost selector as it would be written now, in the one place where it is written, and the patch of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from testwright.heal.heal_adapter import NotHealable
from testwright.heal.source.languages import language_of, read_source
from testwright.heal.source.selector_definition import NotDefinable, SelectorDefinition, definition_of
from testwright.heal.source.selector_edit import SelectorEdit, apply_edit, edit_for
from testwright.heal.source.unified_patch import patch_bytes
from testwright.heal.source.weakening_guard import never_weaker
from testwright.model.errors import TestwrightError
from testwright.model.heal import CallSite, OriginalSelector, Strategy
from testwright.model.selector import Selector


@dataclass(frozen=True, slots=True)
class SelectorDraft:
    """One edit of one file."""

    edit: SelectorEdit
    before: bytes  # the file as it is
    after: bytes  # the file with this one selector changed
    new: Selector
    old_text: str  # as it is written

    @property
    def file(self) -> str:
        return self.edit.file

    @property
    def site(self) -> CallSite:
        return CallSite(self.edit.file, self.edit.line)

    @property
    def key(self) -> tuple[str, int, int]:
        """Which place this is: two drafts of one place are about the same selector."""
        return self.edit.file, self.edit.start, self.edit.end


def place_of(files: Mapping[str, bytes], original: OriginalSelector) -> SelectorDefinition:
    """Where the selector is written. Raises NotHealable."""
    place = definition_of(files, original.sites, original.text)
    if isinstance(place, NotDefinable):
        raise NotHealable("not_definable", place.reason)
    return place


def draft_of(files: Mapping[str, bytes], place: SelectorDefinition, new: Selector) -> SelectorDraft:
    """`new` written at `place`. Raises NotHealable where the edit cannot be made, or changes more than a selector."""
    try:
        edit = edit_for(place, new)
        before = files[edit.file]
        after = apply_edit(before, edit)
    except TestwrightError as error:
        raise NotHealable(error.code, error.message) from error
    _refuse_weaker(edit, before, after)
    return SelectorDraft(edit, before, after, new, _written(edit, before))


def patch_of(draft: SelectorDraft, strategy: Strategy, extra: Mapping[str, str]) -> bytes:
    """The patch for people and tools: a header that says what and why, and a diff that `git apply` takes."""
    return patch_bytes(
        draft.file,
        draft.before,
        draft.after,
        strategy=str(strategy),
        old=draft.old_text,
        new=draft.edit.new,
        extra=extra,
    )


def _refuse_weaker(edit: SelectorEdit, before: bytes, after: bytes) -> None:
    language = language_of(edit.file)
    if language is None:
        raise NotHealable("weaker", "The selector is written in no language that we know.")
    replaced = edit.start, edit.end, edit.start + len(edit.new.encode())
    complaints = never_weaker(before, after, language, replaced=replaced)
    if complaints:
        raise NotHealable("weaker", f"The patch would change more than a selector. {complaints[0]}")


def _written(edit: SelectorEdit, before: bytes) -> str:
    """What stands where the edit is made."""
    return read_source(before, edit.file).text[edit.start : edit.end].decode("utf-8", "replace")
