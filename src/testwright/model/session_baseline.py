"""A baseline: what a session showed of an application while it worked, to hold later sessions against."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from testwright.model.dom import DomSnapshot, Element

MOST_FIELDS = 500  # of one answer; more than that is data, not structure
_DEEPEST = 12
_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
# What one object among many is called by: a number, a UUID, a long hexadecimal or mixed id.
_CHANCE_KEY = re.compile(r"[0-9]+|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|(?=[^0-9]*[0-9])[0-9a-fA-F]{12,}")
_CHANCE_IN_PATH = re.compile(
    rf"{_CHANCE_KEY.pattern}|(?=(?:[^0-9]*[0-9]){{3}})(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_-]{{12,}}|%5BREDACTED%5D|\[REDACTED\]"
)
_CHANCE_IN_NAME = re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b|[0-9]+(?:[.,:/-][0-9]+)*")
_LONGEST_NAME = 80
_LANDMARKS = frozenset(
    {
        "banner",
        "complementary",
        "contentinfo",
        "dialog",
        "alertdialog",
        "form",
        "main",
        "navigation",
        "region",
        "search",
    }
)
_CONTROLS = frozenset(
    {"button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "radio",
     "searchbox", "slider", "spinbutton", "switch", "tab", "textbox"}
)  # fmt: skip
_STRUCTURE = _LANDMARKS | _CONTROLS | {"heading", "table", "grid", "alert"}
_ONE_OF_MANY = frozenset({"row", "listitem", "article", "option", "treeitem"})


@dataclass(frozen=True, slots=True)
class JsonField:
    """A place in a JSON document: `$.items[].price`. A key that is an id stands as `*`, an array's members as `[]`."""

    path: str
    types: tuple[str, ...]  # null, boolean, number, string, object, array; sorted
    optional: bool = False  # not in every object that could have it
    parent: str = ""  # the path of what it is in; empty: it is the document itself


@dataclass(frozen=True, slots=True)
class JsonShape:
    """Which keys a JSON document has, and what is in them."""

    fields: tuple[JsonField, ...] = ()
    is_whole: bool = True  # False: only the first `MOST_FIELDS` are here


@dataclass(frozen=True, slots=True)
class ApiShape:
    """How a server answers one kind of request."""

    method: str
    path: str  # ids in it stand as {id}
    statuses: tuple[int, ...] = ()  # 0: there was no answer
    shape: JsonShape | None = None  # None: no answer was JSON that could be read

    @property
    def key(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class KnownError:
    fingerprint: str
    name: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class ElementShape:
    """A landmark, heading or control. Numbers in its name are #; empty: one of many like it, in a list or table."""

    role: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class PageShape:
    path: str  # ids in it stand as {id}
    errors: tuple[KnownError, ...] = ()
    elements: tuple[ElementShape, ...] | None = None  # None: no such page was kept


@dataclass(frozen=True, slots=True)
class SessionBaseline:
    name: str
    session: str  # the id of the session it was made of
    url: str = ""
    made: int = 0  # milliseconds since 1970
    pages: tuple[PageShape, ...] = ()
    apis: tuple[ApiShape, ...] = ()
    gaps: tuple[str, ...] = ()  # what could not be seen, in words


class Severity(StrEnum):
    REGRESSION = "regression"
    INFO = "info"


class DifferenceKind(StrEnum):
    NEW_ERROR = "new_error"
    STATUS_CHANGED = "status_changed"
    FIELD_MISSING = "field_missing"
    TYPE_CHANGED = "type_changed"
    NEW_FIELD = "new_field"
    ELEMENT_MISSING = "element_missing"
    ELEMENT_ADDED = "element_added"
    PAGE_MISSING = "page_missing"
    REQUEST_MISSING = "request_missing"


@dataclass(frozen=True, slots=True)
class Difference:
    kind: DifferenceKind
    where: str
    was: str = ""
    now: str = ""
    severity: Severity = Severity.REGRESSION


# --- the shape of addresses and pages -----------------------------------------------------------


def path_shape(url: str, origin: str = "") -> str:
    """The path of an address with its ids as {id}, and with its origin where that is not `origin`.

    A fragment that is a route of its own (`#/cart`) belongs to the path.
    """
    parts = urlsplit(url)
    own = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
    path = _with_ids_masked(parts.path or "/")
    if parts.fragment.startswith(("/", "!")):
        path += "#" + _with_ids_masked(parts.fragment.partition("?")[0])
    return path if own in ("", origin) else own + path


def _with_ids_masked(path: str) -> str:
    return "/".join("{id}" if _CHANCE_IN_PATH.fullmatch(part) else part for part in path.split("/"))


def element_shapes(page: DomSnapshot) -> tuple[ElementShape, ...]:
    """The landmarks, headings and controls of a page, each once, in the order of the document."""
    repeated = _in_repeated_parts(page)
    found: dict[ElementShape, None] = {}
    for element in page.elements:
        if element.role in _STRUCTURE and element.visible and element.exposed:
            found[ElementShape(element.role, "" if repeated[element.number] else _steady_name(element))] = None
    return tuple(found)


def _in_repeated_parts(page: DomSnapshot) -> list[bool]:
    """Whether each element is in a row of a list or table: data, whose names come and go. A menu's names stay."""
    found: list[bool] = []
    for element in page.elements:
        above = element.parent is not None and found[element.parent]
        is_menu = element.role in ("navigation", "tablist", "menu", "menubar")
        found.append(not is_menu and (above or (element.role in _ONE_OF_MANY and not _is_in_menu(page, element))))
    return found


def _is_in_menu(page: DomSnapshot, element: Element) -> bool:
    return any(page.elements[one].role in ("navigation", "menu", "menubar") for one in page.ancestors(element.number))


def _steady_name(element: Element) -> str:
    return _CHANCE_IN_NAME.sub("#", element.name)[:_LONGEST_NAME]


# --- the shape of JSON -------------------------------------------------------------------------


def shape_of(*documents: Any) -> JsonShape:
    """What the documents have in common: a key that only some of them have is optional."""
    found: dict[str, _Seen] = {}
    for document in documents:
        _look(document, "$", "", found, 0)
    fields = []
    for path, seen in found.items():
        # A member of an array is never missing: an empty array has none, and says nothing.
        optional = not path.endswith("[]") and seen.parent in found and seen.keyed < found[seen.parent].objects
        fields.append(JsonField(path, tuple(sorted(seen.types)), optional, seen.parent))
    return JsonShape(tuple(fields[:MOST_FIELDS]), len(fields) <= MOST_FIELDS)


@dataclass(slots=True)
class _Seen:
    """What was seen in one place of the documents."""

    parent: str
    types: set[str] = field(default_factory=set)
    objects: int = 0  # how many objects were here
    keyed: int = 0  # how many objects had a key that leads here


def _look(value: Any, path: str, parent: str, found: dict[str, _Seen], depth: int) -> None:
    if len(found) > MOST_FIELDS and path not in found:
        return
    seen = found.setdefault(path, _Seen(parent))
    seen.types.add(_type_of(value))
    if depth >= _DEEPEST:
        return
    if isinstance(value, dict):
        seen.objects += 1
        for step in dict.fromkeys(map(_step, value)):
            if path + step in found or len(found) <= MOST_FIELDS:
                found.setdefault(path + step, _Seen(path)).keyed += 1
        for key, member in value.items():
            _look(member, path + _step(key), path, found, depth + 1)
    elif isinstance(value, list):
        for member in value:
            _look(member, f"{path}[]", path, found, depth + 1)


def _step(key: str) -> str:
    if _CHANCE_KEY.fullmatch(key):
        return ".*"
    return f".{key}" if _PLAIN_KEY.fullmatch(key) else f'["{key[:100]}"]'


def _type_of(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
    return "object"
