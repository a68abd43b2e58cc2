"""Everything a test's author needs to know about one target, in one value: the ContextPack."""

import ast
from dataclasses import replace
from pathlib import Path

from testwright.repo.code_target import CodeTarget
from testwright.repo.context_pack import MAX_INPUT_TOKENS, ContextPack, Focal, as_json, trimmed
from testwright.repo.definition_lookup import Definitions, names_used
from testwright.repo.import_map import resolve_import
from testwright.repo.layout import detect_layout, find_repo_root
from testwright.repo.python_source import parse_text, read_source
from testwright.repo.related_methods import PropertyContext, merged, property_context
from testwright.repo.repo_files import above_packages, absolute, environment_root
from testwright.repo.symbol_index import Progress, RepoIndex, index_repository
from testwright.repo.symbols import Definition, function_of, module_symbols, signature_of

__all__ = ["ContextPack", "as_json", "build_context_pack"]

_MOST_LOOKED_AT = 6  # functions of a whole module or class: each is compared with the whole repository


def build_context_pack(
    target: CodeTarget,
    *,
    root: Path | None = None,
    python: Path | None = None,
    cache: Path | None = None,
    max_input_tokens: int = MAX_INPUT_TOKENS,
    missing_symbols: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> ContextPack:
    """Understand `target` in its repository, without running any of it.

    `cache` is a folder to remember symbols in. `missing_symbols` are names to define beside those that the code uses.
    """
    file = absolute(target.module_file)
    text = read_source(file)
    tree = parse_text(text, file)
    import_map = resolve_import(file, root=root, python=python)
    index = index_repository(_index_root(file, root), cache=cache, progress=progress)
    node = _find(tree, target.qualname)
    definitions = Definitions(file, tree, import_map.module_name, index)
    names = [name for name in names_used([node]) if name != target.qualname]
    pack = ContextPack(
        CodeTarget(file, target.qualname),
        import_map,
        _focal(node, text),
        definitions.resolve([*missing_symbols, *names]),
        _properties(node, target.qualname, file, import_map.module_name, index),
        max_input_tokens,
    )
    return trimmed(pack)


def _index_root(file: Path, root: Path | None) -> Path:
    """The repository; of an environment the one package that the file belongs to."""
    if environment_root(file) is None:
        return detect_layout(root if root is not None else find_repo_root(file)).root
    outer = above_packages(file.parent)
    return outer / file.relative_to(outer).parts[0] if outer != file.parent else file.parent


def _find(tree: ast.Module, qualname: str) -> ast.Module | ast.ClassDef | Definition:
    """The node of a qualname that is known to exist; the last definition wins, as it does when the module runs."""
    found: ast.Module | ast.ClassDef | Definition = tree
    for part in qualname.split(".") if qualname else ():
        inner = [
            node
            for node in ast.walk(found)
            if node is not found and isinstance(node, ast.ClassDef | Definition) and node.name == part
        ]
        found = next((node for node in inner if node in found.body), inner[-1] if inner else found)
    return found


def _focal(node: ast.Module | ast.ClassDef | Definition, text: str) -> Focal:
    docstring = ast.get_docstring(node)
    if isinstance(node, ast.Module):
        return Focal(text, "\n".join(_public_signatures(node)), docstring)
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    source = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    if isinstance(node, ast.ClassDef):
        bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
        return Focal(source, "\n".join([f"class {node.name}{bases}", *_public_signatures(node)]), docstring)
    return Focal(source, signature_of(node), docstring)


def _public_signatures(node: ast.Module | ast.ClassDef) -> list[str]:
    indent = "    " if isinstance(node, ast.ClassDef) else ""
    lines = []
    for item in node.body:
        if isinstance(item, Definition) and (not item.name.startswith("_") or item.name == "__init__"):
            lines.append(indent + signature_of(item))
        elif isinstance(item, ast.ClassDef) and not item.name.startswith("_"):
            lines.append(f"{indent}class {item.name}")
    return lines


def _properties(
    node: ast.Module | ast.ClassDef | Definition, qualname: str, file: Path, module: str, index: RepoIndex
) -> PropertyContext:
    """Of a whole class or module, its first public functions are looked at."""
    if isinstance(node, Definition):
        return property_context(function_of(node, qualname.rpartition(".")[0]), file, module, index)
    inside = [
        function
        for function in module_symbols(ast.Module(body=node.body, type_ignores=[])).functions
        if not function.name.startswith("_") or function.name == "__init__"
    ]
    if qualname:
        inside = [replace(function, qualname=f"{qualname}.{function.qualname}") for function in inside]
    return merged([property_context(function, file, module, index) for function in inside[:_MOST_LOOKED_AT]])
