"""Small changes to a string, a number or a byte string: neighbours that code may treat in another way."""

import random
import re
from collections.abc import Callable, Sequence

from testwright.generate.inside.values.harmless_values import PLACE
from testwright.generate.inside.values.value_pool import ValuePool

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
LONGEST = 300
BOUNDARIES = (
    0,
    1,
    -1,
    2,
    7,
    8,
    10,
    16,
    31,
    32,
    60,
    64,
    100,
    127,
    128,
    255,
    256,
    365,
    999,
    1000,
    1024,
    65535,
    2**31,
    2**63,
)

TextEdit = Callable[[str, random.Random, ValuePool], str]


def edited_text(value: str, rng: random.Random, pool: ValuePool) -> str:
    """A neighbour of the string, never one that names a place of this machine."""
    changed = rng.choice(TEXT_EDITS)(value, rng, pool)
    if rng.random() < 0.25:
        changed = rng.choice(TEXT_EDITS)(changed, rng, pool)
    return value if PLACE.search(changed) or len(changed) > max(LONGEST, len(value)) else changed


def toward(value: str, wanted: str, rng: random.Random) -> str:
    """A string that has to do with one that the code looked for: itself, a part of it, or it inside the old one."""
    place = rng.randint(0, len(value))
    ways = [
        wanted,
        wanted,
        value + wanted,
        wanted + value,
        wanted[:-1],
        wanted[1:],
        wanted + "x",
        "x" + wanted,
        wanted.upper(),
        wanted.lower(),
        value[:place] + wanted + value[place:],
        _with_token(value, wanted, rng),
        f"{wanted} {value}",
        f"{wanted}\n{value}",
    ]
    changed = rng.choice(ways)
    return value if PLACE.search(changed) or len(changed) > max(LONGEST, len(value), len(wanted)) else changed


def _tokens(value: str) -> list[str]:
    return TOKEN.findall(value)


def _with_token(value: str, piece: str, rng: random.Random) -> str:
    tokens = _tokens(value)
    if not tokens:
        return piece
    tokens[rng.randrange(len(tokens))] = piece
    return "".join(tokens)


def _replace_token(value: str, rng: random.Random, pool: ValuePool) -> str:
    return _with_token(value, rng.choice(pool.pieces), rng)


def _insert(value: str, rng: random.Random, pool: ValuePool) -> str:
    place = rng.randint(0, len(value))
    return value[:place] + rng.choice(pool.pieces) + value[place:]


def _insert_token(value: str, rng: random.Random, pool: ValuePool) -> str:
    tokens = _tokens(value)
    tokens.insert(rng.randint(0, len(tokens)), rng.choice(pool.pieces))
    return "".join(tokens)


def _delete_token(value: str, rng: random.Random, _pool: ValuePool) -> str:
    return _without_one(_tokens(value), rng, "")


def _delete_line(value: str, rng: random.Random, _pool: ValuePool) -> str:
    return _without_one(value.split("\n"), rng, "\n")


def _delete_character(value: str, rng: random.Random, _pool: ValuePool) -> str:
    return _without_one(list(value), rng, "")


def _without_one(parts: list[str], rng: random.Random, glue: str) -> str:
    if parts:
        del parts[rng.randrange(len(parts))]
    return glue.join(parts)


def _double(value: str, rng: random.Random, pool: ValuePool) -> str:
    splitter: Callable[[str], Sequence[str]] = rng.choice((_tokens, list, str.splitlines))
    parts = list(splitter(value))
    if not parts:
        return rng.choice(pool.pieces)
    place = rng.randrange(len(parts))
    glue = "\n" if splitter is str.splitlines else ""
    return glue.join([*parts[: place + 1], *parts[place:]])


def _swap(value: str, rng: random.Random, _pool: ValuePool) -> str:
    lines = value.split("\n")
    parts, glue = (lines, "\n") if len(lines) > 2 and rng.random() < 0.5 else (_tokens(value), "")
    if len(parts) > 1:
        one, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        parts[one], parts[other] = parts[other], parts[one]
    return glue.join(parts)


def _splice(value: str, rng: random.Random, pool: ValuePool) -> str:
    other = rng.choice(pool.texts)
    return value[: rng.randint(0, len(value))] + other[rng.randint(0, len(other)) :]


def _from_pool(_value: str, rng: random.Random, pool: ValuePool) -> str:
    return rng.choice(pool.texts)


def _cut(value: str, rng: random.Random, _pool: ValuePool) -> str:
    place = rng.randint(0, len(value))
    return value[:place] if rng.random() < 0.5 else value[place:]


def _other_case(value: str, rng: random.Random, _pool: ValuePool) -> str:
    change: Callable[[str], str] = rng.choice((str.upper, str.lower, str.title, str.swapcase, str.capitalize))
    return change(value)


def _other_space(value: str, rng: random.Random, _pool: ValuePool) -> str:
    ways = (
        f" {value}",
        f"{value} ",
        f"{value}\n",
        value.replace(" ", ""),
        value.replace(" ", "  "),
        f"\t{value}",
        value.strip(),
    )
    return rng.choice((*ways, value.replace("\n", "\n    "), value.replace("\n", "\r\n")))


def _other_number(value: str, rng: random.Random, pool: ValuePool) -> str:
    """The numbers inside a string are numbers too."""
    numbers = list(re.finditer(r"\d+", value))
    if not numbers:
        return _insert_token(value, rng, pool)
    found = rng.choice(numbers)
    new = edited_number(int(found[0][:15]), rng, pool)
    return f"{value[: found.start()]}{new}{value[found.end() :]}"


def _other_character(value: str, rng: random.Random, _pool: ValuePool) -> str:
    if not value:
        return rng.choice("aA1 _-é")
    place = rng.randrange(len(value))
    return value[:place] + rng.choice("aZ09 _-.,:;/@#!?'\"()[]{}<>=+*&%$\\é\n") + value[place + 1 :]


TEXT_EDITS: tuple[TextEdit, ...] = (
    _replace_token, _insert, _insert_token, _delete_token, _delete_line, _delete_character, _double,
    _swap, _splice, _from_pool, _cut, _other_case, _other_space, _other_number, _other_character,
    _from_pool,
)  # fmt: skip


def edited_number(value: float, rng: random.Random, pool: ValuePool) -> int | float:
    """A neighbour, a multiple, the opposite, a boundary, or a number of the module."""
    wanted = rng.choice(pool.numbers) if pool.numbers else 0
    ways = [
        value + 1,
        value - 1,
        value * 2,
        -value,
        value // 2,
        rng.choice(BOUNDARIES),
        wanted,
        wanted + 1,
        wanted - 1,
        value + 10,
    ]
    changed = rng.choice(ways)
    if isinstance(value, float) and rng.random() < 0.5:
        changed = rng.choice((value / 2, value + 0.1, -value, float(changed)))
    return changed if abs(changed) < 10**20 else value


def edited_bytes(value: bytes, rng: random.Random, pool: ValuePool) -> bytes:
    place = rng.randint(0, len(value))
    other = rng.choice(pool.byte_strings) if pool.byte_strings else b"a"
    ways = [
        value[:place],
        value[place:],
        value[:place] + other + value[place:],
        other,
        value + b"\x00",
        value * 2,
        value[::-1],
        b"\xff" + value,
    ]
    changed = rng.choice(ways)
    return changed if len(changed) <= LONGEST else value
