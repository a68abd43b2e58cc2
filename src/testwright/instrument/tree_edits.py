"""Changes to a syntax tree that can be made and taken back."""

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


class Parents:
    """Where each node of a tree hangs. Holds as long as every edit is taken back."""

    def __init__(self, tree: ast.AST) -> None:
        self._places: dict[ast.AST, tuple[ast.AST, str, int | None]] = {}
        for parent in ast.walk(tree):
            for field, value in ast.iter_fields(parent):
                if isinstance(value, ast.AST):
                    self._places[value] = (parent, field, None)
                elif isinstance(value, list):
                    for index, item in enumerate(value):
                        if isinstance(item, ast.AST):
                            self._places[item] = (parent, field, index)

    def put(self, node: ast.AST, other: ast.AST) -> None:
        """Put `other` where `node` hangs."""
        parent, field, index = self._places[node]
        if index is None:
            setattr(parent, field, other)
        else:
            getattr(parent, field)[index] = other


@dataclass(frozen=True, eq=False)
class SetField:
    """Give a field of a node another value."""

    node: ast.AST
    field: str
    value: Any

    @contextmanager
    def made(self, parents: Parents) -> Iterator[None]:  # noqa: ARG002  the same call for every edit
        before = getattr(self.node, self.field)
        setattr(self.node, self.field, self.value)
        try:
            yield
        finally:
            setattr(self.node, self.field, before)


@dataclass(frozen=True, eq=False)
class Replace:
    """Put something else in a node's place; `build` makes it from the node as it is when the edit is made."""

    node: ast.AST
    build: Callable[[Any], ast.AST]

    @contextmanager
    def made(self, parents: Parents) -> Iterator[None]:
        parents.put(self.node, self.build(self.node))
        try:
            yield
        finally:
            parents.put(self.node, self.node)


Edit = SetField | Replace
