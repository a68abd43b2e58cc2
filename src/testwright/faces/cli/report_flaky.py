"""`testwright report flaky`: which tests fail by chance, which are broken and since when, and how that is known."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from testwright.classify.flakiness.flakiness_judge import judge_flakiness
from testwright.classify.flakiness.flakiness_report import Flakiness, FlakinessReport, FlakinessVerdict, report_shape
from testwright.classify.flakiness.patterns import Patterns, find_patterns
from testwright.faces.cli.standard_output import print_json
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line

if TYPE_CHECKING:
    from testwright.store.project_store import Store

_TITLES = {
    FlakinessVerdict.CONFIRMED: "Flaky",
    FlakinessVerdict.SUSPECTED: "Perhaps flaky",
    FlakinessVerdict.BROKEN: "Broken",
    FlakinessVerdict.INSUFFICIENT_DATA: "Failed, and too little is known to say why",
}
_RUNS_SHOWN = 5
_LONGEST = 1000  # characters of a sentence


def show_flaky(store: "Store", options: argparse.Namespace) -> None:
    report, patterns = judged(store, runs=options.runs)
    if options.json:
        print_json({**report_shape(report), **patterns_shape(patterns)})
        return
    for line in flaky_lines(report, patterns):
        sys.stdout.write(f"{harmless_in_ci_log(line)}\n")


def judged(store: "Store", *, runs: int) -> tuple[FlakinessReport, Patterns]:
    """The verdicts over the newest `runs` runs, and what failures have in common."""
    histories = store.runs.histories(runs=runs)
    report = judge_flakiness(histories)
    return report, find_patterns(histories, outages={outage.run.id for outage in report.outages})


def patterns_shape(patterns: Patterns) -> dict[str, Any]:
    return {
        "orderDependent": [{**asdict(one), "sentence": one.sentence} for one in patterns.order],
        "failTogether": [{**asdict(one), "sentence": one.sentence} for one in patterns.together],
    }


def flaky_lines(report: FlakinessReport, patterns: Patterns) -> Iterator[str]:
    counts = {verdict: len(report.of(verdict)) for verdict in FlakinessVerdict}
    if not report.runs:
        yield "There are no runs yet: `testwright run` makes one."
        return
    shown = (
        (FlakinessVerdict.CONFIRMED, "flaky"),
        (FlakinessVerdict.SUSPECTED, "perhaps flaky"),
        (FlakinessVerdict.BROKEN, "broken"),
        (FlakinessVerdict.INSUFFICIENT_DATA, "with too few tries"),
        (FlakinessVerdict.HEALTHY, "healthy"),
    )
    numbers = ", ".join(f"{counts[verdict]} {words}" for verdict, words in shown)
    yield f"{_many(len(report.tests), 'test')} in {_many(report.runs, 'run')}: {numbers}"
    for verdict, title in _TITLES.items():
        tests = [test for test in report.of(verdict) if test.failed]
        if tests:
            yield ""
            yield f"{title}:"
        for test in tests:
            yield from _test_lines(test)
    yield from _recovered(report)
    yield from _outages(report)
    sentences = [one.sentence for one in patterns.order] + [one.sentence for one in patterns.together]
    if sentences:
        yield ""
        yield "Failures with something in common:"
        yield from (f"  {visible_line(sentence, limit=_LONGEST)}" for sentence in sentences)


def _test_lines(test: Flakiness) -> Iterator[str]:
    yield f"  {visible_line(test.test)}"
    facts = [f"failed {test.failed} of {_tries(test.failed + test.passed)}"]
    if test.verdict in (FlakinessVerdict.CONFIRMED, FlakinessVerdict.SUSPECTED):
        interval = f"90 % interval {test.low:.1%} to {test.high:.1%}"
        facts.append(f"fails in {test.rate:.1%} of tries while the code is good ({interval})")
    if test.verdict is not FlakinessVerdict.INSUFFICIENT_DATA:  # of so few tries these would be guesses
        facts.append(f"chance of being flaky {test.probability:.0%}")
        facts.append(f"flaky rate {test.flaky_rate} %")
    yield f"    {', '.join(facts)}"
    for reason in test.reasons:
        yield f"    {visible_line(reason, limit=_LONGEST)}"
    yield f"    failed in {_named(test.failed_in)}"


def _recovered(report: FlakinessReport) -> Iterator[str]:
    """Tests that pass now and did not always: why they are not called flaky. Outages have a section of their own."""
    outages = {outage.run.id for outage in report.outages}
    tests = [test for test in report.of(FlakinessVerdict.HEALTHY) if not outages.issuperset(test.failed_in)]
    if tests:
        yield ""
        yield "Failed and are healthy now:"
    for test in tests:
        yield f"  {visible_line(test.test)}"
        for reason in test.reasons:
            yield f"    {visible_line(reason, limit=_LONGEST)}"
        yield f"    failed in {_named(test.failed_in)}"


def _outages(report: FlakinessReport) -> Iterator[str]:
    if report.outages:
        yield ""
        yield "Left out, since too many tests failed at once for the run to say anything of a single one:"
    for outage in report.outages:
        where = f", {outage.run.name}" if outage.run.commit else ""
        yield f"  run {visible_line(outage.run.id)}{visible_line(where)}: {outage.failed} of {outage.ran} tests failed"


def _named(runs: Sequence[str]) -> str:
    rest = len(runs) - _RUNS_SHOWN
    shown = ", ".join(visible_line(run) for run in runs[:_RUNS_SHOWN])
    return shown + (f" and {rest} more" if rest > 0 else "")


def _tries(number: int) -> str:
    return f"{number} {'try' if number == 1 else 'tries'}"


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
