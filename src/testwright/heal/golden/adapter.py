"""Golden screens of terminal programs (Bubble Tea) on the seam of healing.

A screen has no selectors: what is lost is the whole picture, and what mends the test is the golden file brought up to
date. The strategies look among the runs of text on the screen that was drawn, so that a person can be shown where each
of them went. Whether the file may be updated is for `comparing` to say, never for a single run of text.
"""

import re

from testwright.heal.golden.golden_failures import golden_failure
from testwright.heal.golden.golden_heals import ReadFile, golden_file_of, outcome_of
from testwright.heal.golden.screen_comparison import compare_screens
from testwright.heal.golden.terminal_screen import Cell, play, size_of, tokens_of
from testwright.heal.heal_adapter import NotHealable
from testwright.heal.page_strategies import PageStrategies
from testwright.heal.source.unified_patch import patch_bytes
from testwright.model.case import Framework
from testwright.model.dom import Box, DomSnapshot, Element
from testwright.model.errors import TestwrightError
from testwright.model.heal import FailureRecord, HealOutcome, OriginalSelector, Strategy

_GAP = re.compile(r" {2,}")


class GoldenAdapter(PageStrategies):
    """`read_file` gives the golden files of the project, from its root."""

    def __init__(self, read_file: ReadFile) -> None:
        self._read_file = read_file
        self._screens: dict[str, tuple[bytes, bytes]] = {}  # by golden file: as it is, as it was drawn

    def parse_failure(self, record: FailureRecord) -> tuple[OriginalSelector, DomSnapshot]:
        if record.case.framework is not Framework.GO:
            raise NotHealable("other_framework", "This is no test of a Go program.")
        failure = golden_failure(*_names(record), record.message)
        if failure is None:
            raise NotHealable("not_a_golden", "The test did not fail because of a golden file.")
        file, before, after = golden_file_of(failure, self._read_file)
        self._screens[file] = before, after
        try:
            page = snapshot_of(after)
        except TestwrightError as error:
            raise NotHealable(error.code, error.message) from None
        return OriginalSelector(file, action="golden", sites=record.stack), page

    def emit_patch(self, original: OriginalSelector, found: Element, strategy: Strategy) -> bytes:
        """The diff that brings the golden file up to date, as `git apply` takes it, escape codes and all.

        Raises NotHealable where the screens differ in more than their looks, whatever was found on them.
        """
        name = original.text
        before, after = self._screens[name]
        change = compare_screens(before, after)
        if outcome_of(change) is not HealOutcome.HEAL:
            raise NotHealable(change.obstacle, change.explanation)
        new = f"{change.kind}: '{found.text}'"
        try:
            return patch_bytes(name, before, after, strategy=str(strategy), old=name, new=new)
        except TestwrightError as error:
            raise NotHealable(error.code, error.message) from None


def _names(record: FailureRecord) -> tuple[str, str]:
    test = "/".join(record.case.title)
    return record.case.native_id.removesuffix(test).removesuffix(".") or record.case.file, test


def snapshot_of(screen: bytes) -> DomSnapshot:
    """The runs of text on a screen as elements; a cell is a pixel. Two blanks part one run from the next."""
    tokens = tokens_of(screen)
    columns, lines = size_of(tokens)
    rows = play(tokens, columns, lines).rows
    elements = [Element(0, None, "screen", box=Box(0, 0, columns, lines))]
    for number, row in enumerate(rows):
        for text, start, end in _runs(row):
            box = Box(start, number, end - start, 1)
            elements.append(Element(len(elements), 0, "text", own_text=text, text=text, box=box))
    return DomSnapshot(tuple(elements), viewport=(columns, lines))


def _runs(row: tuple[Cell, ...]) -> list[tuple[str, int, int]]:
    found = []
    column = 0
    # One character for each cell, so that places in the line are columns.
    drawn = "".join("x" if not cell.is_blank else " " for cell in row)
    for part in _GAP.split(drawn):
        start = drawn.index(part, column) if part else column
        column = start + len(part)
        trimmed = part.strip(" ")
        if trimmed:
            begin = start + part.index("x")
            end = begin + len(trimmed)
            found.append(("".join(cell.text for cell in row[begin:end]), begin, end))
    return found
