"""Whether a selector is written once for several tests, and still does its work in another one."""

from collections.abc import Mapping

from testwright.heal.source.definitions import Definition, definition_of
from testwright.heal.web_adapter import Draft
from testwright.model.case import TestId
from testwright.pipeline.healing.remembering import Memory


def works_elsewhere(
    files: Mapping[str, bytes], memory: Memory, draft: Draft, selector: str, passed: frozenset[TestId]
) -> TestId | None:
    """A test that passed in this run and finds its element by the very same place; None: there is none.

    The place is not what is broken then, and a patch of it would break that test.
    """
    for seen in memory.of_selector(selector):
        if seen.test not in passed:
            continue
        place = definition_of(files, [seen.site], seen.selector)
        if isinstance(place, Definition) and _touches(draft, place):
            return seen.test
    return None


def _touches(draft: Draft, place: Definition) -> bool:
    """Whether the draft changes any of the text that the selector at `place` is made of."""
    ranges = [(piece.file, piece.start, piece.end) for piece in place.pieces]
    ranges += [(text.file, text.start, text.end) for piece in place.pieces if (text := piece.literal) is not None]
    file, start, end = draft.key
    return any(other == file and first < end and start < last for other, first, last in ranges)
