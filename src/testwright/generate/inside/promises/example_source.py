"""Rewrite an example's source so that it stands in a test: by the names that expressions of cases may use."""

import ast
import builtins
import copy
from collections.abc import Sequence
from dataclasses import dataclass

from testwright.generate.inside.generated_case import SUBJECT, UNDER_TEST, Argument, Call
from testwright.generate.inside.module_under_test import ModuleUnderTest


@dataclass(frozen=True)
class WrittenExample:
    expression: ast.expr
    expected: str
    setup: tuple[str, ...] = ()
    subject: Call | None = None
    before: tuple[Call, ...] = ()


class ExampleWriter:
    """Knows the lines of the example that came before, and so what each name stands for."""

    def __init__(self, under_test: ModuleUnderTest, earlier: Sequence[str]) -> None:
        self._under_test = under_test
        self._imported: dict[str, str] = {}
        self._earlier: list[ast.stmt] = []
        for source in earlier:
            for statement in ast.parse(source).body:
                if isinstance(statement, ast.Import | ast.ImportFrom):
                    self._learn(statement)
                else:
                    self._earlier.append(statement)
        self._bound = {name for statement in self._earlier for name in _stored(statement)}

    def written(self, source: str, expected: str) -> WrittenExample | None:
        """The example as an expression with what has to go before it; None when it cannot be written so."""
        body = ast.parse(source).body
        if len(body) != 1 or not isinstance(body[0], ast.Expr):
            return None
        expression = self._renamed(body[0].value)
        wanted = self._renamed(ast.parse(expected.strip(), mode="eval").body)
        if expression is None or wanted is None or not isinstance(expression, ast.expr):
            return None
        needed = self._needed(expression, wanted)
        renamed = [self._renamed(statement) for statement in needed]
        if any(each is None for each in renamed):
            return None
        statements = [each for each in renamed if isinstance(each, ast.stmt)]
        on_subject = _on_subject(statements, expression) if not _loaded(wanted) & self._bound else None
        if on_subject is not None:
            return WrittenExample(on_subject[0], ast.unparse(wanted), (), on_subject[1], on_subject[2])
        return WrittenExample(expression, ast.unparse(wanted), tuple(ast.unparse(each) for each in statements))

    def _learn(self, statement: ast.Import | ast.ImportFrom) -> None:
        own = self._under_test.module.__name__
        for alias in statement.names:
            name = alias.asname or alias.name.partition(".")[0]
            if isinstance(statement, ast.Import):
                path = alias.name if alias.asname else name
            else:
                path = f"{statement.module}.{alias.name}"
            if path == own:
                path = UNDER_TEST
            elif path.startswith(f"{own}."):
                path = UNDER_TEST + path.removeprefix(own)
            self._imported[name] = path

    def _renamed(self, node: ast.AST) -> ast.AST | None:
        """With every free name replaced by one that a test can use; None where there is none."""
        inner = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)} | _stored(node)
        renamer = _Renamer(self._under_test, self._imported, self._bound | inner)
        result = renamer.visit(copy.deepcopy(node))
        return None if renamer.is_lost else ast.fix_missing_locations(result)

    def _needed(self, *last: ast.AST) -> list[ast.stmt]:
        """The earlier statements that matter to the expression: those that bind or use what it uses, and so on."""
        wanted = {name for each in last for name in _loaded(each)} & self._bound
        needed: list[ast.stmt] = []
        for statement in reversed(self._earlier):
            uses = (_loaded(statement) | _stored(statement)) & self._bound
            is_bare_look = isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Call)
            if uses & wanted and not is_bare_look:
                needed.append(statement)
                wanted |= uses
        return list(reversed(needed))


def _on_subject(statements: Sequence[ast.stmt], expression: ast.expr) -> tuple[ast.expr, Call, tuple[Call, ...]] | None:
    """`bag = Bag()`, `bag.add(1)`, `bag.total()`: an object that is built, what is called on it, and the action."""
    if not statements or not isinstance(statements[0], ast.Assign) or not isinstance(statements[0].value, ast.Call):
        return None
    target = statements[0].targets[0]
    if len(statements[0].targets) != 1 or not isinstance(target, ast.Name):
        return None
    before = []
    for statement in statements[1:]:
        is_call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        if not is_call or not isinstance(statement, ast.Expr) or not _is_on(statement.value, target.id):
            return None
        before.append(call_of(_with_subject(statement.value, target.id)))
    if not _is_on(expression, target.id):
        return None
    return _with_subject(expression, target.id), call_of(statements[0].value), tuple(before)


def _is_on(node: ast.expr, name: str) -> bool:
    """`name.method(...)` with the name nowhere else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    uses = [each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == name]
    return isinstance(node.func.value, ast.Name) and node.func.value.id == name and len(uses) == 1


def _with_subject(node: ast.expr, name: str) -> ast.expr:
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id == name:
            each.id = SUBJECT
    return node


def call_of(node: ast.expr) -> Call:
    assert isinstance(node, ast.Call)
    arguments = [
        Argument("*", ast.unparse(each.value)) if isinstance(each, ast.Starred) else Argument(None, ast.unparse(each))
        for each in node.args
    ]
    arguments += [Argument(each.arg or "**", ast.unparse(each.value)) for each in node.keywords]
    return Call(ast.unparse(node.func), tuple(arguments))


class _Renamer(ast.NodeTransformer):
    def __init__(self, under_test: ModuleUnderTest, imported: dict[str, str], bound: set[str]) -> None:
        self._under_test, self._imported, self._bound = under_test, imported, bound
        self.is_lost = False

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if ast.unparse(node) == self._under_test.module.__name__:
            return ast.Name(UNDER_TEST, ast.Load())
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or node.id in self._bound:
            return node
        path = self._imported.get(node.id)
        if path is None:
            path = self._path_in_module(node.id)
        if path is None:
            self.is_lost = True
            return node
        return ast.parse(path, mode="eval").body

    def _path_in_module(self, name: str) -> str | None:
        names = vars(self._under_test.module)
        if name in names:
            return self._under_test.namespace.name_of(names[name]) or f"{UNDER_TEST}.{name}"
        return name if hasattr(builtins, name) else None


def _loaded(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _stored(node: ast.AST) -> set[str]:
    named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return named | {each.name for each in ast.walk(node) if isinstance(each, defined)}
