"""A branch's condition in words: `not isinstance(text, str)` becomes `text_is_not_a_string`."""

import ast
from collections.abc import Collection

from testwright.generate.writing.expression_trees import NO_LITERAL, literal_of, parse
from testwright.generate.writing.name_words import slug, snake, type_words

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE,
    ast.LtE: ast.Gt, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_AGAINST_ZERO: dict[type[ast.cmpop], str] = {
    ast.Lt: "negative", ast.Gt: "positive", ast.LtE: "not_positive", ast.GtE: "not_negative",
    ast.Eq: "zero", ast.NotEq: "not_zero",
}  # fmt: skip
_ORDER: dict[type[ast.cmpop], str] = {
    ast.Lt: "below", ast.Gt: "above", ast.LtE: "at_most", ast.GtE: "at_least", ast.Eq: "",
    ast.NotEq: "not",
}  # fmt: skip
_TEXT_TESTS = {
    "isdigit": "only_digits", "isdecimal": "only_digits", "isnumeric": "only_digits",
    "isalpha": "only_letters", "isalnum": "only_letters_and_digits", "isspace": "only_spaces",
    "isupper": "upper_case", "islower": "lower_case", "istitle": "title_case",
    "isidentifier": "an_identifier",
}  # fmt: skip


def condition_words(condition: str, *, holds: bool, known: Collection[str]) -> str:
    """The condition as part of a test's name; empty when it is not about the `known` names alone, or too deep."""
    if not condition:
        return ""
    try:
        return _words(parse(condition), holds, known)
    except (SyntaxError, ValueError):
        return ""


def _words(node: ast.expr, holds: bool, known: Collection[str]) -> str:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _words(node.operand, not holds, known)
    if isinstance(node, ast.BoolOp):
        return _both(node, holds, known)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        operator = type(node.ops[0])
        return _comparison(node.left, operator if holds else _OPPOSITE[operator], node.comparators[0], known)
    if isinstance(node, ast.Call):
        return _question(node, holds, known)
    if isinstance(node, ast.Attribute):  # a bare parameter says nothing: what it is given says more
        return _attribute(node, holds, known)
    return ""


def _attribute(node: ast.Attribute, holds: bool, known: Collection[str]) -> str:
    thing = _thing(node, known)
    if not thing or not isinstance(node.value, ast.Name):
        return ""
    if node.value.id != "self":
        return f"{snake(node.value.id)}_has_{'' if holds else 'no_'}{snake(node.attr)}"
    if thing.endswith("s") and not thing.startswith(("is_", "has_")):
        return f"there_are_{thing}" if holds else f"there_are_no_{thing}"
    return thing if holds else f"not_{thing}"


def _both(node: ast.BoolOp, holds: bool, known: Collection[str]) -> str:
    """`a and b` that holds, or `a or b` that does not: only then is each part known."""
    if isinstance(node.op, ast.And) is not holds or len(node.values) > 2:
        return ""
    parts = [_words(value, holds, known) for value in node.values]
    return "_and_".join(parts) if all(parts) else ""


def _thing(node: ast.expr, known: Collection[str]) -> str:
    """A parameter, or an attribute of the object itself."""
    if isinstance(node, ast.Name) and node.id in known:
        return snake(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == "self":
            return snake(node.attr)
        return f"{snake(node.value.id)}_{snake(node.attr)}" if node.value.id in known else ""
    return ""


def _comparison(left: ast.expr, operator: type[ast.cmpop], right: ast.expr, known: Collection[str]) -> str:
    if _is_call_of(left, "len"):
        assert isinstance(left, ast.Call)
        return _length(_thing(left.args[0], known), operator, literal_of(right)) if left.args else ""
    thing = _thing(left, known)
    if not thing:
        return ""
    if operator in (ast.In, ast.NotIn):
        place = _thing(right, known)
        return place and f"{thing}_is{'_not' if operator is ast.NotIn else ''}_in_{place}"
    value = literal_of(right)
    if value is NO_LITERAL:
        other = _thing(right, known)
        return other and f"{thing}_is_{_ORDER[operator] or 'equal_to'}_{other}" if operator in _ORDER else ""
    return _against(thing, operator, value)


def _against(thing: str, operator: type[ast.cmpop], value: object) -> str:
    negated = "not_" if operator in (ast.NotEq, ast.IsNot) else ""
    if operator in (ast.Eq, ast.NotEq, ast.Is, ast.IsNot):
        if value is None or isinstance(value, bool):
            return f"{thing}_is_{negated}{str(value).lower()}"
        if value in ("", b"", [], (), {}):
            return f"{thing}_is_{negated}empty"
        if isinstance(value, str):
            word = slug(value)
            return word and f"{thing}_is_{negated}{word}"
    if isinstance(value, int) and operator in _ORDER:
        if value == 0:
            return f"{thing}_is_{_AGAINST_ZERO[operator]}"
        number = f"minus_{-value}" if value < 0 else str(value)
        return "_".join(filter(None, (thing, "is", _ORDER[operator], number)))
    return ""


def _length(thing: str, operator: type[ast.cmpop], value: object) -> str:
    if not thing or not isinstance(value, int) or operator not in _ORDER:
        return ""
    if value == 0 and operator in (ast.Eq, ast.LtE):
        return f"{thing}_is_empty"
    if value == 0 and operator in (ast.NotEq, ast.Gt):
        return f"{thing}_is_not_empty"
    return "_".join(filter(None, ("length_of", thing, "is", _ORDER[operator], str(value))))


def _question(node: ast.Call, holds: bool, known: Collection[str]) -> str:
    negated = "" if holds else "not_"
    if isinstance(node.func, ast.Attribute):
        return _question_of_text(node, node.func, holds, known)
    thing = _thing(node.args[0], known) if node.args else ""
    if not thing:
        return ""
    if _is_call_of(node, "isinstance") and len(node.args) == 2:
        classes = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        names = list(dict.fromkeys(type_words(ast.unparse(each)) for each in classes))
        return f"{thing}_is_{negated}{'_or_'.join(names)}" if len(names) <= 2 else ""
    if _is_call_of(node, "callable"):
        return f"{thing}_is_{negated}callable"
    if _is_call_of(node, "hasattr") and len(node.args) == 2:
        attribute = literal_of(node.args[1])
        return f"{thing}_has_{'no_' if not holds else ''}{snake(attribute)}" if isinstance(attribute, str) else ""
    return ""


def _question_of_text(node: ast.Call, callee: ast.Attribute, holds: bool, known: Collection[str]) -> str:
    thing = _thing(callee.value, known)
    if not thing:
        return ""
    if callee.attr in _TEXT_TESTS:
        return f"{thing}_is_{'' if holds else 'not_'}{_TEXT_TESTS[callee.attr]}"
    if callee.attr in ("startswith", "endswith") and node.args:
        value = literal_of(node.args[0])
        word = slug(value) if isinstance(value, str) else ""
        verb = "start" if callee.attr == "startswith" else "end"
        return word and f"{thing}_{f'{verb}s' if holds else f'does_not_{verb}'}_with_{word}"
    return ""


def _is_call_of(node: ast.expr, function: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function
