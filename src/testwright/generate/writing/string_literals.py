"""Text and bytes as a person would type them: the project's quotes, raw where it helps, split where too long."""

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping
from itertools import pairwise

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(value: str | bytes, quote: str) -> str:
    """One literal for the value."""
    if isinstance(value, str) and _can_be_raw(value):
        return f"r{_raw(value, quote)}"
    chosen = _quote_for(value, quote)
    prefix = "b" if isinstance(value, bytes) else ""
    return f"{prefix}{chosen}{''.join(_escaped(value, chosen))}{chosen}"


def split_literals(value: str | bytes, quote: str, width: int) -> list[str]:
    """Literals that together are the value: one for each of its lines, and no one wider than `width` if it can be."""
    return [literal(piece, quote) for piece in _pieces(value, width - 3)]


def search_pattern(text: str) -> str:
    """A regular expression that finds exactly the text, with no more signs in it than it needs."""
    return "".join(map(_pattern_character, text))


def _pattern_character(character: str) -> str:
    if character in ".^$*+?{}[]\\|()":
        return f"\\{character}"
    return character if character.isprintable() else repr(character)[1:-1]


def restyled(source: str, quote: str, widths: Mapping[str | bytes, int]) -> str:
    """The source with each of its string literals written again; those in `widths` are split to that width."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    lines = source.splitlines(keepends=True)
    # From the end, so that the places of the tokens before stay right.
    for before, token, after in reversed(list(zip(tokens, tokens[1:], tokens[2:], strict=False))):
        value = string_value(token)
        if value is None:
            continue
        row = token.start[0] - 1
        text = _written(value, quote, widths.get(value), alone=(before.string, after.string) == ("(", ")"))
        lines[row] = lines[row][: token.start[1]] + text + lines[row][token.end[1] :]
    return "".join(lines)


def rejoined(source: str, quote: str) -> str:
    """The source with neighbouring literals that ended up on one line made one again."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    lines = source.splitlines(keepends=True)
    for first, second in reversed(list(pairwise(tokens))):
        values = string_value(first), string_value(second)
        if first.start[0] != second.start[0] or None in values:
            continue
        row = first.start[0] - 1
        # Two pieces only: black puts either all pieces on one line or each on its own, and a third would fit no line.
        joined = values[0] + values[1]  # type: ignore[operator]  # neither is None, and neighbours are of one type
        text = literal(joined, quote)
        lines[row] = lines[row][: first.start[1]] + text + lines[row][second.end[1] :]
    return "".join(lines)


def string_value(token: tokenize.TokenInfo) -> str | bytes | None:
    """What a plain string token stands for; None for other tokens, f-strings and docstrings."""
    if token.type != tokenize.STRING or token.start[0] != token.end[0] or '"""' in token.string:
        return None
    if "f" in token.string[: min(token.string.find(mark) for mark in "'\"" if mark in token.string)].lower():
        return None
    value: str | bytes = ast.literal_eval(token.string)
    return value


def _written(value: str | bytes, quote: str, width: int | None, *, alone: bool) -> str:
    if width is None:
        return literal(value, quote)
    joined = " ".join(split_literals(value, quote, width))
    return joined if alone else f"({joined})"


def _pieces(value: str | bytes, width: int) -> Iterator[str | bytes]:
    lines: list[str] | list[bytes] = value.splitlines(keepends=True) if isinstance(value, bytes) else _text_lines(value)
    for line in lines:
        yield from _folded(line, width)


def _text_lines(value: str) -> list[str]:
    """Lines by `\\n` alone: `splitlines` would also cut at form feeds and the like."""
    parts = value.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _folded(line: str | bytes, width: int) -> Iterator[str | bytes]:
    """The line cut into pieces whose literals fit, after a space where there is one in the second half."""
    widths = [len(text) for text in _escaped(line, '"')]
    start, used = 0, 0
    for index, each in enumerate(widths):
        if used + each > width and index > start:
            cut = _after_space(line, start, index)
            yield line[start:cut]
            start, used = cut, sum(widths[cut:index])
        used += each
    if start < len(line):
        yield line[start:]


def _after_space(line: str | bytes, start: int, end: int) -> int:
    for index in range(end, start + (end - start) // 2, -1):
        if line[index - 1 : index] in (" ", b" "):
            return index
    return end


def _escaped(value: str | bytes, quote: str) -> Iterator[str]:
    """Each character as it stands in a literal."""
    if isinstance(value, bytes):
        for byte in value:
            plain = 0x20 <= byte < 0x7F or chr(byte) in _ESCAPES
            yield _escaped_character(chr(byte), quote) if plain else f"\\x{byte:02x}"
    else:
        for character in value:
            yield _escaped_character(character, quote)


def _escaped_character(character: str, quote: str) -> str:
    if character == quote:
        return f"\\{quote}"
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else repr(character)[1:-1]


def _quote_for(value: str | bytes, quote: str) -> str:
    other = "'" if quote == '"' else '"'
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    return other if text.count(other) < text.count(quote) else quote  # the one that needs fewer escapes


def _can_be_raw(value: str) -> bool:
    return "\\" in value and value.isprintable() and not value.endswith("\\") and not ('"' in value and "'" in value)


def _raw(value: str, quote: str) -> str:
    chosen = _quote_for(value, quote)
    return f"{chosen}{value}{chosen}"
