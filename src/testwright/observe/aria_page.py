"""A page from its ARIA snapshot: what Playwright leaves in `error-context.md` when there is no trace.

Roles, names and nesting of what assistive technology sees; no ids, classes or boxes. Tags are guessed from roles.
"""

import json
import re
from dataclasses import dataclass, field

from testwright.model.accessibility.accessible_names import FROM_CONTENT
from testwright.model.accessibility.raw_element import folded
from testwright.model.dom import MOST_TEXT, DomSnapshot, Element, Frame
from testwright.observe.page_builder import MOST_DEPTH, MOST_ELEMENTS

MOST_CHARACTERS = 20 << 20

_LINE = re.compile(r"( *)- (.*)")
_FENCE = re.compile(r"^```ya?ml[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_ROLE = re.compile(r"[a-z]+")
_STATE = re.compile(r" *\[([a-z-]+)(?:=([^\]]*))?\]")
_TAGS = {
    "article": "article", "banner": "header", "blockquote": "blockquote", "button": "button", "caption": "caption",
    "cell": "td", "checkbox": "input", "code": "code", "columnheader": "th", "combobox": "select",
    "complementary": "aside", "contentinfo": "footer", "definition": "dd", "dialog": "dialog", "document": "html",
    "emphasis": "em", "figure": "figure", "form": "form", "group": "fieldset", "heading": "h2", "iframe": "iframe",
    "img": "img", "link": "a", "list": "ul", "listbox": "select", "listitem": "li", "main": "main", "meter": "meter",
    "navigation": "nav", "option": "option", "paragraph": "p", "progressbar": "progress", "radio": "input",
    "region": "section", "row": "tr", "rowgroup": "tbody", "rowheader": "th", "search": "search",
    "searchbox": "input", "separator": "hr", "slider": "input", "spinbutton": "input", "status": "output",
    "strong": "strong", "table": "table", "term": "dt", "textbox": "input", "time": "time",
}  # fmt: skip
_TYPED_INTO = frozenset({"combobox", "searchbox", "spinbutton", "textbox"})
_PROPERTIES = {"/url": "href", "/placeholder": "placeholder"}
_NO_ROLE = frozenset({"generic", "iframe"})


@dataclass(slots=True)
class _Node:
    parent: int | None
    indent: int
    role: str
    name: str = ""
    states: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)  # its own
    frame: int = 0
    words: list[str] = field(default_factory=list)  # its own and those below it


def snapshot_from_aria(text: str) -> DomSnapshot:
    """The page of an `error-context.md`, or of the YAML alone."""
    return _Reading().read(_yaml_in(text[:MOST_CHARACTERS]))


def _yaml_in(text: str) -> str:
    heading = text.find("# Page snapshot")
    found = _FENCE.search(text, max(heading, 0))
    return found[1] if found else text


class _Reading:
    def __init__(self) -> None:
        self._nodes: list[_Node] = []
        self._frames: list[Frame] = [Frame()]
        self._open: list[int] = []  # the nodes around the next line
        self._is_whole = True

    def read(self, yaml: str) -> DomSnapshot:
        for line in yaml.splitlines():
            found = _LINE.match(line)
            if found:
                self._line(len(found[1]), found[2])
        self._gather_words()
        elements = tuple(self._element(number, node) for number, node in enumerate(self._nodes))
        return DomSnapshot(elements=elements, frames=tuple(self._frames), is_loaded=self._is_whole, has_boxes=False)

    def _line(self, indent: int, body: str) -> None:
        while self._open and self._nodes[self._open[-1]].indent >= indent:
            self._open.pop()
        around = self._open[-1] if self._open else None
        key, value = _key_and_value(body)
        if key == "text" or key in _PROPERTIES:
            self._detail(around, key, value)
        elif _ROLE.match(key):
            self._add(around, indent, key, value)

    def _detail(self, around: int | None, key: str, value: str) -> None:
        if around is None:
            if key == "text" and value:  # words that are in no element with a role
                self._add(None, 0, "generic", value)
                self._open.clear()
            return
        node = self._nodes[around]
        if key == "text":
            self._say(around, value)
        else:
            node.attributes[_PROPERTIES[key]] = value[:1000]

    def _add(self, around: int | None, indent: int, key: str, value: str) -> None:
        if len(self._nodes) >= MOST_ELEMENTS or len(self._open) > MOST_DEPTH:
            self._is_whole = False
            return
        role, name, states = _role_name_states(key)
        number = len(self._nodes)
        node = _Node(around, indent, role, name, states, frame=self._frame_inside(around))
        self._nodes.append(node)
        self._open.append(number)
        if value:
            self._say(number, value)

    def _frame_inside(self, around: int | None) -> int:
        """The frame of what is below an element."""
        if around is None:
            return 0
        if self._nodes[around].role != "iframe":
            return self._nodes[around].frame
        for number, frame in enumerate(self._frames):
            if frame.element == around:
                return number
        self._frames.append(Frame(element=around))
        return len(self._frames) - 1

    def _say(self, number: int, text: str) -> None:
        if self._nodes[number].role not in _TYPED_INTO:  # what people typed is not kept
            self._nodes[number].texts.append(text)

    def _gather_words(self) -> None:
        """Texts of elements, those below included. From the last to the first, so that what is inside is ready."""
        for node in reversed(self._nodes):
            own = [folded(" ".join(node.texts))] if node.texts else []
            said = [*own, *reversed(node.words)]
            if not said and node.role in FROM_CONTENT and node.name:
                said = [node.name]
            text = " ".join(said)[: 2 * MOST_TEXT]
            node.words = [text] if text else []
            if node.parent is not None and text and self._nodes[node.parent].frame == node.frame:
                self._nodes[node.parent].words.append(text)

    def _element(self, number: int, node: _Node) -> Element:
        level = node.states.get("level", "")
        tag = f"h{level}" if node.role == "heading" and level in "123456" and level else _TAGS.get(node.role, "div")
        return Element(
            number=number,
            parent=node.parent,
            tag=tag,
            attributes=node.attributes,
            own_text=folded(" ".join(node.texts)),
            text="".join(node.words)[:MOST_TEXT],
            role="" if node.role in _NO_ROLE else node.role,
            name=node.name,
            enabled="disabled" not in node.states,
            frame=node.frame,
        )


def _key_and_value(body: str) -> tuple[str, str]:
    """A line's key and the text after the colon, each without its YAML quotes."""
    if body.startswith("'"):
        end = 1
        while (end := body.find("'", end)) != -1 and body[end + 1 : end + 2] == "'":
            end += 2
        if end == -1:
            return body[1:], ""
        return body[1:end].replace("''", "'"), _unquoted(body[end + 1 :].removeprefix(":"))
    end = _end_of_key(body)
    return body[:end], _unquoted(body[end + 1 :])


def _end_of_key(body: str) -> int:
    """Where the colon is: not one within the quoted name."""
    at = 0
    while at < len(body):
        if body[at] == '"':
            at += 1
            while at < len(body) and body[at] != '"':
                at += 2 if body[at] == "\\" else 1
        elif body[at] == ":" and body[at + 1 : at + 2] in ("", " "):
            return at
        at += 1
    return len(body)


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        return _from_json(re.sub(r"\\x([0-9a-f]{2})", r"\\u00\1", value))
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    return value


def _from_json(quoted: str) -> str:
    try:
        read = json.loads(quoted)
    except ValueError:
        return quoted.strip('"')
    return read if isinstance(read, str) else ""


def _role_name_states(key: str) -> tuple[str, str, dict[str, str]]:
    role = _ROLE.match(key)
    assert role is not None
    rest = key[role.end() :].lstrip()
    name = ""
    if rest.startswith('"'):
        end = 1
        while end < len(rest) and rest[end] != '"':
            end += 2 if rest[end] == "\\" else 1
        name, rest = folded(_from_json(rest[: end + 1])), rest[end + 1 :]
    states = {state[1]: state[2] or "" for state in _STATE.finditer(rest)}
    return role[0], name[:1000], states
