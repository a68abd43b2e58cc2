"""A failed attempt taken apart: what its runner said, and the line of code that it points at."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from testwright.classify.failure_text.failure_parser import parse_failure_text
from testwright.model.case import Framework
from testwright.model.failure import CodeOwner, FailureDetail
from testwright.model.result import Attempt, TestResult

_MOST_SOURCE_BYTES = 1 << 20
_MOST_CODE = 400
# What pytest prints around an error is the source of the functions; these lines are not: what the error says, the line
# that failed, frames, and the words between two errors of which one led to the other.
_NOT_SOURCE = re.compile(
    r"E(?:\s|$)|>|\S[^\n]{0,400}:\d+: ?|file |During handling|The above exception|Traceback|ImportError "
)


def runner_words(attempt: Attempt, framework: Framework) -> str:
    """All that the runner said, once: a stack often repeats the message, and sometimes has none."""
    message, stack = attempt.message.strip("\n"), attempt.stack.strip("\n")
    if framework is Framework.PYTEST:
        stack = _without_source(stack)
    first = next((line.strip() for line in message.splitlines() if line.strip()), "")
    if not stack or first in stack:
        return stack or message
    return f"{message}\n{stack}"


def _without_source(stack: str) -> str:
    lines = stack.splitlines()
    if not any(line.startswith("E ") for line in lines):  # another style than pytest's own: nothing is left out
        return stack
    return "\n".join(line for line in lines if _NOT_SOURCE.match(line))


class FailureReader:
    """Takes the attempts of one run apart. The same words are read once, and a source file too."""

    def __init__(self, root: Path, *, newest: float) -> None:
        """`newest`: a source file that was changed after this moment may not be the one that ran."""
        self._root, self._newest = root, newest
        self._folders = [f"{start}{each}/" for each in {root, root.resolve()} for start in ("file://", "")]
        self._details: dict[tuple[str, str], FailureDetail] = {}
        self._sources: dict[Path, Sequence[str]] = {}

    def of(self, result: TestResult, attempt: Attempt, suite_root: str) -> FailureDetail:
        """The record of one attempt. The project's files are named from its root: what is above says nothing."""
        text = runner_words(attempt, result.case.framework)
        for folder in self._folders:
            text = text.replace(folder, "")
        key = str(result.case.framework), text
        detail = self._details.get(key)
        if detail is None:
            detail = self._details[key] = self._with_code(parse_failure_text(text, key[0]), suite_root)
        return detail

    def source(self, file: str, suite_root: str) -> str:
        """The name of a frame's file from the project's root; empty where it is not one of the project's."""
        for place in dict.fromkeys((file, f"{suite_root}/{file}")):
            path = self._root / place
            if not Path(place).is_absolute() and ".." not in path.parts and path.is_file():
                return path.relative_to(self._root).as_posix()
        return ""

    def _with_code(self, detail: FailureDetail, suite_root: str) -> FailureDetail:
        """With what a check was about, from the source, where the runner left the line of code out."""
        is_check = bool(detail.matcher or detail.expected or detail.received)
        frame = detail.innermost
        if not is_check or detail.subject or frame is None or frame.owner is not CodeOwner.TEST:
            return detail
        name = self.source(frame.file, suite_root)
        code = self._line(self._root / name, frame.line) if name else ""
        subject = parse_failure_text(f"> {frame.line} | {code}").subject if code else ""
        return replace(detail, subject=subject) if subject else detail

    def _line(self, file: Path, number: int) -> str:
        lines = self._sources.get(file)
        if lines is None:
            lines = self._sources[file] = self._lines(file)
        return lines[number - 1].strip()[:_MOST_CODE] if 0 < number <= len(lines) else ""

    def _lines(self, file: Path) -> Sequence[str]:
        try:
            known = file.stat()
            if known.st_mtime > self._newest or known.st_size > _MOST_SOURCE_BYTES:
                return ()
            return file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:  # gone since: as if it had never been looked for
            return ()
