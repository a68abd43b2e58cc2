"""Find where a module can be mutated, and how: the classic operators, without what no test is meant to notice."""

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from .ignored_code import is_docstring, is_future_import, is_never_tested, is_stub, is_unwanted, unwanted_lines
from .mutation_operators import (
    ARITHMETIC,
    RELATIONAL,
    SIGNS,
    is_log_call,
    is_text,
    names_a_type,
    other_constants,
    short_line,
    without_bound,
)
from .quiet_compiler import room_for_depth
from .tree_edits import Edit, Replace, SetField

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, eq=False)
class MutationSite:
    """One possible edit. `functions` are the ones around it, the outermost first; none: the module runs it."""

    operator: str
    line: int
    column: int
    function: str | None
    description: str
    statement: int
    edit: Edit
    functions: tuple[Function, ...]
    classes: tuple[ast.ClassDef, ...]  # the classes around the outermost function


def find_sites(tree: ast.Module, source: str) -> list[MutationSite]:
    """Every site, in the order of the source. The tree must be as it was parsed."""
    finder = _Finder(unwanted_lines(source, for_mutants=True))
    with room_for_depth():
        finder.block(tree.body)
    return sorted(finder.sites, key=lambda site: (site.line, site.column))  # stable: one node's stay in their order


class _Finder(ast.NodeVisitor):
    def __init__(self, unwanted: frozenset[int]) -> None:
        self.sites: list[MutationSite] = []
        self._unwanted = unwanted
        self._functions: tuple[Function, ...] = ()
        self._classes: tuple[ast.ClassDef, ...] = ()
        self._names: list[str] = []
        self._statement = 0

    def _add(self, operator: str, node: ast.stmt | ast.expr, description: str, edit: Edit) -> None:
        function = ".".join(self._names) if self._functions else None
        place = (node.lineno, node.col_offset, function, description, self._statement)
        self.sites.append(MutationSite(operator, *place, edit, self._functions, self._classes))

    # --- what is around ----------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt]) -> None:
        for node in body:
            if not is_unwanted(node, self._unwanted) and not is_docstring(node) and not is_future_import(node):
                around = self._statement
                self._statement = node.lineno
                self.visit(node)
                self._statement = around

    def generic_visit(self, node: ast.AST) -> None:
        """Statement lists are looked through for what is not wanted; the rest is visited as it comes."""
        for _, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                self.visit(value)
            elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self.block(value)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, ast.AST):
                        self.visit(item)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if not is_stub(node):
            self._defaults(node.args)
            self._inside(node, node.name, lambda: self.block(node.body))

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast looks for

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)
        around = self._statement
        self._statement = node.body.lineno
        self._inside(node, "<lambda>", lambda: self.visit(node.body))
        self._statement = around

    def _inside(self, node: Function, name: str, look: Callable[[], None]) -> None:
        around = self._functions
        self._names.append(f"<locals>.{name}" if around else name)
        self._functions = (*around, node)
        look()
        self._functions = around
        self._names[-1:] = []

    def _defaults(self, arguments: ast.arguments) -> None:
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.visit(default)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        around = self._classes
        if not self._functions:
            self._classes = (*around, node)
        self._names.append(f"<locals>.{node.name}" if self._functions else node.name)
        for keyword in node.keywords:
            self.visit(keyword.value)
        self.block(node.body)
        self._names[-1:] = []
        self._classes = around

    # --- what is left alone ------------------------------------------------------------------

    def visit_Import(self, node: ast.Import) -> None: ...
    def visit_ImportFrom(self, node: ast.ImportFrom) -> None: ...
    def visit_TypeAlias(self, node: ast.stmt) -> None: ...

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and not self._is_dunder(node.target):
            self.visit(node.value)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if not is_unwanted(node, self._unwanted):
            self.block(node.body)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        for pattern in node.patterns:  # not the keys: two that are equal would be no Python
            self.visit(pattern)

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(self._is_dunder(target) for target in node.targets):
            return
        if self._functions and all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._remove(node)
        self.generic_visit(node)

    def _is_dunder(self, target: ast.expr) -> bool:
        is_outside = not self._functions and isinstance(target, ast.Name)
        return is_outside and isinstance(target, ast.Name) and target.id.startswith("__") and target.id.endswith("__")

    # --- statements --------------------------------------------------------------------------

    def _remove(self, node: ast.stmt) -> None:
        self._add("SDL", node, f"`{short_line(ast.unparse(node))}` was removed", Replace(node, _nothing))

    def visit_Expr(self, node: ast.Expr) -> None:
        called = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(called, ast.Call):
            if is_log_call(called):
                return
            self._remove(node)
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._remove(node)
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        if not all(isinstance(target, ast.Name) for target in node.targets):
            self._remove(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._remove(node)
        self._arithmetic(node, "ASR", node.value)
        self.visit(node.target)
        self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        value = node.value
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            return
        description = f"`{short_line(ast.unparse(node))}` became `return None`"
        self._add("RVR", node, description, SetField(node, "value", None))
        self.visit(value)

    def visit_Break(self, node: ast.Break) -> None:
        self._add("BCR", node, "`break` became `continue`", Replace(node, lambda at: ast.Continue(**_place(at))))

    def visit_Continue(self, node: ast.Continue) -> None:
        self._add("BCR", node, "`continue` became `break`", Replace(node, lambda at: ast.Break(**_place(at))))

    # --- conditions --------------------------------------------------------------------------

    def visit_If(self, node: ast.If) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        if not isinstance(node.test, ast.Constant):
            self._negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        self._negate(node.test)
        self.visit(node.test)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def visit_match_case(self, node: ast.match_case) -> None:
        if node.guard is not None:
            self._negate(node.guard)
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        """Unless another operator already has it: a single comparison, a `not`."""
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return
        if isinstance(test, ast.Constant) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            return
        description = f"the condition `{short_line(ast.unparse(test))}` was negated"
        self._add("COI", test, description, Replace(test, _negated))

    # --- expressions -------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> None:
        if not is_never_tested(node):
            for index, operator in enumerate(node.ops):
                for other in RELATIONAL[type(operator)]:
                    ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
                    description = f"`{SIGNS[type(operator)]}` became `{SIGNS[other]}`"
                    self._add("ROR", node, description, SetField(node, "ops", ops))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        other = ast.Or() if old == "and" else ast.And()
        self._add("LCR", node, f"`{old}` became `{new}`", SetField(node, "op", other))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not is_text(node.right):
            self._arithmetic(node, "AOR", node.left)
        self.generic_visit(node)

    def _arithmetic(self, node: ast.BinOp | ast.AugAssign, operator: str, operand: ast.expr) -> None:
        other = ARITHMETIC.get(type(node.op))
        if other is None or is_text(operand):  # joining or formatting text: any change only raises
            return
        end = "=" if operator == "ASR" else ""
        description = f"`{SIGNS[type(node.op)]}{end}` became `{SIGNS[other]}{end}`"
        self._add(operator, node, description, SetField(node, "op", other()))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if not isinstance(node.op, ast.UAdd):
            before, after = short_line(ast.unparse(node)), short_line(ast.unparse(node.operand))
            self._add("UOD", node, f"`{before}` became `{after}`", Replace(node, lambda at: at.operand))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        for value in other_constants(node.value):
            description = f"`{short_line(repr(node.value))}` became `{short_line(repr(value))}`"
            self._add("CRP", node, description, SetField(node, "value", value))

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in ("lower", "upper", "step"):
            if getattr(node, bound) is not None:
                description = f"`[{short_line(ast.unparse(node))}]` became `[{short_line(without_bound(node, bound))}]`"
                self._add("SBR", node, description, SetField(node, bound, None))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.visit(node.func)
        skipped = 1 if names_a_type(node.func) else 0
        for argument in node.args[skipped:]:
            self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)


def _place(node: ast.stmt | ast.expr) -> dict[str, int]:
    return {
        "lineno": node.lineno,
        "col_offset": node.col_offset,
        "end_lineno": node.end_lineno or node.lineno,
        "end_col_offset": node.end_col_offset or node.col_offset,
    }


def _nothing(node: ast.stmt) -> ast.AST:
    return ast.Pass(**_place(node))


def _negated(node: ast.expr) -> ast.AST:
    return ast.UnaryOp(ast.Not(), node, **_place(node))
