"""How tests import a module: its canonical name, the folders to search, and what makes them searched."""

import keyword
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from testwright.model.errors import NotARegularFile, PathNotFound
from testwright.repo.import_roots import (
    folders_added_by,
    implicated_roots,
    import_root,
    imports_siblings,
    is_importable,
)
from testwright.repo.layout import RepoLayout, detect_layout, find_repo_root
from testwright.repo.placement import pytest_settings, tests_folder
from testwright.repo.python_source import hides_module
from testwright.repo.repo_files import above_packages, absolute, environment_root

MARKER = "# Testwright: where imports start. Written once; keep it, or install the project instead."
_ROOTS = """\
for _root in {roots}:
    if _root not in sys.path:
        sys.path.insert(0, _root)
"""
_FINDER = """\

class _ByFile(importlib.abc.MetaPathFinder):
    \"\"\"Loads modules that no search path leads to.\"\"\"

    _files = {files}

    def find_spec(self, name, path=None, target=None):
        if name not in self._files:
            return None
        return importlib.util.spec_from_file_location(name, self._files[name])


sys.meta_path.insert(0, _ByFile())
"""


@dataclass(frozen=True, slots=True)
class ImportMap:
    """How a test reaches the module under test as `_under_test`."""

    target_import: str
    """One import statement; for a name that no statement can spell, `import importlib` and an assignment below it."""
    sys_path_roots: tuple[str, ...]
    """Absolute folders that imports start from, the module's own first; none for an installed module."""
    needs_bootstrap: bool
    """Whether nothing yet puts the roots on the search path of the tests."""
    bootstrap_conftest: str
    """A `conftest.py` for the project's tests folder that does; empty when none is needed."""
    module_name: str
    by_file: tuple[tuple[str, str], ...] = ()
    """Modules that no search path can find, and the files they are loaded from; `render_bootstrap` sees to them."""
    note: str = ""
    """What a person should know about this import, when it is out of the ordinary."""

    def render_bootstrap(self, tests_dir: Path | None = None) -> str:
        """Source for a conftest in `tests_dir`, with paths relative to it; with absolute paths when there is none."""
        return render_bootstrap(self.sys_path_roots, self.by_file, tests_dir)


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    roots: tuple[Path, ...]
    by_file: tuple[tuple[str, Path], ...] = ()
    note: str = ""


def resolve_import(
    module_file: Path, *, root: Path | None = None, python: Path | None = None, tests_dir: Path | None = None
) -> ImportMap:
    """The canonical import of `module_file`, never by way of `src`.

    `python` is the project's interpreter: what is installed there needs no bootstrap. `tests_dir` is where the tests
    will lie, when that is not where the project keeps its own.
    """
    file = absolute(module_file)
    if not file.exists():
        raise PathNotFound(f"There is no file {file}.", next_step="Check the path.")
    if not file.is_file():
        raise NotARegularFile(f"{file} is not a file.", next_step="Name a Python file in it.")
    installed = environment_root(file)
    if installed is not None:
        name = _dotted(file, installed)
        statement, note = _statement(name, file)
        return ImportMap(statement, (), needs_bootstrap=False, bootstrap_conftest="", module_name=name, note=note)
    layout = detect_layout(root if root is not None and file.is_relative_to(absolute(root)) else find_repo_root(file))
    place = _place(file, layout)
    tests = absolute(tests_dir) if tests_dir is not None else tests_folder(layout, file)
    needs = not _is_reached(place, file, layout, tests, python)
    by_file = tuple((name, str(path)) for name, path in place.by_file)
    roots = tuple(map(str, place.roots))
    statement, note = _statement(place.name, file)
    return ImportMap(
        statement,
        roots,
        needs,
        render_bootstrap(roots, by_file, tests) if needs else "",
        place.name,
        by_file,
        place.note or note,
    )


def _statement(name: str, file: Path) -> tuple[str, str]:
    if not _is_spellable(name):
        return import_statement(name), f"{name} is no name that an import statement can spell, so importlib loads it."
    package, _, last = name.rpartition(".")
    if package and hides_module(file.parent if file.name != "__init__.py" else file.parent.parent, last):
        note = f"Package {package} gives the name {last} to something else, so importlib loads the module itself."
        return import_statement(name, is_hidden=True), note
    return import_statement(name), ""


def _is_spellable(module_name: str) -> bool:
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in module_name.split("."))


def import_statement(module_name: str, *, is_hidden: bool = False) -> str:
    """The statement that binds the module to `_under_test`; `is_hidden` when its package gives the name to another."""
    if is_hidden or not _is_spellable(module_name):
        return f'import importlib\n_under_test = importlib.import_module("{module_name}")'
    package, _, last = module_name.rpartition(".")
    return f"from {package} import {last} as _under_test" if package else f"import {last} as _under_test"


def _dotted(file: Path, root: Path) -> str:
    parts = list(file.relative_to(root).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _place(file: Path, layout: RepoLayout) -> _Place:
    member = layout.member_of(file)
    for name, folder in member.renamed if member is not None else ():
        if file.is_relative_to(folder) and (folder / "__init__.py").is_file():
            inner = "" if file == folder / "__init__.py" else "." + _dotted(file, folder)
            note = f"Package {name} lies in {folder.name}/: an editable install is the usual way to import it."
            return _Place(name + inner, member.roots if member else (), ((name, folder / "__init__.py"),), note)
    root = import_root(file, layout)
    if file == root / "__init__.py":
        root = root.parent
    name = _dotted(file, root)
    roots = implicated_roots(file, root, layout)
    if name in sys.stdlib_module_names and not imports_siblings(file):
        roots = ()  # in front of the search path, this folder would hide the standard library's module from everybody
    if "." in file.stem or name in sys.stdlib_module_names or name == "__main__":
        return _loaded_by_file(file, root, roots)
    return _Place(name, roots)


def _loaded_by_file(file: Path, root: Path, roots: tuple[Path, ...]) -> _Place:
    """A module that its own name does not lead to gets another name, which the bootstrap maps to its file."""
    package = ".".join(file.relative_to(root).parent.parts)
    alias = re.sub(r"\W", "_", file.stem).strip("_") + "_under_test"
    name = f"{package}.{alias}" if package else alias
    note = f"`import {file.stem}` does not lead to {file.name}, so a conftest loads it by its path, as {alias}."
    return _Place(name, roots, ((name, file),), note)


def _is_reached(place: _Place, file: Path, layout: RepoLayout, tests: Path, python: Path | None) -> bool:
    is_alias = any(name == place.name and path == file for name, path in place.by_file)  # installed nowhere
    if python is not None and not is_alias and is_importable(python, place.name, file):
        return True
    if place.by_file:
        return False
    given = {os.path.realpath(folder) for folder in _given_by_pytest(layout, tests)}
    return all(os.path.realpath(root) in given for root in place.roots)


def _given_by_pytest(layout: RepoLayout, tests: Path) -> Iterator[Path]:
    """The folders that `pytest`, started in the repository, will have on its search path for a test in `tests`."""
    stop = layout.root if tests.is_relative_to(layout.root) else tests
    settings = pytest_settings(tests, stop)
    yield from settings.pythonpath
    folder = tests
    inserts = settings.import_mode != "importlib"
    if inserts:
        yield above_packages(tests)
    while True:
        if (folder / "conftest.py").is_file():
            yield from folders_added_by(folder / "conftest.py")
            if inserts:
                yield above_packages(folder)
        if folder in (stop, folder.parent):
            return
        folder = folder.parent


def render_bootstrap(roots: Sequence[str], by_file: Sequence[tuple[str, str]], tests_dir: Path | None) -> str:
    """Source that makes `roots` searched, the first one first, and `by_file` importable."""
    imports = ["pathlib", "sys"] if tests_dir is not None else ["sys"]
    body = ""
    if roots:
        # The last one is inserted first, so that the first one ends up in front.
        written = [_written(root, tests_dir) for root in reversed(roots)]
        body += "\n" + _ROOTS.format(roots=_listed(written, tests_dir))
    if by_file:
        imports = ["importlib.abc", "importlib.util", *imports]
        files = ", ".join(f'"{name}": {_expression(_written(path, tests_dir), tests_dir)}' for name, path in by_file)
        body += ("\n" if roots else "") + _FINDER.format(files="{" + files + "}")
    lines = "".join(f"import {name}\n" for name in imports)
    return f"{MARKER}\n{lines}{body}"


def _written(path: str, tests_dir: Path | None) -> str:
    if tests_dir is None:
        return path
    return os.path.relpath(path, tests_dir).replace(os.sep, "/")


def _expression(written: str, tests_dir: Path | None) -> str:
    quoted = '"' + written.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return quoted if tests_dir is None else f"str(pathlib.Path(__file__).parent.joinpath({quoted}).resolve())"


def _listed(written: list[str], tests_dir: Path | None) -> str:
    items = [_expression(path, tests_dir) for path in written]
    if len(items) == 1:
        return f"[{items[0]}]"
    return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
