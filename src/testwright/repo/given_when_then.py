"""The parts of a test: what it arranges, what it replaces by mocks, what it checks."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from testwright.repo.symbols import Definition

_MOCK_CALL = re.compile(
    r"(?:^|\.)(?:patch(?:\.(?:object|dict|multiple))?|(?:Magic|Async|NonCallable)?Mock|create_autospec|mock_open)$"
    r"|^monkeypatch\.|^mocker\."
)
_CHECK_CALL = re.compile(
    r"(?:^|\.)(?:assert\w*|fail(?:If|Unless)\w*|raises|warns|deprecated_call|assertRaises\w*|assertWarns\w*)$"
)


@dataclass(frozen=True, slots=True)
class ParsedTest:
    """Statements in order, each with the names of what it calls; `source` is the whole test."""

    source: str
    mocks: tuple[str, ...]
    assertions: tuple[str, ...]
    statements: tuple[tuple[str, tuple[str, ...], bool], ...]
    """Text, last names of what is called, whether it checks something."""

    def given(self, name: str) -> tuple[str, ...]:
        """What is arranged before `name` is first called."""
        found: list[str] = []
        for text, called, checks in self.statements:
            if name in called:
                break
            if not checks:
                found.append(text)
        return tuple(found)

    def when(self, name: str) -> tuple[str, ...]:
        return tuple(text for text, called, _ in self.statements if name in called)

    def then(self) -> tuple[str, ...]:
        return self.assertions


def parts_of(test: Definition, more_decorators: list[ast.expr]) -> ParsedTest:
    decorators = [*test.decorator_list, *more_decorators]
    body = test.body[1:] if ast.get_docstring(test) is not None else test.body
    mocks = ["@" + ast.unparse(item) for item in decorators if _is_mock(item)]
    assertions: list[str] = []
    for statement in _flat(body):
        mocks += _mocks_in(statement)
        if _checks(statement):
            assertions.append(ast.unparse(statement))
    statements = [
        (ast.unparse(statement), tuple(_calls(statement)), any(_checks(inner) for inner in _flat([statement])))
        for statement in body
    ]
    return ParsedTest(
        ast.unparse(test), tuple(dict.fromkeys(mocks)), tuple(dict.fromkeys(assertions)), tuple(statements)
    )


def _flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        for inner in ast.walk(statement):
            if inner is not statement and isinstance(inner, ast.stmt):
                yield inner


def _name_of(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node)


def _is_mock(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _MOCK_CALL.search(_name_of(node)) is not None


def _mocks_in(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.With | ast.AsyncWith):
        return ["with " + ast.unparse(item) for item in statement.items if _is_mock(item.context_expr)]
    if isinstance(statement, ast.Assign | ast.Expr | ast.AnnAssign) and statement.value is not None:
        value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
        return [ast.unparse(statement)] if _is_mock(value) else []
    return []


def _checks(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert():
            return True
        case ast.Expr(value=ast.Call() as call) | ast.Expr(value=ast.Await(value=ast.Call() as call)):
            return _CHECK_CALL.search(_name_of(call)) is not None
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return any(_CHECK_CALL.search(_name_of(item.context_expr)) for item in items)
        case _:
            return False


def _calls(node: ast.AST) -> dict[str, None]:
    found: dict[str, None] = {}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            func = inner.func
            found.setdefault(func.attr if isinstance(func, ast.Attribute) else ast.unparse(func))
    return found
