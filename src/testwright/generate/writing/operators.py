"""Calls of special methods as people write them: `len(basket)` for `basket.__len__()`."""

import ast

from testwright.generate.inside.case import SUBJECT, Relation, Use
from testwright.generate.writing.draft import Draft
from testwright.generate.writing.expressions import call, literal_of, name

_FUNCTIONS = {"__len__": int, "__str__": str, "__repr__": str, "__int__": int, "__float__": float, "__bool__": bool}
"""Each is called through a builtin of the same name that insists on this type."""
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "__eq__": ast.Eq,
    "__ne__": ast.NotEq,
    "__lt__": ast.Lt,
    "__le__": ast.LtE,
    "__gt__": ast.Gt,
    "__ge__": ast.GtE,
}
_ARITHMETIC: dict[str, type[ast.operator]] = {
    "__add__": ast.Add,
    "__sub__": ast.Sub,
    "__mul__": ast.Mult,
    "__truediv__": ast.Div,
    "__floordiv__": ast.FloorDiv,
    "__mod__": ast.Mod,
    "__pow__": ast.Pow,
    "__and__": ast.BitAnd,
    "__or__": ast.BitOr,
    "__xor__": ast.BitXor,
    "__lshift__": ast.LShift,
    "__rshift__": ast.RShift,
    "__matmul__": ast.MatMult,
}


def operator_form(draft: Draft, action: ast.Call, subject: ast.expr) -> ast.expr | None:
    """The action written with an operator or a builtin, where that surely does the same; else None."""
    callee = draft.action.callee
    if not (isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name) and callee.value.id == SUBJECT):
        return None
    method, arguments = callee.attr, action.args
    if method == "__call__" and draft.case.use is Use.CALL:
        return ast.Call(func=subject, args=action.args, keywords=action.keywords)
    if action.keywords or any(isinstance(each, ast.Starred) for each in arguments):
        return None
    if method == "__iter__" and not arguments:
        return subject if draft.case.use is Use.ITERATE else None
    if draft.case.use is not Use.CALL:
        return None
    if method == "__getitem__" and len(arguments) == 1:
        return ast.Subscript(value=subject, slice=arguments[0], ctx=ast.Load())
    if draft.error is not None:  # an operator may try another way, or wrap the error, before it gives up
        return None
    return _unary(draft, method, subject) if not arguments else _binary(draft, method, subject, arguments)


def _unary(draft: Draft, method: str, subject: ast.expr) -> ast.expr | None:
    wanted = _FUNCTIONS.get(method)
    if wanted is None or type(_whole_value(draft)) is not wanted:
        return None
    return call(name(method.strip("_")), subject)


def _binary(draft: Draft, method: str, subject: ast.expr, arguments: list[ast.expr]) -> ast.expr | None:
    if len(arguments) != 1:
        return None
    if method in _COMPARISONS or method == "__contains__":
        other = literal_of(arguments[0])
        if not isinstance(_whole_value(draft), bool) or other is None or isinstance(other, bool):
            return None  # nobody writes `== None`
        if method == "__contains__":
            return ast.Compare(left=arguments[0], ops=[ast.In()], comparators=[subject])
        return ast.Compare(left=subject, ops=[_COMPARISONS[method]()], comparators=[arguments[0]])
    says_not_implemented = any(ast.unparse(check.expected) == "NotImplemented" for check in draft.checks)
    if method in _ARITHMETIC and not says_not_implemented:
        return ast.BinOp(left=subject, op=_ARITHMETIC[method](), right=arguments[0])
    return None


def _whole_value(draft: Draft) -> object:
    """The literal that the whole result was, where a check says so."""
    for check in draft.checks:
        whole = check.of == "result" and isinstance(check.path, ast.Name)
        if whole and check.relation in (Relation.EQUAL, Relation.IDENTICAL):
            return literal_of(check.expected)
    return None
