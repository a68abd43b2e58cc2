"""Cut tests out of a test file, and leave every other byte of it as it was."""

import ast
import re
from collections.abc import Iterable, Iterator

TestKey = tuple[str, int | None]
"""A function (`test_x`, or `TestClass.test_x`), and the row of its parameters; None: the whole function."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TOO_MANY_BLANKS = re.compile(rb"\n{4,}")


def count_tests(text: str) -> int:
    """How many test functions the file has."""
    return sum(node.name.startswith("test") for _, node in _functions(ast.parse(text)))


def without_tests(text: str, keys: Iterable[TestKey]) -> str:
    """`text` without these tests, and without the imports that only they used."""
    before = _used_names(ast.parse(text))
    # From the last row to the first: the ones before keep their numbers.
    for function, row in sorted(keys, key=lambda key: (key[0], key[1] is not None, key[1] or 0), reverse=True):
        text = _without_test(text, function, row)
    return _without_imports(text, before - _used_names(ast.parse(text)))


def _without_test(text: str, name: str, row: int | None) -> str:
    node = next((node for full, node in _functions(ast.parse(text)) if full == name), None)
    if node is None:  # it was removed with an earlier row
        return text
    if row is not None:
        tables = [table for decorator in node.decorator_list if (table := _table(decorator))]
        if len(tables) == 1 and all(row < len(part) for part in tables[0]) and len(tables[0][0]) > 1:
            spans = [_span_of_item(part, row) for part in tables[0]]
            return _without_spans(text, spans)
    return _without_function(text, node)


def _functions(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    for node in tree.body:
        if isinstance(node, _Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, _Function):
                    yield f"{node.name}.{inner.name}", inner


def _table(decorator: ast.expr) -> list[list[ast.expr]] | None:
    """The lists of a parametrize decorator that have an item for each row: its values, and its ids if they are a list.

    None where it is something else, or where its text does not show its rows.
    """
    if not isinstance(decorator, ast.Call) or not ast.unparse(decorator.func).endswith("mark.parametrize"):
        return None
    ids = [keyword.value for keyword in decorator.keywords if keyword.arg == "ids"]
    lists = [*decorator.args[1:2], *ids]
    parts = [part.elts for part in lists if isinstance(part, ast.List | ast.Tuple)]
    return parts if parts and len(parts) == len(lists) else None


# --- by position -----------------------------------------------------------------------------

_Span = tuple[tuple[int, int], tuple[int, int]]  # from a line (counted from 1) and a byte in it, up to another


def _span_of_item(items: list[ast.expr], index: int) -> _Span:
    """An item with the comma and the space that belong to it."""
    item = items[index]
    if index + 1 < len(items):
        return (item.lineno, item.col_offset), (items[index + 1].lineno, items[index + 1].col_offset)
    before = items[index - 1]
    assert before.end_lineno is not None
    assert before.end_col_offset is not None
    assert item.end_lineno is not None
    assert item.end_col_offset is not None
    return (before.end_lineno, before.end_col_offset), (item.end_lineno, item.end_col_offset)


def _without_function(text: str, node: _Function) -> str:
    owner = next(
        (each for each in ast.parse(text).body if isinstance(each, ast.ClassDef) and _holds_only(each, node)), None
    )
    return _without_lines(text, owner or node)


def _holds_only(owner: ast.ClassDef, node: _Function) -> bool:
    """Whether a class would have no test left without this one, of all that it holds."""
    functions = [each for each in owner.body if isinstance(each, _Function)]
    tests = [each for each in functions if each.name.startswith("test")]
    return [each.lineno for each in tests] == [node.lineno]


def _without_lines(text: str, node: _Function | ast.ClassDef | ast.stmt) -> str:
    """Without the lines of a statement; the gap it leaves is closed."""
    decorators = [each.lineno for each in getattr(node, "decorator_list", [])]
    first = min([node.lineno, *decorators])
    assert node.end_lineno is not None
    cut = _without_spans(text, [((first, 0), (node.end_lineno + 1, 0))])
    closed = _TOO_MANY_BLANKS.sub(b"\n\n\n", cut.encode("utf-8"))
    return closed.decode("utf-8").rstrip("\n") + "\n"


def _without_spans(text: str, spans: list[_Span]) -> str:
    raw = text.encode("utf-8")  # the positions of a syntax tree count bytes
    starts = [0, *(found.end() for found in re.finditer(rb"\n", raw)), len(raw)]
    for (first_line, first_byte), (last_line, last_byte) in sorted(spans, reverse=True):
        start = starts[first_line - 1] + first_byte
        end = starts[min(last_line, len(starts)) - 1] + last_byte
        raw = raw[:start] + raw[end:]
    return raw.decode("utf-8")


# --- imports ---------------------------------------------------------------------------------


def _used_names(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _without_imports(text: str, unused: set[str]) -> str:
    """Without the imports of names that nothing uses any more. The first import is what the file is about."""
    imports = [node for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in reversed(imports[1:]):
        kept = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) not in unused]
        if len(kept) == len(node.names):
            continue
        if not kept:
            text = _without_lines(text, node)
            continue
        node.names = kept
        assert node.end_lineno is not None
        lines = text.splitlines(keepends=True)
        lines[node.lineno - 1 : node.end_lineno] = [ast.unparse(node) + "\n"]
        text = "".join(lines)
    return text
