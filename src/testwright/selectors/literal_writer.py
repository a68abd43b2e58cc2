"""The one place that turns a text into a string literal of a programming language."""

import json
import unicodedata

from testwright.model.selector import Dialect

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def literal(text: str, dialect: Dialect, quote: str = "'") -> str:
    """A literal with exactly this value and no way out of it. Never a template: those are computed."""
    if dialect is Dialect.INTERNAL:
        return json.dumps(text, ensure_ascii=False)
    if quote not in {"'", '"'}:
        quote = "'"
    return quote + "".join(_character(character, dialect, quote) for character in text) + quote


def _character(character: str, dialect: Dialect, quote: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    if character == quote or (character == "$" and dialect is Dialect.FLUTTER):
        return "\\" + character
    code = ord(character)
    # Controls, line and paragraph separators, bidirectional and invisible marks, halves of characters.
    if unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        return character
    if code < 0x100:
        return f"\\x{code:02x}"
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\U{code:08x}" if dialect is Dialect.PYTHON else f"\\u{{{code:x}}}"
