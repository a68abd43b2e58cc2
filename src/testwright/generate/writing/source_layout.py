"""The layout of a file: black's, with the project's quotes, and no line longer than it must be. Home of black."""

import ast
import io
import re
import threading
import tokenize

from testwright.generate.writing.string_literals import rejoined, restyled, string_value
from testwright.generate.writing.style import ProjectStyle

_ROUNDS = 4
_SHORTEST_SPLIT = 30  # strings below this are not what makes a line too long
_NARROWEST = 24
_IMPORTING = threading.Lock()  # black is compiled, and two threads that import it at once crash the interpreter
_SHORTEST_RUN = 16
_SHORT_VALUE = re.compile(r"""^(\s+)([-+]?[\w.]{1,12}|b?(["'])(?:(?!\3)[^\\]|\\.){0,6}\3),$""")
_SKIP = "  # fmt: skip"


def formatted(source: str, style: ProjectStyle) -> str:
    """The source, formatted. Strings are split only where a line has no room for them."""
    widths: dict[str | bytes, int] = {}
    text = ""
    for _ in range(_ROUNDS):
        # The literals have the right quotes already.
        text = blackened(restyled(source, style.quote, widths), style.line_length, string_normalization=False)
        wanted = _too_wide(text, style.line_length)
        if all(widths.get(value, width + 1) <= width for value, width in wanted.items()):
            break
        widths |= {value: min(width, widths.get(value, width)) for value, width in wanted.items()}
    return _filled(rejoined(text, style.quote), style.line_length)


def blackened(source: str, line_length: int, *, string_normalization: bool = True) -> str:
    """The source as black lays it out."""
    with _IMPORTING:
        # late: start-up: black
        import black
        from black.mode import Mode, TargetVersion

    mode = Mode(
        target_versions={TargetVersion.PY311}, line_length=line_length, string_normalization=string_normalization
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
        # In its own parentheses it will be indented one step more than the line it is on now.
        found[value] = max(_NARROWEST, line_length - indent - 8)
    return found


# --- long lists of short values, several to a line: black would give each its own line -----------


def _filled(source: str, line_length: int) -> str:
    """The source with long runs of short values packed, and their statements marked so that formatters skip them."""
    lines = source.splitlines()
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert | ast.Assign)]
    # From the end, so that the line numbers of the statements before stay right.
    for statement in sorted(statements, key=lambda node: -node.lineno):
        first, last = statement.lineno - 1, statement.end_lineno or statement.lineno
        packed = _packed(lines[first:last], line_length)
        if len(packed) < last - first:
            packed[-1] += _SKIP
            lines[first:last] = packed
    return "\n".join(lines) + "\n"


def _packed(lines: list[str], line_length: int) -> list[str]:
    result: list[str] = []
    run: list[str] = []
    for line in [*lines, ""]:
        found = _SHORT_VALUE.match(line)
        if found and (not run or found[1] == _indent(run[0])):
            run.append(line)
            continue
        result += _joined(run, line_length) if len(run) >= _SHORTEST_RUN else run
        run = [line] if found else []
        if not found:
            result.append(line)
    return result[:-1]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _joined(run: list[str], line_length: int) -> list[str]:
    indent = _indent(run[0])
    packed = [run[0]]
    for line in run[1:]:
        longer = f"{packed[-1]} {line.strip()}"
        if len(longer) <= line_length:
            packed[-1] = longer
        else:
            packed.append(f"{indent}{line.strip()}")
    return packed
