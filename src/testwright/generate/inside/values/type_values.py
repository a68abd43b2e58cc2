"""Expressions for a value of a given type: any annotation that `typing` can express, and the well-known classes."""

import ast
import builtins
import collections
import collections.abc
import inspect
import re
import types
import typing
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from testwright.generate.inside.safe_access import (
    attributes_of_class,
    inherits,
    interleave,
    is_a,
    is_class,
    own_text,
    quietly,
)
from testwright.generate.inside.values import builtin_values
from testwright.generate.inside.values.parameter_usage import ParameterUsage
from testwright.generate.inside.values.value_clue import Clue
from testwright.generate.inside.values.value_expressions import ReferenceFinder, bracketed, text
from testwright.generate.inside.values.well_known_classes import NAMED_TUPLES, WELL_KNOWN

Values = Callable[[Any, Clue, int], list[str]]
DEEPEST = 3
PLAIN: dict[Any, Callable[[Clue], list[str]]] = {
    str: builtin_values.texts,
    int: builtin_values.wholes,
    float: builtin_values.floats,
    bytes: builtin_values.byte_strings,
    bool: lambda _: ["True", "False"],
}
UNKNOWN = (None, Any, object, inspect.Parameter.empty, typing.Hashable, collections.abc.Hashable)
SEQUENCES = {
    list: "[{}]",
    collections.abc.Sequence: "[{}]",
    collections.abc.MutableSequence: "[{}]",
    collections.abc.Iterable: "[{}]",
    collections.abc.Collection: "[{}]",
    collections.abc.Container: "[{}]",
    collections.abc.Reversible: "[{}]",
    collections.abc.Sized: "[{}]",
    set: "{{}}",
    collections.abc.Set: "{{}}",
    collections.abc.MutableSet: "{{}}",
    frozenset: "frozenset([{}])",
    collections.deque: "collections.deque([{}])",
    collections.abc.Iterator: "iter([{}])",
    collections.abc.Generator: "(each for each in [{}])",
    collections.abc.KeysView: "dict.fromkeys([{}]).keys()",
    collections.abc.ValuesView: "dict(enumerate([{}])).values()",
}
MAPPINGS = {
    dict: "{}",
    collections.abc.Mapping: "{}",
    collections.abc.MutableMapping: "{}",
    collections.OrderedDict: "collections.OrderedDict({})",
    collections.defaultdict: "collections.defaultdict(list, {})",
    collections.ChainMap: "collections.ChainMap({})",
    types.MappingProxyType: "types.MappingProxyType({})",
    collections.Counter: "collections.Counter({})",
}


class TypeValues:
    """Knows types by what they are; asks `build` for instances of classes and `guess` when nothing is said."""

    def __init__(
        self,
        references: ReferenceFinder,
        names: dict[str, Any],
        *,
        build: Callable[[Any, ParameterUsage, int], list[str]],
        guess: Values,
        elsewhere: Callable[[str], Any],
    ) -> None:
        self._references = references
        self._names = names
        self._build = build
        self._guess = guess
        self._elsewhere = elsewhere

    def says_nothing(self, annotation: Any) -> bool:
        return any(annotation is each for each in UNKNOWN) or (
            is_a(annotation, typing.TypeVar) and not _bounds(annotation)
        )

    def values(self, annotation: Any, clue: Clue, depth: int = 0) -> list[str]:
        """Expressions for a value of that type, best first; nothing when the type says nothing."""
        return quietly(lambda: self._values(annotation, clue, depth), [])

    def _values(self, annotation: Any, clue: Clue, depth: int) -> list[str]:
        if type(annotation) is str or is_a(annotation, typing.ForwardRef):
            annotation = self.resolved(annotation)
        if annotation is type(None):
            return ["None"]
        if depth > DEEPEST or self.says_nothing(annotation):
            return []
        if is_a(annotation, typing.TypeVar):
            return self._either(_bounds(annotation), clue, depth)
        if annotation is typing.NamedTuple:
            return list(NAMED_TUPLES)
        if is_a(annotation, typing.NewType):
            return self._values(annotation.__supertype__, clue, depth)
        if type(annotation).__name__ == "TypeAliasType":
            return self._values(annotation.__value__, clue, depth)
        if is_class(annotation) and typing.get_origin(annotation) is None:
            return self._of_class(annotation, clue, depth)
        return self._of_special(typing.get_origin(annotation), typing.get_args(annotation), annotation, clue, depth)

    def resolved(self, annotation: Any) -> Any:
        """A type written as text, looked up in the module and in `typing`; None when it cannot be found."""
        source = annotation if type(annotation) is str else annotation.__forward_arg__
        tree = quietly(lambda: ast.parse(source.strip(), mode="eval"), None)
        allowed = (
            ast.Expression,
            ast.Name,
            ast.Attribute,
            ast.Subscript,
            ast.Tuple,
            ast.List,
            ast.BinOp,
            ast.BitOr,
            ast.Constant,
            ast.Load,
        )
        if tree is None or not all(isinstance(node, allowed) for node in ast.walk(tree)):
            return None
        scope = {**vars(collections.abc), **vars(typing), **vars(builtins), **self._names, "typing": typing}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id not in scope:
                scope[node.id] = self._elsewhere(node.id)  # imported for type checkers only
        return quietly(lambda: eval(compile(tree, "annotation", "eval"), scope), None)  # noqa: S307 - only names, dots and brackets

    def _either(self, options: Sequence[Any], clue: Clue, depth: int) -> list[str]:
        # None last: it is one value, and rarely the one that leads deep into the code.
        ordered = [each for each in options if each is not type(None)]
        lists = [self._values(each, clue, depth) or self._guess(each, clue, depth + 1)[:6] for each in ordered]
        return interleave(*lists, ["None"] if len(ordered) < len(options) else [])

    def _of_special(
        self, origin: Any, arguments: tuple[Any, ...], annotation: Any, clue: Clue, depth: int
    ) -> list[str]:
        if origin in (typing.Union, types.UnionType):
            return self._either(arguments, clue, depth)
        if origin is typing.Literal:
            return [source for each in arguments if (source := self._references.source_of(each)) is not None]
        if origin in (typing.Annotated, typing.ClassVar, typing.Final, typing.Required, typing.NotRequired):
            return self._values(arguments[0], clue, depth)
        if annotation is typing.LiteralString or annotation is str:
            return builtin_values.texts(clue)
        if origin is type or annotation is type or annotation is type:
            return self._classes(arguments)
        if origin is collections.abc.Callable or annotation is typing.Callable:
            return self._callables(arguments, clue, depth)
        if origin is tuple:
            return self._tuples(arguments, clue, depth)
        if origin in SEQUENCES or origin in MAPPINGS:
            return self._containers(origin, arguments, clue, depth)
        if origin in (collections.abc.Awaitable, collections.abc.Coroutine):
            return ["asyncio.sleep(0)"]
        if origin is not None and is_class(origin):
            return self._of_class(origin, clue, depth)
        return []

    def _containers(self, kind: Any, arguments: tuple[Any, ...], clue: Clue, depth: int) -> list[str]:
        if kind in MAPPINGS:
            value_type = int if kind is collections.Counter else arguments[1] if len(arguments) > 1 else None
            made = self._mappings(arguments[0] if arguments else None, value_type, clue, depth)
            return [MAPPINGS[kind].replace("{}", each) if MAPPINGS[kind] != "{}" else each for each in made]
        pattern = SEQUENCES[kind]
        items = self._items(arguments[0] if arguments else None, clue, depth)
        if pattern == "{{}}":
            return builtin_values.sequences(items, clue, set)
        made = builtin_values.sequences(items, clue)
        return [pattern.replace("[{}]", each) for each in made]

    def _items(self, kind: Any, clue: Clue, depth: int) -> list[str]:
        inner = clue.inner(clue.usage.element or _merged(clue.usage))
        return (self._values(kind, inner, depth + 1) or self._guess(None, inner, depth + 1))[: 12 if depth == 0 else 4]

    def _mappings(self, key_type: Any, value_type: Any, clue: Clue, depth: int) -> list[str]:
        usage = clue.usage
        limit = 12 if depth == 0 else 3
        names = clue.inner(usage.key, "key")
        keys = self._values(key_type, names, depth + 1) or builtin_values.texts(names)[:limit]
        if usage.key is None and keys[0].startswith('"'):
            keys = ['"key"', '"name"', '"a"', *keys]
        inner = clue.inner(usage.element, "value")
        values = self._values(value_type, inner, depth + 1) or self._guess(None, inner, depth + 1)
        fixed: dict[str, Sequence[str]] = {}
        members = [each for each in usage.members if type(each) in (str, int)]
        for key in [*usage.keys, *(each for each in members if each not in usage.keys)][:8]:
            part = clue.inner(usage.keys.get(key), str(key))
            choices = self._values(value_type, part, depth + 1) or self._guess(None, part, depth + 1)
            fixed[self._references.source_of(key) or repr(key)] = choices[:6] or ['"value"']
        return builtin_values.mappings(keys[:limit], values[:limit], fixed)

    def _tuples(self, arguments: tuple[Any, ...], clue: Clue, depth: int) -> list[str]:
        if not arguments or (len(arguments) == 2 and arguments[1] is Ellipsis):
            items = self._items(arguments[0] if arguments else None, clue, depth)
            return builtin_values.sequences(items, clue, tuple)
        parts = []
        for index, each in enumerate(arguments):
            inner = clue.inner(clue.usage.keys.get(index))
            parts.append((self._values(each, inner, depth + 1) or self._guess(None, inner, depth + 1) or ["None"])[:6])
        first = [part[0] for part in parts]
        made = [bracketed(tuple, first)]
        for index, part in enumerate(parts):
            made += [bracketed(tuple, [*first[:index], each, *first[index + 1 :]]) for each in part[1:]]
        return made

    def _callables(self, arguments: tuple[Any, ...], clue: Clue, depth: int) -> list[str]:
        if not arguments:
            return builtin_values.callables(clue.usage.arities, self._results(None, clue, depth))
        parameters, returns = arguments[0], arguments[-1]
        arities = [len(parameters)] if isinstance(parameters, list) else list(clue.usage.arities) or [1, 0, 2]
        return builtin_values.callables(arities, self._results(returns, clue, depth))

    def _results(self, returns: Any, clue: Clue, depth: int) -> list[str]:
        inner = clue.inner(clue.usage.result, "result")
        found = self._values(returns, inner, depth + 1)
        return (found or (self._guess(None, inner, depth + 1) if clue.usage.result is not None else []))[:6]

    def _classes(self, arguments: tuple[Any, ...]) -> list[str]:
        named = [self._references.name_of(each) for each in arguments if is_class(each) and each is not object]
        found = [each for each in named if each is not None]
        own = [value for value in self._names.values() if is_class(value)]
        subclasses = [self._references.name_of(each) for each in own if arguments and inherits(each, arguments[0])]
        found += [each for each in subclasses if each is not None and each not in found]
        return found or ["int", "str", "dict", "ValueError"]

    def _of_class(self, kind: Any, clue: Clue, depth: int) -> list[str]:
        for plain, produce in PLAIN.items():
            if kind is plain:
                return produce(clue)
        if kind is tuple:
            return self._tuples((), clue, depth)
        if kind in SEQUENCES or kind in MAPPINGS:
            return self._containers(kind, (), clue, depth)
        if kind is type:
            return self._classes(())
        if kind is re.Pattern:
            return [*(f"re.compile({text(each[0])})" for each in clue.patterns[:2]), 're.compile("[a-z]+")']
        known = WELL_KNOWN.get((own_text(kind, "__module__"), own_text(kind, "__qualname__")))
        if known is not None:
            return list(known)
        if inherits(kind, Enum):
            return self._enum_members(kind)
        if typing.is_typeddict(kind):
            return self._typed_dicts(kind, clue, depth)
        if is_callable_protocol(kind):
            return self._callable_protocol(kind, clue, depth)
        return self._build(kind, clue.usage, depth)

    def _enum_members(self, kind: Any) -> list[str]:
        name = self._references.name_of(kind)
        members: dict[str, Any] = quietly(lambda: dict(kind.__members__), {})
        return [f"{name}.{member}" for member in members if member.isidentifier()][:20] if name else []

    def _typed_dicts(self, kind: Any, clue: Clue, depth: int) -> list[str]:
        hints: dict[str, Any] = quietly(lambda: typing.get_type_hints(kind), {})
        optional: frozenset[str] = quietly(lambda: kind.__optional_keys__, frozenset())
        fields: dict[str, Sequence[str]] = {}
        for key, each in hints.items():
            part = clue.inner(clue.usage.keys.get(key), key)
            fields[text(key)] = (self._values(each, part, depth + 1) or ['"value"'])[:4]
        required = {key: value for key, value in fields.items() if ast.literal_eval(key) not in optional}
        made = builtin_values.mappings((), (), fields)
        return [*builtin_values.mappings((), (), required)[:1], *made] if required != fields and required else made

    def _callable_protocol(self, kind: Any, clue: Clue, depth: int) -> list[str]:
        call = inspect.getattr_static(kind, "__call__")
        hints: dict[str, Any] = quietly(lambda: typing.get_type_hints(call), {})
        parameters = list(inspect.signature(call).parameters)[1:]
        return builtin_values.callables([len(parameters)], self._results(hints.get("return"), clue, depth))


def is_callable_protocol(kind: Any) -> bool:
    """A Protocol whose only demand is `__call__`."""
    held = attributes_of_class(kind) if is_class(kind) else {}
    return attributes_of_class(kind).get("_is_protocol") is True and "__call__" in held


def _bounds(variable: Any) -> tuple[Any, ...]:
    bound = variable.__bound__
    return variable.__constraints__ or ((bound,) if bound is not None else ())


def _merged(usage: ParameterUsage) -> ParameterUsage:
    """Items that are only reached by constant indexes are items all the same."""
    merged = ParameterUsage()
    for each in list(usage.keys.values())[:4]:
        merged.absorb(each)
    return merged
