"""A module is imported by the one name its users import it by, and pytest really finds it there."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.repo.conftest import RunPytest, Write
from tests.repo.layouts import CODE, LAYOUTS, Layout, project
from testwright.model.errors import PathNotFound, RunnerMissing
from testwright.repo import placement
from testwright.repo.bootstrap import AlreadyThere, ConftestAddition, NewConftest, UseEnvironment, bootstrap_edit
from testwright.repo.import_map import resolve_import
from testwright.repo.layout import detect_layout


@pytest.mark.parametrize("layout", [pytest.param(layout, id=name) for name, layout in LAYOUTS.items()])
def test_a_module_of_any_layout_gets_its_canonical_import_and_pytest_finds_it(
    layout: Layout, write: Write, run_pytest: RunPytest
) -> None:
    root = write(layout.files)

    found = resolve_import(root / layout.target, root=root)

    assert found.target_import == layout.imported
    assert found.sys_path_roots == tuple(str(root / folder) for folder in layout.roots)
    assert found.needs_bootstrap is layout.needs_bootstrap
    tests_dir = placement.tests_folder(detect_layout(root), root / layout.target)
    assert tests_dir == root / layout.tests
    tests_dir.mkdir(exist_ok=True)
    edit = bootstrap_edit(tests_dir, found)
    if isinstance(edit, NewConftest | ConftestAddition):
        edit.path.write_text(edit.content, encoding="utf-8")
    (tests_dir / "test_it.py").write_text(
        f"{found.target_import}\nimport os\n\ndef test_it():\n    assert _under_test.double(2) == 4\n"
        f"    assert os.path.samefile(_under_test.__file__, {str(root / layout.target)!r})\n",
        encoding="utf-8",
    )
    done = run_pytest(tests_dir)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("layout", [pytest.param(layout, id=name) for name, layout in LAYOUTS.items()])
def test_no_import_ever_goes_by_way_of_src(layout: Layout, write: Write) -> None:
    found = resolve_import(write(layout.files) / layout.target)

    assert not found.module_name.startswith("src")
    assert "src" not in found.target_import


def test_the_bootstrap_works_in_another_checkout(write: Write, tmp_path: Path, run_pytest: RunPytest) -> None:
    layout = LAYOUTS["src layout, PEP 621"]
    root = write(layout.files)
    found = resolve_import(root / layout.target)
    (root / "tests").mkdir()
    (root / "tests" / "conftest.py").write_text(found.bootstrap_conftest, encoding="utf-8")
    (root / "tests" / "test_it.py").write_text(
        f"{found.target_import}\n\ndef test_it():\n    assert _under_test.double\n"
    )

    moved = root.rename(tmp_path / "elsewhere")

    assert str(root) not in found.bootstrap_conftest
    assert run_pytest(moved / "tests").returncode == 0


def test_an_installed_module_is_imported_by_its_installed_name_and_never_bootstrapped() -> None:
    found = resolve_import(Path(pytest.__file__))

    assert found.target_import == "import pytest as _under_test"
    assert found.sys_path_roots == ()
    assert found.needs_bootstrap is False
    assert found.bootstrap_conftest == ""


def test_a_module_of_the_standard_library_is_imported_by_its_name() -> None:
    assert resolve_import(Path(subprocess.__file__)).target_import == "import subprocess as _under_test"


def test_an_editable_install_needs_no_bootstrap(write: Write, tmp_path: Path) -> None:
    root = write({"pyproject.toml": project("shop"), "src/shop/__init__.py": "", "src/shop/mod.py": CODE})
    venv.create(tmp_path / "environment", with_pip=False)
    python = tmp_path / "environment" / "bin" / "python"
    bare = resolve_import(root / "src/shop/mod.py", python=python)
    (site_packages,) = (tmp_path / "environment").glob("lib/*/site-packages")

    venv.create(tmp_path / "other", with_pip=False)
    (other_packages,) = (tmp_path / "other").glob("lib/*/site-packages")
    (other_packages / "shop.pth").write_text(f"{root}/src\n", encoding="utf-8")
    installed = resolve_import(root / "src/shop/mod.py", python=tmp_path / "other" / "bin" / "python")

    assert site_packages.is_dir()
    assert bare.needs_bootstrap is True
    assert installed.needs_bootstrap is False
    assert installed.target_import == bare.target_import


def test_another_copy_that_is_installed_does_not_count(write: Write, tmp_path: Path) -> None:
    root = write({"pyproject.toml": project("shop"), "src/shop/__init__.py": "", "src/shop/mod.py": CODE})
    venv.create(tmp_path / "environment", with_pip=False)
    (site_packages,) = (tmp_path / "environment").glob("lib/*/site-packages")
    (site_packages / "shop").mkdir()
    (site_packages / "shop" / "__init__.py").write_text("raise RuntimeError('nobody may run this')\n")

    found = resolve_import(root / "src/shop/mod.py", python=tmp_path / "environment" / "bin" / "python")

    assert found.needs_bootstrap is True


def test_a_namespace_that_is_installed_in_part_is_looked_into(write: Write, tmp_path: Path) -> None:
    root = write(LAYOUTS["namespace package in src"].files)
    venv.create(tmp_path / "environment", with_pip=False)
    (site_packages,) = (tmp_path / "environment").glob("lib/*/site-packages")
    (site_packages / "company" / "other").mkdir(parents=True)
    (site_packages / "company" / "other" / "__init__.py").touch()
    (site_packages / "company.pth").write_text(f"{root}/src\n", encoding="utf-8")

    found = resolve_import(root / "src/company/shop/mod.py", python=tmp_path / "environment" / "bin" / "python")

    assert found.needs_bootstrap is False


def test_tests_outside_the_project_get_a_bootstrap_of_their_own(write: Write, tmp_path: Path) -> None:
    root = write(LAYOUTS["pytest's pythonpath"].files)

    found = resolve_import(root / "src/shop/mod.py", tests_dir=tmp_path / "output")

    assert found.needs_bootstrap is True
    assert '"../repository/src"' in found.bootstrap_conftest


def test_an_import_out_of_the_ordinary_is_said_plainly(write: Write) -> None:
    root = write({"scripts/my-tool.py": CODE, "scripts/tool.py": CODE})

    assert "my-tool" in resolve_import(root / "scripts/my-tool.py").note
    assert resolve_import(root / "scripts/tool.py").note == ""


def test_a_bootstrap_with_absolute_paths_can_be_run_anywhere(write: Write) -> None:
    layout = LAYOUTS["package in a folder of another name"]
    found = resolve_import(write(layout.files) / layout.target)

    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            f"{found.render_bootstrap()}\n{found.target_import}\nprint(_under_test.double(4))",
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout == "8\n", done.stderr


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound, match=r"missing\.py"):
        resolve_import(tmp_path / "missing.py")


def test_an_interpreter_that_is_none_is_named(write: Write) -> None:
    root = write({"tool.py": CODE})

    with pytest.raises(RunnerMissing, match="false"):
        resolve_import(root / "tool.py", python=Path("/bin/false"))


def test_a_conftest_is_kept_and_gains_the_bootstrap_once(write: Write) -> None:
    root = write(
        {
            **LAYOUTS["src layout, PEP 621"].files,
            "tests/conftest.py": '"""Ours."""\n\nfrom __future__ import annotations\n\nfrom shop.sub import mod\n',
        }
    )
    found = resolve_import(root / "src/shop/sub/mod.py")

    edit = bootstrap_edit(root / "tests", found)

    assert isinstance(edit, ConftestAddition)
    lines = edit.content.splitlines()
    assert lines[:3] == ['"""Ours."""', "", "from __future__ import annotations"]
    assert lines[-1] == "from shop.sub import mod"
    edit.path.write_text(edit.content, encoding="utf-8")
    assert bootstrap_edit(root / "tests", found) == AlreadyThere(root / "tests" / "conftest.py")
    assert resolve_import(root / "src/shop/sub/mod.py").needs_bootstrap is False


def test_a_conftest_that_cannot_be_parsed_is_left_alone_and_the_environment_advised(write: Write) -> None:
    root = write({**LAYOUTS["src layout, PEP 621"].files, "tests/conftest.py": "def (\n"})

    edit = bootstrap_edit(root / "tests", resolve_import(root / "src/shop/sub/mod.py"))

    assert isinstance(edit, UseEnvironment)
    assert f"PYTHONPATH={root / 'src'}" in edit.advice
