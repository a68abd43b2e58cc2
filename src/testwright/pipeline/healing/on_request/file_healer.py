"""One test file against one page: which of its selectors find nothing, and the file with those healed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from testwright.heal.page_names import PageNames
from testwright.heal.selector_intent import intent_of
from testwright.heal.source.languages import language_of
from testwright.heal.source.locator_uses import LocatorUse
from testwright.heal.source.selector_edit import SelectorEdit, apply_edit, edit_for
from testwright.heal.source.weakening_guard import never_weaker
from testwright.heal.wire_vocabulary import ExplainedMatch
from testwright.model.errors import SelectorNotPatchable
from testwright.model.heal import CallSite, HealOutcome, HealSuggestion, SelectorHeal
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE, Selector
from testwright.pipeline.healing.on_request.answer import FileAnswer
from testwright.pipeline.healing.on_request.broken_selectors import Broken, FileSelectors, shown_use
from testwright.pipeline.healing.on_request.request import Deadline
from testwright.pipeline.healing.on_request.selector_tracker import Lead, Memory, SelectorTracker, sayings
from testwright.selectors.selector_choice import choose_selector
from testwright.selectors.selector_matcher import CANNOT_BE_TRIED


class PlacedHeal(NamedTuple):
    heal: SelectorHeal
    use: LocatorUse | None  # None: it was asked for, and is not in the file
    new: Selector


class EditedFile(NamedTuple):
    after: bytes  # with all of them
    sure: bytes  # with only those that are sure enough to be applied
    written: list[SelectorHeal]
    refused: list[SelectorHeal]  # those that could not be written, and why


def heal_file(
    file: str,
    content: bytes,
    reading: PageNames,
    *,
    wanted: Sequence[str] = (),
    memory: Memory = lambda _: (),
    test_id_attribute: str = DEFAULT_TEST_ID_ATTRIBUTE,
    deadline: Deadline,
) -> FileAnswer:
    """What can be said of a file's selectors on a page. Raises InvalidTestSyntax and the like."""
    tracker = SelectorTracker(file, reading, memory, (test_id_attribute,))
    return _FileHealer(file, content, tracker, deadline).answer(wanted)


class _FileHealer:
    def __init__(self, file: str, content: bytes, tracker: SelectorTracker, deadline: Deadline) -> None:
        self._file, self._content, self._tracker, self._deadline = file, content, tracker, deadline
        self._selectors = FileSelectors(file, content, tracker, deadline)

    def answer(self, wanted: Sequence[str]) -> FileAnswer:
        selectors = self._selectors
        chosen, unhealed = selectors.broken(wanted)
        selectors.note_a_wrong_page()
        is_meant = bool(wanted) or not selectors.are_mostly_broken
        self._tracker.is_about_login = selectors.speak_of_a_login and is_meant
        placed: list[PlacedHeal] = []
        for broken, lead in self._leads(chosen, asked=bool(wanted)):
            if lead.elsewhere and not wanted:
                selectors.notes.append(f"{broken.selector.text}: {lead.explanation}")
            elif lead.found is None:
                unhealed.append(self._unhealed(broken, lead))
            else:
                done, missed = self._healed(broken, lead, lead.found)
                placed += done
                unhealed += missed
        return self._finished(placed, unhealed)

    def _leads(self, chosen: Sequence[Broken], *, asked: bool) -> list[tuple[Broken, Lead]]:
        leads: list[tuple[Broken, Lead]] = []
        for broken in chosen:
            if self._deadline.is_past:
                self._selectors.not_reached.append(broken.selector.text)
            else:
                leads.append((broken, self._lead(broken, asked=asked)))
        return _without_clashes(leads)

    def _lead(self, broken: Broken, *, asked: bool) -> Lead:
        try:
            lead = self._tracker.follow(broken.selector)
        except CANNOT_BE_TRIED as error:  # the place that it is looked for in, or another selector of the file
            return Lead(None, error.code, error.message)
        if lead.found and any(not use.is_whole for use in broken.uses):
            lead = Lead(None, "scope_unknown", "Where it is looked for is known only at run time.", (lead.found,))
        if lead.found and not lead.remembered and not asked and self._selectors.are_all_broken:
            lead = Lead(None, "other_page", "No selector of the file finds anything on this page.", (lead.found,))
        return lead

    def _healed(self, broken: Broken, lead: Lead, found: ExplainedMatch) -> tuple[list[PlacedHeal], list[SelectorHeal]]:
        """The new selector for each place, which may differ: not every place takes every spelling."""
        done: list[PlacedHeal] = []
        missed: list[SelectorHeal] = []
        for use in broken.uses or (None,):
            new = self._new_selector(broken, found, use)
            old, site = (shown_use(use), self._site(use.line)) if use else (broken.selector.text, None)
            if new is None:
                told = "No selector finds that element alone."
                missed.append(SelectorHeal(old, HealOutcome.ABSTAIN, "no_selector", told, site=site))
                continue
            heal = SelectorHeal(
                old,
                HealOutcome.HEAL,
                lead.reason,
                lead.explanation,
                new=new.text,
                site=site,
                found_by=found.kind,
                probability=lead.probability,
                confidence=found.confidence,
                is_sure=found.is_sure,
                is_remembered=lead.remembered,
            )
            done.append(PlacedHeal(heal, use, new))
        return done, missed

    def _unhealed(self, broken: Broken, lead: Lead) -> SelectorHeal:
        use = broken.uses[0] if broken.uses else None
        suggestions = tuple(
            HealSuggestion(new.text, each.confidence, each.why)
            for each in lead.suggestions
            if (new := self._new_selector(broken, each, use)) is not None
        )
        return SelectorHeal(
            broken.shown,
            HealOutcome.SUGGEST if suggestions else HealOutcome.ABSTAIN,
            lead.reason,
            lead.explanation,
            site=self._site(use.line) if use else None,
            probability=lead.probability,
            is_remembered=lead.remembered,
            suggestions=suggestions,
        )

    def _new_selector(self, broken: Broken, found: ExplainedMatch, use: LocatorUse | None) -> Selector | None:
        return choose_selector(
            self._tracker.page,
            found.element,
            like=(use.whole if use else None) or broken.selector,
            test_id_attributes=self._tracker.test_id_attributes,
            string_only=use.string_only if use else None,  # as a string where it was asked for as one
        )

    def _site(self, line: int) -> CallSite:
        return CallSite(self._file, line)

    def _finished(self, placed: Sequence[PlacedHeal], unhealed: Sequence[SelectorHeal]) -> FileAnswer:
        edited = edited_file(self._file, self._content, placed)
        healed = [*(one.heal for one in placed if one.use is None), *edited.written]
        missed = [*unhealed, *edited.refused]
        return FileAnswer(
            self._file,
            heals=(*sorted(healed, key=lambda one: one.line), *sorted(missed, key=lambda one: one.line)),
            not_reached=tuple(dict.fromkeys(self._selectors.not_reached)),
            notes=tuple(dict.fromkeys(self._selectors.notes)),
            before=self._content,
            after=edited.after if edited.after != self._content else b"",
            sure=edited.sure if edited.sure != self._content else b"",
        )


def _without_clashes(leads: list[tuple[Broken, Lead]]) -> list[tuple[Broken, Lead]]:
    """Two selectors that call their elements by different names do not become one element."""
    return [(broken, _clash(broken, lead, leads) or lead) for broken, lead in leads]


def _clash(broken: Broken, lead: Lead, leads: Sequence[tuple[Broken, Lead]]) -> Lead | None:
    if lead.found is None:
        return None
    mine = sayings(intent_of(broken.selector))
    for other, rival in leads:
        is_rival = other is not broken and rival.found is not None and rival.found.element == lead.found.element
        if is_rival and sayings(intent_of(other.selector)).isdisjoint(mine):
            return Lead(None, "ambiguous", "Two selectors of the file lead to the same element.", (lead.found,))
    return None


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
