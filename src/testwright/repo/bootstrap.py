"""The few lines in a conftest that let tests find the code, and how they get into a conftest that is already there."""

import ast
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.repo.import_map import ImportMap
from testwright.repo.python_source import parse_text, read_source


@dataclass(frozen=True, slots=True)
class NewConftest:
    """There is no conftest yet: write this one."""

    path: Path
    content: str


@dataclass(frozen=True, slots=True)
class ConftestAddition:
    """A conftest is kept and gains `added`; `content` is the whole file with it."""

    path: Path
    added: str
    content: str


@dataclass(frozen=True, slots=True)
class AlreadyThere:
    """Nothing has to be written."""

    path: Path


@dataclass(frozen=True, slots=True)
class UseEnvironment:
    """The conftest cannot be extended safely: the roots go into the environment of the run instead."""

    path: Path
    advice: str


BootstrapEdit = NewConftest | ConftestAddition | AlreadyThere | UseEnvironment


def bootstrap_edit(tests_dir: Path, import_map: ImportMap) -> BootstrapEdit:
    """What has to happen to the conftest in `tests_dir` so that tests there can import the module."""
    conftest = tests_dir / "conftest.py"
    if not import_map.needs_bootstrap:
        return AlreadyThere(conftest)
    added = import_map.render_bootstrap(tests_dir)
    if not conftest.exists():
        return NewConftest(conftest, added)
    try:
        text = read_source(conftest)
        tree = parse_text(text, conftest)
    except TestwrightError as error:
        return UseEnvironment(conftest, f"{error.message} {environment_advice(import_map.sys_path_roots)}")
    if added in text:
        return AlreadyThere(conftest)
    line = _first_free_line(tree)
    lines = text.splitlines(keepends=True)
    before, after = "".join(lines[:line]), "".join(lines[line:])
    gap = "\n" if before and not before.endswith("\n\n") else ""
    ended = "" if not before or before.endswith("\n") else "\n"
    content = f"{before}{ended}{gap}{added}" + (f"\n{after.lstrip(chr(10))}" if after.strip() else "")
    return ConftestAddition(conftest, added, content)


def environment_advice(roots: Sequence[str]) -> str:
    return f"Run the tests with PYTHONPATH={os.pathsep.join(roots)}, or install the project with `pip install -e .`."


def _first_free_line(tree: ast.Module) -> int:
    """The number of lines that must stay at the top: the docstring and `__future__` imports.

    The rest comes after us, for it may import what only we make importable.
    """
    last = 0
    for position, statement in enumerate(tree.body):
        is_docstring = position == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not (is_docstring or is_future):
            break
        last = statement.end_lineno or last
    return last
