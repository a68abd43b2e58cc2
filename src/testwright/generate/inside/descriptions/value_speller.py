"""Write a value as an expression that gives an equal value of the same type at every level, or say that none does."""

import dataclasses
import enum
from dataclasses import dataclass
from typing import Any

from testwright.generate.inside.case_run.value_snapshot import plain_base
from testwright.generate.inside.descriptions.repr_calls import has_own, named_call
from testwright.generate.inside.descriptions.steady_text import TextSpeller, Unsteady
from testwright.generate.inside.descriptions.value_writers import WRITERS, CannotSpell, keywords
from testwright.generate.inside.namespace import Namespace

LONGEST = 1_500
_MOST_VALUES = 300
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class SpelledValue:
    text: str
    has_rounded: bool = False  # whether there is a float in it whose last digits depend on how it was computed


class ValueSpeller:
    """Spells values for one module under test. Every writer gets it as its context."""

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace
        self.name_of = namespace.name_of
        self.texts = TextSpeller(namespace)
        self.case_text = ""
        self.room = 0
        self.has_rounded = False
        self.may_be_hash = namespace.state.facts.hashes
        self._values_left = 0

    def spell(self, value: object, case_text: str = "", longest: int = LONGEST) -> SpelledValue | None:
        """The expression, or None. `case_text` is what went in: what comes from there is not an accident."""
        self.case_text, self.room, self.has_rounded, self._values_left = case_text, longest, False, _MOST_VALUES
        try:
            text = self.write(value, 0)
        except (CannotSpell, Unsteady):
            return None
        return SpelledValue(text, self.has_rounded)

    def is_steady(self, text: str | bytes) -> bool:
        """Whether text may be quoted as it stands."""
        return self.texts.is_steady(text.decode("latin-1") if isinstance(text, bytes) else text)

    def write(self, value: Any, depth: int) -> str:
        self._values_left -= 1
        if self._values_left < 0 or depth > _DEEPEST:
            raise CannotSpell("too large")
        writer = WRITERS.get(type(value))
        text = writer(self, value, depth) if writer is not None else self._write_other(value, depth)
        if len(text) > self.room:
            raise CannotSpell("too long")
        return text

    def _write_other(self, value: Any, depth: int) -> str:
        name = self.name_of(value)
        if name is not None:
            return name
        class_name = self.name_of(type(value))
        if class_name is not None and isinstance(value, enum.Flag):
            return self._write_flags(value, class_name)
        if class_name is None or not has_own(type(value), "__eq__"):
            raise CannotSpell("equal only to itself, or of a class without a name")
        text = self._built_again(value, class_name, depth)
        if not self._gives_same(text, value):
            raise CannotSpell("building it anew gives another one")
        return text

    def _write_flags(self, value: enum.Flag, class_name: str) -> str:
        members = [self.name_of(member) or "" for member in value]
        text = " | ".join(members)
        return text if all(members) and self._gives_same(text, value) else f"{class_name}({value.value!r})"

    def _built_again(self, value: Any, class_name: str, depth: int) -> str:
        if dataclasses.is_dataclass(value):
            return f"{class_name}({keywords(self, _dataclass_state(value), depth)})"
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return f"{class_name}({keywords(self, dict(zip(value._fields, value, strict=True)), depth)})"
        plain = plain_base(value)
        if plain is not None:
            return f"{class_name}({self.write(plain, depth + 1)})"
        text = named_call(value, self._namespace)
        if text is None or not self.is_steady(text):
            raise CannotSpell("its text is no call of its class")
        return text

    def _gives_same(self, text: str, value: Any) -> bool:
        try:
            again = self._namespace.evaluate(text)
            return type(again) is type(value) and (again == value) is True
        except (Exception, SystemExit):  # noqa: BLE001 - the class under test may refuse what it gave itself
            return False


def _dataclass_state(value: Any) -> dict[str, Any]:
    """The values that its constructor was given, without those that are its defaults."""
    state = {}
    for field in dataclasses.fields(value):
        if not field.init:
            continue
        item = getattr(value, field.name, dataclasses.MISSING)
        if item is dataclasses.MISSING:
            raise CannotSpell("a field was removed")
        if item is not field.default:
            state[field.name] = item
    return state
