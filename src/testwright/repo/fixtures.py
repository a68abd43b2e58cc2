"""Which fixtures a test relies on: its own file's, its class's, and those of the conftest files above it."""

import ast
from dataclasses import dataclass
from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.repo.python_source import dotted_name, parse_file
from testwright.repo.symbols import Definition

# Called around each test of a unittest class, and of a plain one.
_AROUND = (
    "setUpClass", "setUp", "asyncSetUp", "setUpTestData", "setup_class", "setup_method", "tearDown", "tearDownClass",
    "asyncTearDown", "teardown_method", "teardown_class",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fixtures:
    """Fixtures by name; the nearest definition wins, as in pytest."""

    known: dict[str, Definition]
    automatic: tuple[str, ...]

    @classmethod
    def for_file(cls, file: Path, tree: ast.Module, root: Path) -> "Fixtures":
        known: dict[str, Definition] = {}
        automatic: list[str] = []
        for conftest in reversed(_conftests(file, root)):
            try:
                _learn(parse_file(conftest).body, known, automatic)
            except TestwrightError:  # a broken conftest offers nothing
                continue
        _learn(tree.body, known, automatic)
        return cls(known, tuple(dict.fromkeys(automatic)))


def _conftests(file: Path, root: Path) -> list[Path]:
    """Nearest first."""
    found = []
    for folder in file.parents:
        if (folder / "conftest.py").is_file() and folder / "conftest.py" != file:
            found.append(folder / "conftest.py")
        if folder == root:
            break
    return found


def _learn(body: list[ast.stmt], known: dict[str, Definition], automatic: list[str]) -> None:
    for node in body:
        if not isinstance(node, Definition):
            continue
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if (dotted_name(called) or "").rpartition(".")[2] != "fixture":
                continue
            given = {word.arg: word.value for word in decorator.keywords} if isinstance(decorator, ast.Call) else {}
            name = _text(given.get("name")) or node.name
            known[name] = node
            if isinstance(given.get("autouse"), ast.Constant) and ast.unparse(given["autouse"]) == "True":
                automatic.append(name)


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def needed_fixtures(test: Definition, owner: ast.ClassDef | None, fixtures: Fixtures) -> dict[str, Definition | None]:
    """Every fixture the test needs, directly or through another; None for one that the repository does not define."""
    known = dict(fixtures.known)
    automatic = list(fixtures.automatic)
    around: dict[str, Definition | None] = {}
    decorators = list(test.decorator_list)
    if owner is not None:
        _learn(owner.body, known, automatic)
        decorators += owner.decorator_list
        around = {item.name: item for item in owner.body if isinstance(item, Definition) and item.name in _AROUND}
    waiting = [*automatic, *_used(decorators), *_arguments(test, decorators)]
    for item in around.values():
        waiting += _arguments(item, []) if item is not None else []
    needed: dict[str, Definition | None] = {}
    while waiting:
        name = waiting.pop(0)
        if name not in needed:
            needed[name] = known.get(name)
            waiting += _arguments(known[name], []) if name in known else []
    return {**around, **needed}


def _used(decorators: list[ast.expr]) -> list[str]:
    return [
        _text(argument)
        for decorator in decorators
        if isinstance(decorator, ast.Call) and (dotted_name(decorator.func) or "").endswith("usefixtures")
        for argument in decorator.args
        if _text(argument)
    ]


def _arguments(node: Definition, decorators: list[ast.expr]) -> list[str]:
    """What pytest fills in: all parameters but the receiver, those a parametrisation gives, and those patches give."""
    listed = [*node.args.posonlyargs, *node.args.args]
    names = [argument.arg for argument in listed[: len(listed) - len(node.args.defaults)]]
    names += [
        argument.arg
        for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is None
    ]
    names = [name for name in names if name not in ("self", "cls", "request")]
    given: set[str] = set()
    patches = 0
    for decorator in decorators:
        called = (dotted_name(decorator.func) or "") if isinstance(decorator, ast.Call) else ""
        if called.endswith("parametrize") and isinstance(decorator, ast.Call) and decorator.args:
            given |= set(ast.unparse(decorator.args[0]).translate(_SEPARATORS).split())
        elif isinstance(decorator, ast.Call) and _passes_a_mock(called, decorator):
            patches += 1
    return [name for name in names[patches:] if name not in given]


def _passes_a_mock(called: str, decorator: ast.Call) -> bool:
    """Whether a `mock.patch` has no replacement of its own, and so passes its mock as a positional argument."""
    named = 1 if called.endswith("patch") else 2 if called.endswith("patch.object") else 0
    replaced = len(decorator.args) > named or any(word.arg == "new" for word in decorator.keywords)
    return named > 0 and not replaced


_SEPARATORS = str.maketrans(dict.fromkeys("'\",()[]", " "))
