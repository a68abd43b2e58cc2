"""Which of the elements that are remembered is the one a failing selector used to find."""

from collections.abc import Mapping, Sequence
from typing import Protocol
from urllib.parse import urlsplit

from testwright.heal.selector_draft import SelectorDraft
from testwright.heal.source.selector_definition import SelectorDefinition, definition_of
from testwright.model.case import TestId
from testwright.model.dom import DomSnapshot
from testwright.model.heal import FailureRecord, Sighting
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE, Dialect
from testwright.selectors.selector_matcher import matching
from testwright.selectors.selector_parser import parse_selector


class Memory(Protocol):
    """Where sightings are kept."""

    def of_test(self, test: TestId) -> list[Sighting]: ...
    def of_selector(self, selector: str) -> list[Sighting]: ...


def remembered(memory: Memory, record: FailureRecord, selector: str, address: str = "") -> Sighting | None:
    """The test's own sighting by that selector, or that of another test in the same file; None: there is none.

    A selector may be used several times in a test, on pages of their own: the same line counts most, then the same
    address.
    """
    lines = {(site.file, site.line): place for place, site in enumerate(record.stack)}
    files = {site.file for site in record.stack} | {record.case.file}
    own = [seen for seen in memory.of_test(record.case.id) if seen.selector == selector]
    others = [] if own else [seen for seen in memory.of_selector(selector) if seen.site.file in files]
    found = own or others
    if not found:
        return None
    return min(found, key=lambda seen: (_farness(seen, lines, record), not _same_address(seen.page.url, address)))


def _farness(seen: Sighting, lines: dict[tuple[str, int], int], record: FailureRecord) -> tuple[int, int]:
    """Nearest first: used on the very line that failed, then in the same file by the distance of the lines."""
    site = seen.site.file, seen.site.line
    if site in lines:
        return 0, lines[site]
    distances = [abs(there.line - seen.site.line) for there in record.stack if there.file == seen.site.file]
    return 1, min(distances, default=1 << 30)


def _same_address(one: str, other: str) -> bool:
    return urlsplit(one).path == urlsplit(other).path


def claimed_by_others(
    sightings: Sequence[Sighting],
    selector: str,
    lost: tuple[DomSnapshot, int],
    found: tuple[DomSnapshot, int],
    test_id_attributes: Sequence[str] = (DEFAULT_TEST_ID_ATTRIBUTE,),
) -> str:
    """The selector of the same test that finds the new element and never found the lost one; empty: there is none.

    Two selectors of one test that meant different things must not end on the same element. Raises SelectorUnsupported
    and the like for one that cannot be tried: then it is unknown.
    """
    for other in dict.fromkeys(seen.selector for seen in sightings if seen.selector != selector):
        parsed = parse_selector(other, Dialect.INTERNAL)
        now = matching(parsed, found[0], test_id_attributes=test_id_attributes)
        if now == (found[1],) and lost[1] not in matching(parsed, lost[0], test_id_attributes=test_id_attributes):
            return other
    return ""


# --- Whether a selector is written once for several tests, and still does its work in another one -------------------


def works_elsewhere(
    files: Mapping[str, bytes], memory: Memory, draft: SelectorDraft, selector: str, passed: frozenset[TestId]
) -> TestId | None:
    """A test that passed in this run and finds its element by the very same place; None: there is none.

    The place is not what is broken then, and a patch of it would break that test.
    """
    for seen in memory.of_selector(selector):
        if seen.test not in passed:
            continue
        place = definition_of(files, [seen.site], seen.selector)
        if isinstance(place, SelectorDefinition) and _touches(draft, place):
            return seen.test
    return None


def _touches(draft: SelectorDraft, place: SelectorDefinition) -> bool:
    """Whether the draft changes any of the text that the selector at `place` is made of."""
    ranges = [(piece.file, piece.start, piece.end) for piece in place.pieces]
    ranges += [(text.file, text.start, text.end) for piece in place.pieces if (text := piece.literal) is not None]
    file, start, end = draft.key
    return any(other == file and first < end and start < last for other, first, last in ranges)
