"""How a test file of each runner loads a module of the project, and what the file is called."""

import posixpath
from dataclasses import dataclass

from testwright.generate.web.unit.runner_calls import RunnerCalls
from testwright.generate.web.unit.script_module import Module
from testwright.generate.web.unit.source_access import ProjectConventions
from testwright.model.selector import Dialect
from testwright.selectors.literal_writer import literal

_TYPESCRIPT = (".ts", ".tsx", ".mts", ".cts")
NEEDS_FLAG = "Jest loads ES modules only with NODE_OPTIONS=--experimental-vm-modules."


@dataclass(frozen=True, slots=True)
class ImportStyle:
    """How the test gets at the module. `reason`: why it cannot."""

    ending: str = "js"  # of the test file
    requires: bool = False  # with `require`; else with `import()`
    needs_flag: bool = False  # Jest with its own, experimental support of ES modules
    reason: str = ""

    @property
    def is_typed(self) -> bool:
        return self.ending == "ts"


def import_style_of(module: Module | None, runner: RunnerCalls, customs: ProjectConventions) -> ImportStyle:
    """`module` None: the file loads nothing."""
    is_typescript = module is not None and module.path.endswith(_TYPESCRIPT)
    wants_types = is_typescript or customs.has_typescript
    if runner.loads_every_module:
        return ImportStyle("ts" if wants_types else "js")
    if is_typescript and not customs.jest_transforms_typescript:
        return ImportStyle(reason=f"Jest is not set up to load TypeScript, and {_path(module)} is written in it")
    if wants_types and customs.jest_transforms_typescript:
        return ImportStyle("ts")
    if module is None:
        return ImportStyle()
    return _of_javascript(module, customs)


def _of_javascript(module: Module, customs: ProjectConventions) -> ImportStyle:
    if customs.jest_transforms and module.is_esm:
        return ImportStyle()
    is_es_module = module.path.endswith(".mjs") or (customs.is_module and not module.path.endswith(".cjs"))
    if is_es_module:
        return ImportStyle("js" if customs.is_module else "mjs", needs_flag=True)
    if module.is_esm:
        return ImportStyle(
            reason=f"{module.path} is an ES module, and Jest is not set up to load those in this project"
        )
    return ImportStyle("cjs" if customs.is_module else "js", requires=True)


def _path(module: Module | None) -> str:
    return module.path if module is not None else ""


def specifier(module: str, folder: str) -> str:
    """The module as a file in `folder` imports it, as a literal."""
    path = posixpath.relpath(module, folder or ".")
    if not path.startswith("."):
        path = f"./{path}"
    stem, ending = posixpath.splitext(path)
    # TypeScript is imported without its ending: with one, only few set-ups take it.
    return literal(stem if ending in (".ts", ".tsx") else path, Dialect.TYPESCRIPT)
