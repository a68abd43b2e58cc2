"""Which folder a module is imported from, when its repository leaves more than one choice."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from testwright.model.errors import RunnerMissing, TestwrightError
from testwright.repo.layout import Member, RepoLayout
from testwright.repo.python_source import parse_file
from testwright.repo.repo_files import above_packages, python_files

_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([\w.]+)", re.MULTILINE)
_LOOKED_AT = 60  # files read for evidence: enough to see a habit, few enough to be quick
_MEMBER_LOOKED_AT = 400
_SECONDS = 30.0
# A parent is imported to look below it, so we look below namespaces only: they have no code.
_QUESTION = """
import importlib.util, json, sys
name, found = "", []
for part in sys.argv[1].split("."):
    name = name + "." + part if name else part
    try:
        spec = importlib.util.find_spec(name)
    except Exception:  # a broken parent: not found
        spec = None
    if spec is None:
        found = []
        break
    found = list(spec.submodule_search_locations or [spec.origin or ""])
    if spec.origin is not None:
        break
print(json.dumps([name, found]))
"""
_ADDS = ("sys.path.insert", "sys.path.append")
_UNCHANGED = frozenset({"str", "Path", "PurePath", "abspath", "realpath", "normpath", "resolve", "absolute", "fspath"})


def import_root(file: Path, layout: RepoLayout) -> Path:
    """The folder that imports of `file` start from."""
    member = layout.member_of(file)
    chain = above_packages(file.parent)
    if member is None:
        return _seen_root(file, chain, layout.root) or chain
    declared = _deepest(file, (root for root in member.roots if root != member.folder))
    if declared is not None:
        if chain == declared or member.has_declared_roots or not imports_siblings(file):
            return declared
        return chain
    if chain == member.folder or _is_declared_below(file, member):
        return member.folder
    return _seen_root(file, chain, member.folder) or chain


def implicated_roots(file: Path, root: Path, layout: RepoLayout) -> tuple[Path, ...]:
    """`root`, and the roots of every other distribution here that the code imports, directly or by way of another."""
    found = [root]
    own = layout.member_of(file)
    waiting = [own] if own is not None else []
    seen = list(waiting)
    while waiting and len(layout.members) > 1:
        member = waiting.pop(0)
        tops = _imported_tops(_some(_member_files(member, layout), _MEMBER_LOOKED_AT))
        for other in layout.members:
            needed = [name for name in other.packages if name in tops]
            if other in seen or not needed:
                continue
            seen.append(other)
            waiting.append(other)
            found += [place for name in needed for place in other.roots if _holds(place, name)]
    if root.name == "src" and "src" in _imported_tops(_neighbours(file, layout.root)):
        found.append(root.parent)  # its own code says `src.x`: that must work too, though no test of ours writes it
    return tuple(dict.fromkeys(found))


def _holds(root: Path, name: str) -> bool:
    return (root / name).is_dir() or (root / f"{name}.py").is_file()


def _member_files(member: Member, layout: RepoLayout) -> Iterator[Path]:
    return (file for file in python_files(member.folder) if layout.member_of(file) == member)


def _deepest(file: Path, roots: Iterable[Path]) -> Path | None:
    above = [root for root in roots if file.is_relative_to(root) and _is_dotted(file.relative_to(root).parent)]
    return max(above, key=lambda root: len(root.parts), default=None)


def _is_dotted(folder: Path) -> bool:
    return all(part.isidentifier() for part in folder.parts)


def _is_declared_below(file: Path, member: Member) -> bool:
    """Whether the packaging files, or the project's own name (`company-pkg`), name the package it lies in."""
    parts = file.relative_to(member.folder).parts
    if len(parts) > 1 and parts[0] in member.packages:
        return True
    words = tuple(re.split(r"[-.]", member.name))
    return len(words) > 1 and parts[: len(words)] == words


def _seen_root(file: Path, chain: Path, base: Path) -> Path | None:
    """A folder above `chain` that the code around `file` imports from: `from app.models import x` in app/main.py."""
    if chain == base or not chain.is_relative_to(base):
        return None
    imported = _imported_names(_neighbours(file, base))
    root = chain.parent
    while root.is_relative_to(base):
        prefix = chain.relative_to(root)
        dotted = ".".join(prefix.parts)
        is_named = any(name == dotted or name.startswith(dotted + ".") for name in imported)
        if is_named and _is_dotted(prefix) and prefix.parts[0] != "src":
            return root
        root = root.parent
    return None


def imports_siblings(file: Path) -> bool:
    """Whether files beside `file` import one another by their bare names, as scripts in one folder do."""
    if (file.parent / "__init__.py").is_file():
        return False
    siblings = {path.stem for path in file.parent.glob("*.py")} - sys.stdlib_module_names
    return bool(siblings & _imported_tops(_some(sorted(file.parent.glob("*.py")), _LOOKED_AT)))


def _neighbours(file: Path, base: Path) -> list[Path]:
    """The file, what lies beside it, and the modules and tests of the folders above, up to `base`."""
    near = [file, *sorted(file.parent.glob("*.py"))]
    for folder in list(file.parents)[1:4]:
        if not folder.is_relative_to(base):
            break
        near += sorted(folder.glob("*.py"))
        for name in ("tests", "test"):
            near += sorted((folder / name).glob("*.py"))
    return list(dict.fromkeys(near))[:_LOOKED_AT]


def _some(files: Iterable[Path], most: int) -> list[Path]:
    return [file for file, _ in zip(files, range(most), strict=False)]


def _imported_tops(files: Iterable[Path]) -> set[str]:
    return {name.partition(".")[0] for name in _imported_names(files)}


def _imported_names(files: Iterable[Path]) -> set[str]:
    names: set[str] = set()
    for file in files:
        try:
            raw = file.read_bytes()
        except OSError:  # what cannot be read says nothing
            continue
        names.update(found.decode("utf-8", "replace") for found in _IMPORT.findall(raw))
    return names


def is_importable(python: Path, module_name: str, file: Path) -> bool:
    """Whether `python`, started anywhere, imports `module_name` from `file` and not from elsewhere."""
    found_name, places = _found_by(python, module_name)
    inside = module_name.removeprefix(found_name).removeprefix(".")
    wanted = file.parent if file.name == "__init__.py" else file.with_suffix("")
    for _ in inside.split(".") if inside else ():
        wanted = wanted.parent
    real = os.path.realpath(wanted)
    return any(os.path.realpath(place.removesuffix(".py")) == real for place in places)


@lru_cache(maxsize=1024)
def _found_by(python: Path, module_name: str) -> tuple[str, tuple[str, ...]]:
    try:
        done = subprocess.run(
            [str(python), "-I", "-c", _QUESTION, module_name],
            capture_output=True,
            timeout=_SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
            cwd=os.sep,
        )
        name, places = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise RunnerMissing(
            f"{python} did not answer as a Python interpreter does.",
            next_step="Name an interpreter, or an environment's folder, with --python.",
        ) from error
    return name, tuple(places)


def folders_added_by(conftest: Path) -> Iterator[Path]:
    """The folders that the file's `sys.path.insert` and `.append` calls add, where they can be told from the text."""
    try:
        tree = parse_file(conftest)
    except TestwrightError:  # what cannot be read adds nothing that we could rely on
        return
    known: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    known.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            items = _loop_items(node.iter)
            known.setdefault(node.target.id, []).extend(items)
    reader = _PathReader(conftest, known)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in _ADDS:
            yield from reader.values(node.args[-1])


def _loop_items(iterated: ast.expr) -> list[ast.expr]:
    if isinstance(iterated, ast.Call) and len(iterated.args) == 1:  # reversed([...])
        iterated = iterated.args[0]
    return list(iterated.elts) if isinstance(iterated, ast.List | ast.Tuple) else []


class _PathReader:
    """Evaluates the few expressions that people write for folders."""

    def __init__(self, file: Path, known: dict[str, list[ast.expr]]) -> None:
        self._file, self._known = file, known
        self._open: list[str] = []  # names being looked up: a name may be assigned from itself

    def values(self, node: ast.expr) -> list[Path]:
        return [Path(os.path.normpath(self._file.parent / value)) for value in self._texts(node)]

    def _texts(self, node: ast.expr) -> list[str]:
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.Name(id="__file__"):
                return [str(self._file)]
            case ast.Name(id=name):
                return self._named(name)
            case ast.Attribute(value=inner, attr="parent"):
                return [os.path.dirname(text) for text in self._texts(inner)]  # noqa: PTH120  texts, not files
            case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int(up))):
                return [str(Path(text).parents[up]) for text in self._texts(inner) if up < len(Path(text).parents)]
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return [os.path.join(a, b) for a in self._texts(left) for b in self._texts(right)]  # noqa: PTH118
            case ast.Call():
                return self._called(node)
            case _:
                return []

    def _named(self, name: str) -> list[str]:
        if name in self._open:
            return []
        self._open.append(name)
        found = [text for value in self._known.get(name, []) for text in self._texts(value)]
        self._open.pop()
        return found

    def _called(self, call: ast.Call) -> list[str]:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        if name in _UNCHANGED:
            inner = call.args[0] if call.args else receiver
            return self._texts(inner) if inner is not None else []
        if name == "dirname" and call.args:
            return [os.path.dirname(text) for text in self._texts(call.args[0])]  # noqa: PTH120
        if name in ("join", "joinpath"):
            parts = [*([receiver] if name == "joinpath" and receiver is not None else []), *call.args]
            joined = [""]
            for part in parts:
                joined = [os.path.join(start, text) for start in joined for text in self._texts(part)]  # noqa: PTH118
            return joined
        return []
