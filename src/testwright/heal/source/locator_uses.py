"""Places where a selector is written, as values."""

from dataclasses import dataclass
from enum import StrEnum

from testwright.model.selector import Dialect, Selector, SelectorPart


class LocatorKind(StrEnum):
    CHAIN = "chain"  # getByRole('button', { name: 'Pay' }).first()
    STRING = "string"  # the text that a method takes: page.click('#pay')
    CONSTANT = "constant"  # a text that has a name of its own, and is used as a selector elsewhere
    FINDER = "finder"  # Flutter: find.byKey(const Key('pay'))


@dataclass(frozen=True, slots=True)
class LiteralPlace:
    """A string literal in a file, quotation marks included."""

    file: str
    start: int
    end: int
    line: int
    column: int
    quote: str
    dialect: Dialect
    written: str
    value: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One call of a chain, or one string, with what it adds to the selector."""

    file: str
    start: int
    end: int
    line: int
    column: int
    written: str
    chain: tuple[int, int]  # the range of the whole expression it is part of: pieces of one chain stand side by side
    dialect: Dialect
    clean: str = ""  # the same call on one line, with names replaced by what they stand for
    parts: tuple[SelectorPart, ...] = ()
    literal: LiteralPlace | None = None  # its first text, which may be written elsewhere
    is_string: bool = False  # only the literal can be replaced
    problem: str = ""  # why `parts` is not known

    @property
    def literal_is_elsewhere(self) -> bool:
        here = self.literal
        return here is not None and not (here.file == self.file and self.start <= here.start < self.end)


@dataclass(frozen=True, slots=True)
class LocatorUse:
    """One selector in a source file. `start` and `end` count bytes of the file in UTF-8."""

    file: str
    kind: LocatorKind
    selector: Selector | None  # what is written here; None: `problem` says why
    text: str  # as it is written
    line: int  # from 1
    column: int
    start: int
    end: int
    dialect: Dialect  # of the file
    pieces: tuple[Piece, ...]  # in the order they are written
    string_only: bool = False  # only another string fits here
    outer: tuple[SelectorPart, ...] = ()  # what is searched first, where that is written elsewhere
    is_whole: bool = True  # False: it is searched within something that is only known at run time
    problem: str = ""

    @property
    def is_dynamic(self) -> bool:
        """It is put together at run time, or cannot be understood: it is never patched."""
        return self.selector is None

    @property
    def whole(self) -> Selector | None:
        """The selector from the page on, outer parts included."""
        if self.selector is None or not self.outer:
            return self.selector
        return Selector((*self.outer, *self.selector.parts), self.selector.dialect, self.text)
