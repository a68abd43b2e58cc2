"""A failed attempt as something to take apart: what its runner said, and the line of code that it points at."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from testwright.classify.advice import Advice, advised
from testwright.classify.failure_text.failure_parser import parse_failure_text
from testwright.model.case import Framework
from testwright.model.failure import CodeOwner, FailureDetail
from testwright.model.failure_labels import FailureLabel
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, TestResult
from testwright.model.verdict import Quote, Verdict

_MOST_SOURCE_BYTES = 1 << 20
_MOST_CODE = 400


# What pytest prints around an error is the source of the functions; these lines are not: what the error says, the line
# that failed, frames, and the words between two errors of which one led to the other.
_NOT_SOURCE = re.compile(
    r"E(?:\s|$)|>|\S[^\n]{0,400}:\d+: ?|file |During handling|The above exception|Traceback|ImportError "
)


def told_of(attempt: Attempt, framework: Framework) -> str:
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
    if not any(line.startswith("E ") for line in lines):  # another style than pytest's own: it is as it is
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
        text = told_of(attempt, result.case.framework)
        for folder in self._folders:
            text = text.replace(folder, "")
        key = str(result.case.framework), text
        detail = self._details.get(key)
        if detail is None:
            detail = self._details[key] = self._with_code(parse_failure_text(text, key[0]), suite_root)
        return detail

    def source(self, file: str, suite_root: str) -> str:
        """The name of a frame's file from the project's root; empty where it is none of the project's."""
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


# --- Attempts that did not end by a check: how they ended says more than any text -----------------------------------


# By the reason's code, then by the outcome: the label, how sure, the symptom, who is to blame, the advice.
_Ending = tuple[FailureLabel, float, str, str, Advice]
_REASONS: dict[str, _Ending] = {
    "memory_limit": (FailureLabel.ENVIRONMENT, 0.8, "out_of_memory", "environment", Advice.MORE_MEMORY),
    "write_blocked": (FailureLabel.ENVIRONMENT, 0.8, "not_allowed", "environment", Advice.CHECK_RIGHTS),
    "process_exited": (FailureLabel.TEST_BUG, 0.7, "process_exited", "test", Advice.FIX_TEST),
    "invalid_test_syntax": (FailureLabel.TEST_BUG, 0.95, "does_not_compile", "test", Advice.FIX_CODE),
    "invalid_test_encoding": (FailureLabel.TEST_BUG, 0.95, "does_not_compile", "test", Advice.FIX_CODE),
    "did_not_run": (FailureLabel.UNKNOWN, 0.5, "did_not_run", "", Advice.LOOK),
}
_OUTCOMES: dict[Outcome, _Ending] = {
    Outcome.CRASHED: (FailureLabel.ENVIRONMENT, 0.6, "process_died", "", Advice.LOOK_AT_MACHINE),
    Outcome.TIMEOUT: (FailureLabel.TIMING_FLAKY, 0.7, "timeout", "timing", Advice.SPLIT_OR_SPEED_UP),
    Outcome.INTERRUPTED: (FailureLabel.ENVIRONMENT, 0.9, "interrupted", "environment", Advice.RERUN),
    Outcome.OUTPUT_LIMIT: (FailureLabel.TEST_BUG, 0.6, "too_much_output", "", Advice.FIX_TEST),
    Outcome.ENVIRONMENT_CHANGED: (FailureLabel.TEST_BUG, 0.9, "environment_changed", "test", Advice.FIX_TEST),
}
# Where the text of such an attempt says something too, that is the better answer.
_TEXT_FIRST = frozenset({Outcome.TIMEOUT, Outcome.CRASHED})


def by_outcome(attempt: Attempt, detail: FailureDetail, from_text: Verdict) -> Verdict:
    """The verdict of the text, or that of how the attempt ended where this says more."""
    reason = _REASONS.get(attempt.reason)
    ending = reason or _OUTCOMES.get(attempt.outcome)
    says_something = not from_text.is_unknown
    if ending is None or (reason is None and says_something and attempt.outcome in _TEXT_FIRST):
        return from_text
    label, confidence, symptom, cause, advice = ending
    ended = " ".join(filter(None, (attempt.outcome, attempt.reason)))
    said = next((line.strip() for line in attempt.message.splitlines() if line.strip()), "")
    quote = Quote(said[:300] or f"It ended as {ended}.", 0 if said else -1, symptom)
    return advised(Verdict(label, confidence, None, symptom, cause, (quote,)), detail, advice)
