"""The output of a whole run, cut into the failures in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from testwright.classify.failure_text.runner_formats import FORMS, Heading, RunnerFormat
from testwright.classify.failure_text.text_cleaner import without_terminal_codes
from testwright.model.failure import FailureLine

MOST_FAILURES = 1000
_MOST_CHARACTERS = 8 << 20
_MOST_HEADING = 800
_IS_TEST = re.compile(r"test|spec", re.IGNORECASE)
_LINES_FOR_PLACE = 400


@dataclass(frozen=True, slots=True)
class TestText:
    """What a runner said about one failed test. What it did not say is empty."""

    __test__ = False  # not for pytest to collect
    name: str
    file: str
    line: int
    text: str
    start: int = 0  # characters from the beginning of what was given


def split_failures(text: str, framework: str = "") -> list[TestText]:
    """The failures in `text`, in their order. A text without the marks of any runner is one failure.

    Where texts of several runners are in it, one inside the other's, the outermost counts: the one whose own frame is
    around it, or that comes first.
    """
    text = text[:_MOST_CHARACTERS]
    if not text.strip():
        return []
    lines = _lines(text)
    form, headings = _outermost(lines, framework)
    if form is None:
        return [TestText("", "", 0, text)]
    failures = [heading for heading in headings if not heading.belongs_to_last][:MOST_FAILURES]
    end = _end(lines, form, headings[-1].start, len(text))
    if len(failures) == 1:
        return [_failure(text, form, failures[0], 0, len(text))]
    starts = [*(heading.start for heading in failures[1:]), end]
    cut = [_failure(text, form, heading, heading.start, until) for heading, until in zip(failures, starts, strict=True)]
    return _with_shared_text(cut)


def _lines(text: str) -> list[FailureLine]:
    lines, at = [], 0
    for raw in text.splitlines(keepends=True):
        if not raw.isspace():
            lines.append(FailureLine(without_terminal_codes(raw[:_MOST_HEADING]).rstrip(), at))
        at += len(raw)
    return lines


def _outermost(lines: Sequence[FailureLine], framework: str) -> tuple[RunnerFormat | None, list[Heading]]:
    """The form that frames the text, and its headings."""
    candidates = []
    everything = "\n".join(line.text for line in lines)
    for form in FORMS:
        headings = list(form.headings(lines))
        if headings:
            is_meant = bool(framework) and framework.startswith(form.framework)
            has_frame = form.furniture.search(everything) is not None
            candidates.append(((not is_meant, not has_frame, headings[0].start), form, headings))
    if not candidates:
        return None, []
    _, form, headings = min(candidates, key=lambda each: each[0])
    return form, headings


def _end(lines: Sequence[FailureLine], form: RunnerFormat, after: int, otherwise: int) -> int:
    return next((line.start for line in lines if line.start > after and form.ends.match(line.text)), otherwise)


def _failure(text: str, form: RunnerFormat, heading: Heading, start: int, until: int) -> TestText:
    piece = text[start:until]
    file, line = heading.file, heading.line
    if not line:
        file, line = _place(piece, form, file)
    return TestText(heading.name, file.removeprefix("./"), line, piece, start)


def _place(piece: str, form: RunnerFormat, file: str) -> tuple[str, int]:
    """The line of the test's own file that the text names; of any test file, where the file is not known."""
    for raw in piece.splitlines()[:_LINES_FOR_PLACE]:
        found = form.places.search(raw[:_MOST_HEADING])
        if found is None:
            continue
        named = found["file"].removeprefix("//")
        is_it = _is_same(named, file) if file else _IS_TEST.search(named) is not None
        if is_it:
            return file or named, int(found["line"])
    return file, 0


def _is_same(named: str, file: str) -> bool:
    bare = file.removeprefix("./")
    return named.endswith(bare) or bare.endswith(named)


def _with_shared_text(failures: list[TestText]) -> list[TestText]:
    """Headings that follow one another share what is said below the last of them."""
    shared: list[TestText] = []
    below = ""
    for each in reversed(failures):
        # A summary line has its error beside the name.
        is_bare = len(each.text.strip().splitlines()) <= 1 and " - " not in each.text
        below = below if is_bare and below else each.text
        shared.append(
            each if below is each.text else TestText(each.name, each.file, each.line, each.text + below, each.start)
        )
    return shared[::-1]
