"""The scores of generated suites as a table, and the targets that they are held to."""

import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.measure import Figure

HEADING = "## Testwright"
_COLUMNS = (
    "module",
    "line+branch",
    "mutation",
    "test functions",
    "cases",
    "failing",
    "flaky",
    "without an oracle",
    "generic names",
    "CPU s",
)


@dataclass(frozen=True, slots=True)
class Score:
    """What the scorer said about the suite of one module, and what the suite cost."""

    module: str
    line_and_branch: float
    mutation: float
    functions: int
    cases: int
    failing: int
    flaky: int
    without_oracle: int
    generic_names: int
    cpu_s: float
    has_suite: bool
    control_is_green: bool

    @classmethod
    def of(cls, row: Mapping[str, Any], cpu_s: float) -> "Score":
        has_suite = "error" not in row and not row.get("collect_errors")
        return cls(
            module=row["module"],
            line_and_branch=row["both"],
            mutation=row.get("mutation", 0.0),
            functions=row.get("test_defs", 0),
            cases=row.get("tests", 0),
            failing=row.get("failing", 0),
            flaky=row.get("flaky", 0),
            without_oracle=row.get("tests_no_oracle", 0),
            generic_names=row.get("generic_names", 0),
            cpu_s=cpu_s,
            has_suite=has_suite,
            control_is_green=row.get("null_ok", not has_suite),
        )


def markdown(scores: Sequence[Score]) -> str:
    """The table, a row for each module and one for all of them."""
    rows = [_COLUMNS, tuple("---" for _ in _COLUMNS), *map(_row, scores), _mean_row(scores)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def targets(scores: Sequence[Score]) -> list[Figure]:
    """What the suites are held to, in the order in which it matters."""
    return [
        _none("modules without a suite", [score.module for score in scores if not score.has_suite]),
        Figure("mean line+branch", _mean(scores, "line_and_branch"), 90, " %", at_least=True),
        Figure("mean mutation", _mean(scores, "mutation"), 75, " %", at_least=True),
        Figure("mean CPU time", _mean(scores, "cpu_s"), 15, " s"),
        _total("failing tests", scores, "failing"),
        _total("flaky tests", scores, "flaky"),
        _none("suites that are red without a mutant", [each.module for each in scores if not each.control_is_green]),
        _total("test functions without an oracle", scores, "without_oracle"),
        _total("generic names", scores, "generic_names"),
        Figure("most test functions for one module", max(score.functions for score in scores), 60, ""),
    ]


def targets_markdown(figures: Sequence[Figure]) -> str:
    lines = ["| target | limit | measured | |", "|---|---|---|---|"]
    for figure in figures:
        bound = f"{'at least' if figure.at_least else 'at most'} {figure.limit:g}{figure.unit}"
        measured = f"{figure.value:.1f}{figure.unit}" if figure.unit else f"{figure.value:g}"
        lines.append(f"| {figure.what} | {bound} | {measured} | {'met' if figure.holds else '**missed**'} |")
    return "\n".join(lines) + "\n"


def write_section(file: Path, text: str) -> None:
    """Put `text` under our heading, up to the next heading of the same depth; the rest of the page stays."""
    page = file.read_text(encoding="utf-8")
    section = re.compile(rf"^{re.escape(HEADING)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if len(section.findall(page)) != 1:
        raise SystemExit(f"{file} must have the heading {HEADING!r} once: what stands under it is replaced.")
    file.write_text(section.sub(lambda _: f"{HEADING}\n\n{text.strip()}\n\n", page).rstrip() + "\n", encoding="utf-8")


def _row(score: Score) -> tuple[str, ...]:
    name = score.module if score.has_suite else f"{score.module} (no suite)"
    counts = (score.functions, score.cases, score.failing, score.flaky, score.without_oracle, score.generic_names)
    percents = (f"{score.line_and_branch:.1f}", f"{score.mutation:.1f}")
    return (name, *percents, *map(str, counts), f"{score.cpu_s:.1f}")


def _mean_row(scores: Sequence[Score]) -> tuple[str, ...]:
    """Shares, sizes and times on average; what must not happen at all, in total."""
    average = [f"{_mean(scores, name):.1f}" for name in ("line_and_branch", "mutation", "functions", "cases")]
    total = [
        str(sum(getattr(score, name) for score in scores))
        for name in ("failing", "flaky", "without_oracle", "generic_names")
    ]
    cells = (f"mean of {len(scores)}", *average, *total, f"{_mean(scores, 'cpu_s'):.1f}")
    return tuple(f"**{cell}**" for cell in cells)


def _mean(scores: Sequence[Score], name: str) -> float:
    return statistics.fmean(getattr(score, name) for score in scores)


def _total(what: str, scores: Sequence[Score], name: str) -> Figure:
    guilty = [score.module for score in scores if getattr(score, name)]
    return Figure(what, sum(getattr(score, name) for score in scores), 0, "", detail=", ".join(guilty))


def _none(what: str, guilty: Sequence[str]) -> Figure:
    return Figure(what, len(guilty), 0, "", detail=", ".join(guilty))
