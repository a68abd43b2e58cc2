"""Change parts of an expression's text by its syntax tree, leaving the rest of the text as it was written."""

import ast
from collections.abc import Iterator, Sequence

FORMATTED = (ast.JoinedStr, *(getattr(ast, name) for name in ("TemplateStr",) if hasattr(ast, name)))


class EditableExpression:
    """An expression that parses, and where each of its parts stands."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source, mode="eval").body
        self._lines = source.encode().splitlines(keepends=True) or [b""]
        self._formatted = {
            id(inner) for node in ast.walk(self.tree) if isinstance(node, FORMATTED) for inner in ast.walk(node)
        }
        self.nodes = list(_outermost_first(self.tree))

    def inside_f_string(self, node: ast.AST) -> bool:
        """Such parts have no usable position before Python 3.12."""
        return id(node) in self._formatted

    def text_of(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self.source.encode()[start:end].decode()

    def with_replaced(self, swaps: Sequence[tuple[ast.expr, str]]) -> str:
        """The expression with these parts, none inside another, replaced by other text."""
        content = self.source.encode()
        spans = sorted(((*self._span(node), new) for node, new in swaps), reverse=True)
        for start, end, new in spans:
            content = content[:start] + new.encode(errors="backslashreplace") + content[end:]
        return content.decode()

    def _span(self, node: ast.expr) -> tuple[int, int]:
        before = [sum(map(len, self._lines[: line - 1])) for line in (node.lineno, node.end_lineno or node.lineno)]
        return before[0] + node.col_offset, before[1] + (node.end_col_offset or 0)


def _outermost_first(tree: ast.AST) -> Iterator[ast.expr]:
    """Every part that has a value of its own; keys, items and arguments after what holds them."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.expr):
            yield node
        if isinstance(node, ast.Lambda):
            waiting.append(node.body)  # its parameters are not values
        elif not isinstance(node, FORMATTED):
            waiting.extend(ast.iter_child_nodes(node))


def number_in(node: ast.expr) -> int | float | None:
    """The number that a literal stands for, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number_in(node.operand)
        return -inner if inner is not None else None
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value]  # mypy does not narrow by `type(...) in`
    return None
