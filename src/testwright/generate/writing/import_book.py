"""Which imports a test file needs, and how its expressions name what they import.

Expressions arrive with full dotted names. In the file, `decimal.Decimal("1")` becomes `Decimal("1")` under
`from decimal import Decimal`; where that name would clash with another, the dotted name stays under `import decimal`.
"""

import ast
import sys
from collections.abc import Collection, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeVar, cast

from testwright.generate.inside.generated_case import SUBJECT, TMP_PATH, UNDER_TEST
from testwright.generate.writing.expression_trees import BUILTINS, bound_names, chain, dotted, free_chains

WRITERS_OWN = ("asyncio", "copy", "itertools", "pytest")  # modules that the writer itself may name in a test

# Their members mean little without the module's name (`compile`, `sqrt`, `run`), or hide a builtin.
_BY_THEIR_MODULE = """asyncio cmath copy functools gc html inspect itertools json locale logging math operator os pytest
    random re shutil signal socket string struct sys textwrap threading time types typing warnings zlib"""
_ALWAYS_DOTTED = frozenset(_BY_THEIR_MODULE.split())
_SAYS_NOTHING_ALONE = ("Error", "error", "Exception", "Warning")
_Node = TypeVar("_Node", bound=ast.AST)
_GIVEN = frozenset({UNDER_TEST, TMP_PATH, SUBJECT})


class UnknownName(ValueError):
    """An expression names something that no import gives."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A member of a module; without a member, the module itself."""

    module: str
    member: str = ""


def references(node: ast.AST, modules: Collection[str], *, given: Collection[str] = ()) -> Iterator[Reference]:
    """What an expression takes from other modules; `given` are names that the test itself defines."""
    for parts in free_chains(node):
        if parts[0] in _GIVEN or parts[0] in given:
            continue
        reference = _resolved(parts, modules)
        if reference is not None:
            yield reference


def _resolved(parts: tuple[str, ...], modules: Collection[str]) -> Reference | None:
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        if module in modules:
            return _reference(module, parts[length:])
    if parts[0] in BUILTINS:
        return None
    if parts[0] in sys.stdlib_module_names:
        return _reference(parts[0], parts[1:])
    raise UnknownName(f"Nothing defines {parts[0]!r}.")


def _reference(module: str, rest: tuple[str, ...]) -> Reference:
    if module == "os.path":  # `import os` gives it, and is what people write
        return Reference("os", "path")
    return Reference(module, rest[0] if rest else "")


class ImportBook:
    """Decides once, from everything a file may name, how each thing is named; remembers what was really used."""

    def __init__(self, module_name: str, all_references: Iterable[Reference], taken: Collection[str]) -> None:
        self._module_name = module_name
        others = [each for each in dict.fromkeys(all_references) if each.module not in (module_name, "builtins")]
        self._dotted = _kept_dotted(others, taken)
        self._used: dict[Reference, None] = {}
        self.stand_ins: dict[str, str] = {}
        """Names that the file gives to expressions, by the text of the expression."""

    def rewritten(self, node: _Node, modules: Collection[str], *, given: Collection[str] = ()) -> _Node:
        """The expression or statement with its dotted names as this file writes them."""
        rewriter = _Rewriter(self, modules, frozenset(given) | _GIVEN | bound_names(node))
        return cast(_Node, rewriter.visit(deepcopy(node)))

    def module(self, name: str) -> ast.expr:
        """One of the writer's own modules, to be named in a test."""
        self._used[Reference(name)] = None
        return dotted(name)

    def spelled(self, reference: Reference) -> str:
        """How the file names it."""
        if reference.module == "builtins":
            return reference.member
        if reference.module == self._module_name:
            return ".".join(filter(None, (UNDER_TEST, reference.member)))
        self._used[reference] = None
        if not reference.member or reference.module in self._dotted:
            return ".".join(filter(None, (reference.module, reference.member)))
        return reference.member

    def block(self) -> str:
        """The import statements, without the one of the module under test: standard library, others, the project."""
        whole: set[str] = set()
        members: dict[str, set[str]] = {}
        for reference in self._used:
            if not reference.member or reference.module in self._dotted:
                whole.add(reference.module)
            else:
                members.setdefault(reference.module, set()).add(reference.member)
        sections = []
        for section in range(3):
            lines = [f"import {module}" for module in sorted(whole) if self._section(module) == section]
            lines += [
                f"from {module} import {', '.join(sorted(members[module], key=_member_order))}"
                for module in sorted(members)
                if self._section(module) == section
            ]
            if lines:
                sections.append("\n".join(lines))
        return "\n\n".join(sections)

    def _section(self, module: str) -> int:
        root = module.partition(".")[0]
        if root == self._module_name.partition(".")[0]:
            return 2
        return 0 if root in sys.stdlib_module_names else 1


def _kept_dotted(wanted: list[Reference], taken: Collection[str]) -> frozenset[str]:
    """Modules whose members keep their dotted name; one clash keeps it for all of a module's members."""
    dotted_modules = {each.module for each in wanted if not each.member or each.module in _ALWAYS_DOTTED}
    while True:
        roots = {module.partition(".")[0] for module in dotted_modules} | set(WRITERS_OWN)
        plain = [each for each in wanted if each.module not in dotted_modules]
        offered = [each.member for each in plain]
        clashing = {
            each.module
            for each in plain
            if each.member in roots
            or each.member in taken
            or each.member in BUILTINS
            or offered.count(each.member) > 1
            or each.member in _SAYS_NOTHING_ALONE
            or each.member.startswith(("test", "Test"))  # pytest would collect it
        }
        if not clashing:
            return frozenset(dotted_modules)
        dotted_modules |= clashing


def _member_order(member: str) -> tuple[int, str]:
    """Constants, then classes, then the rest: as isort has it."""
    if member.isupper() and len(member) > 1:
        return 0, member
    return (1 if member[:1].isupper() else 2), member


class _Rewriter(ast.NodeTransformer):
    def __init__(self, book: ImportBook, modules: Collection[str], given: Collection[str]) -> None:
        self.book, self.modules, self.given = book, modules, given

    def visit(self, node: ast.AST) -> ast.AST:
        if self.book.stand_ins and isinstance(node, ast.Call):
            name = self.book.stand_ins.get(ast.unparse(node))
            if name is not None:
                return ast.Name(id=name, ctx=ast.Load())
        parts = chain(node) if isinstance(node, ast.expr) else ()
        if not parts:
            visited: ast.AST = self.generic_visit(node)
            return visited
        reference = None if parts[0] in self.given else _resolved(parts, self.modules)
        if reference is None:
            return node
        module_length = reference.module.count(".") + 1
        rest = parts[module_length + 1 :] if reference.member else ()
        return dotted(".".join((self.book.spelled(reference), *rest)))
