"""The part of a recorded page that a unit test needs, as HTML: no scripts, nothing that loads, nothing people typed."""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from testwright.generate.web.code_literals import text
from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import TestwrightError
from testwright.model.selector import Dialect
from testwright.selectors.selector_matcher import matching
from testwright.selectors.selector_parser import parse_selector

MOST_ELEMENTS = 200
_MOST_VALUE = 300  # characters of an attribute; longer ones are data, and no one looks elements up by them
_LEFT_OUT = frozenset(
    {
        "script", "style", "link", "meta", "noscript", "template", "head", "title", "base", "iframe", "frame",
        "object", "embed", "svg", "canvas", "video", "audio", "source", "track",
    }
)  # fmt: skip
_VOID = frozenset({"area", "br", "col", "hr", "img", "input", "wbr"})
_LOADS_OR_RUNS = re.compile(r"on.*|src|srcset|srcdoc|data|ping|nonce|integrity|background|poster")
_ATTRIBUTE_NAME = re.compile(r"[A-Za-z_:][\w:.-]*")
_TAG_NAME = re.compile(r"[a-z][\w.-]*")
# Elements whose `value` belongs to the page, not to the person who used it.
_OWN_VALUE = frozenset({"option", "button", "li", "meter", "progress", "param"})
_OWN_VALUE_TYPES = frozenset({"button", "submit", "reset", "checkbox", "radio", "image"})


@dataclass(frozen=True, slots=True)
class Fragment:
    """HTML for the body of a document, a line for each element."""

    lines: tuple[tuple[int, str], ...] = ()  # how deep, and what
    numbers: frozenset[int] = frozenset()  # the elements it holds
    is_cut: bool = False


def fragment_of(page: DomSnapshot, wanted: Iterable[int], frame: int = 0) -> Fragment:
    """The smallest part of a document that holds the wanted elements; all of its body where there are none."""
    needed = [number for number in wanted if page.elements[number].frame == frame]
    top = _top(page, needed, frame)
    if top is None:
        return Fragment()
    kept = _kept(page, top, needed, frame)
    is_body = page.elements[top].tag in ("body", "html")
    writer = _Writer(page, kept)
    if is_body:
        for child in page.children[top]:
            writer.write(child, 0)
    else:
        writer.write(top, 0)
    return Fragment(tuple(writer.lines), frozenset(writer.written), is_cut=len(kept) >= MOST_ELEMENTS)


def looked_up(page: DomSnapshot, selectors: Iterable[str]) -> list[int]:
    """The elements that these selectors find; those that cannot be read find nothing."""
    found: list[int] = []
    for selector in selectors:
        try:
            found += matching(parse_selector(f"css={selector}"), page)[:20]
        except TestwrightError:
            continue
    return sorted(set(found))


def css_for(page: DomSnapshot, number: int, fragment: Fragment, test_id_attribute: str) -> str:
    """A selector that finds just this element in the mounted fragment; empty: there is none."""
    element = page.elements[number]
    for attribute in (test_id_attribute, "data-test", "id", "name", "aria-label"):
        value = element.get(attribute)
        same = [one for one in page.elements if one.frame == element.frame and one.get(attribute) == value]
        if value and len(value) <= _MOST_VALUE and len(same) == 1:
            is_plain_id = attribute == "id" and re.fullmatch(r"[A-Za-z_][\w-]*", value)
            return f"#{value}" if is_plain_id else f"[{attribute}={_css_text(value)}]"
    return _path(page, number, fragment) if number in fragment.numbers else ""


def _css_text(value: str) -> str:
    escaped = "".join(f"\\{ord(one):x} " if one in '"\\' or ord(one) < 0x20 else one for one in value)
    return f'"{escaped}"'


def _path(page: DomSnapshot, number: int, fragment: Fragment) -> str:
    """By its place: `form > button:nth-of-type(2)`, from the body down."""
    steps: list[str] = []
    at: int | None = number
    while at is not None and at in fragment.numbers:
        element = page.elements[at]
        siblings = page.children[element.parent] if element.parent is not None else (at,)
        alike = [one for one in siblings if one in fragment.numbers and page.elements[one].tag == element.tag]
        steps.append(f"{element.tag}:nth-of-type({alike.index(at) + 1})" if len(alike) > 1 else element.tag)
        at = element.parent
    return " > ".join(["body", *reversed(steps)])


# --- what is kept ---------------------------------------------------------------------------------


def _top(page: DomSnapshot, needed: list[int], frame: int) -> int | None:
    body = next((one.number for one in page.elements if one.tag == "body" and one.frame == frame), None)
    if not needed:
        return body
    shared = [needed[0], *page.ancestors(needed[0])]
    for number in needed[1:]:
        around = {number, *page.ancestors(number)}
        shared = [one for one in shared if one in around]
    shared = [one for one in shared if page.elements[one].frame == frame]
    top = shared[0] if shared else body
    form = next((one for one in shared if page.elements[one].tag in ("form", "table", "select")), None)
    return form if form is not None else top  # a row or a field alone is not what it is in its table or form


def _kept(page: DomSnapshot, top: int, needed: list[int], frame: int) -> set[int]:
    kept = {top}
    for number in needed:
        around = [number, *page.ancestors(number)]
        kept.update(around[: around.index(top) + 1] if top in around else ())
    for element in page.elements[top + 1 :]:
        if len(kept) >= MOST_ELEMENTS:
            break
        if element.parent in kept and element.frame == frame:
            kept.add(element.number)
    return kept


class _Writer:
    def __init__(self, page: DomSnapshot, kept: set[int]) -> None:
        self.page, self.kept = page, kept
        self.lines: list[tuple[int, str]] = []
        self.written: set[int] = set()

    def write(self, top: int, depth: int) -> None:
        """The element and all below it. No recursion: pages nest deeper than Python does."""
        waiting: list[tuple[int, int, str]] = [(top, depth, "")]
        while waiting:
            number, level, closing = waiting.pop()
            if closing:
                self.lines.append((level, closing))
                continue
            element = self.page.elements[number]
            if not self._is_written(element):
                continue
            self.written.add(number)
            below = [one for one in self.page.children[number] if self._is_written(self.page.elements[one])]
            opening = _opening(element)
            text = "" if element.tag == "textarea" else html.escape(element.own_text, quote=False)
            if element.tag in _VOID:
                self.lines.append((level, opening))
            elif not below:
                self.lines.append((level, f"{opening}{text}</{element.tag}>"))
            else:
                self.lines.append((level, opening + text))
                waiting.append((number, level, f"</{element.tag}>"))
                waiting += [(one, level + 1, "") for one in reversed(below)]

    def _is_written(self, element: Element) -> bool:
        # What is in a shadow root is made by the component, once its code is loaded.
        is_plain = element.tag not in _LEFT_OUT and _TAG_NAME.fullmatch(element.tag) is not None
        return element.number in self.kept and is_plain and not element.in_shadow


def _opening(element: Element) -> str:
    given = [
        f'{name}="{html.escape(value)}"' if value else name
        for name, value in element.attributes.items()
        if _is_kept(element, name, value)
    ]
    return f"<{' '.join([element.tag, *given])}>"


def _is_kept(element: Element, name: str, value: str) -> bool:
    if not _ATTRIBUTE_NAME.fullmatch(name) or _LOADS_OR_RUNS.fullmatch(name.lower()) or len(value) > _MOST_VALUE:
        return False
    if name == "value":
        return element.tag in _OWN_VALUE or element.get("type").lower() in _OWN_VALUE_TYPES
    return not re.match(r"\s*(?:javascript|data):", value, re.IGNORECASE)


def page_lines(fragment: Fragment) -> Iterator[str]:
    """As a constant of a test file."""
    yield "/** The part of the page that this is about. What people typed is not in it. */"
    yield "const PAGE = ["
    for depth, line in fragment.lines:
        yield f"  {'  ' * min(depth, 12)}{text(line, Dialect.TYPESCRIPT)},"
    yield "].join('');"


def no_page(_name: str) -> DomSnapshot | None:
    """For a session of which no page was kept."""
    return None
