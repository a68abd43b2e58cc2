"""The selectors of a test file on a page: which work, which find nothing, and which cannot be tried there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from testwright.heal.source.locator_finder import find_locators
from testwright.heal.source.locator_uses import LocatorKind, LocatorUse
from testwright.heal.thresholds import ENOUGH_TO_JUDGE_A_PAGE, MOSTLY_BROKEN
from testwright.model.errors import TestwrightError
from testwright.model.heal import HealOutcome, SelectorHeal
from testwright.model.selector import Selector
from testwright.pipeline.healing.on_request.request import Deadline
from testwright.pipeline.healing.on_request.selector_tracker import SelectorTracker
from testwright.selectors.selector_matcher import CANNOT_BE_TRIED
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical

# A test that says that something is not there is right when it finds nothing.
_SAYS_ABSENT = re.compile(
    r"\.not\.|\bnot_to_|toBeHidden|to_be_hidden|toHaveCount\(\s*0\s*\)|to_have_count\(\s*0\s*\)"
    r"|toBeDetached|state\s*[:=]\s*['\"](?:hidden|detached)['\"]|isHidden\(|is_hidden\("
)
_LOGIN = re.compile(r"password|passwd|pwd|log[-_ ]?[io]n|sign[-_ ]?in", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Broken:
    """A selector that finds nothing, and the places it is written in."""

    selector: Selector
    uses: tuple[LocatorUse, ...]  # empty: it was asked for, and is not in the file

    @property
    def line(self) -> int:
        return self.uses[0].line if self.uses else 0

    @property
    def shown(self) -> str:
        return shown_use(self.uses[0]) if self.uses else self.selector.text


class FileSelectors:
    """The selectors of one file, each tried once."""

    def __init__(self, file: str, content: bytes, tracker: SelectorTracker, deadline: Deadline) -> None:
        self._content, self._tracker = content, tracker
        self._uses = find_locators(content, file)
        self.notes: list[str] = []
        self.not_reached: list[str] = []
        self._broken: dict[str, Broken] = {}
        self._untried: dict[str, TestwrightError] = {}
        self._working = 0
        self._try_all(deadline)

    def _try_all(self, deadline: Deadline) -> None:
        counts = {"dynamic": 0, "absent": 0}
        for use in self._uses:
            selector = use.whole
            if selector is None:
                counts["dynamic"] += 1
            elif deadline.is_past:
                self.not_reached.append(shown_use(use))
            elif found := self._matches(selector):
                self._working += 1
                self._tracker.claim(selector, found)
            elif found is not None and self._says_absent(use):
                counts["absent"] += 1
            elif found is not None:
                self._add(selector, use)
        if counts["dynamic"]:
            self.notes.append(f"{counts['dynamic']} selectors are put together while the test runs, and were left out.")
        if counts["absent"]:
            self.notes.append(f"{counts['absent']} selectors are meant to find nothing, and were left out.")

    def broken(self, wanted: Sequence[str] = ()) -> tuple[list[Broken], list[SelectorHeal]]:
        """What is broken, of `wanted` where anything is, and what of that cannot be tried."""
        if not wanted:
            return list(self._broken.values()), []
        chosen: list[Broken] = []
        refused: list[SelectorHeal] = []
        for text in wanted:
            selector = parse_selector(text)
            known = self._broken.get(canonical(selector))
            if known is not None:
                chosen.append(known)
            elif found := self._matches(selector):
                self.notes.append(f"{text}: it is not broken: the page has what it looks for.")
            elif found is None:
                error = self._untried[canonical(selector)]
                refused.append(SelectorHeal(text, HealOutcome.ABSTAIN, error.code, error.message))
            else:
                chosen.append(Broken(selector, ()))
                self.notes.append(f"{text}: it is not in the file as such.")
        return chosen, refused

    def note_a_wrong_page(self) -> None:
        if self.are_mostly_broken:
            total = self._working + len(self._broken)
            self.notes.append(
                f"{len(self._broken)} of {total} selectors find nothing: "
                "the page may be another than the test is about."
            )

    @property
    def are_mostly_broken(self) -> bool:
        total = self._working + len(self._broken)
        return total >= ENOUGH_TO_JUDGE_A_PAGE and len(self._broken) > total * MOSTLY_BROKEN

    @property
    def are_all_broken(self) -> bool:
        return not self._working and len(self._broken) >= ENOUGH_TO_JUDGE_A_PAGE

    @property
    def speak_of_a_login(self) -> bool:
        return _LOGIN.search(" ".join(use.text for use in self._uses)) is not None

    def _matches(self, selector: Selector) -> tuple[int, ...] | None:
        """None: it cannot be tried on a kept page, so it is unknown whether it is broken."""
        try:
            return self._tracker.matches(selector)
        except CANNOT_BE_TRIED as error:
            self.notes.append(f"{selector.text}: {error.message}")
            self._untried[canonical(selector)] = error
            return None

    def _says_absent(self, use: LocatorUse) -> bool:
        lines = self._content.decode("utf-8", errors="replace").split("\n")[use.line - 1 : use.line + 4]
        rest = "\n".join(lines).partition(use.text)[2]
        statement = re.split(r";|\n(?!\s*[).])", rest, maxsplit=1)[0]  # a line that begins with these goes on
        return _SAYS_ABSENT.search(statement) is not None

    def _add(self, selector: Selector, use: LocatorUse) -> None:
        key = canonical(selector)
        known = self._broken.get(key)
        self._broken[key] = Broken(selector, (*(known.uses if known else ()), use))


def shown_use(use: LocatorUse) -> str:
    """The selector as a reader of the file calls it: the text itself where there is one."""
    literal = use.pieces[0].literal if use.kind is not LocatorKind.CHAIN and use.pieces else None
    if literal is not None:
        return literal.value
    return use.selector.text if use.selector else use.text
