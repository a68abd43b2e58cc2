"""Existing tests, each with exactly the fixtures, imports, mocks and assertions it relies on."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from testwright.model.errors import TestwrightError
from testwright.repo.file_roles import is_test_file
from testwright.repo.fixtures import Fixtures, needed_fixtures
from testwright.repo.given_when_then import ParsedTest, parts_of
from testwright.repo.python_source import dotted_name, parse_file
from testwright.repo.symbol_index import RepoIndex
from testwright.repo.symbols import Definition, one_by_one


@dataclass(frozen=True, slots=True)
class TestBundle:
    """One test and what it relies on, as source text."""

    __test__: ClassVar[bool] = False

    test_name: str
    """`test_x`, or `TestClass.test_x`."""
    file: Path
    imports: tuple[str, ...]
    fixtures: tuple[str, ...]
    """Definitions, those of other fixtures that they need included; only the name of one that pytest provides."""
    mocks: tuple[str, ...]
    assertions: tuple[str, ...]
    calls: tuple[str, ...]
    """Last names of everything that is called: `slugify`, `add`."""
    parts: ParsedTest


def bundles_in(file: Path, root: Path, *, calling: str = "") -> list[TestBundle]:
    """A bundle for each test in `file`, or each that calls `calling`; conftest files up to `root` are looked into."""
    try:
        tree = parse_file(file)
    except TestwrightError:  # a test file that cannot be read relies on nothing
        return []
    fixtures = Fixtures.for_file(file, tree, root)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    bundles = (_bundle(file, test, owner, fixtures, imports, calling) for test, owner in _tests(tree))
    return [bundle for bundle in bundles if bundle is not None]


def _tests(tree: ast.Module) -> Iterator[tuple[Definition, ast.ClassDef | None]]:
    for node in tree.body:
        if isinstance(node, Definition) and node.name.startswith("test"):
            yield node, None
        elif isinstance(node, ast.ClassDef) and (node.name.startswith("Test") or _is_unittest(node)):
            for item in node.body:
                if isinstance(item, Definition) and item.name.startswith("test"):
                    yield item, node


def _is_unittest(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith("TestCase") for base in node.bases)


def _bundle(
    file: Path,
    test: Definition,
    owner: ast.ClassDef | None,
    fixtures: Fixtures,
    imports: list[ast.Import | ast.ImportFrom],
    calling: str,
) -> TestBundle | None:
    needed = needed_fixtures(test, owner, fixtures)
    definitions = [node for node in needed.values() if node is not None]
    nodes: list[ast.AST] = [test, *definitions]
    if owner is not None:
        nodes += owner.decorator_list
    called = _called(nodes)
    if calling and calling not in called:
        return None
    used = {node.id for top in nodes for node in ast.walk(top) if isinstance(node, ast.Name)}
    parts = parts_of(test, [*(owner.decorator_list if owner is not None else [])])
    return TestBundle(
        f"{owner.name}.{test.name}" if owner is not None else test.name,
        file,
        tuple(dict.fromkeys(line for node in imports for line in one_by_one(node) if _bound_name(line) in used)),
        tuple(name if node is None else ast.unparse(node) for name, node in needed.items()),
        parts.mocks,
        parts.assertions,
        tuple(called),
        parts,
    )


def _bound_name(line: str) -> str:
    """The name that a one-name import statement binds."""
    if " as " in line:
        return line.rpartition(" as ")[2]
    name = line.rpartition("import ")[2]
    return name if line.startswith("from") else name.partition(".")[0]


def _called(nodes: Iterable[ast.AST]) -> dict[str, None]:
    found: dict[str, None] = {}
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.Call):
                func = node.func
                found.setdefault(func.attr if isinstance(func, ast.Attribute) else dotted_name(func) or "")
    found.pop("", None)
    return found


def bundles_calling(name: str, words: Iterable[str], index: RepoIndex, *, most: int = 8) -> list[TestBundle]:
    """Tests that call something named `name` in files that import by one of `words`, the closest named first."""
    wanted = tuple(words)
    files = [
        file
        for file, symbols in index.modules.items()
        if is_test_file(file)
        and any(call.rpartition(".")[2] == name for function in symbols.functions for call in function.calls)
        and any(word in line.replace(".", " ").replace(",", " ").split() for line in symbols.imports for word in wanted)
    ]
    files.sort(key=lambda file: (not any(word in file.stem for word in wanted), str(file)))
    found: list[TestBundle] = []
    for file in files:
        found += bundles_in(file, index.root, calling=name)
        if len(found) >= 4 * most:
            break
    # A test that makes the call itself says more than one whose fixture does.
    found.sort(key=lambda bundle: (not bundle.parts.when(name), name not in bundle.test_name))
    return found[:most]
