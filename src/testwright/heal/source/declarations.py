"""What a name stands for in a source file: the vocabulary that every language's names are told in."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tree_sitter import Node


class DeclarationKind(Enum):
    VALUE = auto()  # node: an expression
    MEMBER = auto()  # key: a member of what the expression `node` gives
    PARAMETER = auto()  # node: the function; key: the parameter's name; annotation: the name of its type
    FIXTURE = auto()  # the same, of a function that is handed its arguments by their names
    FUNCTION = auto()
    GETTER = auto()  # a function that looks like a value
    CLASS = auto()
    TABLE = auto()  # node: an enum
    IMPORT = auto()  # module, and key: the name there; no key: the module itself
    COMPUTED = auto()  # key: why its value is not known


@dataclass(frozen=True, slots=True)
class Declaration:
    kind: DeclarationKind
    node: "Node"
    key: str = ""
    module: str = ""
    annotation: str = ""


class SourceNames(Protocol):
    """The names of one source file."""

    def declared(self, at: "Node", name: str) -> Declaration | None:
        """What `name` stands for where `at` is written."""

    def exported(self, name: str) -> Declaration | None:
        """What `name` stands for to those who import the file."""

    def passed_on(self) -> tuple[str, ...]:
        """Modules all of whose names this one has too."""

    def member(self, class_node: "Node", name: str) -> Declaration | None:
        """What an instance of the class has by that name, parents left out."""

    def parents(self, class_node: "Node") -> "tuple[Node, ...]": ...

    def enclosing_class(self, at: "Node") -> "Node | None": ...

    def entry(self, table: "Node", key: str) -> "Node | None":
        """The value of a literal object, dictionary or enum under `key`."""

    def returned(self, function: "Node") -> "Node | None":
        """The only expression that the function returns or yields."""


def ancestors(node: "Node") -> "Iterator[Node]":
    at = node.parent
    while at is not None:
        yield at
        at = at.parent


COMPUTED_TWICE = "it is given a value in more than one place"
COMPUTED_IN_A_LOOP = "it changes from one turn of a loop to the next"


def chosen(found: list[Declaration], at: "Node | None" = None) -> Declaration | None:
    """The one that counts where `at` is written: the last before it, else the only one."""
    if len(found) <= 1:
        return found[0] if found else None
    before = [one for one in found if at is not None and one.node.end_byte <= at.start_byte]
    if before:
        return before[-1]
    return Declaration(DeclarationKind.COMPUTED, found[0].node, COMPUTED_TWICE)
