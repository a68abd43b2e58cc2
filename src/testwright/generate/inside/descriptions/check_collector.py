"""Look at a value for what a test can assert: the whole of it where it can be written down, else its parts."""

import collections
import decimal
import functools
import io
import itertools
import math
import re
import sys
from collections.abc import Iterator, Sized
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from testwright.generate.inside.case_run.value_snapshot import attributes_of, plain_base
from testwright.generate.inside.descriptions.repr_calls import has_own
from testwright.generate.inside.descriptions.value_speller import LONGEST, SpelledValue, ValueSpeller
from testwright.generate.inside.descriptions.value_writers import has_writer
from testwright.generate.inside.generated_case import SUBJECT, Check, Relation
from testwright.generate.inside.namespace import Namespace
from testwright.generate.inside.safe_access import quietly

MOST_CHECKS = 12
_MOST_INNER = 4
_DEEPEST = 3
_LONGEST_INNER = 600
_LONGEST_TEXT = 300
_SHOWN_CHARACTERS = 80
_SHOWN_ITEMS = 3
_PRIME = 1_000_000_007
_BITS_OF_OTHERS = 64  # a smaller number was not too large, but a time or a hash
_UNREADABLE = object()
_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType)
_SEQUENCES = frozenset({list, tuple, collections.deque})
_MAPPINGS = frozenset({dict, collections.OrderedDict, collections.defaultdict})

# What can be asked of values of these kinds, which have no useful equality.
_QUESTIONS: tuple[tuple[type, tuple[str, ...]], ...] = (
    (re.Match, ("{}.group()", "{}.groups()", "{}.span()")),
    (io.StringIO, ("{}.getvalue()",)),
    (io.BytesIO, ("{}.getvalue()",)),
    (memoryview, ("{}.tobytes()",)),
    (functools.partial, ("{}.func", "{}.args", "{}.keywords")),
    (BaseException, ("{}.args",)),
    (type({}.keys()), ("list({})",)),
    (type({}.values()), ("list({})",)),
    (type({}.items()), ("list({})",)),
)


class CheckCollector:
    """Collects checks about things, a bounded number about each."""

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace
        self._speller = ValueSpeller(namespace)
        self.is_steady = self._speller.is_steady
        self._case_text = ""
        self._unit = ""
        self._of = ""
        self._most = 0
        self._checks: list[Check] = []
        self._within: set[int] = set()

    def begin_case(self, unit: str) -> None:
        """What is looked at from now on comes from this unit."""
        self._unit = unit

    def look(self, of: str, path: str, value: object, case_text: str, most: int = MOST_CHECKS) -> list[Check]:
        """Checks about `value`, which is what `path` gives for the thing `of`."""
        self._begin(of, case_text, most)
        self._look(path, value, 0)
        return self._checks[:most]

    def whole(self, of: str, path: str, value: object, case_text: str) -> list[Check]:
        """The one check that says everything about `value`, if there is one."""
        self._begin(of, case_text, 1)
        self._look_at_whole(path, value, 0)
        return self._checks[:1]

    def type_of(self, of: str, path: str, value: object) -> list[Check]:
        """Only of which type it is."""
        self._begin(of, "", 1)
        self._add_type(path, type(value))
        return self._checks

    def _begin(self, of: str, case_text: str, most: int) -> None:
        self._of, self._case_text, self._most, self._checks = of, case_text, most, []
        self._within.clear()

    def _add(self, path: str, relation: Relation, expected: str) -> None:
        self._checks.append(Check(self._of, path, relation, expected))

    def _look(self, path: str, value: Any, depth: int) -> None:
        if len(self._checks) >= self._most or self._look_at_whole(path, value, depth) or id(value) in self._within:
            return
        self._within.add(id(value))
        self._look_at_parts(path, value, depth)
        self._within.discard(id(value))

    # --- the whole -------------------------------------------------------------------------------

    def _look_at_whole(self, path: str, value: Any, depth: int) -> bool:
        if value is None or value is True or value is False:
            self._add(path, Relation.IDENTICAL, repr(value))
            return True
        spelled = self._spelled(value, LONGEST if depth == 0 else _LONGEST_INNER)
        if spelled is None:
            return False
        if spelled.has_rounded and _is_approximable(value):
            self._add(path, Relation.CLOSE, spelled.text)
        elif value is ... or value is NotImplemented or self._is_named(value, spelled.text):
            self._add(path, Relation.IDENTICAL, spelled.text)
        else:
            self._add(path, Relation.EQUAL, spelled.text)
            if path == "{}" and self._of == "result":
                self._add_unseen_type(value)
        return True

    def _is_named(self, value: Any, text: str) -> bool:
        return not has_writer(type(value)) and self._namespace.name_of(value) == text

    def _spelled(self, value: object, longest: int) -> SpelledValue | None:
        return self._speller.spell(value, self._case_text, longest)

    def _add_unseen_type(self, value: Any) -> None:
        """`==` takes an int for an equal float, which a division may give, and text for an equal kind of text."""
        kind = type(value)
        is_number = kind is float or (kind is int and self._unit in self._namespace.state.facts.dividing)
        is_derived = not has_writer(kind) and not hasattr(kind, "_fields") and plain_base(value) is not None
        if is_number or is_derived:
            self._add_type("{}", kind)

    # --- parts -----------------------------------------------------------------------------------

    def _look_at_parts(self, path: str, value: Any, depth: int) -> None:
        kind = type(value)
        if kind in _NUMBERS:
            self._look_at_number(path, value)
        elif kind in (str, bytes):
            self._look_at_long_text(path, value)
        elif kind in _SEQUENCES:
            self._look_at_items(path, value, depth)
        elif kind in _MAPPINGS:
            self._look_at_entries(path, value, depth)
        elif kind in (set, frozenset):
            self._add(f"len({path})", Relation.EQUAL, repr(len(value)))
        elif not has_writer(kind):  # a value that has a writer and was not written is too large, or differs elsewhere
            self._look_at_object(path, value, depth)

    def _look_at_number(self, path: str, value: Any) -> None:
        if type(value) is decimal.Decimal:
            self._add(f"{path}.is_nan()", Relation.IDENTICAL, repr(value.is_nan()))
        elif type(value) is float and math.isnan(value):
            self._add(f"math.isnan({path})", Relation.IDENTICAL, "True")
        elif type(value) is int and value.bit_length() > _BITS_OF_OTHERS:
            self._add(f"{path}.bit_length()", Relation.EQUAL, repr(value.bit_length()))
            self._add(f"{path} % {_PRIME}", Relation.EQUAL, repr(value % _PRIME))

    def _look_at_long_text(self, path: str, value: Any) -> None:
        if not self.is_steady(value):
            return
        self._add(f"len({path})", Relation.EQUAL, repr(len(value)))
        self._add(f"{path}[:{_SHOWN_CHARACTERS}]", Relation.EQUAL, repr(value[:_SHOWN_CHARACTERS]))
        self._add(f"{path}[-{_SHOWN_CHARACTERS}:]", Relation.EQUAL, repr(value[-_SHOWN_CHARACTERS:]))

    def _look_at_items(self, path: str, value: Any, depth: int) -> None:
        self._add(f"len({path})", Relation.EQUAL, repr(len(value)))
        if depth >= _DEEPEST:
            return
        for index in range(min(len(value), _SHOWN_ITEMS)):
            self._look(f"{path}[{index}]", value[index], depth + 1)
        if len(value) > _SHOWN_ITEMS:
            self._look(f"{path}[-1]", value[-1], depth + 1)

    def _look_at_entries(self, path: str, value: Any, depth: int) -> None:
        keys = self._spelled(list(value), _LONGEST_INNER)
        if keys is not None:
            self._add(f"list({path})", Relation.EQUAL, keys.text)
        else:
            self._add(f"len({path})", Relation.EQUAL, repr(len(value)))
        if depth >= _DEEPEST:
            return
        for key, item in itertools.islice(value.items(), 2 * _SHOWN_ITEMS):
            if key == "__builtins__":  # what `exec` leaves behind is Python's, and grows with every version
                continue
            spelled = self._spelled(key, _SHOWN_CHARACTERS)
            if spelled is not None and "{" not in spelled.text:  # braces mark the place of the thing in a path
                self._look(f"{path}[{spelled.text}]", item, depth + 1)

    # --- objects ---------------------------------------------------------------------------------

    def _look_at_object(self, path: str, value: Any, depth: int) -> None:
        if isinstance(value, _FUNCTIONS):
            self._look_at_function(path, value)
            return
        first = len(self._checks)
        self._add_type(path, type(value))
        self._look_at_plain(path, value, depth)
        for kind, questions in _QUESTIONS:
            if isinstance(value, kind):
                self._ask(path, value, questions, depth)
        self._look_at_attributes(path, value, depth, is_public=True)
        if len(self._checks) > first + 1:
            self._look_at_size_and_text(path, value)
            return
        # Hidden attributes count only where nothing else shows, but asking for its text may already change them.
        self._look_at_attributes(path, value, depth, is_public=False)
        hidden = self._checks[first + 1 :]
        del self._checks[first + 1 :]
        self._look_at_size_and_text(path, value)
        if len(self._checks) == first + 1:
            self._checks += hidden

    def _look_at_plain(self, path: str, value: Any, depth: int) -> None:
        """What it is as one of Python's own types, or else what it gives when it is turned into one."""
        plain = plain_base(value)
        if plain is None:
            return
        if quietly(lambda: value == plain, None) is True:
            self._look(path, plain, depth + 1)
            return
        kind = type(plain)
        turned = quietly(lambda: kind(value), None)
        if type(turned) is kind:
            self._look(f"{kind.__name__}({path})", turned, depth + 1)

    def _add_type(self, path: str, kind: type) -> None:
        name = self._namespace.name_of(kind)
        if name is not None:
            self._add(path, Relation.INSTANCE, name)
        else:
            self._add(f"type({path}).__name__", Relation.EQUAL, repr(kind.__name__))

    def _look_at_function(self, path: str, value: Any) -> None:
        self._add(f"callable({path})", Relation.IDENTICAL, "True")
        name = quietly(lambda: value.__name__, None)
        if type(name) is str and name.isidentifier():
            self._add(f"{path}.__name__", Relation.EQUAL, repr(name))

    def _ask(self, path: str, value: Any, questions: tuple[str, ...], depth: int) -> None:
        for question in questions:
            asked = question.replace("{}", SUBJECT)
            answer = quietly(functools.partial(self._namespace.evaluate, asked, value), _UNREADABLE)
            if answer is not _UNREADABLE:
                self._look(question.replace("{}", path), answer, depth + 1)

    def _look_at_attributes(self, path: str, value: Any, depth: int, *, is_public: bool) -> None:
        if depth >= _DEEPEST:
            return
        most = min(self._most, len(self._checks) + _MOST_INNER) if depth else self._most
        for name, item in readable(value, is_public=is_public):
            if len(self._checks) >= most:
                return
            if not isinstance(item, (*_FUNCTIONS, ModuleType)):
                self._look(f"{path}.{name}", item, depth + 1)

    def _look_at_size_and_text(self, path: str, value: Any) -> None:
        kind = type(value)
        if isinstance(value, Sized) and plain_base(value) is None:
            size = quietly(lambda: len(value), None)
            if size is not None:
                self._add(f"len({path})", Relation.EQUAL, repr(size))
        for method, function in (("__str__", str), ("__repr__", repr)):
            if not has_own(kind, method):
                continue
            text = quietly(functools.partial(function, value), None)
            if type(text) is str and 0 < len(text) <= _LONGEST_TEXT and self.is_steady(text):
                self._add(f"{function.__name__}({path})", Relation.EQUAL, repr(text))
            return


def readable(value: Any, *, is_public: bool) -> Iterator[tuple[str, Any]]:
    """The attributes stored in the object and then, of the public ones, the properties that can be read."""
    stored = attributes_of(value)
    for name, item in stored.items():
        # Two underscores: Python's own, or private to one class and mangled, so no test would spell it.
        if name.isidentifier() and name.startswith("_") is not is_public and "__" not in name:
            yield name, item
    if not is_public:
        return
    for name in properties_of(type(value)):
        if name not in stored:
            item = quietly(functools.partial(getattr, value, name), _UNREADABLE)
            if item is not _UNREADABLE:
                yield name, item


def properties_of(kind: type) -> dict[str, Any]:
    """The public properties that its own classes define, not those of Python's; name -> the function that reads it."""
    found: dict[str, Any] = {}
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] in sys.stdlib_module_names:
            continue
        for name, item in vars(base).items():
            if isinstance(item, property | functools.cached_property) and not name.startswith("_"):
                found.setdefault(name, item.fget if isinstance(item, property) else item.func)
    return found


_NUMBERS = frozenset({int, float, decimal.Decimal})


def _is_approximable(value: Any) -> bool:
    """Whether `pytest.approx` takes it: a number, or one level of them."""
    if type(value) in (float, complex):
        return True
    numbers = value.values() if type(value) is dict else value if type(value) in (list, tuple) else ()
    return bool(numbers) and all(type(number) in (int, float) for number in numbers)
