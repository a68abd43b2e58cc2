"""Where a module has tests already, only what goes beyond them is proposed, and nothing that exists is touched."""

import hashlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CommandLine
from testwright.generate.measured_results import SuiteWorth
from testwright.generate.module_request import Budget
from testwright.generate.quality_gates.single_run import SuiteFile, WatchedModule
from testwright.generate.quality_gates.suite_worth import WorthBudget, measure_worth
from testwright.isolate.available_levels import probe_levels
from testwright.isolate.child import Cancel

BASKET = '''
"""Baskets."""


def total(prices, discount=0):
    """The sum of prices, less the discount in percent."""
    if not prices:
        return 0
    if discount > 100:
        raise ValueError("too much")
    whole = sum(prices)
    return whole - whole * discount // 100


def label(count):
    if count == 1:
        return "one thing"
    return f"{count} things"
'''
LINE_OF_EMPTY, LINE_OF_REFUSAL, LINES_OF_LABEL = 8, 10, (17, 18)

PARTIAL = """
from shop import total


def test_total_of_nothing():
    assert total([]) == 0


def test_total_adds_up():
    assert total([1, 2]) == 3


def test_total_is_wrong():
    assert total([1, 2]) == 4
"""

COMPLETE = """
import pytest

from shop import basket


@pytest.mark.parametrize(
    ("prices", "discount", "expected"),
    [([], 0, 0), ([1, 2], 0, 3), ([200, 100], 50, 150), ([100], 100, 0), ([99], 100, 0), ([1000], 1, 990)],
)
def test_total(prices, discount, expected):
    assert basket.total(prices, discount) == expected


def test_total_refuses_large_discounts():
    with pytest.raises(ValueError, match="^too much$"):
        basket.total([1], 101)


@pytest.mark.parametrize(("count", "expected"), [(0, "0 things"), (1, "one thing"), (2, "2 things")])
def test_label(count, expected):
    assert basket.label(count) == expected
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name, text in {
        "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\npythonpath = ["src"]\n',
        "src/shop/__init__.py": "from shop.basket import total\n",
        "src/shop/basket.py": BASKET,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "tests").mkdir()
    return root


def generate(testwright: CommandLine, project: Path, *options: str) -> dict[str, Any]:
    target = project / "src" / "shop" / "basket.py"
    said = testwright(
        "generate", target, "--project", project, "--python", sys.executable, "--budget", 3, "--json", *options
    )
    assert said.code == 0, said.err + said.out
    [module] = said.json["modules"]
    return dict(module)


def fingerprints(project: Path) -> dict[str, str]:
    return {
        file.relative_to(project).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(project.rglob("*.*"))
        if file.is_file() and ".testwright" not in file.parts
    }


def worth(project: Path, name: str) -> SuiteWorth:
    ground = SuiteFile("", "", project / "tests", project, Path(sys.executable), probe_levels().strongest)
    watched = WatchedModule("shop.basket", project / "src" / "shop" / "basket.py")
    found = measure_worth(ground, [project / "tests" / name], watched, WorthBudget.of(Budget()), Cancel())
    assert found is not None
    return found


def test_to_a_partial_suite_only_what_it_leaves_out_is_added_and_the_next_time_nothing_changes(
    testwright: CommandLine, project: Path
) -> None:
    mine = project / "tests" / "test_basket.py"
    mine.write_text(PARTIAL)
    before = fingerprints(project)

    module = generate(testwright, project, "--accept")

    # What exists is as it was, and one file has come to it.
    after = fingerprints(project)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {"tests/test_shop_basket.py"}
    # The new tests run what the old ones left out, and not what only those are needed for.
    old, new = worth(project, "test_basket.py"), worth(project, "test_shop_basket.py")
    assert {LINE_OF_REFUSAL, *LINES_OF_LABEL} <= set(old.covered.uncovered_lines)
    assert set(new.covered.uncovered_lines) == {LINE_OF_EMPTY}
    # They notice mutants that the old ones do not; together hardly one is left.
    assert set(new.killed) & set(old.survived)
    assert set(old.killed) - set(new.killed)
    assert (module["covered"], module["mutants"][0]) == (1.0, len(set(old.killed) | set(new.killed)))
    # The figures are told, and the test that fails is named.
    assert any(
        re.search(r"lines and branches, \d+ before; \d+ of \d+ mutants, \d+ before", note) for note in module["notes"]
    )
    assert any("test_total_is_wrong (assert 3 == 4" in note for note in module["notes"])

    again = generate(testwright, project, "--accept")

    assert [file["state"] for file in again["files"]] == ["unchanged"]
    assert fingerprints(project) == after


def test_to_a_complete_suite_nothing_is_added_and_it_is_said_why(testwright: CommandLine, project: Path) -> None:
    (project / "tests" / "test_basket.py").write_text(COMPLETE)
    before = fingerprints(project)

    module = generate(testwright, project)

    assert (module["status"], module["files"]) == ("nothing", [])
    assert re.match(r"existing tests already cover this: (\d+) of \1 lines and branches", module["reason"])
    assert fingerprints(project) == before
