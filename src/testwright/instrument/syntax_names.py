"""Names in a syntax tree."""

import ast


def last_name(node: ast.expr) -> str:
    """`c` for `c` and for `a.b.c`; empty for everything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
