"""Which functions of a module divide: their whole numbers are ints or floats, and a test should say which."""

import ast
from collections.abc import Iterator


def units_that_divide(tree: ast.Module) -> frozenset[str]:
    """Qualnames of the functions that have a division, or name another function of the module that leads to one."""
    functions = dict(_functions(tree, ""))
    dividing = {qualname for qualname, node in functions.items() if _has_division(node)}
    mentioned = {qualname: _mentioned(node) for qualname, node in functions.items()}
    while True:
        names = {part for qualname in dividing for part in _names_of(qualname)}
        more = {qualname for qualname in functions if qualname not in dividing and mentioned[qualname] & names}
        if not more:
            return frozenset(dividing)
        dividing |= more


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.stmt):
            yield from _functions(child, prefix)


def _names_of(qualname: str) -> tuple[str, ...]:
    """What a caller writes: the function's name, and that of its class where the class calls it."""
    owner, _, name = qualname.rpartition(".")
    return (name, owner.rpartition(".")[2]) if name in ("__init__", "__new__", "__post_init__") else (name,)


def _has_division(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Div | ast.FloorDiv) for each in ast.walk(node))


def _mentioned(node: ast.AST) -> frozenset[str]:
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return frozenset(names | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)})
