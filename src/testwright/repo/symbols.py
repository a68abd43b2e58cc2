"""What a Python file defines, as plain values read from its syntax tree: the tables in which names are looked up."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from testwright.repo.python_source import dotted_name, top_level

Definition = ast.FunctionDef | ast.AsyncFunctionDef
_MOST_DOC = 600
_MOST_VALUE = 200
_MOST_CALLS = 60
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})


@dataclass(frozen=True, slots=True)
class FunctionSymbol:
    """A function or method; names of types are as they are written."""

    qualname: str
    line: int
    end_line: int
    signature: str
    doc: str
    parameters: tuple[str, ...]
    types: tuple[str, ...]
    """The annotation of each parameter, "" where there is none."""
    returns: str
    decorators: tuple[str, ...]
    calls: tuple[str, ...]
    """Dotted names called in the body, in order, each once."""
    reads: tuple[str, ...]
    """Attributes of `self` that are read."""
    writes: tuple[str, ...]
    """Attributes of `self` that are assigned."""

    @property
    def name(self) -> str:
        return self.qualname.rpartition(".")[2]

    @property
    def owner(self) -> str:
        return self.qualname.rpartition(".")[0]

    @property
    def is_fixture(self) -> bool:
        return any(name.rpartition(".")[2] == "fixture" for name in self.decorators)


@dataclass(frozen=True, slots=True)
class ClassSymbol:
    qualname: str
    line: int
    end_line: int
    bases: tuple[str, ...]
    doc: str
    decorators: tuple[str, ...]
    fields: tuple[str, ...]
    """Annotated attributes, as they are written: `price: int = 0`."""

    @property
    def is_enum(self) -> bool:
        return any(base.rpartition(".")[2] in _ENUMS for base in self.bases)


@dataclass(frozen=True, slots=True)
class ConstantSymbol:
    name: str
    line: int
    annotation: str
    value: str
    """Source text, shortened."""


@dataclass(frozen=True, slots=True)
class ModuleSymbols:
    doc: str
    classes: tuple[ClassSymbol, ...]
    functions: tuple[FunctionSymbol, ...]
    """Methods included, by qualname; functions inside functions are not."""
    constants: tuple[ConstantSymbol, ...]
    imports: tuple[str, ...]
    """Each as one statement: `from a import b as c`."""

    @property
    def fixtures(self) -> tuple[FunctionSymbol, ...]:
        return tuple(function for function in self.functions if function.is_fixture)

    @property
    def names(self) -> tuple[str, ...]:
        """Every class, function and method, by qualname."""
        return (*(item.qualname for item in self.classes), *(item.qualname for item in self.functions))


def module_symbols(tree: ast.Module) -> ModuleSymbols:
    classes: list[ClassSymbol] = []
    functions: list[FunctionSymbol] = []
    constants: list[ConstantSymbol] = []
    imports: list[str] = []
    for statement in top_level(tree.body):
        match statement:
            case ast.ClassDef():
                _add_class(statement, "", classes, functions)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                functions.append(function_of(statement, ""))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                constants.append(ConstantSymbol(name, statement.lineno, "", _short(ast.unparse(value), _MOST_VALUE)))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                text = "" if value is None else _short(ast.unparse(value), _MOST_VALUE)
                constants.append(ConstantSymbol(name, statement.lineno, ast.unparse(annotation), text))
            case ast.Import() | ast.ImportFrom():
                imports += one_by_one(statement)
    return ModuleSymbols(_doc(tree), tuple(classes), tuple(functions), tuple(constants), tuple(imports))


def one_by_one(statement: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """An import statement for each name that one statement binds."""
    start = ""
    if isinstance(statement, ast.ImportFrom):
        start = f"from {'.' * statement.level}{statement.module or ''} "
    for alias in statement.names:
        yield f"{start}import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")


def _add_class(node: ast.ClassDef, above: str, classes: list[ClassSymbol], functions: list[FunctionSymbol]) -> None:
    qualname = f"{above}.{node.name}" if above else node.name
    bases = tuple(ast.unparse(base) for base in node.bases)
    fields = tuple(_short(ast.unparse(item), _MOST_VALUE) for item in node.body if isinstance(item, ast.AnnAssign))
    classes.append(ClassSymbol(qualname, _first_line(node), _end(node), bases, _doc(node), _decorators(node), fields))
    for item in top_level(node.body):
        if isinstance(item, ast.ClassDef):
            _add_class(item, qualname, classes, functions)
        elif isinstance(item, Definition):
            functions.append(function_of(item, qualname))


def function_of(node: Definition, owner: str) -> FunctionSymbol:
    arguments = node.args
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    listed += [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    calls, reads, writes = _body_facts(node)
    return FunctionSymbol(
        f"{owner}.{node.name}" if owner else node.name,
        _first_line(node),
        _end(node),
        signature_of(node),
        _doc(node),
        tuple(argument.arg for argument in listed),
        tuple("" if argument.annotation is None else ast.unparse(argument.annotation) for argument in listed),
        "" if node.returns is None else ast.unparse(node.returns),
        _decorators(node),
        calls,
        reads,
        writes,
    )


def signature_of(node: Definition) -> str:
    start = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    return f"{start} {node.name}({ast.unparse(node.args)}){returns}"


def _body_facts(node: Definition) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    first = [*node.args.posonlyargs, *node.args.args][:1]
    receiver = first[0].arg if first else ""
    calls: dict[str, None] = {}
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    for statement in node.body:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.Call):
                name = dotted_name(inner.func)
                if name is None and isinstance(inner.func, ast.Attribute):
                    name = f"?.{inner.func.attr}"
                if name is not None:
                    calls.setdefault(name)
            elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == receiver:
                (reads if isinstance(inner.ctx, ast.Load) else writes).setdefault(inner.attr)
    return tuple(calls)[:_MOST_CALLS], tuple(reads), tuple(writes)


def _decorators(node: Definition | ast.ClassDef) -> tuple[str, ...]:
    called = [item.func if isinstance(item, ast.Call) else item for item in node.decorator_list]
    return tuple(dotted_name(item) or "" for item in called)


def _first_line(node: Definition | ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _doc(node: ast.Module | ast.ClassDef | Definition) -> str:
    return _short(ast.get_docstring(node) or "", _MOST_DOC)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
