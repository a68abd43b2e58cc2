"""The semantics tree as `debugDumpSemanticsTree()` prints it: what is spoken, what can be done, and where it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from testwright.heal.flutter.widget_tree import unprefixed
from testwright.model.dom import Box

_NODE = re.compile(r"[\s│├└─╎╞╘]*SemanticsNode#\d+")
_DRAWN = re.compile(r"\A[\s│├└─╎╞╘]*")
_NUMBER = r"(-?[0-9.]+(?:e[+-]?\d+)?|-?Infinity|NaN)"
_RECT = re.compile(rf"Rect\.fromLTRB\({_NUMBER}, {_NUMBER}, {_NUMBER}, {_NUMBER}\)(?P<more>.*)")
_SCALED = re.compile(r"scaled by ([0-9.]+)x")
_SAID = re.compile(r'(?P<name>label|tooltip|value|hint): *(?:\n\s*)?"(?P<text>.*?)"(?=\n|\Z)', re.DOTALL)
_LISTED = re.compile(r"^(flags|actions|role): *(.*)$", re.MULTILINE)
_ROLES = (
    ("isTextField", "textbox"),
    ("hasToggledState", "switch"),
    ("isInMutuallyExclusiveGroup", "radio"),
    ("hasCheckedState", "checkbox"),
    ("isSlider", "slider"),
    ("isButton", "button"),
    ("isLink", "link"),
    ("isHeader", "heading"),
    ("isImage", "img"),
)
_NAMED_ROLES = {
    "tab": "tab", "dialog": "dialog", "alertDialog": "dialog", "menuItem": "menuitem",
    "comboBox": "combobox",
}  # fmt: skip


@dataclass(slots=True)
class SemanticsNode:
    number: int
    parent: int | None
    label: str = ""
    tooltip: str = ""
    role: str = ""
    flags: frozenset[str] = frozenset()
    actions: frozenset[str] = frozenset()
    box: Box | None = None  # on the screen, not within its parent
    scale: float = 1.0  # of what is inside it
    visible: bool = True

    @property
    def enabled(self) -> bool:
        return "hasEnabledState" not in self.flags or "isEnabled" in self.flags

    @property
    def obscured(self) -> bool:
        return "isObscured" in self.flags


@dataclass(slots=True)
class _Block:
    column: int
    lines: list[str] = field(default_factory=list)


def read_semantics(tree: str) -> list[SemanticsNode]:
    found: list[SemanticsNode] = []
    above: list[tuple[int, int]] = []  # column, number
    for block in _blocks(tree):
        while above and above[-1][0] >= block.column:
            above.pop()
        parent = above[-1][1] if above else None
        node = _node(len(found), parent, "\n".join(block.lines))
        _place(node, found, "\n".join(block.lines))
        above.append((block.column, node.number))
        found.append(node)
    return found


def _blocks(tree: str) -> Iterator[_Block]:
    block: _Block | None = None
    for line in unprefixed(tree).split("\n"):
        if _NODE.match(line):
            if block is not None:
                yield block
            block = _Block(line.index("SemanticsNode"))
        elif block is not None:
            drawn = _DRAWN.match(line)
            assert drawn is not None  # it matches the empty string
            if len(drawn[0]) >= block.column or "│" in drawn[0]:
                block.lines.append(line[drawn.end() :])
            elif line.strip():
                yield block  # the tree is over: something else was printed
                block = None
    if block is not None:
        yield block


def _node(number: int, parent: int | None, said: str) -> SemanticsNode:
    texts = {match["name"]: match["text"] for match in _SAID.finditer(said)}
    listed = {name: frozenset(part.strip() for part in parts.split(",")) for name, parts in _LISTED.findall(said)}
    flags = listed.get("flags", frozenset())
    named = next(iter(listed.get("role", frozenset())), "")
    role = _NAMED_ROLES.get(named) or next((role for flag, role in _ROLES if flag in flags), "")
    is_hidden = "isHidden" in flags or "invisible" in said.split("\n")
    return SemanticsNode(
        number,
        parent,
        texts.get("label", ""),
        texts.get("tooltip", ""),
        role,
        flags,
        listed.get("actions", frozenset()),
        visible=not is_hidden,
    )


def _place(node: SemanticsNode, found: list[SemanticsNode], said: str) -> None:
    """A node's rectangle is given within its parent; here it becomes one on the screen."""
    rect = _RECT.search(said)
    around = found[node.parent] if node.parent is not None else None
    if rect is None or "transform" in rect["more"] or (around is not None and around.box is None):
        return
    left, top, right, bottom = (float(rect[at]) for at in range(1, 5))
    size = right - left, bottom - top
    if not all(-1e7 < number < 1e7 for number in (left, top, *size)):
        return
    scaled = _SCALED.search(rect["more"])
    if around is None or around.box is None:
        node.box = Box(
            left, top, *size
        )  # the root is scaled to the device's pixels; all inside it is given in logical ones
        return
    factor = around.scale
    node.scale = factor * (float(scaled[1]) if scaled else 1.0)
    node.box = Box(around.box.x + left * factor, around.box.y + top * factor, size[0] * factor, size[1] * factor)
