"""What of an element is compared: its words, attributes and place, in a form where case and spacing do not count."""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from testwright.model.dom import Box, Element
from testwright.model.selector import TEST_ID_ATTRIBUTES

PUSHED = frozenset({"submit", "button", "reset", "image"})
_CAPTURED = re.compile(r"^(?:https?:)?//web\.archive\.org/web/\d+[a-z_]*/")  # a page kept by the Internet Archive


@dataclass(slots=True)
class Traits:
    """One element, ready to be compared."""

    number: int
    tag: str
    role: str
    text: str
    name: str
    label: str
    id: str
    test_id: str
    name_attribute: str
    classes: frozenset[str]
    href: str
    href_path: str
    placeholder: str
    alt: str
    title: str
    aria_label: str
    type: str
    action: str
    source: str
    box: Box | None
    path: str


def caseless(text: str) -> str:
    """The text with its white space folded and without its case."""
    return " ".join(text.casefold().split())


def words_of(element: Element) -> str:
    """What a reader would call it by: its text, or the caption of a button that is an <input>."""
    if element.text:
        return caseless(element.text)
    if element.tag == "input" and element.attributes.get("type", "").casefold() in PUSHED:
        return caseless(element.attributes.get("value", ""))
    return ""


_SPEAKING = frozenset(
    {
        "a",
        "button",
        "label",
        "p",
        "span",
        "em",
        "strong",
        "b",
        "i",
        "small",
        "td",
        "th",
        "dt",
        "dd",
        "summary",
        "legend",
    }
    | {"option", "caption", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "li", "input", "textarea", "img", "code"}
)


def speaks_for_itself(element: Element) -> bool:
    """Whether its words are its own. Those of a box are borrowed from what is in it, and say little about the box."""
    return bool(element.own_text) or element.tag in _SPEAKING


def test_id_of(element: Element) -> str:
    attributes = element.attributes
    return next((attributes[name] for name in TEST_ID_ATTRIBUTES if name in attributes), "")


test_id_of.__test__ = False  # type: ignore[attr-defined]  # pytest would take it for a test


def traits_of(element: Element, path: str) -> Traits:
    get = element.attributes.get
    href, href_path = address_parts(get("href", ""))
    return Traits(
        number=element.number,
        tag=element.tag,
        role=element.role,
        text=words_of(element),
        name=caseless(element.name),
        label=caseless(element.label),
        id=caseless(get("id", "")),
        test_id=caseless(test_id_of(element)),
        name_attribute=caseless(get("name", "")),
        classes=frozenset(get("class", "").split()),
        href=href,
        href_path=href_path,
        placeholder=caseless(get("placeholder", "")),
        alt=caseless(get("alt", "")),
        title=caseless(get("title", "")),
        aria_label=caseless(get("aria-label", "")),
        type=caseless(get("type", "")),
        action=address_parts(get("action", ""))[1],
        source=address_parts(get("src", ""))[1],
        box=element.box,
        path=path,
    )


@lru_cache(maxsize=8192)  # the same few addresses stand on a page again and again
def address_parts(address: str) -> tuple[str, str]:
    """An address without its scheme, and its host and path alone. A lone `#` or script leads nowhere."""
    address = _CAPTURED.sub("", address.strip())
    if not address or address == "#" or address.casefold().startswith("javascript:"):
        return "", ""
    try:
        parts = urlsplit(address)
    except ValueError:  # a broken IPv6 host, say: compared as it stands
        return address, address
    place = (parts.netloc.casefold() + parts.path.rstrip("/")).casefold()
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"{place}{query}{fragment}", place + (fragment if not parts.query else "")
