"""Calls of special methods as people write them: `len(basket)` for `basket.__len__()`."""

import ast

from testwright.generate.inside.generated_case import SUBJECT, Relation, Use
from testwright.generate.writing.draft import CaseDraft, PlannedCall
from testwright.generate.writing.expression_trees import NO_LITERAL, call, chain, literal_of, name

_FUNCTIONS = {
    "__len__": int, "__str__": str, "__repr__": str, "__int__": int, "__float__": float,
    "__bool__": bool, "__hash__": int, "__bytes__": bytes, "__complex__": complex,
}  # fmt: skip
"""Each is called through a builtin of the same name that insists on this type."""
_PASSED_ON = frozenset({"__next__", "__reversed__", "__abs__"})
"""The builtin of the same name gives exactly what the method gives."""
_SIGNS: dict[str, type[ast.unaryop]] = {"__neg__": ast.USub, "__pos__": ast.UAdd, "__invert__": ast.Invert}
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "__eq__": ast.Eq, "__ne__": ast.NotEq, "__lt__": ast.Lt, "__le__": ast.LtE, "__gt__": ast.Gt,
    "__ge__": ast.GtE,
}  # fmt: skip
_ARITHMETIC: dict[str, type[ast.operator]] = {
    "__add__": ast.Add, "__sub__": ast.Sub, "__mul__": ast.Mult, "__truediv__": ast.Div,
    "__floordiv__": ast.FloorDiv, "__mod__": ast.Mod, "__pow__": ast.Pow, "__and__": ast.BitAnd,
    "__or__": ast.BitOr, "__xor__": ast.BitXor, "__lshift__": ast.LShift, "__rshift__": ast.RShift,
    "__matmul__": ast.MatMult,
}  # fmt: skip


def operator_form(draft: CaseDraft, action: ast.Call, subject: ast.expr) -> ast.expr | None:
    """The action written with an operator or a builtin, where that surely does the same; else None."""
    method, arguments = method_of(draft.action.callee), action.args
    if not method:
        return None
    if method == "__call__" and draft.case.use is Use.CALL:
        return ast.Call(func=subject, args=action.args, keywords=action.keywords)
    if action.keywords or any(isinstance(each, ast.Starred) for each in arguments):
        return None
    if method == "__iter__" and not arguments:
        return _iterated(draft, subject)
    if draft.case.use is not Use.CALL:
        return None
    if method == "__getitem__" and len(arguments) == 1:
        return ast.Subscript(value=subject, slice=arguments[0], ctx=ast.Load())
    return _unary(draft, method, subject) if not arguments else _binary(draft, method, subject, arguments)


def statement_form(planned: PlannedCall, action: ast.Call, subject: ast.expr) -> ast.stmt | None:
    """A call that is a statement of its own: `basket["a"] = 1`, `del basket["a"]`, `_ = basket["a"]`; else None."""
    method, arguments = method_of(planned.callee), action.args
    if action.keywords or any(isinstance(each, ast.Starred) for each in arguments):
        return None
    if method == "__setitem__" and len(arguments) == 2:
        place = ast.Subscript(value=subject, slice=arguments[0], ctx=ast.Store())
        return ast.Assign(targets=[place], value=arguments[1], lineno=0)
    if method == "__delitem__" and len(arguments) == 1:
        return ast.Delete(targets=[ast.Subscript(value=subject, slice=arguments[0], ctx=ast.Del())])
    if method == "__getitem__" and len(arguments) == 1:
        item = ast.Subscript(value=subject, slice=arguments[0], ctx=ast.Load())
        return ast.Assign(targets=[name("_")], value=item, lineno=0)
    if method == "__call__":
        return ast.Expr(ast.Call(func=subject, args=arguments, keywords=[]))
    if method in ("__len__", "__repr__", "__str__", "__hash__", *_PASSED_ON) and not arguments:
        return ast.Expr(call(name(method.strip("_")), subject))
    return None


def method_of(callee: ast.expr) -> str:
    """The name of the method, where it is one of the subject's; else empty."""
    is_method = isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name) and callee.value.id == SUBJECT
    return callee.attr if is_method and isinstance(callee, ast.Attribute) else ""


def _iterated(draft: CaseDraft, subject: ast.expr) -> ast.expr | None:
    if draft.case.use is Use.ITERATE:
        return subject
    # `iter` insists on an iterator: those are the results that are looked at by what they yield.
    is_iterator = any(chain(check.path.func) == ("list",) for check in draft.checks if isinstance(check.path, ast.Call))
    return call(name("iter"), subject) if draft.case.use is Use.CALL and is_iterator else None


def _unary(draft: CaseDraft, method: str, subject: ast.expr) -> ast.expr | None:
    if method in _SIGNS:
        return ast.UnaryOp(op=_SIGNS[method](), operand=subject)
    if method in _PASSED_ON:
        return call(name(method.strip("_")), subject)
    wanted = _FUNCTIONS.get(method)
    if wanted is None or (draft.error is None and type(_whole_value(draft)) is not wanted):
        return None
    return call(name(method.strip("_")), subject)


def _binary(draft: CaseDraft, method: str, subject: ast.expr, arguments: list[ast.expr]) -> ast.expr | None:
    if len(arguments) != 1:
        return None
    other = literal_of(arguments[0])
    # An operator may try another way before it lets an error through; numbers and texts offer none.
    if draft.error is not None and method != "__contains__" and other is NO_LITERAL:
        return None
    if method in _COMPARISONS or method == "__contains__":
        is_answer = draft.error is not None or isinstance(_whole_value(draft), bool)
        if not is_answer or (method != "__contains__" and (other is None or isinstance(other, bool))):
            return None  # people do not write `== None`
        if method == "__contains__":
            return ast.Compare(left=arguments[0], ops=[ast.In()], comparators=[subject])
        return ast.Compare(left=subject, ops=[_COMPARISONS[method]()], comparators=[arguments[0]])
    says_not_implemented = any(ast.unparse(check.expected) == "NotImplemented" for check in draft.checks)
    if method in _ARITHMETIC and not says_not_implemented:
        return ast.BinOp(left=subject, op=_ARITHMETIC[method](), right=arguments[0])
    return None


def _whole_value(draft: CaseDraft) -> object:
    """The literal that the whole result was, where a check says so."""
    for check in draft.checks:
        whole = check.of == "result" and isinstance(check.path, ast.Name)
        if whole and check.relation in (Relation.EQUAL, Relation.IDENTICAL):
            return literal_of(check.expected)
    return None
