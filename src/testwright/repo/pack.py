"""The ContextPack: what is known about one target, and its form as JSON."""

from dataclasses import dataclass
from typing import Any

from testwright.repo.definitions import ResolvedDef
from testwright.repo.imports import ImportMap
from testwright.repo.properties import PropertyContext
from testwright.repo.target import Target

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

    target: Target
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
