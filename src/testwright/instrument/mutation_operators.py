"""What the mutation operators put in place of what; their names are those of the mutation testing literature.

ROR relational, AOR arithmetic, ASR augmented assignment, LCR logical connector, UOD unary operator, COI negated
condition, CRP constant, RVR return value, BCR break and continue, SDL statement, SBR slice bound.
"""

import ast
import copy
from collections.abc import Iterator
from typing import Any

from .syntax_names import last_name

# The neighbour, which only a value on the boundary tells apart, and the opposite.
RELATIONAL: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
}  # fmt: skip
SIGNS: dict[type[ast.operator | ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.Add: "+", ast.Sub: "-", ast.Mult: "*",
    ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_LOGGERS = frozenset({"log", "logger", "logging"})
_LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log"})
_NAMING = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "cast", "ForwardRef"})
_LONGEST = 60


def other_constants(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (other for other in (value + 1, value - 1) if other != value)  # the largest floats do not move
    elif isinstance(value, str):
        yield "XX" + value
    elif isinstance(value, bytes):
        yield b"XX" + value


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def is_log_call(call: ast.Call) -> bool:
    """Whether the call only writes to a log: few tests mean to notice what is written there."""
    called = call.func
    if not isinstance(called, ast.Attribute) or called.attr not in _LEVELS:
        return False
    return last_name(called.value).strip("_").lower() in _LOGGERS


def names_a_type(called: ast.expr) -> bool:
    """Whether the first argument is only for a type checker."""
    return last_name(called) in _NAMING


def without_bound(node: ast.Slice, bound: str) -> str:
    other = copy.copy(node)
    setattr(other, bound, None)
    return ast.unparse(other)


def short_line(text: str) -> str:
    """The first line, cut where it is long."""
    first, _, rest = text.partition("\n")
    return first if len(first) <= _LONGEST and not rest else first[: _LONGEST - 1] + "…"
