"""What page_recorder.js says, read with care: a page can get at anything that happens inside of it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from testwright.model.session import ActionType

MOST_MESSAGE = 12_000_000
_MOST_TEXT = 300_000
_MOST_ITEMS = 1_000
_ACTIONS = frozenset(type_.value for type_ in ActionType)


@dataclass(frozen=True, slots=True)
class Begins:
    """An action; `walks` are the page before it, and for a drag the page at its end."""

    id: tuple[str, int]  # of the document, and within it
    type: ActionType
    walks: tuple[str, ...]
    tag: str = ""
    value: str = ""
    values: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    is_open: bool = False  # more will be said about it, and that it is done
    is_beside: bool = False  # it does not end the text that is being typed


@dataclass(frozen=True, slots=True)
class Amends:
    id: tuple[str, int]
    type: ActionType | None = None
    value: str | None = None
    is_done: bool = False
    is_cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A new document, before any of its scripts has run. `late`: it was there before us."""

    url: str
    origin: str
    how: str  # navigate, reload, back_forward, prerender
    is_top: bool
    local: Mapping[str, str]
    session: Mapping[str, str]
    cookies: str = ""  # those that scripts can read, as they were then
    is_cut: bool = False
    is_late: bool = False
    id: str = ""


@dataclass(frozen=True, slots=True)
class Leaving:
    """The document's own doing: a link, a form, a script."""

    url: str
    document: str = ""  # its id


@dataclass(frozen=True, slots=True)
class Hinted:
    hint: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Closing:
    """The document goes away in good order: for another one, or with its tab."""


Message = Begins | Amends | Document | Leaving | Closing | Hinted


def read_message(text: object, token: str) -> Message | None:
    """None: it is not ours, or makes no sense."""
    if not isinstance(text, str) or len(text) > MOST_MESSAGE or not text.startswith(token):
        return None
    head, *walks = text[len(token) :].split("\n")
    try:
        said = json.loads(head)
        return _READERS[said["kind"]](said, tuple(walks))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _begins(said: dict[str, Any], walks: tuple[str, ...]) -> Begins:
    return Begins(
        id=(_text(said["doc"]), int(said["id"])),
        type=ActionType(said["type"]),
        walks=walks,
        tag=_text(said.get("tag")),
        value=_text(said.get("value")),
        values=tuple(_text(value) for value in said.get("values", ())[:_MOST_ITEMS]),
        facts=_texts(said.get("facts")),
        is_open=said.get("open") is True,
        is_beside=said.get("beside") is True,
    )


def _amends(said: dict[str, Any], _walks: tuple[str, ...]) -> Amends:
    return Amends(
        id=(_text(said["doc"]), int(said["id"])),
        type=ActionType(said["type"]) if said.get("type") in _ACTIONS else None,
        value=_text(said["value"]) if "value" in said else None,
        is_done=said.get("done") is True,
        is_cancelled=said.get("cancel") is True,
    )


def _document(said: dict[str, Any], _walks: tuple[str, ...]) -> Document:
    return Document(
        url=_text(said["url"]),
        origin=_text(said.get("origin")),
        how=_text(said.get("how")),
        is_top=said.get("top") is True,
        local=_texts(said.get("local")),
        session=_texts(said.get("session")),
        cookies=_text(said.get("cookies")),
        is_cut=said.get("cut") is True,
        is_late=said.get("late") is True,
        id=_text(said.get("doc")),
    )


def _leaving(said: dict[str, Any], _walks: tuple[str, ...]) -> Leaving:
    return Leaving(_text(said.get("url")), _text(said.get("doc")))


def _closing(_said: dict[str, Any], _walks: tuple[str, ...]) -> Closing:
    return Closing()


def _hinted(said: dict[str, Any], _walks: tuple[str, ...]) -> Hinted:
    hint = said["hint"]
    if not isinstance(hint, dict):
        raise TypeError("a hint has parts")
    return Hinted(hint)


_READERS: Mapping[str, Callable[[dict[str, Any], tuple[str, ...]], Message]] = {
    "action": _begins,
    "amend": _amends,
    "document": _document,
    "leaving": _leaving,
    "closing": _closing,
    "error_hint": _hinted,
}


def _text(value: object) -> str:
    """Halves of characters, which a page can send and no file can hold, are replaced."""
    given = value if isinstance(value, str) else ""
    return given[:_MOST_TEXT].encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _texts(value: object) -> dict[str, str]:
    given = value if isinstance(value, dict) else {}
    return {_text(name): _text(text) for name, text in list(given.items())[:_MOST_ITEMS] if isinstance(text, str)}
