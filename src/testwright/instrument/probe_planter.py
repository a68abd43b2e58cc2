"""Plant probes in a module's syntax tree, without changing what the module does or its line numbers."""

import ast
from typing import Any, TypeAlias

from .ignored_code import is_docstring, is_ellipsis, is_future_import, is_unwanted, unwanted_lines
from .probes import PLAIN_NAMES, Kind, Probe
from .quiet_compiler import room_for_depth

_HITS, _ADD, _DECIDED, _LAST, _NEXT, _WORK, _NOTE, _PAIR = PLAIN_NAMES
_Place: TypeAlias = ast.stmt | ast.expr | ast.ExceptHandler
_Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While

# Calls that look something up: their receiver and first argument are worth knowing.
_LOOKUPS = frozenset(
    {"startswith", "endswith", "removeprefix", "removesuffix", "match", "fullmatch", "search", "get", "index", "find"}
)
# Functions of modules that take the pattern first and the text second.
_PATTERN_FIRST = frozenset({"match", "fullmatch", "search", "findall", "finditer", "split", "fnmatch", "fnmatchcase"})
_PATTERN_MODULES = frozenset({"re", "regex", "fnmatch"})


def plant(tree: ast.Module, source: str, *, capture: bool = False) -> tuple[Probe, ...]:
    """Put probes into `tree`, in place: existing nodes stay the same objects, only their surroundings change."""
    planter = _Planter(unwanted_lines(source), capture=capture)
    with room_for_depth():
        planter.module(tree)
    return tuple(planter.probes)


class _Planter(ast.NodeTransformer):
    """Statement lists go through `_block`; expressions through `visit`, or `_truth` where only their truth counts."""

    def __init__(self, unwanted: frozenset[int], *, capture: bool) -> None:
        self.probes: list[Probe] = []
        self._unwanted = unwanted
        self._capture = capture
        self._names: list[str] = []  # of the functions and classes around
        self._depth = 0  # of functions

    # --- making probes -----------------------------------------------------------------------

    def _new(self, at: _Place, kind: Kind, what: str) -> int:
        index = len(self.probes)
        label = f"L{at.lineno} {what}".rstrip()
        self.probes.append(Probe(index, at.lineno, kind, label, ".".join(self._names) if self._depth else ""))
        return index

    def _mark(self, at: _Place, kind: Kind, what: str) -> ast.stmt:
        """`__tw_hits__[index] = 1`"""
        return _marking(self._new(at, kind, what), _place(at))

    def _both_ways(
        self, test: ast.expr, kind: Kind, what: str = "", words: tuple[str, str] = ("true", "false")
    ) -> ast.expr:
        """Evaluates `test` once, marks which way it went, and has its truth."""
        place = _place(test)
        yes, no = (_add(self._new(test, kind, f"{what} {word}".strip()), place) for word in words)
        is_none = ast.Compare(yes, [ast.Is()], [ast.Constant(None, **place)], **place)
        return ast.IfExp(test, is_none, no, **place)

    # --- statements --------------------------------------------------------------------------

    def module(self, tree: ast.Module) -> None:
        tree.body = self._block(tree.body, may_have_docstring=True)

    def _block(self, body: list[ast.stmt], *first: ast.stmt, may_have_docstring: bool = False) -> list[ast.stmt]:
        """The statements, each with its probe before it; `first` goes before all but what must stay in front."""
        planted: list[ast.stmt] = []
        pending = list(first)
        for number, node in enumerate(body):
            if (may_have_docstring and number == 0 and is_docstring(node)) or is_future_import(node):
                planted.append(node)
                continue
            planted += pending
            pending = []
            if is_unwanted(node, self._unwanted):
                planted.append(node)
                continue
            if not isinstance(node, ast.Global | ast.Nonlocal) and not is_ellipsis(node):
                planted.append(self._mark(node, "statement", ""))
            planted.append(self.visit(node))
        return planted + pending

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        self._defaults(node.args)
        self._names.append(f"<locals>.{node.name}" if self._depth else node.name)
        self._depth += 1
        node.body = self._block(node.body, _tick_statement(_place(node.body[0])), may_have_docstring=True)
        self._depth -= 1
        self._names[-1:] = []
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast looks for

    def _defaults(self, arguments: ast.arguments) -> None:
        # Annotations stay untouched: they may be turned back into text, or read by a dataclass.
        arguments.defaults = [self.visit(each) for each in arguments.defaults]
        arguments.kw_defaults = [None if each is None else self.visit(each) for each in arguments.kw_defaults]

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        self._names.append(f"<locals>.{node.name}" if self._depth else node.name)
        node.body = self._block(node.body, may_have_docstring=True)
        self._names[-1:] = []
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        taken = self._mark(node, "branch", "true")
        not_taken = self._mark(node, "branch", "false")
        node.test = self._truth(node.test)
        node.body = self._block(node.body, taken)
        node.orelse = self._block(node.orelse, not_taken)
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        node.test = self._truth(node.test)
        return self._loop(node, may_end=not (isinstance(node.test, ast.Constant) and node.test.value))

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.stmt:
        node.iter = self.visit(node.iter)
        return self._loop(node)

    visit_AsyncFor = visit_For  # noqa: N815 - the name that ast looks for

    def _loop(self, node: _Loop, *, may_end: bool = True) -> ast.stmt:
        turned = self._mark(node, "branch", "loop")
        ended = [self._mark(node, "branch", "end of loop")] if may_end else []
        node.body = self._block(node.body, _tick_statement(_place(node)), turned)
        node.orelse = self._block(node.orelse, *ended)
        return node

    def visit_With(self, node: ast.With | ast.AsyncWith) -> ast.stmt:
        for item in node.items:
            item.context_expr = self.visit(item.context_expr)
        node.body = self._block(node.body)
        return node

    visit_AsyncWith = visit_With  # noqa: N815 - the name that ast looks for

    def visit_Try(self, node: ast.Try | ast.TryStar) -> ast.stmt:
        node.body = self._block(node.body)
        for handler in node.handlers:
            if is_unwanted(handler, self._unwanted):
                continue
            if handler.type is not None:
                handler.type = self.visit(handler.type)
            handler.body = self._block(handler.body, self._mark(handler, "branch", "except"))
        if node.orelse:
            node.orelse = self._block(node.orelse, self._mark(node.orelse[0], "branch", "no exception"))
        node.finalbody = self._block(node.finalbody)
        return node

    visit_TryStar = visit_Try  # noqa: N815 - the name that ast looks for

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        node.subject = self.visit(node.subject)
        for case in node.cases:
            if case.guard is not None:
                case.guard = self._both_ways(self._truth(case.guard), "branch", "guard")
            case.body = self._block(case.body, _marking(self._new_case(case), _place(case.body[0])))
        if not _takes_all(node.cases[-1]):
            node.cases.append(
                ast.match_case(ast.MatchAs(**_place(node)), None, [self._mark(node, "branch", "no case")])
            )
        return node

    def _new_case(self, case: ast.match_case) -> int:
        index = len(self.probes)
        line = case.pattern.lineno
        self.probes.append(Probe(index, line, "branch", f"L{line} case", ".".join(self._names) if self._depth else ""))
        return index

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        if not isinstance(node.test, ast.Constant):
            node.test = self._both_ways(self._truth(node.test), "branch", "assert", ("holds", "fails"))
        if node.msg is not None:
            node.msg = self.visit(node.msg)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_TypeAlias(self, node: ast.stmt) -> ast.stmt:
        return node

    # --- expressions -------------------------------------------------------------------------

    def _truth(self, node: ast.expr) -> ast.expr:
        """An expression of which only the truth counts: its operands can be told apart without keeping their values."""
        if isinstance(node, ast.BoolOp):
            node.values = [self._both_ways(self._truth(value), "condition", _text(value)) for value in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._truth(node.operand)
            return node
        visited: ast.expr = self.visit(node)
        return visited

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        last = len(node.values) - 1
        for number, value in enumerate(node.values):
            what = _text(value)
            index = self._new(value, "condition", f"{what} true")
            self._new(value, "condition", f"{what} false")
            name = _LAST if number == last else _DECIDED
            node.values[number] = _call(name, index, self.visit(value))
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        node.operand = self._truth(node.operand) if isinstance(node.op, ast.Not) else self.visit(node.operand)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        yes, no = self._new(node, "branch", "true"), self._new(node, "branch", "false")
        node.test = self._truth(node.test)
        node.body = _after(_add(yes, _place(node.body)), self.visit(node.body))
        node.orelse = _after(_add(no, _place(node.orelse)), self.visit(node.orelse))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        self._defaults(node.args)
        self._names.append("<locals>.<lambda>" if self._depth else "<lambda>")
        self._depth += 1
        run = _add(self._new(node.body, "statement", "lambda"), _place(node.body))
        node.body = _after(run, self.visit(node.body))
        self._depth -= 1
        self._names[-1:] = []
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = self.visit(node.iter)
        wanted = [self._both_ways(self._truth(test), "branch", "if") for test in node.ifs]
        place = _place(node.target)
        turn = ast.Compare(_tick(place), [ast.Is()], [ast.Constant(None, **place)], **place)
        node.ifs = [turn, *wanted]  # first of all: a comprehension that keeps nothing may run forever too
        return node

    # --- comparisons -------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        if self._capture and self._depth and not all(isinstance(side, ast.Constant) for side in sides):
            node.left = _call(_NOTE, node.lineno, node.left)
            node.comparators = [_call(_PAIR, node.lineno, side) for side in node.comparators]
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        called = node.func
        if not (self._capture and self._depth and isinstance(called, ast.Attribute) and node.args):
            return node
        if any(isinstance(argument, ast.Starred) for argument in node.args[:2]):
            return node
        owner = called.value
        if isinstance(owner, ast.Name) and owner.id in _PATTERN_MODULES:
            if called.attr in _PATTERN_FIRST and len(node.args) > 1:
                node.args[:2] = [_call(_NOTE, node.lineno, node.args[0]), _call(_PAIR, node.lineno, node.args[1])]
        elif called.attr in _LOOKUPS and not _is_super(owner):
            called.value = _call(_NOTE, node.lineno, owner)
            node.args[0] = _call(_PAIR, node.lineno, node.args[0])
        return node


# --- small pieces of tree --------------------------------------------------------------------


def _place(node: _Place | ast.pattern) -> dict[str, Any]:
    return {
        "lineno": node.lineno,
        "col_offset": node.col_offset,
        "end_lineno": node.end_lineno,
        "end_col_offset": node.end_col_offset,
    }


def _name(name: str, place: dict[str, Any]) -> ast.Name:
    return ast.Name(name, ast.Load(), **place)


def _marking(index: int, place: dict[str, Any]) -> ast.stmt:
    hit = ast.Subscript(_name(_HITS, place), ast.Constant(index, **place), ast.Store(), **place)
    return ast.Assign([hit], ast.Constant(1, **place), **place)


def _add(index: int, place: dict[str, Any]) -> ast.expr:
    return ast.Call(_name(_ADD, place), [ast.Constant(index, **place)], [], **place)


def _tick(place: dict[str, Any]) -> ast.expr:
    return ast.Call(_name(_NEXT, place), [_name(_WORK, place)], [], **place)


def _tick_statement(place: dict[str, Any]) -> ast.stmt:
    return ast.Expr(_tick(place), **place)


def _after(first: ast.expr, value: ast.expr) -> ast.expr:
    """`first or value`, where `first` is always None."""
    return ast.BoolOp(ast.Or(), [first, value], **_place(value))


def _call(name: str, number: int, value: ast.expr) -> ast.expr:
    place = _place(value)
    return ast.Call(_name(name, place), [ast.Constant(number, **place), value], [], **place)


def _text(node: ast.expr) -> str:
    """The operand as a person would recognise it, for labels only."""
    text = ast.unparse(node)
    return text if len(text) <= 40 else text[:39] + "…"


def _takes_all(case: ast.match_case) -> bool:
    pattern = case.pattern
    while isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        pattern = pattern.pattern
    if isinstance(pattern, ast.MatchOr):
        pattern = pattern.patterns[-1]
    return case.guard is None and isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
