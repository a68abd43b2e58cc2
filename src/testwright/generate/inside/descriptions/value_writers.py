"""How values of each kind that Python comes with are written as expressions."""

import array
import collections
import datetime as dt
import decimal
import fractions
import math
import pathlib
import re
import types
import uuid
import zoneinfo
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from testwright.generate.inside.descriptions.steady_text import TextSpeller, Unsteady, is_about_now

_LARGEST_BITS = 400
_HASH_BITS = range(41, 65)
_EXACT_STEPS = 4_096.0  # a float that is a multiple of a small power of a half was not rounded


class CannotSpell(Exception):
    """No expression gives this value: it is too large, or of a kind that can only be looked at in parts."""


class WriterContext(Protocol):
    """What a writer needs to write a value with others inside it."""

    texts: TextSpeller
    case_text: str  # what went into the case: what a value has from there is not an accident
    room: int  # how many characters may be written
    has_rounded: bool
    may_be_hash: bool  # whether the code under test asks for hashes

    def write(self, value: Any, depth: int) -> str: ...

    def name_of(self, thing: object) -> str | None: ...


Writer = Callable[[WriterContext, Any, int], str]


def has_writer(kind: type) -> bool:
    """Whether values of exactly this type can be written down by what they hold."""
    return kind in WRITERS


def items(context: WriterContext, values: Iterable[Any], depth: int) -> str:
    return ", ".join([context.write(item, depth + 1) for item in values])


def keywords(context: WriterContext, values: Mapping[str, Any], depth: int) -> str:
    if not all(name.isidentifier() for name in values):
        raise CannotSpell("a name that cannot be a keyword")
    return ", ".join([f"{name}={context.write(item, depth + 1)}" for name, item in values.items()])


# --- single values -----------------------------------------------------------------------------------


def _plain(_: WriterContext, value: Any, __: int) -> str:
    return repr(value)


def _int(context: WriterContext, value: int, _: int) -> str:
    if value > 300 and is_about_now(value) and str(value) not in context.case_text:
        raise Unsteady("the time now")
    if context.may_be_hash and value.bit_length() in _HASH_BITS and str(value) not in context.case_text:
        raise Unsteady("a hash, or an identity")
    if value.bit_length() > _LARGEST_BITS:
        raise CannotSpell("a number nobody reads")
    return repr(value)


def _float(context: WriterContext, value: float, _: int) -> str:
    if math.isnan(value):
        raise CannotSpell("equal to nothing, itself included")
    if math.isinf(value):
        return f"float('{value}')"
    if value > 300 and is_about_now(value) and repr(value) not in context.case_text:
        raise Unsteady("the time now")
    if not (value * _EXACT_STEPS).is_integer():
        context.has_rounded = True
    return repr(value)


def _complex(context: WriterContext, value: complex, depth: int) -> str:
    return f"complex({items(context, (value.real, value.imag), depth)})"


def _str(context: WriterContext, value: str, _: int) -> str:
    if len(value) > context.room:
        raise CannotSpell("too long")
    return context.texts.spell(value)


def _bytes(context: WriterContext, value: bytes, _: int) -> str:
    if len(value) > context.room:
        raise CannotSpell("too long")
    if not context.texts.is_steady(value.decode("latin-1")):
        raise Unsteady("bytes that name a place or an address")
    return repr(value)


def _bytearray(context: WriterContext, value: bytearray, depth: int) -> str:
    return f"bytearray({_bytes(context, bytes(value), depth)})"


def _slice(context: WriterContext, value: slice, depth: int) -> str:
    return f"slice({items(context, (value.start, value.stop, value.step), depth)})"


# --- containers --------------------------------------------------------------------------------------


def _list(context: WriterContext, value: list[Any], depth: int) -> str:
    return f"[{items(context, value, depth)}]"


def _tuple(context: WriterContext, value: tuple[Any, ...], depth: int) -> str:
    return f"({items(context, value, depth)}{',' if len(value) == 1 else ''})"


def _set(context: WriterContext, value: set[Any] | frozenset[Any], depth: int) -> str:
    if not value:
        return f"{type(value).__name__}()"
    if len(value) > context.room:
        raise CannotSpell("too large")
    # Sorted by what is written: the order of a set is another one in each process.
    texts = sorted([(_rank(item), context.write(item, depth + 1)) for item in value])
    body = "{" + ", ".join([text for _, text in texts]) + "}"
    return body if type(value) is set else f"frozenset({body})"


def _rank(item: object) -> float:
    """Numbers by size, everything else by its text alone."""
    return float(item) if isinstance(item, int) and item.bit_length() < 60 else math.inf


def _dict(context: WriterContext, value: Mapping[Any, Any], depth: int) -> str:
    pairs = [f"{context.write(key, depth + 1)}: {context.write(item, depth + 1)}" for key, item in value.items()]
    return "{" + ", ".join(pairs) + "}"


def _ordered(context: WriterContext, value: Mapping[Any, Any], depth: int) -> str:
    return f"collections.OrderedDict({_dict(context, value, depth)})"


def _counter(context: WriterContext, value: Mapping[Any, int], depth: int) -> str:
    return f"collections.Counter({_dict(context, value, depth)})"


def _proxy(context: WriterContext, value: Mapping[Any, Any], depth: int) -> str:
    return f"types.MappingProxyType({_dict(context, value, depth)})"


def _defaultdict(context: WriterContext, value: collections.defaultdict[Any, Any], depth: int) -> str:
    # Equality does not look at the factory, so one that has no name may be left out.
    factory = None if value.default_factory is None else context.name_of(value.default_factory)
    return f"collections.defaultdict({factory}, {_dict(context, value, depth)})"


def _deque(context: WriterContext, value: collections.deque[Any], depth: int) -> str:
    most = "" if value.maxlen is None else f", maxlen={value.maxlen}"
    return f"collections.deque([{items(context, value, depth)}]{most})"


def _array(context: WriterContext, value: Any, depth: int) -> str:
    if value.typecode in "uw":
        raise CannotSpell("an array of characters, whose type codes come and go")
    return f"array.array({value.typecode!r}, [{items(context, value, depth)}])"


def _simple_namespace(context: WriterContext, value: types.SimpleNamespace, depth: int) -> str:
    return f"types.SimpleNamespace({keywords(context, vars(value), depth)})"


# --- values of the standard library ------------------------------------------------------------------


def _decimal(_: WriterContext, value: decimal.Decimal, __: int) -> str:
    if value.is_nan():
        raise CannotSpell("equal to nothing, itself included")
    return f"decimal.{value!r}"


def _fraction(_: WriterContext, value: fractions.Fraction, __: int) -> str:
    return f"fractions.{value!r}"


def _moment(context: WriterContext, value: Any, depth: int) -> str:
    if isinstance(value, dt.date) and _is_today(value) and repr(value)[:-1] not in context.case_text:
        raise Unsteady("the time now")
    zone = getattr(value, "tzinfo", None)
    if zone is None:
        return repr(value)
    if type(zone) not in (dt.timezone, zoneinfo.ZoneInfo):
        raise CannotSpell("a time zone of its own")
    fold = f", fold={value.fold}" if value.fold else ""
    return f"{repr(value.replace(tzinfo=None, fold=0))[:-1]}, tzinfo={context.write(zone, depth + 1)}{fold})"


def _is_today(value: dt.date) -> bool:
    day = value.date() if isinstance(value, dt.datetime) else value
    return abs((day - dt.date.today()).days) <= 1  # noqa: DTZ011 - the day that the code under test would see


def _zone(_: WriterContext, value: dt.tzinfo, __: int) -> str:
    if not isinstance(value, zoneinfo.ZoneInfo):
        return repr(value)
    if value.key is None:
        raise CannotSpell("a time zone without a name")
    return f"zoneinfo.ZoneInfo({value.key!r})"


def _uuid(context: WriterContext, value: uuid.UUID, _: int) -> str:
    if value.version in (1, 4) and str(value) not in context.case_text and value.hex not in context.case_text:
        raise Unsteady("made at random")
    return f"uuid.UUID({str(value)!r})"


def _path(context: WriterContext, value: pathlib.PurePath, _: int) -> str:
    is_real = isinstance(value, pathlib.Path)
    text = context.texts.spell(str(value))
    if is_real and text == "str(tmp_path)":
        return "tmp_path"
    inside = text.removeprefix("f'{tmp_path}/")
    if is_real and inside != text and "{" not in inside:
        return f"tmp_path / '{inside}"
    return f"pathlib.{'Path' if is_real else type(value).__name__}({text})"


def _pattern(context: WriterContext, value: re.Pattern[Any], depth: int) -> str:
    inherent = re.compile(value.pattern).flags  # what the pattern itself says, and Unicode for text
    named = [f"re.{flag.name}" for flag in re.RegexFlag(value.flags & ~inherent)]
    pattern = context.write(value.pattern, depth + 1)
    return f"re.compile({pattern}, {' | '.join(named)})" if named else f"re.compile({pattern})"


WRITERS: dict[type, Writer] = {
    type(None): _plain, bool: _plain, type(...): _plain, type(NotImplemented): _plain, range: _plain,
    int: _int, float: _float, complex: _complex, str: _str, bytes: _bytes, bytearray: _bytearray,
    slice: _slice, list: _list, tuple: _tuple, set: _set, frozenset: _set, dict: _dict,
    collections.OrderedDict: _ordered, collections.Counter: _counter, types.MappingProxyType: _proxy,
    collections.defaultdict: _defaultdict, collections.deque: _deque, array.array: _array,
    types.SimpleNamespace: _simple_namespace, decimal.Decimal: _decimal, fractions.Fraction: _fraction,
    dt.datetime: _moment, dt.date: _moment, dt.time: _moment, dt.timedelta: _plain, dt.timezone: _zone,
    zoneinfo.ZoneInfo: _zone, uuid.UUID: _uuid, pathlib.PosixPath: _path, pathlib.WindowsPath: _path,
    pathlib.PurePosixPath: _path, pathlib.PureWindowsPath: _path, re.Pattern: _pattern,
}  # fmt: skip
