"""Simpler expressions than a given one: shorter, with fewer parts, smaller numbers and plainer words."""

import ast
from collections.abc import Iterator, Sequence

from testwright.generate.inside.safe_access import quietly
from testwright.generate.inside.values.editable_expression import EditableExpression, number_in
from testwright.generate.inside.values.literal_edits import TOKEN
from testwright.generate.inside.values.value_expressions import bracketed_like, text

CONTAINERS = (ast.List, ast.Tuple, ast.Set)
SIMPLE_NUMBERS = (0, 1, 2, 10)
PLAIN_WORDS = ("a", "b", "ab", "hello")


def simplicity(expression: str) -> tuple[int, int, int]:
    """The measure: length, then noise, then the size of the numbers; whole numbers, none of them negative."""
    edited = quietly(lambda: EditableExpression(expression), None)
    numbers = [number_in(node) for node in edited.nodes] if edited is not None else []
    return len(expression), sum(map(_noise, expression)), sum(_size(each) for each in numbers if each is not None)


def _size(number: float) -> int:
    if not _is_small(number):
        return 10**16
    return 4 * int(abs(number)) + 2 * (number < 0) + (not float(number).is_integer())


def shrink(expression: str) -> Iterator[str]:
    """Strictly simpler expressions, the most drastic first, each once."""
    edited = quietly(lambda: EditableExpression(expression), None)
    if edited is None:
        return
    measure = simplicity(expression)
    seen = {expression}
    for candidate in _candidates(edited):
        if candidate in seen or len(candidate) > len(expression):
            continue
        seen.add(candidate)
        if _parses(candidate) and (len(candidate) < len(expression) or simplicity(candidate) < measure):
            yield candidate


def _parses(expression: str) -> bool:
    return quietly(lambda: compile(expression, "shrunk", "eval", flags=ast.PyCF_ONLY_AST), None) is not None


def _candidates(edited: EditableExpression) -> Iterator[str]:
    for node in edited.nodes:  # the outermost first: what replaces it removes the most
        if not edited.inside_f_string(node):
            for simpler in _simpler(edited, node):
                yield edited.with_replaced([(node, simpler)])


def _simpler(edited: EditableExpression, node: ast.expr) -> Iterator[str]:
    number = number_in(node)
    if number is not None:
        yield from _simpler_number(number)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from (text(each) for each in _simpler_text(node.value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bytes):
        yield from (repr(each) for each in _shorter_bytes(node.value))
    elif isinstance(node, ast.Dict) and all(node.keys):
        keys = [edited.text_of(key) for key in node.keys if key is not None]
        pairs = [f"{key}: {edited.text_of(value)}" for key, value in zip(keys, node.values, strict=True)]
        yield from ("{" + ", ".join(each) + "}" for each in _fewer(pairs))
        yield from (edited.text_of(value) for value in node.values)
    elif isinstance(node, CONTAINERS):
        items = [edited.text_of(each) for each in node.elts]
        yield from (bracketed_like(node, each) for each in _fewer(items))
        yield from items  # the item alone, where the code takes either
    elif isinstance(node, ast.Call):
        yield from _fewer_arguments(edited, node)
    elif isinstance(node, ast.BinOp):
        yield from (edited.text_of(node.left), edited.text_of(node.right))
    elif isinstance(node, ast.Lambda):
        head = edited.text_of(node).partition(":")[0]
        yield from (f"{head}: None", f"{head}: 1")


def _simpler_number(value: float) -> Iterator[str]:
    simple = [each for each in SIMPLE_NUMBERS if each != value]
    if type(value) is float:
        yield from (repr(float(each)) for each in simple)
        if _is_small(value):
            yield from (repr(float(int(value))), repr(round(value, 1)))
    else:
        yield from map(repr, simple)
        yield from map(repr, (abs(value), value // 2, value // 10, value - 1, value + 1))


def _simpler_text(value: str) -> Iterator[str]:
    yield ""
    if value not in PLAIN_WORDS:
        yield from (word for word in PLAIN_WORDS if len(word) <= len(value))
    for glue, parts in (("\n", value.split("\n")), ("", TOKEN.findall(value)), ("", list(value))):
        if 1 < len(parts) <= 200:
            yield from (glue.join(each) for each in _fewer(parts) if each)
    tokens = TOKEN.findall(value)
    for place, token in enumerate(tokens[:40]):
        for plain in _plainer(token):
            yield "".join([*tokens[:place], plain, *tokens[place + 1 :]])
    yield value.lower()
    if len(value) <= 40:
        yield "a" * len(value)


def _plainer(token: str) -> Iterator[str]:
    if token.isdigit():
        yield from ("0", "1")
    elif token.isspace():
        yield " "
    elif token.isalnum():
        yield "a"
        yield "a" * len(token)


def _shorter_bytes(value: bytes) -> Iterator[bytes]:
    yield b""
    for each in _fewer([value[place : place + 1] for place in range(min(len(value), 100))]):
        yield b"".join(each)
    yield b"a" * min(len(value), 4)


def _fewer(parts: Sequence[str] | Sequence[bytes]) -> Iterator[list]:  # type: ignore[type-arg]  # of what it was given
    """Without all of them, without halves, quarters, ... down to without each one."""
    if not parts:
        return
    yield []
    size = (len(parts) + 1) // 2
    while size >= 1:
        for start in range(0, len(parts), size):
            yield [*parts[:start], *parts[start + size :]]
        if size == 1:
            return
        size //= 2


def _fewer_arguments(edited: EditableExpression, node: ast.Call) -> Iterator[str]:
    callee = edited.text_of(node.func)
    shown = [edited.text_of(each) for each in node.args]
    shown += [
        f"{each.arg}={edited.text_of(each.value)}" if each.arg else f"**{edited.text_of(each.value)}"
        for each in node.keywords
    ]
    yield from (f"{callee}({', '.join(each)})" for each in _fewer(shown))


def _is_small(number: float) -> bool:
    return abs(number) < 10**15


def _noise(character: str) -> int:
    """Lower-case letters are the plainest; what is hard to read weighs most."""
    if not character.isascii():
        return 6
    if character.islower():
        return 0 if character in "abc" else 1
    return 2 if character.isalnum() or character in ' "[](){},:' else 4
