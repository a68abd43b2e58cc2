"""Where the expressions of cases are evaluated: the module under test, other modules, a folder for each case."""

import ast
import builtins
import importlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from testwright.generate.inside.generated_case import SUBJECT, TMP_PATH, UNDER_TEST
from testwright.generate.inside.module_state import ModuleState
from testwright.generate.inside.object_names import ObjectNames

FOLDER_NAME = "folder-of-the-case"
"""The last part of `tmp_path`. A test gets another one, so nothing that shows it may be relied on."""
_MOST_EXPRESSIONS = 5_000
_OURS = frozenset({UNDER_TEST, SUBJECT, TMP_PATH})
_NO_SUBJECT = object()


class Namespace:
    """Evaluates expressions and names objects, for one module under test."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.state = ModuleState(module)
        self.tools: object = None
        """What `descriptions` makes once for each module."""
        self._names = ObjectNames(module)
        self._globals: dict[str, Any] = {"__builtins__": builtins, UNDER_TEST: module}
        self._ready: dict[str, tuple[CodeType, bool]] = {}
        self._imports: dict[str, tuple[str, ...]] = {}
        self._folder: Path | None = None
        self._folder_owner = 0
        self._folder_is_made = False

    def begin(self) -> None:
        """Start a case: what the one before left in the folder and in the module's variables is undone."""
        if self._folder_is_made:
            self._empty_folder()
        self._globals.pop(SUBJECT, None)
        self.state.restore()

    def evaluate(self, expression: str, subject: object = _NO_SUBJECT) -> Any:
        """The value of the expression, in which `subject` may stand for an object; raises what that raises."""
        ready = self._ready.get(expression)
        if ready is None:
            ready = self._prepare(expression)
        code, needs_folder = ready
        if needs_folder:
            self._globals[TMP_PATH] = self.tmp_path
        if subject is not _NO_SUBJECT:
            self._globals[SUBJECT] = subject
        return eval(code, self._globals)  # noqa: S307 - the expressions are ours, and this process is for running them

    def imports(self, expression: str) -> tuple[str, ...]:
        """The modules that the expression names by their full dotted path."""
        found = self._imports.get(expression)
        if found is None:
            tree = ast.parse(expression, mode="eval")
            found = self._imports[expression] = tuple(dict.fromkeys(_imported(chain) for chain in _chains(tree)))
        return found

    def name_of(self, thing: object) -> str | None:
        """An expression that gives this very object (a class, function, enum member, module constant), or None."""
        return self._names.of(thing)

    @property
    def tmp_path(self) -> Path:
        """A folder for this case alone, made when it is first asked for."""
        if self._folder is None or self._folder_owner != os.getpid():  # a fork must not share its parent's folder
            # Without symbolic links, so that a path that the code under test resolved is still seen to be inside.
            self._folder = Path(tempfile.mkdtemp()).resolve() / FOLDER_NAME
            self._folder_owner, self._folder_is_made = os.getpid(), False
        if not self._folder_is_made:
            self._folder.mkdir()
            self._folder_is_made = True
        return self._folder

    @property
    def made_folder(self) -> Path | None:
        """The folder of this case if anything asked for it."""
        return self._folder if self._folder_is_made else None

    def close(self) -> None:
        """Remove the folder."""
        if self._folder is not None and self._folder_owner == os.getpid():
            shutil.rmtree(self._folder.parent, ignore_errors=True)
            self._folder, self._folder_is_made = None, False

    def _empty_folder(self) -> None:
        if self._folder is not None and self._folder_owner == os.getpid():
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder_is_made = False

    def _prepare(self, expression: str) -> tuple[CodeType, bool]:
        code = compile(expression, "<case>", "eval", dont_inherit=True)
        names = _names_in(code)
        if any(name not in _OURS and not hasattr(builtins, name) for name in names):
            for path in self.imports(expression):
                root = path.partition(".")[0]
                self._globals[root] = sys.modules[root]
        if len(self._ready) >= _MOST_EXPRESSIONS:
            self._ready.clear()
            self._imports.clear()
        ready = self._ready[expression] = (code, TMP_PATH in names)
        return ready


def _names_in(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_in(constant)
    return names


def _chains(tree: ast.AST) -> list[list[str]]:
    """Dotted names in the expression that begin with a free name which only a module can be."""
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    inner: set[int] = set()
    chains = []
    for node in ast.walk(tree):  # outer nodes come before the nodes inside them
        if id(node) in inner or not isinstance(node, ast.Attribute | ast.Name):
            continue
        parts: list[str] = []
        at: ast.expr = node
        while isinstance(at, ast.Attribute):
            parts.append(at.attr)
            at = at.value
            inner.add(id(at))
        if isinstance(at, ast.Name) and at.id not in bound and at.id not in _OURS and not hasattr(builtins, at.id):
            chains.append([at.id, *reversed(parts)])
    return chains


def _imported(chain: list[str]) -> str:
    """Import the longest beginning of the chain that is a module, and say which it is."""
    path = chain[0]
    module = importlib.import_module(path)
    for part in chain[1:]:
        found = getattr(module, part, None)
        if not hasattr(module, "__path__") or (found is not None and not isinstance(found, ModuleType)):
            break
        try:
            module = importlib.import_module(f"{path}.{part}")
        except ModuleNotFoundError:
            break
        path = f"{path}.{part}"
    return path
