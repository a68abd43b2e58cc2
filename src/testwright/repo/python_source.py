"""Python source: read the way Python does, what is wrong with a file that it could not read, and names in a tree."""

import ast
import io
import tokenize
import warnings
from collections.abc import Iterator
from pathlib import Path

from testwright.model.errors import (
    InvalidSource,
    NotARegularFile,
    PathNotFound,
    PathUnreadable,
    TestwrightError,
    TooLarge,
)

MOST_BYTES = 8 << 20  # generated tables can be large; beyond this a file is data, not something to test


def read_bytes(file: Path) -> bytes:
    try:
        if file.is_dir():
            raise NotARegularFile(f"{file} is a folder.", next_step="Name a Python file in it.")
        if file.exists() and not file.is_file():  # a pipe would keep its reader waiting without end
            raise NotARegularFile(f"{file} is a pipe, socket or device.", next_step="Name a Python file.")
        if file.stat().st_size > MOST_BYTES:
            raise TooLarge(f"{file} is larger than {MOST_BYTES >> 20} MiB.", next_step="Name a smaller file.")
        return file.read_bytes()
    except FileNotFoundError as error:
        raise PathNotFound(f"There is no file {file}.", next_step="Check the path.") from error
    except OSError as error:
        raise PathUnreadable(f"{file} cannot be read: {error.strerror}.", next_step="Check its permissions.") from error


def decode_source(raw: bytes, file: Path) -> str:
    """The text of a Python file, in the encoding that its first lines declare."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        return io.TextIOWrapper(io.BytesIO(raw), encoding=encoding).read()
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise InvalidSource(
            f"{file} is not text in the encoding it declares: {error}.", next_step="Save it as UTF-8."
        ) from error


def parse_text(text: str, file: Path) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an old escape in somebody's string is not our news
            return ast.parse(text, filename=str(file))
    except SyntaxError as error:
        where = f"line {error.lineno}" if error.lineno else "somewhere"
        raise InvalidSource(
            f"{file} is not valid Python, {where}: {error.msg}.", next_step="Mend it, or name another file."
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; nesting beyond the parser's stack
        raise InvalidSource(f"{file} cannot be parsed: {error}.", next_step="Name another file.") from error


def read_source(file: Path) -> str:
    return decode_source(read_bytes(file), file)


def parse_file(file: Path) -> ast.Module:
    return parse_text(read_source(file), file)


def dotted_name(node: ast.expr) -> str | None:
    """`a.b.c` for the expression that says so."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, those in `if`, `try` and `with` included."""
    for statement in body:
        yield statement
        match statement:
            case ast.If(body=inner, orelse=other) | ast.For(body=inner, orelse=other):
                yield from top_level(inner + other)
            case ast.Try(body=inner, handlers=handlers, orelse=other, finalbody=final):
                yield from top_level([*inner, *(line for handler in handlers for line in handler.body), *other, *final])
            case ast.With(body=inner):
                yield from top_level(inner)


def assigned_names(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            return [name]
        case _:
            return []


def hides_module(package: Path, module: str) -> bool:
    """Whether `from package import module` gives something else: after `from .slug import slug` it gives a function."""
    try:
        tree = parse_file(package / "__init__.py")
    except TestwrightError:  # no package, or none that can be read: nothing is bound
        return False
    for statement in top_level(tree.body):
        if module in assigned_names(statement):
            return True
        if isinstance(statement, ast.ImportFrom):
            is_package_itself = statement.level == 1 and statement.module is None
            is_package_itself |= statement.level == 0 and (statement.module or "").endswith(package.name)
            for alias in statement.names:
                bound = alias.asname or alias.name
                if bound == module and not (is_package_itself and alias.name == module):
                    return True
                if alias.name == "*" and statement.level == 1 and _offers(package, statement.module or "", module):
                    return True
    return False


def _offers(package: Path, source: str, name: str) -> bool:
    """Whether `from .source import *` brings in `name`."""
    if name.startswith("_"):
        return False
    try:
        tree = parse_file(package.joinpath(*source.split(".")).with_suffix(".py"))
    except TestwrightError:
        return False
    statements = list(top_level(tree.body))
    for statement in statements:
        if isinstance(statement, ast.Assign) and "__all__" in assigned_names(statement):
            try:
                return name in ast.literal_eval(statement.value)
            except (ValueError, TypeError):
                break
    return any(name in assigned_names(statement) for statement in statements)
