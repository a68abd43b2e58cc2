"""Expressions for each kind of plain value: text, numbers, bytes, sequences, mappings, callables."""

from collections.abc import Iterable, Sequence
from itertools import chain

from testwright.generate.inside.safe_access import interleave, unique
from testwright.generate.inside.values.regex_strings import matching, near_misses
from testwright.generate.inside.values.source_literals import filled
from testwright.generate.inside.values.structured_strings import DATE_FORMATS, examples, words_in
from testwright.generate.inside.values.value_clue import Clue
from testwright.generate.inside.values.value_expressions import bracketed, literal, text

PLAIN_TEXTS = ("hello", "", "a", "Hello World", "123", "hello_world", " ", "a, b", "é")
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
WHOLES = (1, 0, 2, -1, 10, 3, 5, 100)
FLOATS = (1.5, 0.0, -2.5, 0.1, 100.0)
NUMBERS_BY_NAME = {
    "port": (8080, 0, 65536),
    "year": (2020, 1999, 2000),
    "month": (1, 2, 12, 13),
    "day": (1, 28, 31, 32),
    "hour": (12, 0, 23, 24),
    "minute": (30, 0, 59, 60),
    "second": (30, 0, 59, 60),
    "width": (80, 10, 1),
    "height": (24, 10, 1),
    "status": (200, 404, 500),
    "code": (200, 404, 0),
    "base": (10, 2, 16),
    "percent": (50, 0, 100, 101),
    "timestamp": (0, 86400),
    "seconds": (90, 0, 3600, 86400),
    "age": (36, 0, 150),
    "size": (1024, 0, 10, 1000000),
    "bytes": (1024, 0, 1000000),
    "weekday": (0, 6, 7),
    "length": (5, 0, 1, 20),
    "limit": (2, 0, 10),
    "indent": (4, 0, 2),
    "precision": (2, 0, 5),
}
LONGEST_SEQUENCE = 64
SHOWN_IN_FULL = 6


def texts(clue: Clue) -> list[str]:
    """Strings, best first: compared constants, what its patterns match, its topics, its separators, plain words."""
    usage = clue.usage
    wanted = [each for each in (*usage.constants, *clue.choices) if type(each) is str]
    if "character" in usage.abilities:
        wanted += ["a", "Z", "0", " "]
    if "date format" in usage.abilities:
        wanted += DATE_FORMATS
    if "form" in usage.abilities:
        wanted += ["NFC", "NFKD"]
    if "module name" in usage.abilities:
        wanted += ["json", "os.path", "no_such_module"]
    sized = [ALPHABET[:length] for length in usage.lengths if 0 < length <= len(ALPHABET)]
    shaped = list(chain.from_iterable(matching(*pattern) for pattern in usage.patterns))
    loose = list(chain.from_iterable(matching(*pattern)[:4] for pattern in clue.patterns))
    topics = examples(usage.abilities, clue.name, clue.named, clue.around)
    missed = chain.from_iterable(near_misses(*pattern)[:4] for pattern in (*usage.patterns, *clue.patterns))
    first = [*shaped[:1], *topics.likely[:1], *wanted[:1], "hello"][:1]
    parts = [*_around_members(usage.members), *_separated(usage.separators), *sized]
    asked = interleave(wanted, shaped, topics.likely[:12], topics.possible[:12], parts)
    then = interleave(topics.rest[:12], PLAIN_TEXTS, loose, _from_source(clue), missed)
    last = [*topics.likely[12:], *topics.possible[12:], *topics.rest[12:]]
    # Values from the parameter itself go first, but not so many that the rest never gets a turn.
    made = [*first, *asked[:8], *interleave(asked[8:], then), *last]
    return [text(each) for each in unique(made)]


def _around_members(members: Iterable[object]) -> list[str]:
    made: list[str] = []
    for each in members:
        if type(each) is str:
            made += [f"{each}name", f"one{each}two", f"name{each}", each]
    return made


def _separated(separators: Iterable[str]) -> list[str]:
    made: list[str] = []
    for each in separators:
        made += [f"one{each}two", f"1{each}2{each}3", f"a{each}", each]
    return made


def _from_source(clue: Clue) -> list[str]:
    near = [*clue.near.texts, *(filled(each) for each in clue.near.texts if "%" in each or "{" in each)]
    return [*near, *clue.wide.texts[:30]]


def wholes(clue: Clue) -> list[str]:
    """Whole numbers: compared constants and their neighbours, what the name suggests, small numbers, literals."""
    compared = [each for each in (*clue.usage.constants, *clue.choices) if type(each) is int]
    around = [number for each in compared for number in (each, each + 1, each - 1)]
    named = [number for word in sorted(words_in(clue.name)) for number in NUMBERS_BY_NAME.get(word, ())]
    literals = [each for each in (*clue.near.numbers, *clue.wide.numbers[:20]) if type(each) is int]
    beside = [number for each in literals for number in (each, each + 1, each - 1)]
    small = ["1"] if not named and not any(each > 1 for each in compared) else []
    return list(unique([*small, *interleave(_shown(named), _shown(around), _shown(WHOLES)), *_shown(beside)]))


def _shown(numbers: Iterable[int | float]) -> list[str]:
    return [repr(each) for each in numbers if abs(each) < 10**15]


def floats(clue: Clue) -> list[str]:
    compared = [float(each) for each in clue.usage.constants if type(each) in (int, float) and abs(each) < 10**15]
    near = [each for each in clue.near.numbers if type(each) is float]
    return list(
        unique([*_shown(FLOATS[:2]), *_shown(compared), *_shown(FLOATS), *_shown(near), 'float("nan")', 'float("inf")'])
    )


def byte_strings(clue: Clue) -> list[str]:
    usage = clue.usage
    wanted = [each for each in (*usage.constants, *usage.members, *clue.near.byte_strings) if type(each) is bytes]
    joined = [b"one" + each + b"two" for each in usage.members if type(each) is bytes]
    asked = [_bytes_of(length) for length in usage.lengths if 0 < length <= LONGEST_SEQUENCE]
    others = [_bytes_of(length) for length in _lengths(clue)]
    plain = [b"hello", b"", b"a", b"\x00\xff", b"key=value"]
    return interleave(asked, map(_shown_bytes, plain), map(_shown_bytes, [*wanted, *joined]), others)


def _bytes_of(length: int) -> str:
    return _shown_bytes(ALPHABET[:length].encode()) if length <= 8 else f"bytes(range({length}))"


def _shown_bytes(value: bytes) -> str:
    source = repr(value)
    return f'b"{source[2:-1]}"' if source[1] == "'" and b'"' not in value else source


def _lengths(clue: Clue) -> list[int]:
    """Lengths that the code asks for, and numbers beside it that may be lengths."""
    asked = [each for each in clue.usage.lengths if 0 < each <= LONGEST_SEQUENCE]
    numbers = [
        each for each in (*clue.near.numbers, *clue.wide.numbers) if type(each) is int and 4 <= each <= LONGEST_SEQUENCE
    ]
    return list(dict.fromkeys([*asked, *numbers[:6]]))


def sequences(items: Sequence[str], clue: Clue, kind: type = list) -> list[str]:
    """Lists (or tuples, sets) of the given items: as long as the code wants, then a few, none, one, doubled."""
    items = list(items) or ["1"]
    asked = [each for each in clue.usage.lengths if 0 < each <= LONGEST_SEQUENCE]
    exact = [of_length(items, length, kind) for length in asked]
    usual = [of_length(items, length, kind) for length in (3, 0, 1, 2)]
    single = [bracketed(kind, [item]) for item in items[1:10]]
    twice = [bracketed(kind, [items[0], items[0]]), bracketed(kind, list(reversed(items[:3])))]
    more = [of_length(items, length, kind) for length in _lengths(clue) if length not in asked]
    members = [literal(each) for each in clue.usage.members]
    holding = [bracketed(kind, [each]) for each in members if each is not None]
    reach = min(clue.usage.reach, LONGEST_SEQUENCE)
    first = [of_length(items, reach, kind)] if reach > 1 else []
    return list(unique([*first, *interleave(usual, exact, more, single, [*holding, *twice])]))


def of_length(items: Sequence[str], length: int, kind: type = list) -> str:
    """A sequence of exactly that many items, in the shortest readable form."""
    if length <= SHOWN_IN_FULL:
        cycle = [items[index % min(len(items), 3)] for index in range(length)]
        return bracketed(kind, cycle if kind is not set else list(unique(items))[:length])
    if items[0].lstrip("-").isdigit() or kind is set:
        return f"{kind.__name__}(range({length}))"
    return f"[{items[0]}] * {length}" if kind is list else f"({items[0]},) * {length}"


def mappings(keys: Sequence[str], values: Sequence[str], fixed: dict[str, Sequence[str]]) -> list[str]:
    """Dictionaries: the keys that the code asks for with values for each, then all kinds of keys and values."""
    made: list[str] = []
    if fixed:
        base = {key: choices[0] for key, choices in fixed.items() if choices}
        made.append(_mapping(base))
        for key, choices in fixed.items():
            made += [_mapping({**base, key: choice}) for choice in choices[1:6]]
            made.append(_mapping({name: value for name, value in base.items() if name != key}))
            if len(fixed) > 2:
                made.append(_mapping({key: base[key]}) if key in base else "{}")
    keys, values = list(keys) or ['"key"'], list(values) or ['"value"']
    free = [_mapping({keys[0]: values[0]}), "{}"]
    free += [_mapping({keys[0]: value}) for value in values[1:12]]
    free += [_mapping({key: values[0]}) for key in keys[1:12]]
    free.append(_mapping({key: values[index % len(values)] for index, key in enumerate(keys[:3])}))
    return list(unique([*made, *free])) if fixed else interleave(free[:2], [free[-1], *free[2:-1]])


def _mapping(pairs: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in pairs.items()) + "}"


def callables(arities: Iterable[int], results: Sequence[str]) -> list[str]:
    """Functions as arguments: giving back what they get, giving a fixed result, and failing."""
    made: list[str] = []
    for arity in list(arities)[:3]:
        names = ", ".join(("x", "y", "z", "u", "v", "w")[:arity])
        if arity > 6:
            names = "*args"
        head = f"lambda {names}" if names else "lambda"
        made += [f"{head}: {result}" for result in results[:4]]
        if 1 <= arity <= 6:
            made.append(f"{head}: x")
        if arity == 2:
            made.append("lambda x, y: x + y")
        made += [f"{head}: None", f"{head}: 1 / 0"]
    if not made:
        made = [
            "lambda *args: True",
            "lambda x: x",
            "len",
            "str.upper",
            "lambda *args, **kwargs: None",
            "lambda: 1",
            "lambda x, y: x",
        ]
        made += ["lambda *args: 1 / 0", "print"]
    return list(unique(made))


def namespace(attributes: dict[str, str]) -> str:
    inside = ", ".join(f"{name}={value}" for name, value in attributes.items())
    return f"types.SimpleNamespace({inside})"
