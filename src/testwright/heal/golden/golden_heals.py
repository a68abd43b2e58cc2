"""Which golden files may be brought up to date, and which tests found a real change."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from testwright.heal.golden.golden_failures import GoldenFailure, golden_failures
from testwright.heal.golden.screen_comparison import ChangeKind, ScreenChange, compare_screens
from testwright.heal.heal_adapter import NotHealable
from testwright.model.errors import TestwrightError
from testwright.model.heal import HealOutcome
from testwright.model.proposal import Evidence

ReadFile = Callable[[str], bytes | None]  # a path from the project's root; None: there is no such file

_MODULE = re.compile(rb'^\s*module\s+"?([^\s"]+)"?', re.MULTILINE)
_MOST_PAIRS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class GoldenHeal:
    """What is to be done about one golden file that no longer matches. Only HEAL is meant to be proposed."""

    package: str
    test: str
    outcome: HealOutcome
    reason: str  # a stable code: healed, text_changed, reordered, too_much_changed, golden_changed, ...
    explanation: str
    file: str = ""  # the golden file, from the project's root; empty: not found
    before: bytes = b""
    after: bytes = b""  # the file as it would become
    change: ScreenChange | None = None

    @property
    def title(self) -> str:
        return f"Golden file of {self.test}: {self.reason if self.change is None else self.change.kind}"

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        change = self.change
        if change is None:
            return (Evidence(self.explanation, source=self.file),)
        count = f"{change.changed_cells} of {change.cells} cells differ ({change.share:.0%})"
        moves = [
            f"'{old.text}' from line {old.line + 1}, column {old.column + 1} to {new.line + 1}, {new.column + 1}"
            for old, new in change.moved[:_MOST_PAIRS_SHOWN]
        ]
        more = len(change.moved) - len(moves)
        detail = "; ".join([*moves, *([f"and {more} more"] if more > 0 else [])])
        return (Evidence(self.explanation, source=self.file), Evidence(count, detail=detail, source=self.test))


def golden_heals(report_lines: Iterable[str | bytes], read_file: ReadFile) -> list[GoldenHeal]:
    """What `go test -json` says of golden files, judged one by one, each test once.

    A test that drew different things when it ran several times is not healed.
    """
    by_test: dict[tuple[str, str], list[GoldenFailure]] = {}
    for failure in golden_failures(report_lines):
        by_test.setdefault((failure.package, failure.test), []).append(failure)
    return [_judged(failures, read_file) for failures in by_test.values()]


def _judged(failures: list[GoldenFailure], read_file: ReadFile) -> GoldenHeal:
    first = failures[0]
    try:
        file, before, after = golden_file_of(first, read_file)
        is_steady = all(failure.actual(before) == after for failure in failures[1:])
    except NotHealable as refusal:
        return GoldenHeal(first.package, first.test, HealOutcome.ABSTAIN, refusal.reason, refusal.explanation)
    if not is_steady:
        told = "The test drew different screens when it ran more than once."
        return GoldenHeal(first.package, first.test, HealOutcome.ABSTAIN, "unsteady", told, file, before)
    try:
        change = compare_screens(before, after)
    except TestwrightError as error:
        return GoldenHeal(
            first.package, first.test, HealOutcome.ABSTAIN, error.code, error.message, file, before, after
        )
    return GoldenHeal(
        first.package,
        first.test,
        outcome_of(change),
        change.obstacle or "healed",
        change.explanation,
        file,
        before,
        after,
        change,
    )


def outcome_of(change: ScreenChange) -> HealOutcome:
    if change.may_heal:
        return HealOutcome.HEAL
    is_behaviour = change.kind in (ChangeKind.TEXT_CHANGED, ChangeKind.UNSEEN)
    return HealOutcome.ABSTAIN if is_behaviour else HealOutcome.SUGGEST


def golden_file_of(failure: GoldenFailure, read_file: ReadFile) -> tuple[str, bytes, bytes]:
    """The golden file with what it holds, and what was drawn instead. Raises NotHealable."""
    found: list[tuple[str, bytes, bytes]] = []
    refusal = NotHealable(
        "no_golden_file", f"There is no golden file {failure.golden} of the package {failure.package}."
    )
    for folder in _folders(failure.package, read_file):
        file = f"{folder}/{failure.golden}" if folder else failure.golden
        golden = read_file(file)
        if golden is None:
            continue
        try:
            found.append((file, golden, failure.actual(golden)))
        except NotHealable as why:
            refusal = why
    if len(found) > 1:
        raise NotHealable(
            "no_golden_file", f"Several files may be the golden file: {', '.join(file for file, *_ in found)}."
        )
    if not found:
        raise refusal
    return found[0]


def _folders(package: str, read_file: ReadFile) -> list[str]:
    """Where the package may lie. Go names it by its import path; the module's name says what of that is a folder."""
    parts = [part for part in package.split("/") if part]
    if any(part in (".", "..") or "\\" in part for part in parts):
        return []
    named = _MODULE.search(read_file("go.mod") or b"")
    module = named[1].decode("utf-8", errors="replace") if named else ""
    if module and (package == module or package.startswith(f"{module}/")):
        return [package[len(module) + 1 :]]
    return ["/".join(parts[at:]) for at in range(len(parts) + 1)]
