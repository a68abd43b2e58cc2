"""Everything a test's author needs to know about one target, in one value: the ContextPack."""

import ast
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from testwright.repo.code_target import CodeTarget
from testwright.repo.definition_lookup import Definitions, ResolvedDef, names_used
from testwright.repo.import_map import ImportMap, resolve_import
from testwright.repo.layout import detect_layout, find_repo_root
from testwright.repo.python_source import parse_text, read_source
from testwright.repo.related_methods import PropertyContext, merged, property_context
from testwright.repo.repo_files import above_packages, absolute, environment_root
from testwright.repo.symbol_index import Progress, RepoIndex, index_repository
from testwright.repo.symbols import Definition, function_of, module_symbols, signature_of

_MOST_LOOKED_AT = 6  # functions of a whole module or class: each is compared with the whole repository
MAX_INPUT_TOKENS = 60_000
SEED = 1337
_CHARACTERS_PER_TOKEN = 4  # of source code, on the safe side for the tokenizers in use
_CUT = "\n# ... (cut to fit the budget)\n"


@dataclass(frozen=True, slots=True)
class Focal:
    source: str
    signature: str
    docstring: str | None


@dataclass(frozen=True, slots=True)
class ContextPack:
    """The focal code and what surrounds it; `as_json` gives it the names that other programs know."""

    target: CodeTarget
    import_map: ImportMap
    focal: Focal
    resolved_defs: tuple[ResolvedDef, ...]
    property_context: PropertyContext
    max_input_tokens: int = MAX_INPUT_TOKENS


def as_json(pack: ContextPack) -> dict[str, Any]:
    """The pack in the words of the data contract."""
    import_map, properties = pack.import_map, pack.property_context
    return {
        "target": {"module_file": str(pack.target.module_file), "object": pack.target.qualname},
        "import_map": {
            "target_import": import_map.target_import,
            "sys_path_roots": list(import_map.sys_path_roots),
            "needs_bootstrap": import_map.needs_bootstrap,
            "bootstrap_conftest": import_map.bootstrap_conftest,
        },
        "focal": {"source": pack.focal.source, "signature": pack.focal.signature, "docstring": pack.focal.docstring},
        "resolved_defs": [
            {
                "name": item.name,
                "kind": item.kind,
                "signature": item.signature,
                "doc": item.doc,
                "body": "omitted" if item.body is None else item.body,
            }
            for item in pack.resolved_defs
        ],
        "property_context": {
            "ranked_methods": [
                {"qualname": item.qualname, "level": item.level, "relation": item.relation}
                for item in properties.ranked_methods
            ],
            "gwt_snippets": {
                "given": list(properties.given),
                "when": list(properties.when),
                "then": list(properties.then),
            },
            "test_bundles": [
                {
                    "test_name": bundle.test_name,
                    "imports": list(bundle.imports),
                    "fixtures": list(bundle.fixtures),
                    "mocks": list(bundle.mocks),
                    "assertions": list(bundle.assertions),
                }
                for bundle in properties.test_bundles
            ],
        },
        "conventions": {
            "test_style": "pytest",
            "allowed_libs": ["pytest", "hypothesis"],
            "determinism": {"seed": SEED, "tz": "UTC", "freeze_time": True},
            "io_policy": {"network": "forbidden", "fs": "tmp_path_only"},
        },
        "budget": {"max_input_tokens": pack.max_input_tokens},
    }


def tokens_of(pack: ContextPack) -> int:
    """About how many tokens the pack takes."""
    return len(json.dumps(as_json(pack))) // _CHARACTERS_PER_TOKEN


def trimmed(pack: ContextPack) -> ContextPack:
    """`pack` within its budget. What goes, in this order, the least relevant of each first:

    test bundles, snippets, bodies of definitions, definitions, related methods, and finally the middle of the source.
    """
    for step in (_fewer_bundles, _fewer_snippets, _no_bodies, _fewer_definitions, _fewer_methods):
        while tokens_of(pack) > pack.max_input_tokens:
            smaller = step(pack)
            if smaller is None:
                break
            pack = smaller
    excess = (tokens_of(pack) - pack.max_input_tokens) * _CHARACTERS_PER_TOKEN
    return pack if excess <= 0 else _shorter_source(pack, excess)


def _with(pack: ContextPack, change: Callable[[PropertyContext], PropertyContext]) -> ContextPack:
    return replace(pack, property_context=change(pack.property_context))


def _fewer_bundles(pack: ContextPack) -> ContextPack | None:
    if not pack.property_context.test_bundles:
        return None
    return _with(pack, lambda old: replace(old, test_bundles=old.test_bundles[:-1]))


def _fewer_snippets(pack: ContextPack) -> ContextPack | None:
    old = pack.property_context
    if not (old.given or old.when or old.then):
        return None
    return _with(pack, lambda old: replace(old, given=old.given[:-1], when=old.when[:-1], then=old.then[:-1]))


def _no_bodies(pack: ContextPack) -> ContextPack | None:
    if all(item.body is None for item in pack.resolved_defs):
        return None
    return replace(pack, resolved_defs=tuple(replace(item, body=None) for item in pack.resolved_defs))


def _fewer_definitions(pack: ContextPack) -> ContextPack | None:
    return replace(pack, resolved_defs=pack.resolved_defs[:-1]) if pack.resolved_defs else None


def _fewer_methods(pack: ContextPack) -> ContextPack | None:
    if not pack.property_context.ranked_methods:
        return None
    return _with(pack, lambda old: replace(old, ranked_methods=old.ranked_methods[:-1]))


def _shorter_source(pack: ContextPack, excess: int) -> ContextPack:
    """The beginning says what it is, the end what it returns: the middle goes."""
    source = pack.focal.source
    keep = max(0, len(source) - excess - len(_CUT))
    head = source[: keep * 2 // 3].rpartition("\n")[0]
    tail = source[len(source) - keep // 3 :].partition("\n")[2]
    return replace(pack, focal=replace(pack.focal, source=head + _CUT + tail))


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
