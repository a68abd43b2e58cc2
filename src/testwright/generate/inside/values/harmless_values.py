"""What may be handed to code that we do not know: it might delete, overwrite or open anything that it is given.

Tests made from these expressions run in people's own checkouts, so the rule does not rely on a sandbox.
"""

import ast
import os
import pathlib
import re
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from testwright.generate.inside.generated_case import TMP_PATH, UNDER_TEST
from testwright.generate.inside.safe_access import attributes_of, inherits, is_a, quietly

PLACE = re.compile(
    r"^\s*(?:/|~|\\\\|[A-Za-z]:[/\\]|file:|\.{1,2}(?:[/\\]|\s*$))|(?:^|[/\\])\.\.(?:[/\\]|\s*$)", re.IGNORECASE
)
"""As a path, it names a place outside a fresh folder: absolute, in the home, the current folder, or above."""

FILE_NAME = re.compile(r"[\w -][\w. -]*")
ACTING = frozenset([
    "os", "shutil", "subprocess", "sys", "tempfile", "socket", "ctypes", "signal", "multiprocessing",
    "threading", "asyncio.subprocess", "glob", "importlib", "open", "exec", "eval", "compile", "input",
    "exit", "quit", "__import__", "breakpoint", "globals", "locals", "vars", "setattr", "delattr",
    "__file__",
])  # fmt: skip
"""Names that an argument has no need of, and that do something or lead out of the test's folder."""
ACTING_METHODS = frozenset([
    "home", "cwd", "unlink", "rmdir", "mkdir", "touch", "rename", "replace", "chmod", "write_text",
    "write_bytes", "resolve", "absolute", "parent", "parents",
])  # fmt: skip
LEADING_OUT = frozenset(("getcwd", "home", "cwd", "expanduser", "gettempdir", "environ", "__file__", "__path__"))
"""No matter what they are read from."""

NUMBERS_ARE_FILES = re.compile(r"-?\d+|True|False")


def is_harmless(expression: str, module: ModuleType) -> bool:
    """Whether no part of the expression names a place of this machine or does something by itself."""
    tree = quietly(lambda: ast.parse(expression, mode="eval"), None)
    return tree is not None and all(_is_harmless(node, module) for node in ast.walk(tree))


def _is_harmless(node: ast.AST, module: ModuleType) -> bool:
    if isinstance(node, ast.Constant):
        value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
        return not isinstance(value, str) or PLACE.search(value) is None
    if isinstance(node, ast.Name):
        return node.id not in ACTING
    if isinstance(node, ast.Attribute) and node.attr in LEADING_OUT:
        return False
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == UNDER_TEST:
            return not names_a_place(attributes_of(module).get(node.attr))
        return node.attr not in ACTING_METHODS or not _is_about_paths(node.value)
    if isinstance(node, ast.BinOp) and TMP_PATH in quietly(lambda: ast.unparse(node.left), TMP_PATH):
        return isinstance(node.right, ast.Constant) and _is_file_name(node.right.value)
    return True


def _is_about_paths(node: ast.AST) -> bool:
    source = quietly(lambda: ast.unparse(node), TMP_PATH)
    return TMP_PATH in source or "Path" in source


def _is_file_name(name: Any) -> bool:
    return isinstance(name, str) and FILE_NAME.fullmatch(name) is not None


def names_a_place(value: object) -> bool:
    """Whether a live constant is a path, or text that would be one outside a fresh folder, or a module that acts."""
    if is_a(value, pathlib.PurePath) or is_a(value, ModuleType):
        return True
    if type(value) in (list, tuple, set, frozenset):
        return any(names_a_place(each) for each in list(value)[:50])  # type: ignore[call-overload]  # any iterable
    return type(value) is str and PLACE.search(value) is not None


def fit_for_a_path(expressions: Iterable[str]) -> list[str]:
    """Of the values for a parameter that is used as a path: what stays in the test's folder, or is no path at all.

    No bare names, which would be files of the current folder; no empty text, which `Path` takes for it; and no numbers,
    which are open files to the operating system.
    """
    return [each for each in expressions if TMP_PATH in each or not _could_be_opened(each)]


def _could_be_opened(expression: str) -> bool:
    tree = quietly(lambda: ast.parse(expression, mode="eval").body, None)
    return tree is None or NUMBERS_ARE_FILES.fullmatch(expression) is not None or _holds_text(tree)


def _holds_text(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and quietly(lambda: ast.unparse(node.func), "").startswith("io."):
        return False  # a file that is only in memory
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (str, bytes))
    return any(_holds_text(each) for each in ast.iter_child_nodes(node))


def stays(expression: str, changed: str, module: ModuleType) -> bool:
    """Whether a changed expression may replace another: harmless, and what was in the test's folder still is."""
    return is_harmless(changed, module) and (TMP_PATH not in expression or TMP_PATH in changed or changed == "None")


PATH_WORDS = frozenset([
    "path", "file", "filename", "filepath", "fname", "dir", "directory", "folder", "dirname", "root",
    "outfile", "infile",
])  # fmt: skip


def is_path_like(name: str, annotation: object, abilities: Iterable[str]) -> bool:
    """Whether a parameter is a path as far as its name, its type or its use tells."""
    words = {word.rstrip("s") for word in re.split(r"[^a-z]+", name.lower())}
    return bool(words & PATH_WORDS) or is_path_type(annotation) or bool({"path", "file"} & set(abilities))


def is_path_type(annotation: object) -> bool:
    """Whether an annotation, or an option of it, is a path; said by its text, which never runs anything."""
    if is_a(annotation, type) and (inherits(annotation, pathlib.PurePath) or annotation is os.PathLike):
        return True
    shown = annotation if type(annotation) is str else quietly(lambda: str(annotation), "")
    return "Path" in shown
