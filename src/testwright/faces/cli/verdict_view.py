"""Verdicts for a person: one line that says it, the words it rests on, what to do."""

import sys
from collections.abc import Iterable, Iterator

from testwright.model.untrusted_text import harmless_in_ci_log, visible_line
from testwright.model.verdict import Verdict
from testwright.pipeline.explaining.shared_causes import Cause

_TESTS_SHOWN = 10
_LINES_SHOWN = 4


def verdict_words(verdict: Verdict) -> str:
    """`selector_broken (90 % sure)`, and what it is if not that."""
    other = f", else {verdict.second}" if verdict.second is not None and verdict.confidence < 0.8 else ""
    return f"{verdict.label} ({100 * verdict.confidence:.0f} % sure{other})"


def evidence_lines(verdict: Verdict) -> Iterator[str]:
    """Each piece of evidence: quoted where it is from the text, plain where it was seen elsewhere."""
    for quote in verdict.evidence[:_LINES_SHOWN]:
        shown = visible_line(quote.text, limit=200)
        yield f"“{shown}”" if quote.start >= 0 else shown


def advice_line(verdict: Verdict) -> str:
    new = verdict.fix.new if verdict.fix is not None else ""
    return f"→ {verdict.advice}{f' Perhaps {visible_line(new)}.' if new else ''}"


def print_causes(causes: Iterable[Cause]) -> None:
    """Each cause once: the label, the test or how many, the words it rests on, what to do."""
    for number, cause in enumerate(causes):
        head = visible_line(cause.tests[0]) if len(cause.tests) == 1 else f"{len(cause.tests)} tests, one cause"
        lines = [f"{verdict_words(cause.verdict)}{f': {head}' if head else ''}"]
        lines += [f"  {line}" for line in evidence_lines(cause.verdict)]
        lines.append(f"  {advice_line(cause.verdict)}")
        if len(cause.tests) > 1:
            lines += _tests(cause)
        gap = "\n" if number else ""
        sys.stdout.write(gap + "".join(f"{harmless_in_ci_log(line)}\n" for line in lines))


def _tests(cause: Cause) -> Iterator[str]:
    for test in cause.tests[:_TESTS_SHOWN]:
        yield f"  - {visible_line(test)}"
    if len(cause.tests) > _TESTS_SHOWN:
        yield f"  - … and {len(cause.tests) - _TESTS_SHOWN} more"
