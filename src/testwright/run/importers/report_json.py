"""Reports in JSON: as one document or line by line, with a type for every field we use."""

import json
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from testwright.isolate.limits import MIB
from testwright.model.strict_json import JsonObject, read_strict_json, syntax_complaint
from testwright.run.importers.report_file import ReportFile

T = TypeVar("T")

_NOISE_LINES = 1000  # how far to look for the first event behind what a build tool printed


def document(report: ReportFile) -> object:
    """The whole file as one JSON value."""
    try:
        return read_strict_json(report.text)
    except json.JSONDecodeError as error:
        raise report.malformed(f"line {error.lineno}, column {error.colno}: {syntax_complaint(error)}.") from error
    except RecursionError as error:
        raise report.malformed("its JSON is nested too deeply; a report is a few levels deep.") from error
    except ValueError as error:  # not strict, or a number of thousands of digits
        raise report.malformed(f"{error}.") from error


def lines(report: ReportFile) -> Iterator[tuple[int, JsonObject | str]]:
    """Each line that is not empty, with its number: a JSON object, or the text that stands between them."""
    # Not splitlines(): it would also cut at U+2028 and its like, which JSON allows inside strings.
    for number, line in enumerate(report.text.split("\n"), start=1):
        stripped = line.strip()
        if stripped.startswith("{"):
            yield number, _line(report, number, stripped)
        elif stripped:
            yield number, line.rstrip("\r")


def _line(report: ReportFile, number: int, line: str) -> JsonObject:
    try:
        value = read_strict_json(line)
    except json.JSONDecodeError as error:
        raise report.malformed(f"line {number}, column {error.colno}: {syntax_complaint(error)}.") from error
    except RecursionError as error:
        raise report.malformed(f"line {number}: its JSON is nested too deeply.") from error
    except ValueError as error:
        raise report.malformed(f"line {number}: {error}.") from error
    assert isinstance(value, dict)  # it starts with a brace
    return value


def first_event(report: ReportFile) -> JsonObject | None:
    """The first line that is a JSON object by itself; None where a document is spread over lines."""
    text = report.text.lstrip()
    candidates = text.split("\n", _NOISE_LINES)[:_NOISE_LINES]
    if text.startswith("{"):
        # A pretty-printed document may well hold lines that are objects; only its first line counts.
        candidates = candidates[:1]
    for line in candidates:
        # Longer than any first event: a whole document on one line, which need not be parsed twice.
        if not line.lstrip().startswith("{") or len(line) > MIB:
            continue
        try:
            value = read_strict_json(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def holds_several(report: ReportFile) -> bool:
    """Whether the first line is a whole JSON object and something comes after it."""
    first, _, rest = report.text.strip().partition("\n")
    return bool(rest) and first.startswith("{") and first_event(report) is not None


def typed(report: ReportFile, value: object, type_: type[T], *, where: str = "") -> T:
    """`value` as `type_`; the error names the field that is not what it should be."""
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError as error:
        raise report.malformed(f"{where}{error}.") from error
    except RecursionError as error:
        raise report.malformed(f"{where}its JSON is nested too deeply.") from error
