"""Before anything is explored it is settled how each module is imported and where its tests will lie."""

import os
import shutil
import sys
import venv
from pathlib import Path

import pytest

from testwright.generate.target_files import ModuleTarget
from testwright.isolate.guard import IsolationLevel
from testwright.model.errors import PathNotAllowed, RunnerMissing
from testwright.pipeline.generating.module_plan import ModulePlan, RefusedTarget, Wish, plan_modules
from testwright.repo.file_roles import MARK


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in ("src/shop/__init__.py", "src/shop/basket.py", "src/shop/till/basket.py", "src/shop/till/__init__.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("def total(): ...\n")
    (root / "tests").mkdir()
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n')
    return root


def planned(root: Path, *files: str, output: Path | None = None, python: Path | None = None) -> list[ModulePlan]:
    wish = Wish(root, output, python or Path(sys.executable), level=IsolationLevel.R0)
    plans = plan_modules([ModuleTarget(root / file) for file in files], wish)
    assert all(isinstance(plan, ModulePlan) for plan in plans), plans
    return [plan for plan in plans if isinstance(plan, ModulePlan)]


def test_tests_go_where_the_project_keeps_its_own(project: Path) -> None:
    [plan] = planned(project, "src/shop/basket.py")

    assert plan.folder == project / "tests"
    assert plan.name == "test_basket.py"
    assert plan.shown == "src/shop/basket.py"
    assert plan.request.import_map.target_import == "from shop import basket as _under_test"


def test_no_two_modules_claim_the_same_file(project: Path) -> None:
    plans = planned(project, "src/shop/basket.py", "src/shop/till/basket.py")

    assert [plan.name for plan in plans] == ["test_basket.py", "test_till_basket.py"]


def test_a_file_of_the_users_is_never_claimed(project: Path, tmp_path: Path) -> None:
    for folder in (project / "tests", tmp_path / "out"):
        folder.mkdir(exist_ok=True)
        (folder / "test_basket.py").write_text("def test_mine(): ...\n")

    [proposed] = planned(project, "src/shop/basket.py")
    [written] = planned(project, "src/shop/basket.py", output=tmp_path / "out")

    assert proposed.name == "test_shop_basket.py"
    assert written.name == "test_shop_basket.py"


@pytest.mark.parametrize("opening", [f"Tests for shop.basket, {MARK}.", f"Tests for it.\n\n{MARK.capitalize()}.\n"])
def test_a_file_that_testwright_wrote_is_written_again(project: Path, opening: str) -> None:
    (project / "tests" / "test_basket.py").write_text(f'"""{opening}"""\n')

    [plan] = planned(project, "src/shop/basket.py")

    assert plan.name == "test_basket.py"
    assert plan.request.existing_tests == ()


def test_modules_that_share_a_folder_share_one_conftest_with_the_roots_of_all(project: Path) -> None:
    (project / "libs" / "other" / "src" / "other").mkdir(parents=True)
    (project / "libs" / "other" / "pyproject.toml").write_text('[project]\nname = "other"\nversion = "1"\n')
    (project / "libs" / "other" / "src" / "other" / "things.py").write_text("def thing(): ...\n")
    out = project / "tests"

    plans = planned(project, "src/shop/basket.py", "libs/other/src/other/things.py", output=out)

    assert plans[0].conftest == plans[1].conftest
    assert plans[0].conftest is not None
    assert "../src" in plans[0].conftest
    assert "../libs/other/src" in plans[0].conftest


def test_a_conftest_outside_the_project_is_judged_with_absolute_paths(project: Path, tmp_path: Path) -> None:
    [plan] = planned(project, "src/shop/basket.py", output=tmp_path / "out")

    assert plan.conftest is not None
    assert plan.staged_conftest is not None
    assert str(project / "src") not in plan.conftest
    assert str(project / "src") in plan.staged_conftest


def test_tests_that_exist_already_count_but_not_the_file_that_is_to_be_written_again(project: Path) -> None:
    for name, text in {
        "test_mine.py": "from shop.basket import total\n",
        "test_basket.py": f'"""Tests for shop.basket, {MARK}."""\nfrom shop import basket\n',
        "test_other.py": f'"""Tests for shop.till, {MARK}."""\nfrom shop import basket\n',
    }.items():
        (project / "tests" / name).write_text(text)

    [plan] = planned(project, "src/shop/basket.py")

    assert plan.name == "test_basket.py"
    assert [file.name for file in plan.request.existing_tests] == ["test_mine.py", "test_other.py"]


def test_where_tests_are_written_elsewhere_the_projects_own_do_not_make_them_fewer(
    project: Path, tmp_path: Path
) -> None:
    (project / "tests" / "test_mine.py").write_text("from shop.basket import total\n")

    [plan] = planned(project, "src/shop/basket.py", output=tmp_path / "out")

    assert plan.request.existing_tests == ()


def test_code_outside_the_project_needs_a_folder_for_its_tests(project: Path, tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.py"
    stranger.write_text("def f(): ...\n")
    wish = Wish(project, python=Path(sys.executable), level=IsolationLevel.R0)

    [refused] = plan_modules([ModuleTarget(stranger)], wish)

    assert isinstance(refused, RefusedTarget)
    assert isinstance(refused.error, PathNotAllowed)
    assert "--output" in refused.error.next_step
    assert planned(tmp_path, "stranger.py", output=tmp_path / "out")


def test_an_interpreter_without_pytest_is_refused_with_the_way_to_install_it(project: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    wish = Wish(project, python=tmp_path / "bare", level=IsolationLevel.R0)

    [refused] = plan_modules([ModuleTarget(project / "src" / "shop" / "basket.py")], wish)

    assert isinstance(refused, RefusedTarget)
    assert isinstance(refused.error, RunnerMissing)
    assert "-m pip install pytest" in refused.error.next_step


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        pytest.param("echo 3 9 1", "Python 3.9", id="too old"),
        pytest.param("echo hello", "did not answer", id="no Python at all"),
    ],
)
def test_an_interpreter_that_cannot_be_used_is_named(project: Path, tmp_path: Path, answer: str, told: str) -> None:
    impostor = tmp_path / "python"
    impostor.write_text(f"#!{shutil.which('sh')}\n{answer}\n")
    impostor.chmod(0o755)
    wish = Wish(project, python=impostor, level=IsolationLevel.R0, env=dict(os.environ))

    [refused] = plan_modules([ModuleTarget(project / "src" / "shop" / "basket.py")], wish)

    assert isinstance(refused, RefusedTarget)
    assert told in refused.error.message
