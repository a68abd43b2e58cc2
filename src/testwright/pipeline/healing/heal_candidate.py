"""Heals that are worth a try: what speaks for each, which can stand together, and the file that holds them all."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from testwright.heal.selector_draft import SelectorDraft
from testwright.heal.source.selector_edit import apply_edit
from testwright.model.case import TestCase
from testwright.model.heal import HealSuggestion, SelectorHeal, Strategy
from testwright.pipeline.healing.heal_report import HealEntry, HealStatus

_PASSES = "The test passes with the new selector."


@dataclass(frozen=True, slots=True)
class HealCandidate:
    case: TestCase
    module: str
    selector: str  # the old one, in its canonical spelling
    heal: SelectorHeal
    draft: SelectorDraft

    @property
    def strategy(self) -> Strategy:
        return Strategy(self.heal.found_by)

    def healed(self, *, patch: str = "", proposal: str = "") -> HealEntry:
        """What to say where the test passes with it."""
        heal = replace(self.heal, reason="healed", explanation=_PASSES)
        return HealEntry(self.case, self.module, HealStatus.HEALED, heal, patch, proposal)

    def withdrawn(self, reason: str, explanation: str) -> HealEntry:
        """What to say where it does not stand. The new selector may still be what a person wants."""
        suggestions = (HealSuggestion(self.heal.new, why=explanation),)
        heal = replace(self.heal, reason=reason, explanation=explanation, suggestions=suggestions)
        return HealEntry(self.case, self.module, HealStatus.WITHDRAWN, heal)


def without_conflicts(candidates: Sequence[HealCandidate]) -> tuple[list[HealCandidate], list[HealCandidate]]:
    """Those that can be tried together, and those that cannot: two that would write one place differently, or that
    overlap, are both left out, as it is unknown which of them is right."""
    disputed: set[tuple[str, int, int]] = set()
    for one in candidates:
        for other in candidates:
            if one is not other and _clash(one.draft, other.draft):
                disputed |= {one.draft.key, other.draft.key}
    kept = [one for one in candidates if one.draft.key not in disputed]
    return kept, [one for one in candidates if one.draft.key in disputed]


def _clash(one: SelectorDraft, other: SelectorDraft) -> bool:
    if one.key == other.key:
        return one.after != other.after
    (file, start, end), (other_file, other_start, other_end) = one.key, other.key
    return file == other_file and start < other_end and other_start < end


def by_file(candidates: Iterable[HealCandidate]) -> dict[str, list[HealCandidate]]:
    found: defaultdict[str, list[HealCandidate]] = defaultdict(list)
    for candidate in candidates:
        found[candidate.draft.file].append(candidate)
    return dict(found)


def combined(candidates: Sequence[HealCandidate]) -> bytes:
    """The file with every one of these heals, which are all of this file. From the last place to the first, so that
    no edit moves the next one's place."""
    content = candidates[0].draft.before
    drafts = {candidate.draft.key: candidate.draft for candidate in candidates}
    for _, draft in sorted(drafts.items(), key=lambda item: -item[0][1]):
        content = apply_edit(content, draft.edit)
    return content
