"""Read what `go test -json` says of golden files that no longer match: which test, and what it drew instead."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import msgspec

from testwright.heal.heal_adapter import NotHealable

MOST_OUTPUT = 40_000_000  # characters of one test: both screens quoted, and their diff

_HEADING = re.compile(r"^( *)\S[^\n]*\.go:\d+: output does not match, expected:\n", re.MULTILINE)
_MOST_HEADINGS = 20  # that a screen may hold by itself
_GOT = "\n\ngot:\n\n"
_DIFF = "\n\ndiff:\n\n--- golden\n+++ run\n"
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.?))", re.DOTALL)
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"'}


@dataclass(frozen=True, slots=True)
class GoldenFailure:
    """A test whose screen is not its golden file's. `report` holds both, quoted, as the test printed them."""

    package: str  # by its import path
    test: str  # with its subtests: TestMenu/wide
    report: str

    @property
    def golden(self) -> str:
        """Its golden file, from the package's folder. Raises NotHealable for a name that leads elsewhere."""
        path = PurePosixPath("testdata") / f"{self.test}.golden"
        if any(part in ("", ".", "..") for part in self.test.split("/")) or "\\" in self.test or "\0" in self.test:
            raise NotHealable("no_golden_file", f"The test {self.test!r} has no golden file of its own.")
        return path.as_posix()

    def actual(self, golden: bytes) -> bytes:
        """What was drawn instead of `golden`. Raises NotHealable where the report is about another golden file."""
        for expected in {golden, golden.replace(b"\r\n", b"\n")}:  # on Windows the lines are ended the other way
            start = _end_of(self.report, expected)
            if start is None:
                continue
            got, *rest = self.report[start:].split(_DIFF)
            if len(rest) != 1:
                raise NotHealable("report_unclear", "The report does not say where the screen ends.")
            return unquoted(got)
        raise NotHealable("golden_changed", "The golden file is no longer the one that the test was compared with.")


def _end_of(report: str, expected: bytes) -> int | None:
    """Where the report is done with the expected screen. Only what is quoted tells: a screen may hold any heading."""
    at = report.find(_GOT)
    for _ in range(_MOST_HEADINGS):
        if at < 0:
            break
        if unquoted(report[:at]) == expected:
            return at + len(_GOT)
        at = report.find(_GOT, at + 1)
    return None


def unquoted(text: str) -> bytes:
    """The bytes behind lines that Go's `strconv.Quote` spelled. Raises NotHealable where they are none."""
    made = bytearray()
    end = 0
    for escape in _ESCAPE.finditer(text):
        made += text[end : escape.start()].encode("utf-8", errors="surrogatepass")
        made += _meant(escape)
        end = escape.end()
    made += text[end:].encode("utf-8", errors="surrogatepass")
    return bytes(made)


def _meant(escape: re.Match[str]) -> bytes:
    byte, short, long, letter = escape.groups()
    if byte:
        return bytes([int(byte, 16)])
    number = int(short or long or "0", 16)
    if number and number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF:
        return chr(number).encode("utf-8")
    if letter in _LETTERS:
        return _LETTERS[letter].encode()
    raise NotHealable("report_unclear", "The report holds an escape that Go does not write.")


class _Event(msgspec.Struct, rename="pascal"):
    action: str
    package: str = ""
    test: str = ""
    output: str = ""


@dataclass(slots=True)
class _Running:
    output: list[str] = field(default_factory=list)
    size: int = 0


def golden_failures(report_lines: Iterable[str | bytes]) -> list[GoldenFailure]:
    """The tests that failed because of a golden file. Lines that are not events are passed over."""
    decoder = msgspec.json.Decoder(_Event)
    running: dict[tuple[str, str], _Running] = {}
    found: list[GoldenFailure] = []
    for line in report_lines:
        try:
            event = decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            continue  # between the events stand words of the compiler; the importer judges the report as a whole
        if not event.test:
            continue
        key = event.package, event.test
        if event.action == "run":
            running[key] = _Running()
        elif event.action == "output":
            _hear(running.setdefault(key, _Running()), event.output)
        elif event.action == "fail":
            report = _report("".join(running.pop(key, _Running()).output))
            found += [GoldenFailure(*key, report)] if report else []  # else it failed for another reason
    return found


def _hear(test: _Running, output: str) -> None:
    test.size += len(output)
    if test.size <= MOST_OUTPUT:
        test.output.append(output)


def _report(output: str) -> str:
    """What follows the heading, without the indent that Go gives it; empty where there is not exactly one heading."""
    headings = list(_HEADING.finditer(output))
    if len(headings) != 1:
        return ""
    indent = headings[0][1] + "    "
    kept: list[str] = []
    for line in output[headings[0].end() :].split("\n"):
        if not line.startswith(indent) and line.strip(" "):
            break
        kept.append(line.removeprefix(indent) if line.startswith(indent) else "")
    return "\n".join(kept[1:])  # a blank line comes first
