"""One changed neighbour of an expression: an edit of one of its literals or containers, at any depth."""

import ast
import random
import re
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from testwright.generate.inside.generated_case import TMP_PATH
from testwright.generate.inside.safe_access import quietly
from testwright.generate.inside.values.editable_expression import EditableExpression, number_in
from testwright.generate.inside.values.harmless_values import stays
from testwright.generate.inside.values.literal_edits import edited_bytes, edited_number, edited_text, toward
from testwright.generate.inside.values.value_expressions import bracketed_like, literal, text
from testwright.generate.inside.values.value_pool import ValuePool

LONGEST_EXPRESSION = 1200
TRIES = 6
CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
OTHER_KINDS = ("None", "0", '""', "[]", "True", '"a"', "1.5", "{}", "-1")


class VariationMaker:
    """Edits expressions with the values of a pool; `others` gives values for an annotation."""

    def __init__(self, module: ModuleType, pool: ValuePool, others: Callable[[Any], list[str]]) -> None:
        self._module = module
        self._pool = pool
        self._others = others

    def vary(self, expression: str, rng: random.Random, hints: Sequence[object] = (), annotation: object = None) -> str:
        """A neighbour that differs, if some tries find one; the expression itself otherwise."""
        if annotation is not None and rng.random() < 0.08:
            others = self._others(annotation)
            other = rng.choice(others) if others else expression
            if stays(expression, other, self._module):
                return other
        edited = quietly(lambda: EditableExpression(expression), None)
        if edited is None:
            return expression
        for _ in range(TRIES):
            changed = quietly(lambda: self._once(edited, rng, hints), expression)
            fits = changed != expression and len(changed) <= max(LONGEST_EXPRESSION, len(expression))
            if fits and stays(expression, changed, self._module):
                return changed
        return expression

    def _once(self, edited: EditableExpression, rng: random.Random, hints: Sequence[object]) -> str:
        places = [node for node in edited.nodes if _is_editable(node) and not edited.inside_f_string(node)]
        places = [node for node in places if not _is_signed_part(node, places)]
        if not places:
            return self._replaced_whole(edited, rng, hints)
        # The whole container as often as any of its parts: length and order matter as much as items.
        node = places[0] if rng.random() < 0.3 else rng.choice(places)
        return edited.with_replaced([(node, self._changed(edited, node, rng, hints))])

    def _replaced_whole(self, edited: EditableExpression, rng: random.Random, hints: Sequence[object]) -> str:
        wanted = [source for each in hints if (source := literal(each)) is not None]
        return rng.choice(wanted) if wanted and rng.random() < 0.5 else edited.source

    def _changed(self, edited: EditableExpression, node: ast.expr, rng: random.Random, hints: Sequence[object]) -> str:
        if rng.random() < 0.04:
            return rng.choice(OTHER_KINDS)
        if isinstance(node, ast.Dict):
            return self._changed_mapping(edited, node, rng, hints)
        if isinstance(node, CONTAINERS):
            return self._changed_items(edited, node, rng, hints)
        number = number_in(node)
        if number is not None:
            return self._changed_number(number, rng, hints)
        assert isinstance(node, ast.Constant)
        if isinstance(node.value, str):
            changed = self._changed_text(node.value, rng, hints)
            return text(_file_name(changed) if _is_below_tmp_path(edited, node) else changed)
        if isinstance(node.value, bytes):
            return repr(edited_bytes(node.value, rng, self._pool))
        if isinstance(node.value, bool):
            return repr(not node.value)
        wanted = [source for each in hints if (source := literal(each)) is not None]
        return rng.choice([*wanted, *OTHER_KINDS, text(rng.choice(self._pool.texts))])

    def _changed_text(self, value: str, rng: random.Random, hints: Sequence[object]) -> str:
        wanted = [each for each in hints if type(each) is str and len(each) < 200]
        wanted += [repr(each) for each in hints if type(each) is int]
        if wanted and rng.random() < 0.5:
            return toward(value, rng.choice(wanted), rng)
        return edited_text(value, rng, self._pool)

    def _changed_number(self, value: float, rng: random.Random, hints: Sequence[object]) -> str:
        wanted = [each for each in hints if type(each) in (int, float)]
        if wanted and rng.random() < 0.5:
            aim: Any = rng.choice(wanted)
            return literal(rng.choice((aim, aim, aim + 1, aim - 1, -aim))) or "0"
        return literal(edited_number(value, rng, self._pool)) or "0"

    def _changed_items(self, edited: EditableExpression, node: Any, rng: random.Random, hints: Sequence[object]) -> str:
        items = [edited.text_of(each) for each in node.elts]
        place = rng.randrange(len(items)) if items else 0
        way = rng.choice(("remove", "double", "add", "replace", "reverse", "swap", "repeat", "clear", "hint"))
        if way == "remove" and items:
            del items[place]
        elif way == "double" and items:
            items.insert(place, items[place])
        elif way == "reverse":
            items.reverse()
        elif way == "swap" and items:
            items[place], items[0] = items[0], items[place]
        elif way == "repeat" and len(items) <= 16:
            items *= 2
        elif way == "clear":
            items = items[:1] if len(items) > 1 else []
        elif way == "replace" and items:
            items[place] = self._item_like(items[place], rng, hints)
        else:
            like = items[place] if items else ""
            items.insert(rng.randint(0, len(items)), self._item_like(like, rng, hints))
        return bracketed_like(node, items)

    def _item_like(self, source: str, rng: random.Random, hints: Sequence[object]) -> str:
        wanted = [found for each in hints if (found := literal(each)) is not None]
        if wanted and rng.random() < 0.4:
            return rng.choice(wanted)
        if source and rng.random() < 0.6:
            return self.vary(source, rng, hints)
        fresh = [text(rng.choice(self._pool.texts)), repr(rng.choice(self._pool.numbers)), "None", "[1]", '{"key": 1}']
        return rng.choice(fresh)

    def _changed_mapping(
        self, edited: EditableExpression, node: ast.Dict, rng: random.Random, hints: Sequence[object]
    ) -> str:
        pairs = [
            (edited.text_of(key), edited.text_of(value))
            for key, value in zip(node.keys, node.values, strict=True)
            if key
        ]
        place = rng.randrange(len(pairs)) if pairs else 0
        way = rng.choice(("remove", "add", "rename", "value", "swap", "nest", "add"))
        if way == "remove" and pairs:
            del pairs[place]
        elif way == "rename" and pairs:
            pairs[place] = (self._key(rng, hints), pairs[place][1])
        elif way == "value" and pairs:
            pairs[place] = (pairs[place][0], self._item_like(pairs[place][1], rng, hints))
        elif way == "swap" and len(pairs) > 1:
            other = rng.randrange(len(pairs))
            one = pairs[place]
            pairs[place], pairs[other] = (one[0], pairs[other][1]), (pairs[other][0], one[1])
        elif way == "nest" and pairs:
            shape = rng.choice(('{{"key": {}}}', "[{}]", "[{}, 1]"))
            pairs[place] = (pairs[place][0], shape.format(pairs[place][1]))
        else:
            pairs.append((self._key(rng, hints), self._item_like(pairs[place][1] if pairs else "", rng, hints)))
        return "{" + ", ".join(f"{key}: {value}" for key, value in dict(pairs).items()) + "}"

    def _key(self, rng: random.Random, hints: Sequence[object]) -> str:
        wanted = [text(each) for each in hints if type(each) is str]
        if wanted and rng.random() < 0.6:
            return rng.choice(wanted)
        return text(rng.choice(self._pool.texts)) if rng.random() < 0.8 else repr(rng.choice(self._pool.numbers))


def _is_editable(node: ast.expr) -> bool:
    if isinstance(node, CONTAINERS):
        return not isinstance(node, ast.Dict) or all(node.keys)
    if isinstance(node, ast.Constant):
        return node.value is not Ellipsis and not isinstance(node.value, complex)
    return number_in(node) is not None


def _is_signed_part(node: ast.expr, places: Sequence[ast.expr]) -> bool:
    """`1` in `-1`: the sign belongs to the number."""
    return any(isinstance(each, ast.UnaryOp) and each.operand is node for each in places)


def _is_below_tmp_path(edited: EditableExpression, node: ast.expr) -> bool:
    return any(
        isinstance(each, ast.BinOp) and each.right is node and TMP_PATH in edited.text_of(each.left)
        for each in edited.nodes
    )


def _file_name(value: str) -> str:
    """A name that stays inside the test's own folder."""
    name = re.sub(r"[^\w. -]", "_", value.encode(errors="ignore").decode()).strip(". ")
    return name[:60] or "data"
