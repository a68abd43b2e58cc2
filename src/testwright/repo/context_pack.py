"""The ContextPack: what is known about one target, and its form as JSON."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from testwright.repo.code_target import CodeTarget
from testwright.repo.definition_lookup import ResolvedDef
from testwright.repo.import_map import ImportMap
from testwright.repo.related_methods import PropertyContext

MAX_INPUT_TOKENS = 60_000
SEED = 1337


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


# --- Make a ContextPack fit its budget, giving up first what is missed least ----------------------------------------


_CHARACTERS_PER_TOKEN = 4  # of source code, on the safe side for the tokenizers in use
_CUT = "\n# ... (cut to fit the budget)\n"


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
