"""The last touch: black's layout, the project's quotes, and no line longer than it must be. Home of black."""

import io
import threading
import tokenize

from testwright.generate.writing.filling import filled
from testwright.generate.writing.strings import rejoined, restyled, string_value
from testwright.generate.writing.style import ProjectStyle

_ROUNDS = 4
_SHORTEST_SPLIT = 30
"""Strings below this are not what makes a line too long."""
_NARROWEST = 24
_IMPORTING = threading.Lock()  # black is compiled, and two threads that import it at once crash the interpreter


def formatted(source: str, style: ProjectStyle) -> str:
    """The source as a person's editor would leave it. Strings are split only where a line has no room for them."""
    widths: dict[str | bytes, int] = {}
    text = ""
    for _ in range(_ROUNDS):
        text = _black(restyled(source, style.quote, widths), style)
        wanted = _too_wide(text, style.line_length)
        if all(widths.get(value, width + 1) <= width for value, width in wanted.items()):
            break
        widths |= {value: min(width, widths.get(value, width)) for value, width in wanted.items()}
    return filled(rejoined(text, style.quote), style.line_length)


def _black(source: str, style: ProjectStyle) -> str:
    with _IMPORTING:
        import black
        from black.mode import Mode, TargetVersion

    mode = Mode(
        target_versions={TargetVersion.PY311},
        line_length=style.line_length,
        string_normalization=False,  # the literals have the right quotes already
    )
    return black.format_str(source, mode=mode)


def _too_wide(text: str, line_length: int) -> dict[str | bytes, int]:
    """Strings on lines that are too long, and how wide their pieces may be."""
    lines = text.splitlines()
    found: dict[str | bytes, int] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        value = string_value(token)
        if value is None or len(lines[token.start[0] - 1]) <= line_length or len(token.string) < _SHORTEST_SPLIT:
            continue
        indent = len(lines[token.start[0] - 1]) - len(lines[token.start[0] - 1].lstrip())
        # In parentheses of its own it will stand one step further in than the line it is on now.
        found[value] = max(_NARROWEST, line_length - indent - 8)
    return found
