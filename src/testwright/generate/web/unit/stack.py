"""The frames of an error's stack that lie in the project's own source files."""

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from testwright.generate.web.unit.modules import Module, function_around, name_of
from testwright.generate.web.unit.sources import Sources
from testwright.model.session import ScriptFrame

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST_LINE = 2_000  # no person writes a longer one


@dataclass(frozen=True, slots=True)
class Place:
    """A frame of the stack in the project's own source."""

    module: Module
    line: int
    column: int
    function: "Node | None"  # None: the module's own code

    @property
    def told(self) -> str:
        name = name_of(self.function) if self.function is not None else ""
        return f"{self.module.path}:{self.line}" + (f" {name}" if name else "")


def places_of(stack: Iterable[ScriptFrame], sources: Sources) -> Iterator[Place]:
    """The frames that lie in the project's own source files, innermost first."""
    for frame in stack:
        if not frame.is_app:
            continue
        spot = frame.spot
        name, line, column = (spot.file, spot.line, spot.column) if spot else (frame.url, frame.line, frame.column)
        path = sources.find(name)
        module = Module(path, sources.read(path)) if path else None
        if module is None or not module.is_readable or _is_squeezed(module.text):
            continue
        node = module.node_at(line, column)
        if node is not None:
            yield Place(module, line, column, function_around(node))


def _is_squeezed(text: str) -> bool:
    """Made by a bundler or a minifier: nothing in it has the name it was given by a person."""
    lines = text.split("\n")
    return max(map(len, lines), default=0) > _LONGEST_LINE


def why_no_place(stack: Iterable[ScriptFrame], sources: Sources) -> str:
    frames = [frame for frame in stack if frame.is_app]
    if not frames:
        return "the error has no stack that leads into the app"
    spot = next((frame.spot for frame in frames if frame.spot is not None), None)
    found = sources.find(spot.file if spot is not None else frames[0].url)
    if found:
        return f"its stack leads to {found}, which is not written in a way that could be read"
    if spot is not None:
        return f"its stack leads to {spot.file}, which is not in this project"
    name = posixpath.basename(urlsplit(frames[0].url).path) or "the page itself"
    return f"its stack leads to {name}, which has no source map and is no source file of this project"
