"""XPath on a kept page: a tree of each document in the light, without shadow roots, as a browser's XPath sees it."""

import re
from typing import TYPE_CHECKING, Any

from testwright.model.errors import SelectorNotParseable, SelectorTooCostly
from testwright.model.untrusted_text import visible_line
from testwright.selectors.page_index import PageIndex

if TYPE_CHECKING:
    from lxml.etree import _Element

_NAMESPACES = {"svg": "http://www.w3.org/2000/svg", "math": "http://www.w3.org/1998/Math/MathML"}
_BACK_TO_HTML = frozenset({"foreignobject", "desc", "title"})
_NAME = re.compile(r"[a-z_][\w.\-]*", re.IGNORECASE | re.ASCII)
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TOKENS = re.compile(
    r"""
      (?P<text> '[^']*' | "[^"]*" )
    | (?P<open> \[ )
    | (?P<close> \] )
    | (?P<absolute> (?<![\w.\])*]) \s* // )
    | (?P<wide> (?: following | preceding ) \s* :: )
    | (?P<deep> // | (?: descendant | ancestor ) (?: -or-self )? \s* :: | \. (?![\w./]) | normalize-space\(\s*\) )
    | (?P<sideways> (?: following-sibling | preceding-sibling ) \s* :: )
    """,
    re.VERBOSE,
)


class XPathTrees:
    """The page's documents as lxml trees; made when the first XPath is tried."""

    def __init__(self, index: PageIndex) -> None:
        self.index = index
        self._nodes: list[_Element] = []
        self._numbers: dict[_Element, int] = {}
        self._namespaces: list[str] = []
        self._build()

    def find(self, text: str, scope: int, steps: int) -> list[int]:
        """In document order. `steps` is the most work it may be estimated to take."""
        from lxml import etree  # late: start-up: lxml

        if _estimated_steps(text, self.index) > steps:
            raise SelectorTooCostly(
                "Trying the XPath on this page would take too many steps.",
                next_step="Write it with fewer // in brackets.",
            )
        root = self._root(scope)
        if root is None:
            return []
        if text.startswith("/") and scope >= 0:
            text = "." + text
        try:
            found = root.xpath(text)
        except etree.XPathError as error:
            raise SelectorNotParseable(
                f"{visible_line(text, limit=80)} is not an XPath: {error}.", next_step="Mend the selector."
            ) from None
        nodes: list[Any] = found if isinstance(found, list) else []
        return sorted(self._numbers[node] for node in nodes if node in self._numbers)

    def _root(self, scope: int) -> Any:
        if scope >= 0:
            return self._nodes[scope]
        roots = self.index.frame(scope).all
        return self._nodes[roots[0]].getroottree() if roots else None

    def _build(self) -> None:
        from lxml import etree  # late: start-up: lxml

        for element in self.index.elements:
            above = self.index.parents[element.number]
            space = self._namespace(element.tag, above)
            name = element.tag if _NAME.fullmatch(element.tag) else "unknown"
            tag = f"{{{space}}}{name}" if space else name
            if above is None or element.in_shadow:
                node = etree.Element(tag)
            else:
                node = etree.SubElement(self._nodes[above], tag)
            for key, value in element.attributes.items():
                if _NAME.fullmatch(key):
                    node.set(key, _NO_XML.sub("", value))
            if element.own_text:
                node.text = _NO_XML.sub("", element.own_text)
            self._nodes.append(node)
            self._namespaces.append(space)
            self._numbers[node] = element.number

    def _namespace(self, tag: str, above: int | None) -> str:
        if tag in _NAMESPACES:
            return _NAMESPACES[tag]
        if above is None or self.index.elements[above].tag in _BACK_TO_HTML:
            return ""
        return self._namespaces[above]


def _estimated_steps(text: str, index: PageIndex) -> float:
    """Work grows with every look around within brackets: by the whole page, by a subtree, or by siblings."""
    size = max(len(index.elements), 1)
    below = sum(end - number for number, end in enumerate(index.ends)) / size
    beside = sum(len(together) for together in index.siblings) / size
    weights = {"absolute": size, "wide": size, "deep": below, "sideways": beside}
    factors = [float(size)]
    most = factors[0]
    worst = [1.0]  # of each open bracket: the widest look within it
    for found in _TOKENS.finditer(text):
        kind = found.lastgroup or ""
        if kind == "open":
            factors.append(factors[-1] * worst[-1] if len(factors) > 1 else factors[-1])
            worst.append(1.0)
        elif kind == "close" and len(worst) > 1:
            factors.pop()
            worst.pop()
        elif kind in weights and len(worst) > 1:
            worst[-1] = max(worst[-1], weights[kind])
            most += factors[-1] * weights[kind]
        elif kind in weights:
            most += size * (1 if kind == "absolute" else min(weights[kind], below))
    return most
