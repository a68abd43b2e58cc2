"""The report as one HTML page: no script, nothing loaded from elsewhere, every foreign text escaped."""

from collections.abc import Iterable, Sequence

from testwright.classify.flakiness.flakiness_report import Flakiness, FlakinessReport, FlakinessVerdict
from testwright.classify.flakiness.patterns import Patterns
from testwright.classify.quality.failure_counts import FailureCounts
from testwright.classify.quality.svg_charts import STYLE, bars_svg, shown, trend_svg
from testwright.classify.quality.trends import Trends

_PAGE_STYLE = (
    "body{margin:0 auto;max-width:60rem;padding:1.5rem;background:var(--ground);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}"
    "svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}"
    "th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--line)}"
    "td.number{text-align:right;white-space:nowrap}td.test{overflow-wrap:anywhere;min-width:14rem}.faint{color:var(--faint)}"
    ".wide{overflow-x:auto}ul{padding-left:1.2rem}li{overflow-wrap:anywhere;margin:.3rem 0}"
)
_MOST_ROWS = 200
_MEANINGS = {
    FlakinessVerdict.CONFIRMED: "Flaky tests",
    FlakinessVerdict.SUSPECTED: "Perhaps flaky",
    FlakinessVerdict.BROKEN: "Broken tests",
    FlakinessVerdict.INSUFFICIENT_DATA: "Failed, and too little is known of them",
}


def report_html(
    found: FailureCounts,
    *,
    over_time: Trends | None = None,
    flakiness: FlakinessReport | None = None,
    patterns: Patterns | None = None,
    title: str = "Test quality",
) -> str:
    """One page on the failures, how they come and go, and which tests are flaky. The same input gives the same page."""
    parts = [f"<h1>{shown(title)}</h1>", _summary(found, over_time, flakiness)]
    if found.insights:
        parts.append(_section("What to look at", _list(found.insights)))
    if over_time is not None and over_time.labels:
        chart = trend_svg("Failures by kind in each run, oldest first", over_time, standalone=False)
        parts.append(_section("Failures over time", chart))
    parts += _counts(found)
    if flakiness is not None:
        parts += _flaky_sections(flakiness)
    if patterns is not None and (patterns.order or patterns.together):
        sentences = [group.sentence for group in patterns.together] + [one.sentence for one in patterns.order]
        parts.append(_section("Failures with something in common", _list(sentences)))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{shown(title)}</title>\n<style>{STYLE}{_PAGE_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def _summary(found: FailureCounts, over_time: Trends | None, flakiness: FlakinessReport | None) -> str:
    facts = [f"{found.total_failures} failure{'' if found.total_failures == 1 else 's'}"]
    if over_time is not None and over_time.points:
        first, last = over_time.points[0], over_time.points[-1]
        runs = f"{len(over_time.points)} runs" if len(over_time.points) > 1 else "1 run"
        facts[0] += (
            f" in {runs}, from {first.started_at:%Y-%m-%d} ({first.run}) to {last.started_at:%Y-%m-%d} ({last.run})"
        )
    if flakiness is not None:
        flaky, perhaps, broken = (
            len(flakiness.of(verdict))
            for verdict in (FlakinessVerdict.CONFIRMED, FlakinessVerdict.SUSPECTED, FlakinessVerdict.BROKEN)
        )
        facts.append(
            f"{flaky} flaky, {perhaps} perhaps flaky and {broken} broken of {len(flakiness.tests)} tests,"
            f" by {flakiness.runs} runs"
        )
    return f"<p>{shown('; '.join(facts))}.</p>"


def _counts(found: FailureCounts) -> Iterable[str]:
    for title, counts in (
        ("Failures by category", found.by_category),
        ("Failures by kind of test", found.by_type),
        ("Failures by who wrote the test", found.by_origin),
        ("Checks that failed", found.failed_assertion_methods),
    ):
        if counts:
            yield _section(title, bars_svg(title, counts, standalone=False))


def _flaky_sections(report: FlakinessReport) -> Iterable[str]:
    for verdict, title in _MEANINGS.items():
        tests = [test for test in report.of(verdict) if test.failed]
        if tests:
            yield _section(title, _table(tests))
    if report.outages:
        sentences = [
            f"{outage.run.id} ({outage.run.name}): {outage.failed} of {outage.ran} tests failed"
            for outage in report.outages
        ]
        why = '<p class="faint">Too many tests failed at once for these runs to say anything of a single one.</p>'
        yield _section("Runs left out", why + _list(sentences))


def _table(tests: Sequence[Flakiness]) -> str:
    heads = ("test", "chance of being flaky", "fails", "passed", "failed", "why")
    rows = "".join(_row(test) for test in tests[:_MOST_ROWS])
    more = f'<p class="faint">And {len(tests) - _MOST_ROWS} more.</p>' if len(tests) > _MOST_ROWS else ""
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{more}'


def _row(test: Flakiness) -> str:
    runs = ", ".join(test.failed_in[:5]) + (f" and {len(test.failed_in) - 5} more" if len(test.failed_in) > 5 else "")
    why = " ".join(test.reasons)
    return (
        f'<tr><td class="test">{shown(test.test)}</td><td class="number">{test.probability:.0%}</td>'
        f'<td class="number">{test.rate:.1%} <span class="faint">({test.low:.1%} to {test.high:.1%})</span></td>'
        f'<td class="number">{test.passed}</td><td class="number">{test.failed}</td>'
        f'<td>{shown(why, limit=1000)} <span class="faint">Failed in {shown(runs)}.</span></td></tr>'
    )


def _section(title: str, content: str) -> str:
    return f"<section>\n<h2>{shown(title)}</h2>\n{content}\n</section>"


def _list(sentences: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{shown(sentence, limit=2000)}</li>' for sentence in sentences)}</ul>"
