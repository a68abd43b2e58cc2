"""Code that is neither probed nor mutated, because no test is meant to run it."""

import ast
import re

from .syntax_names import last_name

_NO_COVER = re.compile(r"#\s*pragma:?\s*no\s*cover\b", re.IGNORECASE)
_NO_MUTATE = re.compile(r"#\s*pragma:?\s*no\s*(cover|mutate)\b", re.IGNORECASE)


def unwanted_lines(source: str, *, for_mutants: bool = False) -> frozenset[int]:
    """The lines whose comment says that no test needs to reach them, or that no mutant of them is of use."""
    wanted = _NO_MUTATE if for_mutants else _NO_COVER
    if wanted.search(source) is None:
        return frozenset()
    # As Python counts them: `splitlines` would also end a line at a form feed.
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return frozenset(number for number, line in enumerate(lines, 1) if wanted.search(line))


def is_unwanted(node: ast.stmt | ast.ExceptHandler | ast.match_case, lines: frozenset[int]) -> bool:
    """Whether the statement, with all that is in it, is left as it is."""
    if isinstance(node, ast.If) and is_never_tested(node.test):
        return True
    if not lines or isinstance(node, ast.match_case):
        return False
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(each.lineno for each in decorators)])
    return any(line in lines for line in range(first, _header_end(node) + 1))


def is_never_tested(test: ast.expr) -> bool:
    """`TYPE_CHECKING`, `typing.TYPE_CHECKING`, `__name__ == "__main__"`."""
    if isinstance(test, ast.Name):
        return test.id == "TYPE_CHECKING"
    if isinstance(test, ast.Attribute):
        return test.attr == "TYPE_CHECKING"
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    sides = [test.left, test.comparators[0]]
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    main = any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)
    return named and main


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_future_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def is_ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def is_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the function is only a declaration: an overload, or an abstract method without a body."""
    names = {last_name(each.func if isinstance(each, ast.Call) else each) for each in node.decorator_list}
    if "overload" in names:
        return True
    body = node.body[1:] if is_docstring(node.body[0]) else node.body
    if not body:
        return "abstractmethod" in names
    return len(body) == 1 and (is_ellipsis(body[0]) or ("abstractmethod" in names and _does_nothing(body[0])))


def _does_nothing(node: ast.stmt) -> bool:
    if isinstance(node, ast.Pass):
        return True
    raised = node.exc if isinstance(node, ast.Raise) else None
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _header_end(node: ast.stmt | ast.ExceptHandler) -> int:
    """The last line that belongs to the statement itself and not to the block in it."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return node.end_lineno or node.lineno
    first = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
    return max(node.lineno, min(first.lineno - 1, node.end_lineno or node.lineno))
