"""A module that is served is like any other, but for the code that runs."""

import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from testwright.instrument.import_hook import ServedModule, serve, serve_file

SOURCE = '"""Doc."""\ndef answer():\n    return 42\n'


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with a module in it, on the import path."""
    folder = tmp_path / "served_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("here = 1\n")
    (folder / "data.txt").write_text("data")
    (folder / "module.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    finders = list(sys.meta_path)
    yield folder
    sys.meta_path[:] = finders
    for name in [name for name in sys.modules if name.partition(".")[0] == "served_package"]:
        del sys.modules[name]


def mutated(path: Path) -> Any:
    return compile(path.read_text().replace("42", "43").replace("here = 1", "here = 2"), str(path), "exec")


def test_the_import_runs_the_code_and_all_else_is_as_usual(package: Path) -> None:
    path = package / "module.py"
    serve("served_package.module", mutated(path), str(path))

    module = importlib.import_module("served_package.module")

    assert module.answer() == 43
    assert module.__file__ == str(path)
    assert module.__package__ == "served_package"
    assert module.__spec__ is not None
    assert module.__spec__.origin == str(path)
    assert inspect.getsource(module.answer) == "def answer():\n    return 42\n"
    assert inspect.getdoc(module) == "Doc."


def test_a_package_can_be_served_too_and_still_has_its_modules_and_data(package: Path) -> None:
    serve("served_package", mutated(package / "__init__.py"), str(package / "__init__.py"))

    module = importlib.import_module("served_package")

    assert module.here == 2
    assert list(module.__path__) == [str(package)]
    assert importlib.import_module("served_package.module").answer() == 42
    assert importlib.resources.files("served_package").joinpath("data.txt").read_text() == "data"


def test_the_globals_are_prepared_before_the_code_runs(package: Path) -> None:
    path = package / "module.py"
    code = compile("seen = given + 1\n", str(path), "exec")

    serve("served_package.module", code, str(path), lambda names: names.update(given=1))

    assert importlib.import_module("served_package.module").seen == 2


def test_a_file_is_served_under_any_name_it_is_imported_by(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = package / "module.py"
    serve_file(mutated(path), str(path))
    monkeypatch.syspath_prepend(package)

    assert importlib.import_module("served_package.module").answer() == 43
    assert importlib.import_module("module").answer() == 43
    del sys.modules["module"]


def test_another_file_of_the_same_name_is_not_mistaken_for_it(package: Path, tmp_path: Path) -> None:
    other = tmp_path / "served_package_2"
    other.mkdir()
    (other / "__init__.py").write_text("")
    (other / "module.py").write_text("def answer():\n    return 1\n")
    serve_file(mutated(package / "module.py"), str(package / "module.py"))

    assert importlib.import_module("served_package_2.module").answer() == 1


@pytest.mark.parametrize("how", ["by name", "by file"])
def test_once_stopped_the_file_itself_is_imported(package: Path, how: str) -> None:
    path = package / "module.py"
    served: ServedModule = (
        serve("served_package.module", mutated(path), str(path))
        if how == "by name"
        else serve_file(mutated(path), str(path))
    )

    served.stop()
    served.stop()

    assert importlib.import_module("served_package.module").answer() == 42
