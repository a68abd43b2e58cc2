"""Find the calls of a module's symbols in a file, with arguments that stand by themselves."""

import ast
import itertools
from collections.abc import Iterator

from testwright.repo.expression_rewriter import UNDER_TEST, ExpressionRewriter
from testwright.repo.python_source import dotted_name
from testwright.repo.scope import Scope

_MOST_ROWS = 24  # of one parametrisation or loop
_MOST_LENGTH = 2_000  # characters of one call
_CONFIGURES = ("setUp", "setUpClass", "setup_method", "setup_class", "setUpTestData", "asyncSetUp")

Environment = dict[str, ast.expr]
Found = tuple[str, str]
"""The unit's qualname, and the call as source text."""


def calls_in(tree: ast.Module, scope: Scope) -> Iterator[Found]:
    """Every call of the module's own symbols in `tree` that can be written down by itself, in order."""
    finder = _CallFinder(scope)
    for statement in tree.body:
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            finder.run([statement], finder.globals)
    finder.learn_fixtures(tree.body)
    for statement in tree.body:
        finder.definition(statement, dict(finder.globals))
    seen: set[Found] = set()
    for found in finder.found:
        if found not in seen:
            seen.add(found)
            yield found


class _CallFinder:
    """Walks statements in order, remembers what simple names stand for, and collects calls."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.globals: Environment = {}
        self.found: list[Found] = []
        self._fixtures: Environment = {}

    # --- definitions -------------------------------------------------------------------------

    def learn_fixtures(self, body: list[ast.stmt]) -> None:
        """Fixtures that return one self-contained value stand for it where a test takes them."""
        for node in (inner for statement in body for inner in ast.walk(statement)):
            if not isinstance(node, ast.FunctionDef) or not any(map(_is_fixture, node.decorator_list)):
                continue
            results = [
                inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return | ast.Yield) and inner.value
            ]
            environment = dict(self.globals)
            self.run(node.body, environment)
            value = ExpressionRewriter(self._scope, environment).expression(results[0]) if len(results) == 1 else None
            if value is not None:
                self._fixtures[node.name] = value

    def definition(self, node: ast.stmt, environment: Environment) -> None:
        if isinstance(node, ast.ClassDef):
            self.run([item for item in node.body if isinstance(item, ast.Assign)], environment)
            environment.update({f"self.{name}": value for name, value in environment.items() if "." not in name})
            methods = [item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)]
            for method in sorted(methods, key=lambda method: method.name not in _CONFIGURES):
                if method.name in _CONFIGURES:
                    self.run(method.body, environment)
                else:
                    self.definition(method, dict(environment))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            own = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            for name in own:
                environment.pop(name, None)
                if name in self._fixtures:
                    environment[name] = self._fixtures[name]
            for row in self._rows(node.decorator_list):
                self.run(node.body, {**environment, **row})

    def _rows(self, decorators: list[ast.expr]) -> list[Environment]:
        """What each parametrisation binds; one empty row when there is none."""
        tables = [table for decorator in decorators if (table := self._table(decorator))]
        product = itertools.islice(itertools.product(*tables), _MOST_ROWS)
        return [{name: value for row in rows for name, value in row.items()} for rows in product]

    def _table(self, decorator: ast.expr) -> list[Environment]:
        if not isinstance(decorator, ast.Call) or len(decorator.args) < 2:
            return []
        if (dotted_name(decorator.func) or "").rpartition(".")[2] != "parametrize":
            return []
        names = _parameter_names(decorator.args[0])
        rows = decorator.args[1]
        if isinstance(rows, ast.Name):
            rows = self.globals.get(rows.id, rows)
        items = rows.elts if isinstance(rows, ast.List | ast.Tuple | ast.Set) else []
        table = []
        for item in items[:_MOST_ROWS]:
            row = _parameter_row(item, len(names))
            values = [ExpressionRewriter(self._scope, self.globals).expression(value) for value in row]
            if len(values) == len(names):
                table.append({name: value for name, value in zip(names, values, strict=True) if value is not None})
        return table

    # --- statements --------------------------------------------------------------------------

    def run(self, body: list[ast.stmt], environment: Environment) -> None:
        for statement in body:
            self._statement(statement, environment)

    def _statement(self, statement: ast.stmt, environment: Environment) -> None:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.run(statement.body, dict(environment))
            case ast.ClassDef():
                return
            case ast.For(target=target, iter=iterated, body=body, orelse=other):
                self._collect(iterated, environment)
                for bound in self._loop(target, iterated, environment):
                    self.run(body + other, bound)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    self._collect(item.context_expr, environment)
                    self._forget(item.optional_vars, environment)
                self.run(body, environment)
            case ast.If() | ast.While() | ast.Try():
                if not isinstance(statement, ast.Try):
                    self._collect(statement.test, environment)
                self.run(list(_inner(statement)), environment)
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                self._collect(value, environment)
                self._assign(target, value, environment)
            case _:
                for inner in ast.iter_child_nodes(statement):
                    if isinstance(inner, ast.expr):
                        self._collect(inner, environment)
                self._forget(getattr(statement, "target", None), environment)

    def _loop(self, target: ast.expr, iterated: ast.expr, environment: Environment) -> list[Environment]:
        items = ExpressionRewriter(self._scope, environment).expression(iterated)
        names = [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]
        plain = {name: value for name, value in environment.items() if name not in names}
        if not isinstance(items, ast.List | ast.Tuple | ast.Set):
            return [plain]
        rows = [_parameter_row(item, len(names) if isinstance(target, ast.Tuple) else 1) for item in items.elts]
        return [
            {**plain, **dict(zip(names, row, strict=True))} for row in rows[:_MOST_ROWS] if len(row) == len(names)
        ] or [plain]

    def _assign(self, target: ast.expr, value: ast.expr, environment: Environment) -> None:
        known = ExpressionRewriter(self._scope, environment).expression(value)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for inner_target, inner_value in zip(target.elts, value.elts, strict=True):
                self._assign(inner_target, inner_value, environment)
            return
        name = dotted_name(target)
        if name is not None and known is not None:
            environment[name] = known
        else:
            self._forget(target, environment)

    @staticmethod
    def _forget(target: ast.expr | None, environment: Environment) -> None:
        for node in ast.walk(target) if target is not None else ():
            if isinstance(node, ast.Name | ast.Attribute):
                environment.pop(dotted_name(node) or "", None)

    # --- calls -------------------------------------------------------------------------------

    def _collect(self, expression: ast.expr, environment: Environment) -> None:
        rewriter = ExpressionRewriter(self._scope, environment)
        for node in ast.walk(expression):
            if not isinstance(node, ast.Call):
                continue
            call = rewriter.call(node)
            unit = self._unit(call, rewriter) if call is not None else None
            if call is not None and unit is not None:
                text = ast.unparse(ast.fix_missing_locations(call))
                if len(text) <= _MOST_LENGTH:
                    self.found.append((unit, text))

    def _unit(self, call: ast.Call, rewriter: ExpressionRewriter) -> str | None:
        """The qualname of what a rewritten call is about, when that is the module's own."""
        own = self._scope.own
        path = (dotted_name(call.func) or "").split(".")
        if path[0] == UNDER_TEST and len(path) == 2 and (path[1] in own.functions or path[1] in own.classes):
            return path[1]
        if path[0] == UNDER_TEST and len(path) == 3 and path[1] in own.classes:
            shape = own.classes[path[1]]
            return shape.methods[path[2]] if path[2] in shape.unbound else None
        if isinstance(call.func, ast.Attribute):
            owner = rewriter.class_of(call.func.value)
            return own.classes[owner].methods.get(call.func.attr) if owner is not None else None
        return None


def _inner(statement: ast.If | ast.While | ast.Try) -> Iterator[ast.stmt]:
    yield from statement.body
    if isinstance(statement, ast.Try):
        for handler in statement.handlers:
            yield from handler.body
        yield from statement.finalbody
    yield from statement.orelse


def _is_fixture(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (dotted_name(called) or "").rpartition(".")[2] == "fixture"


def _parameter_names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [name.strip() for name in node.value.split(",") if name.strip()]
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else []
    return [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]


def _parameter_row(item: ast.expr, width: int) -> list[ast.expr]:
    """The values of one row; `pytest.param(...)` is taken apart."""
    if isinstance(item, ast.Call) and (dotted_name(item.func) or "").rpartition(".")[2] == "param":
        return list(item.args)
    if width > 1:
        return list(item.elts) if isinstance(item, ast.Tuple | ast.List) else []
    return [item]
