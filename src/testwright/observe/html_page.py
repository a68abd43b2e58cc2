"""A saved page: HTML without a browser. Style sheets and scripts are not run, so there is no layout."""

import re
from typing import TYPE_CHECKING

from testwright.model.dom import DomSnapshot
from testwright.model.errors import TooLarge
from testwright.observe.page_builder import MOST_ELEMENTS, MOST_FRAME_DEPTH, PageBuilder, kept_attributes

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MOST_BYTES = 20 << 20
_MOST_TAGS = 2 * MOST_ELEMENTS  # what comes after them is not parsed
_MOST_WORK = 300_000_000
_MOST_REPEATED = 5_000_000
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*+)")
_NEVER_NESTED = frozenset(
    b"area base br col embed hr img input link meta source track wbr p li dd dt option optgroup tr td th thead tbody "
    b"tfoot colgroup rp rt".split()
)
# Left open, these are opened again in each block that follows.
_FORMATS = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())


def snapshot_html(html: bytes | str, url: str = "") -> DomSnapshot:
    """The page a browser would show of this text, as far as attributes and inline styles tell."""
    if len(html) > MOST_BYTES:
        raise TooLarge(
            f"The page has {len(html):,} bytes; at most {MOST_BYTES:,} are read.",
            next_step="Save a smaller part of it.",
        )
    reading = _Reading()
    reading.document(html if isinstance(html, bytes) else html.encode("utf-8", "replace"), None, 0)
    return reading.builder.page(url=url, title=reading.builder.title)


class _Reading:
    def __init__(self) -> None:
        self.builder = PageBuilder()

    def document(self, html: bytes, iframe: int | None, depth: int) -> None:
        from selectolax.lexbor import LexborHTMLParser  # late: start-up: selectolax

        end = _affordable(html)
        if end < len(html):
            html, self.builder.is_whole = html[:end], False

        frame = 0 if iframe is None else self.builder.frame("about:srcdoc", iframe)
        root = LexborHTMLParser(html).root
        if root is not None:
            self._subtree(root, iframe, frame, depth)

    def _subtree(self, root: "LexborNode", iframe: int | None, frame: int, depth: int) -> None:
        """Without recursion: pages may be nested more deeply than Python may recurse."""
        waiting: list[tuple[LexborNode, int | None, bool]] = [(root, iframe, False)]
        while waiting:
            node, parent, in_shadow = waiting.pop()
            if node.is_text_node:
                self.builder.text_node(parent, node.text(deep=False) or "", in_shadow=in_shadow)
                continue
            if not node.is_element_node:
                continue
            tag = (node.tag or "").lower()
            attributes = kept_attributes(tag, dict(node.attributes))
            number = self.builder.element_without_layout(tag, attributes, parent, frame, in_shadow=in_shadow)
            if number is None:
                continue
            inside = list(node.iter(include_text=True))
            shadow = [child for child in inside if _is_shadow_root(child)]
            light = [child for child in inside if not _is_shadow_root(child)]
            waiting += [(child, number, False) for child in reversed(light)]
            if shadow:
                self.builder.shadow(number)
                waiting += [(child, number, True) for child in reversed(_content_of(shadow[0]))]
            if node.tag == "iframe" and depth < MOST_FRAME_DEPTH and "srcdoc" in node.attributes:
                self.document((node.attributes["srcdoc"] or "").encode("utf-8", "replace"), number, depth + 1)


def _is_shadow_root(node: "LexborNode") -> bool:
    return node.tag == "template" and (node.attributes.get("shadowrootmode") or "").lower() == "open"


def _content_of(template: "LexborNode") -> "list[LexborNode]":
    fragments = template.template_fragments()
    return list(fragments[0].iter(include_text=True)) if fragments else []


def _affordable(html: bytes) -> int:
    """How much of a text to parse. What that costs grows with how deeply tags are left open: some are refused.

    An estimate that is never too low: end tags count only for a start tag of the same name, and text within scripts
    counts as tags.
    """
    end = len(html)
    starts = depth = deepest = 0
    formats = most_formats = 0
    still_open: dict[bytes, int] = {}
    for found in _TAG.finditer(html):
        slash, name = found[1], found[2].lower()
        is_format = name in _FORMATS
        if not slash:
            starts += 1
            if starts > _MOST_TAGS:
                end = found.start()
                break
            if name not in _NEVER_NESTED:
                still_open[name] = still_open.get(name, 0) + 1
                depth, formats = depth + 1, formats + is_format
                deepest, most_formats = max(deepest, depth), max(most_formats, formats)
        elif still_open.get(name):
            still_open[name] -= 1
            depth, formats = depth - 1, formats - is_format
    if starts * deepest > _MOST_WORK or starts * most_formats > _MOST_REPEATED:
        raise TooLarge(
            f"The page is nested too deeply to be read: some {deepest:,} tags are left open within one another.",
            next_step="Save a smaller part of it.",
        )
    return end
