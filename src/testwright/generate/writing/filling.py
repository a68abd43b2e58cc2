"""Long lists of short values, several to a line: black would give each number a line of its own."""

import ast
import re

_SHORTEST_RUN = 16
_SHORT_VALUE = re.compile(r"""^(\s+)([-+]?[\w.]{1,12}|b?(["'])(?:(?!\3)[^\\]|\\.){0,6}\3),$""")
_SKIP = "  # fmt: skip"


def filled(source: str, line_length: int) -> str:
    """The source with each long run of short values packed, and its statement marked so that formatters leave it be."""
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
