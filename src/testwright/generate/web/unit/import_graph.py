"""Who imports whom: which script of the page leads to a module, and what a module brings along."""

import posixpath
import re
from collections.abc import Iterable

from testwright.generate.web.unit.script_module import Module
from testwright.generate.web.unit.source_access import ProjectSources
from testwright.generate.web.web_plan import WebPlan

_MOST_MODULES = 200  # looked at
_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.js")


def entry_of(plan: WebPlan, wanted: Module, sources: ProjectSources) -> str:
    """A script that the page has loaded and that leads to the wanted module."""
    for request in plan.slice.requests:
        path = sources.find(request.url) if request.resource == "script" else None
        if path and path != wanted.path and wanted.path in _reached(path, sources):
            return path
    return ""


def _reached(path: str, sources: ProjectSources) -> set[str]:
    seen: set[str] = set()
    waiting = [path]
    while waiting and len(seen) < _MOST_MODULES:
        at = waiting.pop()
        if at not in seen:
            seen.add(at)
            waiting += neighbours(at, sources)[1:]
    return seen


def neighbours(path: str, sources: ProjectSources) -> list[str]:
    """The module itself and what it imports from the project."""
    module = Module(path, sources.read(path))
    if not module.is_readable:
        return [path]
    found = [path]
    for name in module.imports:
        if name.startswith("."):
            wanted = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            stem = re.sub(r"\.[mc]?js$", "", wanted)
            tried = [wanted + ending for ending in _ENDINGS] + [stem + ".ts", stem + ".tsx"]
            found += [one for one in tried if sources.read(one)][:1]
    return found


def read_modules(paths: Iterable[str], sources: ProjectSources) -> list[Module]:
    modules = [Module(path, sources.read(path)) for path in dict.fromkeys(paths)]
    return [module for module in modules if module.is_readable]
