"""The scores of generated suites become a table, and targets that are met or missed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.generating_table import HEADING, Score, markdown, targets, targets_markdown, write_section

ROW: dict[str, Any] = {
    "module": "shop.cart",
    "both": 96.0,
    "mutation": 80.0,
    "test_defs": 12,
    "tests": 20,
    "failing": 0,
    "flaky": 0,
    "tests_no_oracle": 0,
    "generic_names": 0,
    "collect_errors": [],
    "null_ok": True,
}
GOOD = Score.of(ROW, 9.0)
WITHOUT_SUITE = Score.of({"module": "shop.till", "error": "no tests", "both": 16.0, "mutation": 0.0}, 4.0)


def missed(*scores: Score) -> list[str]:
    return [figure.what for figure in targets(scores) if not figure.holds]


def test_a_good_suite_meets_every_target() -> None:
    assert missed(GOOD) == []


@pytest.mark.parametrize(
    ("flaw", "target"),
    [
        ({"line_and_branch": 89.9}, "mean line+branch"),
        ({"mutation": 74.9}, "mean mutation"),
        ({"cpu_s": 15.1}, "mean CPU time"),
        ({"failing": 1}, "failing tests"),
        ({"flaky": 1}, "flaky tests"),
        ({"control_is_green": False}, "suites that are red without a mutant"),
        ({"without_oracle": 1}, "test functions without an oracle"),
        ({"generic_names": 1}, "generic names"),
        ({"functions": 61}, "most test functions for one module"),
    ],
)
def test_each_flaw_misses_the_target_that_it_is_about(flaw: dict[str, Any], target: str) -> None:
    assert missed(replace(GOOD, **flaw)) == [target]


def test_a_module_without_a_suite_counts_with_what_its_import_covers_and_no_mutants() -> None:
    assert "modules without a suite" in missed(GOOD, WITHOUT_SUITE)
    assert "| **mean of 2** | **56.0** | **40.0** |" in markdown([GOOD, WITHOUT_SUITE])
    assert "| shop.till (no suite) | 16.0 | 0.0 |" in markdown([GOOD, WITHOUT_SUITE])


def test_a_suite_that_cannot_be_collected_is_no_suite() -> None:
    broken = Score.of({**ROW, "collect_errors": ["test_cart.py: SyntaxError"]}, 9.0)

    assert not broken.has_suite


def test_the_target_table_says_which_targets_are_missed() -> None:
    table = targets_markdown(targets([replace(GOOD, mutation=50.0)]))

    assert "| mean mutation | at least 75 % | 50.0 % | **missed** |" in table
    assert "| flaky tests | at most 0 | 0 | met |" in table


def test_writing_replaces_what_stands_under_the_heading_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text(f"# Benchmarks\n\nfirst words\n\n{HEADING}\n\nold table\n\n## Another tool\n\nits table\n")

    write_section(page, "new table\n")

    assert page.read_text() == (
        f"# Benchmarks\n\nfirst words\n\n{HEADING}\n\nnew table\n\n## Another tool\n\nits table\n"
    )


def test_a_page_without_the_heading_is_left_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text("# Something else\n")

    with pytest.raises(SystemExit, match="must have the heading"):
        write_section(page, "new table\n")

    assert page.read_text() == "# Something else\n"


def test_the_page_of_benchmarks_has_a_place_for_the_tables() -> None:
    page = Path(__file__).parents[2] / "docs" / "benchmarks.md"

    assert page.read_text(encoding="utf-8").splitlines().count(HEADING) == 1
