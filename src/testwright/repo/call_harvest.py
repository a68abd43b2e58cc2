"""Gather, from a whole repository, calls of a module's functions and methods with the arguments people gave them."""

import ast
import doctest
import re
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.repo.call_sites import calls_in
from testwright.repo.file_roles import is_bug_test, is_marked, is_test_file, package_of
from testwright.repo.import_map import resolve_import
from testwright.repo.layout import RepoLayout
from testwright.repo.own_symbols import OwnSymbols, own_symbols
from testwright.repo.python_source import MOST_BYTES, parse_file
from testwright.repo.repo_files import absolute, documents, environment_root, python_files
from testwright.repo.scope import Scope, add_imports, document_scope, inside_scope

MOST_CALLS = 40
"""Of one unit: enough to learn from, few enough to try them all."""
_MOST_PARSED = 200
_MOST_DOCUMENT = 1 << 20
_FENCE = re.compile(r"^(```+|~~~+)[ \t]*([\w{}.+-]*)[^\n]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_RST_BLOCK = re.compile(
    r"^\.\. (?:code-block|code|sourcecode):: *(?:python3?|py|pycon)[^\n]*\n((?:[ \t]+[^\n]*\n|[ \t]*\n)+)", re.MULTILINE
)
_RST_OPTION = re.compile(r"^[ \t]*:[\w-]+:[^\n]*\n", re.MULTILINE)
_PYTHON = frozenset({"", "python", "python3", "py", "pycon", "{python}", ".python"})
_DOCTESTS = doctest.DocTestParser()


def harvest(
    layout: RepoLayout, module_file: Path, *, module_name: str | None = None, most: int = MOST_CALLS
) -> dict[str, tuple[str, ...]]:
    """Calls of each unit of `module_file`, as expressions on `_under_test` that stand by themselves.

    In order of relevance: the module's own tests, other tests, doctests, READMEs and documentation, other code.
    """
    file = absolute(module_file)
    tree = parse_file(file)
    name = module_name if module_name is not None else resolve_import(file, root=layout.root).module_name
    own = own_symbols(tree, name, file)
    found: dict[str, dict[str, None]] = {}
    for unit, call in _calls(layout, file, tree, own):
        calls = found.setdefault(unit, {})
        if len(calls) < most:
            calls.setdefault(call)
    return {unit: tuple(found[unit]) for unit in sorted(found)}


def _calls(layout: RepoLayout, file: Path, tree: ast.Module, own: OwnSymbols) -> Iterator[tuple[str, str]]:
    tests, others = _relevant_files(layout, file, own)
    yield from _calls_in_files(tests, own, layout)
    for doctests in doctests_of(tree):
        scope = inside_scope(own)
        add_imports(scope, ast.walk(doctests))
        yield from calls_in(doctests, scope)
    for page in documents(_search_root(layout, file, own)):
        yield from _calls_in_document(page, own)
    yield from _calls_in_files(others, own, layout)


def _calls_in_files(files: list[Path], own: OwnSymbols, layout: RepoLayout) -> Iterator[tuple[str, str]]:
    for path in files:
        try:
            tree = parse_file(path)
        except TestwrightError:  # a broken file elsewhere is not what was asked about
            continue
        scope = Scope(own)
        add_imports(scope, ast.walk(tree), package_of(path, layout))
        if scope.names or scope.prefixes:
            yield from calls_in(tree, scope)


def _calls_in_document(page: Path, own: OwnSymbols) -> Iterator[tuple[str, str]]:
    try:
        text = page.read_text(encoding="utf-8", errors="replace")[:_MOST_DOCUMENT]
    except OSError:
        return
    examples = examples_in(text)
    scope = document_scope(own)
    add_imports(scope, ast.walk(examples))
    yield from calls_in(examples, scope)


def _search_root(layout: RepoLayout, file: Path, own: OwnSymbols) -> Path:
    """An environment holds a thousand strangers: only the module's own package is looked through."""
    if not layout.is_environment:
        return layout.root
    installed = environment_root(file) or file.parent
    package = installed / own.module_name.partition(".")[0]
    return package if package.is_dir() else file.parent / "no-such-folder"


def _relevant_files(layout: RepoLayout, file: Path, own: OwnSymbols) -> tuple[list[Path], list[Path]]:
    """Files that mention the module and one of its names: tests, those named after the module first, and others."""
    names = sorted([*own.functions, *own.classes])
    if not names:
        return [], []
    mentions = re.compile(rb"\b(?:" + b"|".join(re.escape(name.encode()) for name in names) + rb")\b")
    words = own.module_name.split(".")[-2:]
    tests: list[Path] = []
    others: list[Path] = []
    for path in python_files(_search_root(layout, file, own)):
        raw = _content(path)
        if path == file or is_marked(raw) or is_bug_test(path):
            continue  # what we made up ourselves teaches us nothing, and would make the next tests differ from these
        if any(word.encode() in raw for word in words) and mentions.search(raw):
            (tests if is_test_file(path) else others).append(path)
    last = own.module_name.rpartition(".")[2]
    tests.sort(key=lambda path: (last not in path.stem, str(path)))
    others.sort(key=lambda path: (-_common_depth(path, file), str(path)))
    return tests[:_MOST_PARSED], others[:_MOST_PARSED]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.stat().st_size <= MOST_BYTES else b""
    except OSError:
        return b""


def _common_depth(one: Path, other: Path) -> int:
    return sum(a == b for a, b in zip(one.parts, other.parts, strict=False))


def doctests_of(tree: ast.Module) -> list[ast.Module]:
    """The examples of each docstring in a module, as a module of their own."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node) or ""
            statements = list(_prompted(docstring))
            if statements:
                found.append(ast.Module(body=statements, type_ignores=[]))
    return found


def examples_in(document: str) -> ast.Module:
    """All Python that a page shows, in one piece: an import above serves the examples below it."""
    statements = list(_prompted(document))
    blocks = [found[3] for found in _FENCE.finditer(document) if found[2].lower() in _PYTHON]
    blocks += [textwrap.dedent(_RST_OPTION.sub("", found[1])) for found in _RST_BLOCK.finditer(document)]
    for block in blocks:
        if ">>>" not in block:
            statements += _parsed(block)
    return ast.Module(body=statements, type_ignores=[])


def _prompted(text: str) -> Iterator[ast.stmt]:
    if ">>>" not in text:
        return
    try:
        examples = _DOCTESTS.get_examples(text)
    except ValueError:  # prompts that do not line up: somebody's drawing, no doctest
        return
    for example in examples:
        yield from _parsed(example.source)


def _parsed(source: str) -> list[ast.stmt]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(textwrap.dedent(source)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # shell output, an ellipsis, another language
        return []
