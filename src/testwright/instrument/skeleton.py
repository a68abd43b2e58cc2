"""As little of a module as must be compiled to get the code of one of its functions."""

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import Any

from .finding import Function


def skeleton(function: Function, classes: Sequence[ast.ClassDef], futures: Sequence[ast.stmt]) -> ast.Module:
    """A module with the function in its classes, which give it its qualified name, its mangling and `__class__`."""
    place = _place(function)
    node: ast.stmt = ast.Expr(function, **place) if isinstance(function, ast.Lambda) else function
    for owner in reversed(classes):
        # Type parameters came with Python 3.12; a method may use those of its class.
        generic = {"type_params": owner.type_params} if hasattr(owner, "type_params") else {}
        node = ast.ClassDef(owner.name, bases=[], keywords=[], body=[node], decorator_list=[], **generic, **place)
    return ast.Module([*futures, node], [])


def chain_of_codes(code: CodeType, functions: Sequence[Function]) -> list[CodeType]:
    """The code of each of the functions, which lie in one another, the outermost first."""
    chain = []
    for function in functions:
        code = _within(code, function)
        chain.append(code)
    return chain


@contextmanager
def keeping_names(functions: Sequence[Function], names: Sequence[Sequence[str]]) -> Iterator[None]:
    """For a while each function also mentions these names, where it never gets to."""
    bodies = [function.body for function in functions]
    try:
        for function, wanted in zip(functions, names, strict=True):
            if wanted:
                _mention(function, wanted)
        yield
    finally:
        for function, body in zip(functions, bodies, strict=True):
            function.body = body


def _mention(function: Function, names: Sequence[str]) -> None:
    at = _place(function)
    mentioned = ast.Tuple([ast.Name(name, ast.Load(), **at) for name in names], ast.Load(), **at)
    # The compiler drops what a false constant guards, but not before it has seen which names are in it.
    if isinstance(function, ast.Lambda):
        function.body = ast.IfExp(ast.Constant(True, **at), function.body, mentioned, **at)
    else:
        never = ast.If(ast.Constant(False, **at), [ast.Expr(mentioned, **at)], [], **at)
        function.body = [*function.body, never]


def _place(node: Function) -> dict[str, Any]:
    return {"lineno": node.lineno, "col_offset": 0, "end_lineno": node.lineno, "end_col_offset": 0}


def _within(code: CodeType, function: Function) -> CodeType:
    """The code of the function in the code around it, perhaps below that of a class or a comprehension."""
    level = [code]
    while level:
        level = [each for parent in level for each in parent.co_consts if isinstance(each, CodeType)]
        # The last that fits: what a default value or a decorator holds is compiled before the function itself.
        for each in reversed(level):
            if _is_code_of(each, function):
                return each
    raise LookupError(f"no code of the function on line {function.lineno}")


def _is_code_of(code: CodeType, function: Function) -> bool:
    if isinstance(function, ast.Lambda):
        return code.co_name == "<lambda>" and code.co_firstlineno == function.lineno and _lies_in(code, function)
    line = min([function.lineno, *(each.lineno for each in function.decorator_list)])
    return code.co_name == function.name and code.co_firstlineno == line


def _lies_in(code: CodeType, node: ast.Lambda) -> bool:
    """Whether all of the code was made from within the node: several lambdas may share a line."""
    first, last = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or not end_column:
            continue
        if (line, column) < first or (end_line, end_column) > last:
            return False
    return True
