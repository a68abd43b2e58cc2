"""A note on a bug: what is wrong, where, and on what evidence, as it may go into a bug report."""

from dataclasses import dataclass
from typing import Any

from testwright.classify.failure_text.failure_parser import parse_failure_text
from testwright.model.failure import CodeOwner
from testwright.model.result import RunResult, TestResult
from testwright.model.untrusted_text import visible_line
from testwright.model.verdict import Verdict
from testwright.pipeline.explaining.failure_reader import runner_words

_QUOTES = 4
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class LoopBugNote:
    """A bug in short: what, where, and on what evidence."""

    what: str
    where: str
    evidence: tuple[str, ...]
    test: str
    run: str
    commit: str

    def shape(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "where": self.where,
            "evidence": list(self.evidence),
            "test": self.test,
            "run": self.run,
            "commit": self.commit,
        }


def bug_note(run: RunResult, result: TestResult, verdict: Verdict) -> LoopBugNote:
    detail = parse_failure_text(runner_words(result.last, result.case.framework), str(result.case.framework))
    frames = [frame for frame in detail.frames if frame.owner is CodeOwner.PRODUCT] or [
        frame for frame in detail.frames if frame.owner is CodeOwner.TEST
    ]
    where = f"{frames[0].file}:{frames[0].line}" if frames else _place(result)
    headline = detail.headline.text.strip() or next(iter(result.last.message.splitlines()), "") or str(result.outcome)
    return LoopBugNote(
        what=headline[:_LONGEST],
        where=where,
        evidence=tuple(quote.text for quote in verdict.evidence[:_QUOTES]),
        test=result.case.id,
        run=run.id,
        commit=run.commit,
    )


def note_lines(note: LoopBugNote) -> list[str]:
    """The note as it may be copied into a bug report."""
    commit = f", commit {visible_line(note.commit[:12])}" if note.commit else ""
    lines = [
        f"what: {visible_line(note.what, limit=_LONGEST)}",
        f"where: {visible_line(note.where)}",
        f"seen by: {visible_line(note.test)} in run {visible_line(note.run)}{commit}",
    ]
    return [*lines, *(f"evidence: “{visible_line(quote, limit=_LONGEST)}”" for quote in note.evidence)]


def _place(result: TestResult) -> str:
    return f"{result.case.file}:{result.case.line}" if result.case.line else result.case.file
