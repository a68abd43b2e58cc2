"""A small project to judge tests on, and a way to lead a test file through the gates."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from testwright.generate.measured_results import Mutants, SuiteWorth
from testwright.generate.module_request import Budget
from testwright.generate.quality_gates.all_gates import GateCriteria, GateResult, pass_gates
from testwright.generate.quality_gates.single_run import SuiteFile, WatchedModule
from testwright.generate.quality_gates.suite_worth import WorthBudget, measure_worth
from testwright.isolate.available_levels import probe_levels
from testwright.isolate.child import Cancel
from testwright.isolate.guard import IsolationLevel
from testwright.repo.import_map import resolve_import

BASKET = '''
"""Baskets."""


def total(prices, discount=0):
    if not prices:
        return 0
    if discount > 100:
        raise ValueError("too much")
    whole = sum(prices)
    return whole - whole * discount // 100


def names(things):
    return str(set(things))
'''


@pytest.fixture(scope="session")
def level() -> IsolationLevel:
    """The isolation that generated code gets on this machine."""
    return probe_levels().strongest


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project with a src layout and nothing that makes its code importable."""
    root = tmp_path / "shop-project"
    (root / "src" / "shop").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n')
    (root / "src" / "shop" / "__init__.py").write_text("")
    (root / "src" / "shop" / "basket.py").write_text(BASKET)
    return root


Gatekeeper = Callable[..., GateResult]


Scale = Callable[..., SuiteWorth | None]


@pytest.fixture
def weigh_tests(shop: Path, level: IsolationLevel, bare_python: Path) -> Scale:
    """Find out what test files are worth to shop.basket."""

    def weighed(*files: Path, effort: WorthBudget | None = None, cancel: Cancel | None = None) -> SuiteWorth | None:
        file = shop / "src" / "shop" / "basket.py"
        ground = SuiteFile("", "", shop / "tests", shop, bare_python, level)
        watched = WatchedModule("shop.basket", file)
        roots = (str(shop / "src"),)
        spend = effort or WorthBudget.of(Budget())
        return measure_worth(ground, files, watched, spend, cancel or Cancel(), import_path=roots)

    return weighed


@pytest.fixture
def gates(shop: Path, level: IsolationLevel, weigh_tests: Scale, bare_python: Path) -> Gatekeeper:
    """Lead a file about shop.basket through the gates; its first import is put above it unless told otherwise."""

    def judge(
        body: str,
        *,
        target_import: str | None = None,
        bootstrap: bool = True,
        mutants: Mutants | None = None,
        existing_tests: tuple[Path, ...] = (),
        cancel: Cancel | None = None,
    ) -> GateResult:
        file = shop / "src" / "shop" / "basket.py"
        found = resolve_import(file, root=shop, python=bare_python)
        text = f"{found.target_import if target_import is None else target_import}\n\n{dedent(body)}"
        trial = SuiteFile("test_basket.py", text, shop / "tests", shop, bare_python, level, roots=found.sys_path_roots)
        if bootstrap:
            trial = replace(trial, support={"conftest.py": found.bootstrap_conftest})
        expected = GateCriteria(
            found.target_import,
            found.module_name,
            file,
            "src/shop/basket.py",
            mutants=mutants or Mutants(),
            baseline=weigh_tests(*existing_tests) if existing_tests else None,
            needs_bootstrap=True,
        )
        return pass_gates(trial, expected, cancel or Cancel())

    return judge
