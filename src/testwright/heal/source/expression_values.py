"""What an expression in a test gives, as far as it can be told without running it."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from testwright.heal.source.languages import ParsedSource
from testwright.heal.source.locator_uses import LiteralPlace, Piece

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Locator:
    pieces: tuple[Piece, ...]
    is_whole: bool  # it starts from a page; False: from something that may be a locator itself

    @property
    def problem(self) -> str:
        return next((piece.problem for piece in self.pieces if piece.problem), "")


@dataclass(frozen=True, slots=True)
class Text:
    value: str
    place: LiteralPlace


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A number, a regular expression, True: said as it is written."""

    written: str


class EntityKind(Enum):
    INSTANCE = auto()  # node: the class
    CLASS = auto()
    FUNCTION = auto()
    TABLE = auto()  # node: an object, a dictionary or an enum
    MODULE = auto()
    FIXTURES = auto()  # node: the call of `extend` that defines them


@dataclass(frozen=True, slots=True)
class CodeEntity:
    kind: EntityKind
    source: ParsedSource
    node: "Node"


@dataclass(frozen=True, slots=True)
class Unknown:
    reason: str
    is_page: bool = False


Value = Locator | Text | Verbatim | CodeEntity | Unknown
