"""One test file against one page: which of its selectors find nothing, and the file with those healed."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from testwright.heal.intent_matcher import ExplainedMatch
from testwright.heal.page_names import PageNames
from testwright.heal.selector_intent import intent_of
from testwright.heal.source.languages import language_of
from testwright.heal.source.locator_finder import find_locators
from testwright.heal.source.locator_uses import LocatorKind, LocatorUse
from testwright.heal.source.selector_edit import SelectorEdit, apply_edit, edit_for
from testwright.heal.source.weakening_guard import never_weaker
from testwright.model.errors import SelectorNotPatchable, TestwrightError
from testwright.model.selector import Selector
from testwright.pipeline.healing.on_request.answer import AUTO_APPLY_FROM, FileAnswer, HealedSelector, Unhealed
from testwright.pipeline.healing.on_request.selector_tracker import Lead, Memory, SelectorTracker, sayings
from testwright.pipeline.healing.on_request.testid_attribute import DEFAULT
from testwright.selectors.selector_choice import choose_selector
from testwright.selectors.selector_matcher import CANNOT_BE_TRIED
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical

_ENOUGH_TO_JUDGE = 4  # selectors of a file, before their absence says something about the page
# A test that says that something is not there is right when it finds nothing.
_SAYS_ABSENT = re.compile(
    r"\.not\.|\bnot_to_|toBeHidden|to_be_hidden|toHaveCount\(\s*0\s*\)|to_have_count\(\s*0\s*\)"
    r"|toBeDetached|state\s*[:=]\s*['\"](?:hidden|detached)['\"]|isHidden\(|is_hidden\("
)
_LOGIN = re.compile(r"password|passwd|pwd|log[-_ ]?[io]n|sign[-_ ]?in", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment when looking ends."""

    until: float
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float, clock: Callable[[], float] = time.monotonic) -> "Deadline":
        return cls(clock() + seconds, clock)

    @property
    def is_past(self) -> bool:
        return self.clock() >= self.until


@dataclass(frozen=True, slots=True)
class Broken:
    """A selector that finds nothing, and the places it is written in."""

    selector: Selector
    uses: tuple[LocatorUse, ...]  # empty: it was asked for, and is not in the file

    @property
    def line(self) -> int:
        return self.uses[0].line if self.uses else 0


class _Placed(NamedTuple):
    """A heal for one place in the file."""

    shown: HealedSelector
    use: LocatorUse | None
    new: Selector


def heal_file(
    file: str,
    content: bytes,
    reading: PageNames,
    *,
    wanted: Sequence[str] = (),
    memory: Memory = lambda _: (),
    test_id_attribute: str = DEFAULT,
    deadline: Deadline,
) -> FileAnswer:
    """What can be said of a file's selectors on a page. Raises InvalidTestSyntax and the like."""
    work = _Work(file, content, SelectorTracker(file, reading, memory, (test_id_attribute,)), deadline)
    work.look()
    return work.answer(wanted)


class _Work:
    """The state of one file's healing."""

    def __init__(self, file: str, content: bytes, tracker: SelectorTracker, deadline: Deadline) -> None:
        self.file, self.content, self.tracker, self.deadline = file, content, tracker, deadline
        self.uses = find_locators(content, file)
        self.notes: list[str] = []
        self.broken: dict[str, Broken] = {}
        self.untried: dict[str, TestwrightError] = {}
        self.working = 0
        self.not_reached: list[str] = []

    def look(self) -> None:
        """Try every selector of the file on the page."""
        counts = {"dynamic": 0, "absent": 0}
        for use in self.uses:
            selector = use.whole
            if selector is None:
                counts["dynamic"] += 1
            elif self.deadline.is_past:
                self.not_reached.append(_shown(use))
            elif found := self._matches(selector):
                self.working += 1
                self.tracker.claim(selector, found)
            elif found is not None and self._says_absent(use):
                counts["absent"] += 1
            elif found is not None:
                self._add(selector, use)
        if counts["dynamic"]:
            self.notes.append(f"{counts['dynamic']} selectors are put together while the test runs, and were left out.")
        if counts["absent"]:
            self.notes.append(f"{counts['absent']} selectors are meant to find nothing, and were left out.")

    def _matches(self, selector: Selector) -> tuple[int, ...] | None:
        """None: it cannot be tried on a kept page, so that nobody knows whether it is broken."""
        try:
            return self.tracker.matches(selector)
        except CANNOT_BE_TRIED as error:
            self.notes.append(f"{selector.text}: {error.message}")
            self.untried[canonical(selector)] = error
            return None

    def _says_absent(self, use: LocatorUse) -> bool:
        lines = self.content.decode("utf-8", errors="replace").split("\n")[use.line - 1 : use.line + 4]
        rest = "\n".join(lines).partition(use.text)[2]
        statement = re.split(r";|\n(?!\s*[).])", rest, maxsplit=1)[0]  # a line that begins with these goes on
        return _SAYS_ABSENT.search(statement) is not None

    def _add(self, selector: Selector, use: LocatorUse) -> None:
        key = canonical(selector)
        known = self.broken.get(key)
        self.broken[key] = Broken(selector, (*(known.uses if known else ()), use))

    def answer(self, wanted: Sequence[str]) -> FileAnswer:
        chosen, unhealed = self._wanted(wanted) if wanted else (list(self.broken.values()), [])
        self._note_wrong_page()
        self.tracker.is_about_login = self._speaks_of_login() and (bool(wanted) or not self._mostly_broken)
        leads = self._leads(chosen, asked=bool(wanted))
        healed: list[_Placed] = []
        for broken, lead in leads:
            if lead.elsewhere and not wanted:
                self.notes.append(f"{broken.selector.text}: {lead.explanation}")
            elif lead.found is None:
                unhealed.append(self._unhealed(broken, lead))
            else:
                done, missed = self._healed(broken, lead, lead.found)
                healed += done
                unhealed += missed
        return self._finished(healed, unhealed)

    def _wanted(self, wanted: Sequence[str]) -> tuple[list[Broken], list[Unhealed]]:
        """What was asked for, as far as it is broken, and what of it cannot be tried."""
        chosen: list[Broken] = []
        refused: list[Unhealed] = []
        for text in wanted:
            selector = parse_selector(text)
            known = self.broken.get(canonical(selector))
            if known is not None:
                chosen.append(known)
            elif found := self._matches(selector):
                self.notes.append(f"{text}: it is not broken: the page has what it looks for.")
            elif found is None:
                error = self.untried[canonical(selector)]
                refused.append(Unhealed(text, 0, error.code, error.message))
            else:
                chosen.append(Broken(selector, ()))
                self.notes.append(f"{text}: it is not in the file as such.")
        return chosen, refused

    def _note_wrong_page(self) -> None:
        if self._mostly_broken:
            total = self.working + len(self.broken)
            self.notes.append(
                f"{len(self.broken)} of {total} selectors find nothing: the page may be another than the test is about."
            )

    @property
    def _mostly_broken(self) -> bool:
        total = self.working + len(self.broken)
        return total >= _ENOUGH_TO_JUDGE and len(self.broken) > total / 2

    def _speaks_of_login(self) -> bool:
        said = " ".join(use.text for use in self.uses)
        return _LOGIN.search(said) is not None

    @property
    def _is_strange_page(self) -> bool:
        return not self.working and len(self.broken) >= _ENOUGH_TO_JUDGE

    def _leads(self, chosen: Sequence[Broken], *, asked: bool) -> list[tuple[Broken, Lead]]:
        leads: list[tuple[Broken, Lead]] = []
        for broken in chosen:
            if self.deadline.is_past:
                self.not_reached.append(broken.selector.text)
                continue
            lead = self._lead(broken.selector)
            if lead.found and any(not use.is_whole for use in broken.uses):
                lead = Lead(None, "scope_unknown", "Where it is looked for is known only at run time.", (lead.found,))
            if lead.found and not lead.remembered and not asked and self._is_strange_page:
                lead = Lead(None, "other_page", "No selector of the file finds anything on this page.", (lead.found,))
            leads.append((broken, lead))
        return _without_clashes(leads)

    def _lead(self, selector: Selector) -> Lead:
        try:
            return self.tracker.follow(selector)
        except CANNOT_BE_TRIED as error:  # the place that it is looked for in, or another selector of the file
            return Lead(None, error.code, error.message)

    def _healed(self, broken: Broken, lead: Lead, found: ExplainedMatch) -> tuple[list[_Placed], list[Unhealed]]:
        """The new selector for each place, which may differ: not every place takes every spelling."""
        done: list[_Placed] = []
        missed: list[Unhealed] = []
        for use in broken.uses or (None,):
            new = self._new_selector(broken, found, use)
            line = use.line if use else 0
            old = _shown(use) if use else broken.selector.text
            if new is None:
                missed.append(Unhealed(old, line, "no_selector", "No selector finds that element alone."))
            else:
                shown = HealedSelector(
                    old, new.text, found.confidence, found.strategy, line, lead.explanation, remembered=lead.remembered
                )
                done.append(_Placed(shown, use, new))
        return done, missed

    def _new_selector(self, broken: Broken, found: ExplainedMatch, use: LocatorUse | None) -> Selector | None:
        string_only = use.string_only if use else None  # as a string where it was asked for as one
        like = (use.whole if use else None) or broken.selector
        return choose_selector(
            self.tracker.page,
            found.element,
            like=like,
            test_id_attributes=self.tracker.test_id_attributes,
            string_only=string_only,
        )

    def _unhealed(self, broken: Broken, lead: Lead) -> Unhealed:
        suggestions = []
        for each in lead.suggestions:
            new = self._new_selector(broken, each, broken.uses[0] if broken.uses else None)
            if new is not None:
                suggestions.append(
                    HealedSelector(
                        broken.selector.text, new.text, each.confidence, each.strategy, broken.line, each.why
                    )
                )
        old = _shown(broken.uses[0]) if broken.uses else broken.selector.text
        return Unhealed(old, broken.line, lead.reason, lead.explanation, tuple(suggestions))

    def _finished(self, healed: list[_Placed], unhealed: list[Unhealed]) -> FileAnswer:
        kept: list[HealedSelector] = [one.shown for one in healed if one.use is None]
        edits, refused = _edits(self.file, healed)
        unhealed += refused
        after = sure = self.content
        for edit, shown in edits:
            try:
                changed = self._edited(after, edit)
                if shown.confidence >= AUTO_APPLY_FROM:
                    sure = self._edited(sure, edit)
            except SelectorNotPatchable as error:
                unhealed.append(_not_written(shown, error.message))
                continue
            after = changed
            kept.append(shown)
        return FileAnswer(
            self.file,
            healed=tuple(sorted(kept, key=lambda one: one.line_number)),
            unhealed=tuple(sorted(unhealed, key=lambda one: one.line_number)),
            not_reached=tuple(dict.fromkeys(self.not_reached)),
            notes=tuple(dict.fromkeys(self.notes)),
            before=self.content,
            after=after if after != self.content else b"",
            sure=sure if sure != self.content else b"",
        )

    def _edited(self, content: bytes, edit: SelectorEdit) -> bytes:
        changed = apply_edit(content, edit)
        language = language_of(self.file)
        if language is not None and (complaints := never_weaker(content, changed, language)):
            raise SelectorNotPatchable(f"The change would weaken the test: {complaints[0]}.")
        return changed


def _edits(file: str, healed: Sequence[_Placed]) -> tuple[list[tuple[SelectorEdit, HealedSelector]], list[Unhealed]]:
    """One edit for each place, last place first, so that those before it stay where they are."""
    edits: dict[tuple[int, int], tuple[SelectorEdit, HealedSelector]] = {}
    refused: list[Unhealed] = []
    for one in healed:
        if one.use is None:
            continue
        try:
            edit = edit_for(one.use, one.new)
        except SelectorNotPatchable as error:
            refused.append(_not_written(one.shown, error.message))
            continue
        known = edits.get((edit.start, edit.end))
        if edit.file != file:
            refused.append(_not_written(one.shown, f"It is written in {edit.file}: heal that file."))
        elif known is not None and known[0].new != edit.new:
            refused.append(_not_written(one.shown, "Its place is also that of another selector, which became another."))
        elif known is None:
            edits[edit.start, edit.end] = (edit, one.shown)
    return sorted(edits.values(), key=lambda pair: -pair[0].start), refused


def _not_written(shown: HealedSelector, why: str) -> Unhealed:
    return Unhealed(shown.old_selector, shown.line_number, SelectorNotPatchable.code, why, (shown,))


def _shown(use: LocatorUse) -> str:
    """The selector as a reader of the file calls it: the text itself where there is one."""
    literal = use.pieces[0].literal if use.kind is not LocatorKind.CHAIN and use.pieces else None
    if literal is not None:
        return literal.value
    return use.selector.text if use.selector else use.text


def _without_clashes(leads: list[tuple[Broken, Lead]]) -> list[tuple[Broken, Lead]]:
    """Two selectors that call their elements by different names do not become one element."""
    kept: list[tuple[Broken, Lead]] = []
    for broken, lead in leads:
        mine = sayings(intent_of(broken.selector))
        clash = lead.found is not None and any(
            other is not broken
            and rival.found is not None
            and rival.found.element == lead.found.element
            and sayings(intent_of(other.selector)).isdisjoint(mine)
            for other, rival in leads
        )
        if clash and lead.found is not None:
            refused = Lead(None, "ambiguous", "Two selectors of the file lead to the same element.", (lead.found,))
            kept.append((broken, refused))
        else:
            kept.append((broken, lead))
    return kept
