"""Values as source text, for both languages: strings through the one encoder, JSON as the language's own literals."""

import json
import math
import re
from datetime import UTC, datetime
from typing import Any

from testwright.generate.web.web_plan import ServerAnswer
from testwright.model.selector import Dialect
from testwright.model.session import Secret
from testwright.model.untrusted_text import visible_line
from testwright.selectors.literal_writer import literal
from testwright.selectors.spelling import snake

_WIDTH = 88
_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_NOT_PLAIN = frozenset({"__proto__"})  # sets the prototype, even in quotes
_SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|]")  # in a regular expression of either language
PLACEHOLDER = "placeholder"
_DEEPEST = 20  # levels of a JSON value that people can still read as a literal


def text(value: str, dialect: Dialect) -> str:
    return literal(value, dialect, "'" if dialect is Dialect.TYPESCRIPT else '"')


def typed(value: str | Secret, dialect: Dialect) -> str:
    """What to type: a secret comes from the environment."""
    if isinstance(value, str):
        return text(value, dialect)
    if dialect is Dialect.TYPESCRIPT and not _PLAIN_KEY.fullmatch(value.name):
        return f"process.env[{text(value.name, dialect)}] ?? {text(PLACEHOLDER, dialect)}"
    if dialect is Dialect.TYPESCRIPT:
        return f"process.env.{value.name} ?? {text(PLACEHOLDER, dialect)}"
    return f"os.environ.get({text(value.name, dialect)}, {text(PLACEHOLDER, dialect)})"


def js_bool(value: bool) -> str:
    return "true" if value else "false"


def moment(milliseconds: int) -> str:
    """Since 1970, as a date that both languages read."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def one_line(note: str) -> str:
    """Fit for a comment: nothing ends the line, and nothing in it is unseen."""
    return visible_line(" ".join(note.split()))


def regex_escaped(value: str, *, with_slash: bool = False) -> str:
    """A text as a regular expression of either language. A slash ends a literal of JavaScript."""
    escaped = _SPECIAL.sub(r"\\\g<0>", value)
    return escaped.replace("/", r"\/") if with_slash else escaped


def address_of(path: str) -> str:
    """An expression for any address with this path."""
    return f"^[^/]*//[^/]+{regex_escaped(path)}(?:[?#]|$)"


def parsed_json(body: str) -> tuple[bool, Any]:
    """Whether the text is JSON that can be written as a literal, and what it says."""
    try:
        value = json.loads(body, parse_constant=_refused)
    except (ValueError, RecursionError):
        return False, None
    return _is_plain(value), value


def _refused(name: str) -> None:
    raise ValueError(name)


def _is_plain(value: Any, depth: int = 0) -> bool:
    """Whether a literal of either language says the same: no odd keys, no numbers beyond all numbers, not too deep."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, dict):
        return not _NOT_PLAIN & value.keys() and all(_is_plain(one, depth + 1) for one in value.values())
    if isinstance(value, list):
        return all(_is_plain(one, depth + 1) for one in value)
    return not isinstance(value, float) or math.isfinite(value)


def json_literal(value: Any, dialect: Dialect, indent: int = 0) -> str:
    """A JSON value as the language writes it, over several lines where it is long."""
    short = _flat(value, dialect)
    if len(short) + indent <= _WIDTH or not isinstance(value, dict | list) or not value:
        return short
    inner = indent + (2 if dialect is Dialect.TYPESCRIPT else 4)
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    entries = (
        [f"{_key(name, dialect)}: {json_literal(one, dialect, inner)}" for name, one in value.items()]
        if isinstance(value, dict)
        else [json_literal(one, dialect, inner) for one in value]
    )
    lines = "".join(f"{' ' * inner}{entry},\n" for entry in entries)
    return f"{opening}\n{lines}{' ' * indent}{closing}"


def _flat(value: Any, dialect: Dialect) -> str:
    if isinstance(value, str):
        return text(value, dialect)
    if isinstance(value, bool) and dialect is Dialect.TYPESCRIPT:
        return js_bool(value)
    if value is None or isinstance(value, bool):
        return "null" if dialect is Dialect.TYPESCRIPT else repr(value)
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(name, dialect)}: {_flat(one, dialect)}" for name, one in value.items())
        padded = f" {inside} " if dialect is Dialect.TYPESCRIPT and inside else inside
        return "{" + padded + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flat(one, dialect) for one in value) + "]"
    return json.dumps(value)


def _key(name: str, dialect: Dialect) -> str:
    if dialect is Dialect.TYPESCRIPT and _PLAIN_KEY.fullmatch(name):
        return name
    return text(name, dialect)


# --- The server's answers as entries of a literal, in either language -----------------------------------------------


def answer_literal(answer: ServerAnswer, dialect: Dialect) -> str:
    """`{ status: 200, json: { profile: null } }`, or the same as a dict."""
    entries = _entries(answer, dialect)
    if dialect is Dialect.PYTHON:
        return "{" + ", ".join(f'"{snake(name)}": {value}' for name, value in entries.items()) + "}"
    return "{ " + ", ".join(f"{name}: {value}" for name, value in entries.items()) + " }"


def _entries(answer: ServerAnswer, dialect: Dialect) -> dict[str, str]:
    if answer.is_pending:
        return {"pending": json_literal(True, dialect)}
    entries: dict[str, str] = {}
    if answer.failure:
        entries["fails"] = text(answer.failure, dialect)
    else:
        entries["status"] = str(answer.status)
        entries |= _said(answer, dialect)
        if answer.headers:
            entries["headers"] = json_literal(dict(answer.headers), dialect, 8)
    if answer.waits_for:
        entries["after"] = text(answer.waits_for, dialect)
    if answer.after_steps:
        entries["afterSteps"] = str(answer.after_steps)
    return entries


def _said(answer: ServerAnswer, dialect: Dialect) -> dict[str, str]:
    is_json, value = parsed_json(answer.text) if "json" in answer.content_type else (False, None)
    if is_json and answer.content_type.partition(";")[0] == "application/json":
        return {"json": json_literal(value, dialect, 6)}
    kind = {"contentType": text(answer.content_type, dialect)} if answer.content_type else {}
    return {**kind, **({"body": text(answer.text, dialect)} if answer.text else {})}
