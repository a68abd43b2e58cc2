"""Many heals in one file: which can stand beside one another, and the file that holds them all."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from testwright.heal.selector_draft import SelectorDraft
from testwright.heal.source.selector_edit import apply_edit
from testwright.pipeline.healing.heal_candidate import HealCandidate


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
