"""Characters to literals: strings and regular expressions as TypeScript, Python and Dart write them."""

import re

from testwright.model.selector import Dialect, TextPattern

_WORD = re.compile(r"[^\W\d]\w*|\$\w*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ARGUMENT_NAME = re.compile(r"([^\W\d][\w-]*|'[\w-]+'|\"[\w-]+\")\s*(?::|=(?!=))\s*")
_TYPE_ARGUMENTS = re.compile(r"<[\w\s,?<>.]*>(?=\s*\()")
_BLANK = re.compile(r"(?:\s|/\*.*?\*/|//[^\n]*)+", re.DOTALL)
_BLANK_PYTHON = re.compile(r"(?:\s|\\\n|#[^\n]*)+")
_STRING_START = re.compile(r"[rRuUbB]?(?:'''|\"\"\"|'|\"|`)")
_COMPUTED_START = re.compile(r"(?:[fF][rR]?|[rR][fF])['\"]")
_CODES = {"x": 2, "u": 4, "U": 8}
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "a": "\a"}
_FLAGS = re.compile("[dgimsuvy]*")
_NEEDLESS_ESCAPE = re.compile(r"\\(x3[eE]|.)", re.DOTALL)
_HEX = re.compile(r"[0-9a-fA-F]+")


class Unreadable(ValueError):
    """The text cannot be read as an expression; says why, after "because"."""


class Scanner:
    """A text and a place in it."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.at = 0
        self.dialect = dialect

    @property
    def at_end(self) -> bool:
        return self.at >= len(self.text)

    @property
    def at_string(self) -> bool:
        if self.dialect is Dialect.PYTHON and _COMPUTED_START.match(self.text, self.at):
            raise Unreadable("it is computed at run time")
        return _STRING_START.match(self.text, self.at) is not None

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def rest(self, most: int) -> str:
        return self.text[self.at : self.at + most]

    def next(self) -> str:
        if self.at_end:
            raise Unreadable("it ends too early")
        self.at += 1
        return self.text[self.at - 1]

    def take(self, *options: str) -> bool:
        for option in options:
            if self.text.startswith(option, self.at):
                self.at += len(option)
                return True
        return False

    def expect(self, wanted: str) -> None:
        self.skip_blank()
        if not self.take(wanted):
            raise Unreadable(f"there is no {wanted!r} before {self.rest(20)!r}")

    def matched(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found.group()

    def skip_blank(self) -> None:
        self.matched(_BLANK_PYTHON if self.dialect is Dialect.PYTHON else _BLANK)

    def skip_type_arguments(self) -> None:
        if self.dialect is not Dialect.PYTHON:
            self.matched(_TYPE_ARGUMENTS)

    def take_non_null(self) -> bool:
        return self.dialect is not Dialect.PYTHON and self.take("!")

    def word(self) -> str:
        found = self.matched(_WORD)
        if not found:
            raise Unreadable(f"there is no name at {self.rest(20)!r}")
        return found

    def number(self) -> str:
        return self.matched(_NUMBER)

    def argument_name(self) -> str:
        found = _ARGUMENT_NAME.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found.group(1).strip("'\"")


def string_literal(source: Scanner) -> str:
    """The value of the literal that starts here."""
    start = source.matched(_STRING_START)
    is_raw = start[0] in "rR"
    quote = start.lstrip("rRuUbB")
    found: list[str] = []
    while not source.take(quote):
        character = source.next()
        if character == "\\":
            found.append("\\" + source.next() if is_raw else _escape(source))
        elif character == "\n" and len(quote) == 1 and quote != "`":
            raise Unreadable("a string goes over the end of its line")
        elif _starts_computed(character, quote, is_raw, source):
            raise Unreadable("it is computed at run time")
        else:
            found.append(character)
    return _whole_characters("".join(found))


def _starts_computed(character: str, quote: str, is_raw: bool, source: Scanner) -> bool:
    if character != "$" or is_raw:
        return False
    return (quote == "`" and source.peek() == "{") or source.dialect is Dialect.FLUTTER


def _escape(source: Scanner) -> str:
    letter = source.next()
    if letter == "\n":
        return ""
    if letter in _CODES and (letter != "U" or source.dialect is Dialect.PYTHON):
        return _coded(source, _CODES[letter])
    if letter in _SIMPLE and (letter != "a" or source.dialect is Dialect.PYTHON):
        return _SIMPLE[letter]
    if source.dialect is Dialect.PYTHON and letter not in "\\'\"":
        return "\\" + letter  # Python keeps a backslash that means nothing
    return letter


def _coded(source: Scanner, digits: int) -> str:
    if digits == _CODES["u"] and source.take("{"):
        code = source.matched(_HEX)
        source.expect("}")
    else:
        code = source.rest(digits)
        source.at += len(code)
        if len(code) != digits:
            raise Unreadable("an escape sequence ends too early")
    if not _HEX.fullmatch(code) or int(code, 16) > 0x10FFFF:
        raise Unreadable("an escape sequence names no character")
    return chr(int(code, 16))


def _whole_characters(text: str) -> str:
    r"""Two halves of a character, as in "\ud83d\ude00", joined; a lone half stays."""
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def regex_literal(source: Scanner) -> TextPattern:
    """`/.../flags`."""
    source.expect("/")
    found: list[str] = []
    in_class = False
    while True:
        character = source.next()
        if character == "\\":
            found.append(character + source.next())
            continue
        if character == "\n":
            raise Unreadable("a regular expression goes over the end of its line")
        if character == "/" and not in_class:
            break
        in_class = (in_class or character == "[") and character != "]"
        found.append(character)
    return pattern_of("".join(found), source.matched(_FLAGS))


def pattern_of(source: str, flags: str) -> TextPattern:
    """The pattern without escapes that only one notation needs, and without flags that do not matter here."""
    return TextPattern(_NEEDLESS_ESCAPE.sub(_unescaped, source), "".join(sorted(set(flags) - set("dgy"))))


def _unescaped(found: re.Match[str]) -> str:
    escaped = found.group(1)
    if len(escaped) > 1:  # Playwright hides `>>` from itself this way
        return ">"
    return escaped if escaped in "/\"'`" else found.group()
