"""Find the test files that are about a module: those that import it, or its names from a package that offers them."""

import ast
from collections.abc import Iterable
from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.repo.file_roles import is_collected, package_of
from testwright.repo.layout import RepoLayout
from testwright.repo.own_symbols import OwnSymbols, absolute_module, own_symbols
from testwright.repo.python_source import dotted_name, parse_file, read_bytes
from testwright.repo.repo_files import absolute, python_files
from testwright.repo.scope import Scope, add_imports


def tests_about(module_file: Path, module_name: str, folders: Iterable[Path], layout: RepoLayout) -> tuple[Path, ...]:
    """Test files below `folders` that use the module, in the order of their folders and names."""
    file = absolute(module_file)
    try:
        own = own_symbols(parse_file(file), module_name, file)
    except TestwrightError:  # a module that cannot be read here may still be imported as a whole
        own = OwnSymbols(module_name, frozenset(), {}, frozenset())
    candidates = dict.fromkeys(path for folder in folders for path in python_files(folder) if is_collected(path))
    return tuple(path for path in candidates if path != file and _is_about(path, own, layout))


def _is_about(path: Path, own: OwnSymbols, layout: RepoLayout) -> bool:
    try:
        if not any(word in read_bytes(path) for word in _words(own)):
            return False
        tree = parse_file(path)
    except TestwrightError:
        return False
    package = package_of(path, layout)
    nodes = list(ast.walk(tree))
    if any(_imports(node, own.module_name, package) for node in nodes):
        return True
    scope = Scope(own)
    add_imports(scope, nodes, package)
    used = (dotted_name(node) for node in nodes if isinstance(node, ast.Attribute))
    # `import package` brings every module of it along: only what is used then says which one it is about.
    return bool(scope.names) or any(name is not None and scope.own_path(name) is not None for name in used)


def _words(own: OwnSymbols) -> list[bytes]:
    """One of these is in every file that imports the module or something of it: few files have to be parsed."""
    offered = {name for names in own.exports.values() for name in names}
    return [word.encode() for word in sorted({own.module_name.rpartition(".")[2], *offered})]


def _imports(node: ast.AST, module_name: str, package: str) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name == module_name for alias in node.names)
    if not isinstance(node, ast.ImportFrom):
        return False
    source = absolute_module(node, package)
    return source == module_name or any(f"{source}.{alias.name}" == module_name for alias in node.names)
