"""The little of TypeScript, Python and Dart that locators are written in: calls in a row, and literals.

What is computed at run time (a variable, a template with `${...}`, an f-string) is refused: we would have to guess it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from testwright.model.selector import Dialect, TextPattern
from testwright.selectors.literal_scanner import Scanner, Unreadable, pattern_of, regex_literal, string_literal

_DEEPEST = 40
_PREFIX_WORDS = frozenset({"await", "const", "new"})
_FLAG_LETTERS = {"I": "i", "IGNORECASE": "i", "M": "m", "MULTILINE": "m", "S": "s", "DOTALL": "s"}


@dataclass(frozen=True, slots=True)
class BareWord:
    """A number, or a word that stands for itself: `true`, `None`."""

    text: str


@dataclass(frozen=True, slots=True)
class ParsedLink:
    """A property, or a call when it has arguments (maybe none)."""

    name: str
    arguments: tuple["Value", ...] | None = None
    named: Mapping[str, "Value"] = field(default_factory=dict)  # keywords, and the entries of an object at the end


@dataclass(frozen=True, slots=True)
class ParsedChain:
    links: tuple[ParsedLink, ...]

    @property
    def dotted(self) -> str:
        return ".".join(link.name for link in self.links)


@dataclass(frozen=True, slots=True)
class ObjectLiteral:
    """An object in braces."""

    entries: Mapping[str, "Value"]


Value = str | TextPattern | BareWord | ParsedChain | ObjectLiteral


def read_expression(text: str, dialect: Dialect) -> Value:
    """The whole text as one expression; raises Unreadable."""
    reader = _Reader(text, dialect)
    found = reader.value(0)
    reader.source.skip_blank()
    if reader.source.take(";"):
        reader.source.skip_blank()
    if not reader.source.at_end:
        raise Unreadable(f"there is more after the locator: {reader.source.rest(20)!r}")
    return found


class _Reader:
    def __init__(self, text: str, dialect: Dialect) -> None:
        self.source = Scanner(text, dialect)
        self.dialect = dialect

    def value(self, depth: int) -> Value:
        """A value and what is added to it with `+` or, for flags, `|`."""
        found = self._single(depth)
        self.source.skip_blank()
        while self.source.take("+", "|"):
            more = self._single(depth)
            found = _joined(found, more)
            self.source.skip_blank()
        return found

    def _single(self, depth: int) -> Value:
        if depth > _DEEPEST:
            raise Unreadable("it is nested too deeply")
        self.source.skip_blank()
        if self.source.at_string:
            return self._strings()
        if self.source.peek() == "/":
            return regex_literal(self.source)
        if self.source.take("{"):
            unnamed, entries = self._arguments("}", depth)
            if unnamed:
                raise Unreadable("it is computed at run time")
            return ObjectLiteral(entries)
        if self.source.take("("):
            inner = self.value(depth + 1)
            self.source.expect(")")
            return inner
        if (number := self.source.number()) != "":
            return BareWord(number)
        return self._chain(depth)

    def _strings(self) -> str:
        found = string_literal(self.source)
        self.source.skip_blank()
        # Python and Dart join literals that stand next to one another.
        while self.dialect is not Dialect.TYPESCRIPT and self.source.at_string:
            found += string_literal(self.source)
            self.source.skip_blank()
        return found

    def _chain(self, depth: int) -> Value:
        name = self.source.word()
        while name in _PREFIX_WORDS:
            self.source.skip_blank()
            name = self.source.word()
        links = [ParsedLink(name)]
        while True:
            self.source.skip_blank()
            self.source.skip_type_arguments()
            if self.source.take("?.", "."):
                self.source.skip_blank()
                links.append(ParsedLink(self.source.word()))
            elif self.source.take("("):
                if links[-1].arguments is not None:
                    raise Unreadable("the result of a call is called")
                arguments, named = self._arguments(")", depth)
                links[-1] = ParsedLink(links[-1].name, arguments, named)
            elif not self.source.take_non_null():
                break
        return _meaning(ParsedChain(tuple(links)))

    def _arguments(self, end: str, depth: int) -> tuple[tuple[Value, ...], dict[str, Value]]:
        unnamed: list[Value] = []
        named: dict[str, Value] = {}
        self.source.skip_blank()
        while not self.source.take(end):
            name = self.source.argument_name()
            found = self.value(depth + 1)
            if name:
                named[name] = found
            elif isinstance(found, ObjectLiteral):
                named.update(found.entries)
            else:
                unnamed.append(found)
            self.source.skip_blank()
            if not self.source.take(","):
                self.source.expect(end)
                break
            self.source.skip_blank()
        return tuple(unnamed), named


def _joined(left: Value, right: Value) -> Value:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, ParsedChain) and isinstance(right, ParsedChain):  # re.I | re.M
        return ParsedChain(left.links + right.links)
    raise Unreadable("it is computed at run time")


def _meaning(chain: ParsedChain) -> Value:
    """Words and regular expressions, where the chain is only that."""
    last = chain.links[-1]
    if chain.dotted in {"re.compile", "RegExp"} and last.arguments is not None:
        return _pattern(last)
    if len(chain.links) == 1 and last.arguments is None:
        return BareWord(last.name)
    return chain


def _pattern(call: ParsedLink) -> TextPattern:
    given = list(call.arguments or ())
    if not given or not isinstance(given[0], str):
        raise Unreadable("the regular expression is computed at run time")
    flags = ""
    for more in [*given[1:], *(value for name, value in call.named.items() if name == "flags")]:
        if isinstance(more, str):
            flags += more
        elif isinstance(more, ParsedChain):
            flags += "".join(_FLAG_LETTERS.get(link.name, "") for link in more.links)
        else:
            raise Unreadable("the flags of the regular expression are computed at run time")
    sensitive = call.named.get("caseSensitive")
    if isinstance(sensitive, BareWord) and sensitive.text == "false":
        flags += "i"
    return pattern_of(given[0], flags)
