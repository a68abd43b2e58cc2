"""The heals of a file written into it: one edit for each place, and no edit that would weaken the test."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from testwright.heal.source.languages import language_of
from testwright.heal.source.locator_uses import LocatorUse
from testwright.heal.source.selector_edit import SelectorEdit, apply_edit, edit_for
from testwright.heal.source.weakening_guard import never_weaker
from testwright.model.errors import SelectorNotPatchable
from testwright.model.heal import HealOutcome, HealSuggestion, SelectorHeal
from testwright.model.selector import Selector


class PlacedHeal(NamedTuple):
    """A heal for one place in the file."""

    heal: SelectorHeal
    use: LocatorUse | None  # None: it was asked for, and is not in the file
    new: Selector


class EditedFile(NamedTuple):
    """A file with its heals written into it."""

    after: bytes  # with all of them
    sure: bytes  # with only those that are sure enough to be applied
    written: list[SelectorHeal]
    refused: list[SelectorHeal]  # those that could not be written, and why


def edited_file(file: str, content: bytes, placed: Sequence[PlacedHeal]) -> EditedFile:
    edits, refused = _edits(file, placed)
    written: list[SelectorHeal] = []
    after = sure = content
    for edit, heal in edits:
        try:
            changed = _edited(file, after, edit)
            if heal.is_sure:
                sure = _edited(file, sure, edit)
        except SelectorNotPatchable as error:
            refused.append(_not_written(heal, error.message))
            continue
        after = changed
        written.append(heal)
    return EditedFile(after, sure, written, refused)


def _edits(
    file: str, placed: Sequence[PlacedHeal]
) -> tuple[list[tuple[SelectorEdit, SelectorHeal]], list[SelectorHeal]]:
    """One edit for each place, last place first, so that those before it stay where they are."""
    edits: dict[tuple[int, int], tuple[SelectorEdit, SelectorHeal]] = {}
    refused: list[SelectorHeal] = []
    for one in placed:
        if one.use is None:
            continue
        try:
            edit = edit_for(one.use, one.new)
        except SelectorNotPatchable as error:
            refused.append(_not_written(one.heal, error.message))
            continue
        known = edits.get((edit.start, edit.end))
        if edit.file != file:
            refused.append(_not_written(one.heal, f"It is written in {edit.file}: heal that file."))
        elif known is not None and known[0].new != edit.new:
            refused.append(_not_written(one.heal, "Its place is also that of another selector, which became another."))
        elif known is None:
            edits[edit.start, edit.end] = (edit, one.heal)
    return sorted(edits.values(), key=lambda pair: -pair[0].start), refused


def _edited(file: str, content: bytes, edit: SelectorEdit) -> bytes:
    changed = apply_edit(content, edit)
    language = language_of(file)
    if language is not None and (complaints := never_weaker(content, changed, language)):
        raise SelectorNotPatchable(f"The change would weaken the test: {complaints[0]}.")
    return changed


def _not_written(heal: SelectorHeal, why: str) -> SelectorHeal:
    shown = HealSuggestion(heal.new, heal.confidence, heal.explanation)
    return replace(
        heal,
        outcome=HealOutcome.SUGGEST,
        reason=SelectorNotPatchable.code,
        explanation=why,
        new="",
        is_sure=False,
        suggestions=(shown,),
    )
