"""Expressions for a value of which only its use is known: the kinds of object that could be used that way."""

import sys
from collections.abc import Callable, Iterable
from typing import Any

from testwright.generate.inside.safe_access import attributes_of_class, interleave, is_class, lineage, quietly, unique
from testwright.generate.inside.values import builtin_values
from testwright.generate.inside.values.parameter_usage import ParameterUsage
from testwright.generate.inside.values.value_clue import Clue
from testwright.generate.inside.values.value_expressions import ReferenceFinder
from testwright.generate.inside.values.well_known_classes import NAMED_TUPLES, WELL_KNOWN

Values = Callable[[Any, Clue, int], list[str]]
GENERIC = (
    '"hello"', "1", "[1, 2, 3]", '{"key": "value"}', "None", "0", '""', "1.5", "True", "[]", "{}",
    "(1, 2)", 'b"hello"', "{1, 2}",
)  # fmt: skip
"""For a value of which nothing is known."""

NAMES_OF_KINDS: tuple[tuple[Any, str], ...] = (
    ("callable", "func function callback fn predicate handler key_func cb decorator factory transform mapper getter"),
    ("path", "path filename filepath file_path directory folder dirname root dir outfile infile"),
    (str, "text string s name title word message msg prefix suffix label pattern key url line content html"),
    (
        int,
        "x y a b n count num number size index i j k limit width length depth start stop end step level times position",
    ),
    (list, "items lst list seq sequence values iterable elements args arr array xs rows names words lines keys"),
    (dict, "d dict mapping kwargs options params headers config settings data context metadata attrs"),
    (bool, "flag verbose debug force strict enabled reverse quiet recursive ignore_case"),
    ("date", "date dt when day moment"),
    ("file", "stream fp fh fileobj fd file infp outfp"),
    (type, "cls klass type_ kind class_"),
    (Exception, "exc exception error err e"),
    (float, "amount price ratio rate percentage factor seconds"),
    (bytes, "raw payload buf buffer chunk blob"),
)
NAMED_KINDS: dict[str, Any] = {name: kind for kind, names in NAMES_OF_KINDS for name in names.split()}
"""Weak hints: what a parameter of that name often is."""

METHOD_OWNERS: tuple[tuple[Any, type], ...] = (
    (str, str),
    (dict, dict),
    (list, list),
    (bytes, bytes),
    (set, set),
    (int, int),
    (tuple, tuple),
    (float, float),
)
ITEMS = ("1", "2", "3", '"a"', "None", "[1]", '{"key": 1}', "0", "1.5", '""', "(1, 2)", "True")
"""For an item of which nothing is known."""

VALUES = ('"value"', "1", "None", "[1, 2]", '{"a": 1}', "True", '""', "1.5", "0", '[{"a": 1}]', "(1, 2)")
"""For the value of a mapping of which nothing is known."""

ABILITY_KINDS: dict[str, tuple[Any, ...]] = {
    "digits": (str, int, float),
    "number": (int, float),
    "whole": (int,),
    "numbers": (list[int], list[float]),
    "text": (str,),
    "character": (str,),
    "bytes": (bytes,),
    "json": (str,),
    "yaml": (str,),
    "url": (str,),
    "query": (str,),
    "html": (str,),
    "xml": (str,),
    "uuid": (str,),
    "ip": (str,),
    "python": (str,),
    "command": (str,),
    "date text": (str,),
    "version": (str,),
    "base64": (str, bytes),
    "hex": (str,),
    "name": (str,),
    "form": (str,),
    "module name": (str,),
    "date format": (str,),
    "format": (str,),
    "pattern": (str,),
    "path": ("path",),
    "file": ("file",),
    "lines": ("file", list[str]),
    "mapping": (dict,),
    "iterator": ("iterator",),
    "callable": ("callable",),
    "class": (type,),
    "context manager": ("file",),
    "exception": (Exception,),
    "awaitable": ("awaitable",),
    "sequence": (list, str),
    "whole or set": (int,),
    "json value": (dict, list),
    "dataclass": ("dataclass",),
    "iterable": (list, dict, str),
    "subscripted": (dict, list),
    "container": (list, str, dict),
    "sized": (list, str),
    "addable": (int, str, list),
    "divided": (float, int),
    "ordered": (int, str),
    "formatted": (str, int),
    "truth": (bool,),
    "object": ("namespace",),
    "async iterable": (),
    "async context manager": (),
}
SPECIAL = {
    "path": (
        'tmp_path / "data.txt"',
        'str(tmp_path / "data.txt")',
        "tmp_path",
        "str(tmp_path)",
        'str(tmp_path / "archive.tar.gz")',
    ),
    "file": WELL_KNOWN[("typing", "IO")],
    "date": (*WELL_KNOWN[("datetime", "date")], *WELL_KNOWN[("datetime", "datetime")]),
    "datetime": WELL_KNOWN[("datetime", "datetime")],
    "iterator": ("iter([1, 2, 3])", "iter([])", 'iter("ab")'),
    "awaitable": ("asyncio.sleep(0)",),
    "namedtuple": NAMED_TUPLES,
}
LIBRARY_KINDS: tuple[tuple[str, str], ...] = (
    ("datetime", "datetime"),
    ("datetime", "date"),
    ("datetime", "timedelta"),
    ("datetime", "time"),
    ("pathlib", "Path"),
    ("io", "StringIO"),
    ("io", "BytesIO"),
    ("re", "Match"),
    ("decimal", "Decimal"),
    ("inspect", "Signature"),
    ("inspect", "Parameter"),
    ("logging", "Logger"),
    ("logging", "LogRecord"),
    ("argparse", "ArgumentParser"),
    ("urllib.parse", "ParseResult"),
    ("xml.etree.ElementTree", "Element"),
    ("configparser", "ConfigParser"),
    ("email.message", "Message"),
    ("random", "Random"),
    ("types", "FunctionType"),
    ("collections", "deque"),
    ("threading", "Lock"),
    ("ipaddress", "IPv4Address"),
)


class UsageValues:
    """Turns the use of a value into expressions; `typed` makes values of a type once one is likely."""

    def __init__(self, references: ReferenceFinder, *, typed: Values, own_classes: Callable[[], Iterable[Any]]) -> None:
        self._references = references
        self._typed = typed
        self._own_classes = own_classes

    def values(self, clue: Clue, depth: int = 0) -> list[str]:
        """Expressions for a value used like that, likeliest kind first; a bit of everything when nothing is known."""
        strong, weak = self.kinds(clue)
        constants = self._constants(clue.usage, clue)
        sure = [each for each in (self._of_kind(kind, clue, depth) for kind in strong) if each]
        perhaps = [each for each in (self._of_kind(kind, clue, depth)[:6] for kind in weak) if each]
        found = [each[: 40 if depth == 0 else 6] for each in sure]
        if found:
            merged = list(unique([*interleave(constants, *found), *interleave(*perhaps)]))
        else:
            first = [each for options in perhaps for each in options[:1]]
            plain = GENERIC if depth == 0 else VALUES if clue.name == "value" else ITEMS
            merged = list(unique([*constants, *first, *interleave(plain, *perhaps)]))
        return merged if depth == 0 else merged[:16]

    def kinds(self, clue: Clue) -> tuple[list[Any], list[Any]]:
        """Types, or words for kinds that are not types: those that the use asks for, and those that it only allows."""
        usage = clue.usage
        found = [*usage.classes, *usage.annotations, *self._with_attributes(usage)]
        if any(name in usage.methods or name in usage.attributes for name in ("_fields", "_asdict", "_replace")):
            found.append("namedtuple")
        found += [kind for word in usage.abilities for kind in ABILITY_KINDS.get(word, ()) if word not in WEAK]
        found += [type(each) for each in usage.constants if type(each) in (str, int, float, bytes)]
        found += ["callable"] if usage.arities else []
        name = clue.name.lower().strip("_")
        named = NAMED_KINDS.get(name) or NAMED_KINDS.get(name.rpartition("_")[2])
        weak = [kind for word in usage.abilities for kind in ABILITY_KINDS.get(word, ()) if word in WEAK]
        strong = _distinct(found)[:8]
        rest = _distinct([*([named] if named is not None else []), *weak])
        return strong, [kind for kind in rest if kind not in strong][:5]

    def _of_kind(self, kind: Any, clue: Clue, depth: int) -> list[str]:
        if kind == "callable":
            inner = clue.inner(clue.usage.result, "result")
            results = self.values(inner, depth + 1) if clue.usage.result is not None and depth < 2 else []
            return builtin_values.callables(clue.usage.arities, results)
        if kind == "namespace":
            return self._namespaces(clue, depth)
        if kind == "dataclass":
            return [
                'dataclasses.make_dataclass("Point", ["x", "y"])(1, 2)',
                'dataclasses.make_dataclass("Point", ["x", "y"])',
            ]
        if type(kind) is str:
            return list(SPECIAL.get(kind, ()))
        return self._typed(kind, clue, depth)

    def _constants(self, usage: ParameterUsage, clue: Clue) -> list[str]:
        sources = [self._references.source_of(each) for each in (*usage.constants, *clue.choices) if each is not None]
        return list(unique(each for each in sources if each is not None))

    def _with_attributes(self, usage: ParameterUsage) -> list[Any]:
        """The kinds that have the attributes and methods that are used: built in, in the library, in the project."""
        wanted = [*usage.methods, *usage.attributes]
        if not wanted:
            return []
        votes = [
            (sum(hasattr(kind, each) for each in wanted), -place, kind) for place, (kind, _) in enumerate(METHOD_OWNERS)
        ]
        whole = [
            kind for count, _, kind in sorted(votes, key=lambda vote: vote[:2], reverse=True) if count == len(wanted)
        ]
        own = [kind for kind in self._own_classes() if _has_all(kind, wanted)]
        library = [kind for kind in map(_library_class, LIBRARY_KINDS) if kind is not None and _has_all(kind, wanted)]
        partial = [kind for count, _, kind in sorted(votes, key=lambda vote: vote[:2], reverse=True) if count > 0][:2]
        found = [*whole[:3], *own[:3], *library[:3]]
        return (
            found or [*partial, "namespace"]
            if usage.methods and not usage.attributes
            else [*found, "namespace", *partial[:1]]
        )

    def _namespaces(self, clue: Clue, depth: int) -> list[str]:
        """An object that has just the attributes that are read, and methods that give something plain."""
        usage = clue.usage
        if depth >= 3 or not (usage.attributes or usage.methods):
            return []
        parts: dict[str, list[str]] = {}
        for name, inner in list(usage.attributes.items())[:16]:
            if not name.startswith("__"):
                parts[name] = self.values(clue.inner(inner, name), depth + 1)[:4] or ['"value"']
        for name in list(usage.methods)[:8]:
            if not name.startswith("__"):
                parts[name] = ["lambda *args, **kwargs: None", "lambda *args, **kwargs: 1"]
        base = {name: choices[0] for name, choices in parts.items()}
        made = [builtin_values.namespace(base)]
        for name, choices in parts.items():
            made += [builtin_values.namespace({**base, name: each}) for each in choices[1:]]
        return made


WEAK = frozenset(
    {"iterable", "subscripted", "container", "sized", "addable", "divided", "ordered", "formatted", "truth", "object"}
)
"""Uses that many kinds of value allow: what the name suggests comes before them."""


def _distinct(kinds: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for kind in kinds:
        if not any(kind is one for one in found) and not quietly(lambda kind=kind: kind in found, False):  # type: ignore[misc]  # a lambda with a default
            found.append(kind)
    return found


def _has_all(kind: Any, names: Iterable[str]) -> bool:
    held = {name for each in lineage(kind) for name in (*attributes_of_class(each), *_annotated(each))}
    return is_class(kind) and all(name in held for name in names)


def _annotated(kind: type) -> list[str]:
    """The fields that a class declares."""
    nothing: object = {}
    annotations = quietly(lambda: kind.__annotations__, nothing)
    return list(annotations) if type(annotations) is dict else []


def _library_class(place: tuple[str, str]) -> Any:
    """The class, if the project or we have imported its module already; importing it here would be a side effect."""
    return getattr(sys.modules.get(place[0]), place[1], None)
