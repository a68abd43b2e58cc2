"""The widget tree as `debugDumpApp()` prints it: one widget a line, its depth drawn in front of it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from testwright.model.errors import TooLarge
from testwright.model.untrusted_text import without_colours

_PREFIX = re.compile(r"^(?:flutter: ?|[VDIWEF]/flutter ?\( *\d+\): ?)", re.MULTILINE)
MOST_DEPTH = 1_000

# What a widget is to the person who uses it.
ROLES: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "ElevatedButton", "TextButton", "OutlinedButton", "FilledButton", "IconButton", "FloatingActionButton",
            "CupertinoButton", "MaterialButton", "RawMaterialButton", "BackButton", "CloseButton", "PopupMenuButton",
            "ActionChip", "InputChip", "RaisedButton", "FlatButton", "OutlineButton",
        ),
        "button",
    ),
    **dict.fromkeys(("TextField", "TextFormField", "CupertinoTextField", "SearchBar"), "textbox"),
    **dict.fromkeys(("Checkbox", "CheckboxListTile", "CupertinoCheckbox", "FilterChip"), "checkbox"),
    **dict.fromkeys(("Radio", "RadioListTile", "CupertinoRadio", "ChoiceChip"), "radio"),
    **dict.fromkeys(("Switch", "SwitchListTile", "CupertinoSwitch"), "switch"),
    **dict.fromkeys(("Slider", "CupertinoSlider"), "slider"),
    **dict.fromkeys(("DropdownButton", "DropdownButtonFormField", "DropdownMenu"), "combobox"),
    **dict.fromkeys(("AlertDialog", "SimpleDialog", "Dialog", "CupertinoAlertDialog"), "dialog"),
    **dict.fromkeys(("Image", "Icon", "ImageIcon", "CircleAvatar"), "img"),
    **dict.fromkeys(("PopupMenuItem", "CheckedPopupMenuItem", "MenuItemButton"), "menuitem"),
    "Tab": "tab",
    "NavigationDestination": "tab",
    "ListTile": "listitem",
    "AppBar": "banner",
}  # fmt: skip

_LINE = re.compile(r"(?P<drawn>[\s│├└─╎╞╘]*)(?P<said>.*)")
_WIDGET = re.compile(
    r"(?P<type>\[root\]|[A-Za-z_$][\w$]*(?:<[^()\[\]]*>)?)"
    r"(?:-\[(?:<'(?P<key>.*?)'>|<(?P<number>-?\d+)>|.*?)\](?=\(|\Z))?"
    r"(?:\((?P<props>.*)\))?",
    re.DOTALL,
)
_SAID_FIRST = re.compile(r'"(.*?)"(?=, [A-Za-z(<]|\Z)', re.DOTALL)
_NAMED = re.compile(
    r'(?:\A|\(|, )(text|label|semanticLabel|semanticsLabel|labelText|hintText|data): "(.*?)"(?=[,)]|\Z)'
)
_ICON = re.compile(r"\AIconData\((U\+[0-9A-F]+)\)")
_TEXTS = frozenset({"Text", "SelectableText"})


@dataclass(slots=True)
class WidgetNode:
    """One widget that a test can speak of."""

    type: str  # as Flutter prints it, generics and all
    parent: int | None  # its position in the list
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""  # of a Text, as it is
    label: str = ""  # of a text field
    visible: bool = True
    enabled: bool = True


def read_widgets(tree: str) -> list[WidgetNode]:
    """The public widgets on stage. Private ones, whose names begin with `_`, are passed over: no test can name them."""
    found: list[WidgetNode] = []
    above: list[tuple[int, int | None, bool]] = []  # column, position of the nearest public widget, visible
    for column, said in _widget_lines(tree):
        parsed = _WIDGET.match(said)
        if parsed is None:
            continue
        while above and above[-1][0] >= column:
            above.pop()
        if len(above) > MOST_DEPTH:
            raise TooLarge(f"The widget tree is deeper than {MOST_DEPTH:,}.", next_step="Look at what was dumped.")
        parent, is_seen = (above[-1][1], above[-1][2]) if above else (None, True)
        node = _node(parsed, parent, found)
        is_seen = is_seen and node.visible
        position = parent
        if is_seen and not node.type.startswith(("_", "[")):
            position = len(found)
            found.append(node)
        above.append((column, position, is_seen))
    return found


def _widget_lines(tree: str) -> Iterator[tuple[int, str]]:
    """Where each widget begins, and what is said of it; a line that is not a branch belongs to the one before."""
    column, said = -1, ""
    for line in unprefixed(tree).split("\n"):
        parts = _LINE.fullmatch(line)
        assert parts is not None  # it matches any line
        is_branch = parts["drawn"][-1:] in ("└", "├", "─", "╘", "╞") or parts["said"].startswith("[root]")
        if is_branch and parts["said"]:
            if said:
                yield column, said
            column, said = len(parts["drawn"]), parts["said"]
        elif said and parts["said"]:
            said += f" {parts['said']}"
        elif said:
            yield column, said
            said = ""
    if said:
        yield column, said


def _node(parsed: "re.Match[str]", parent: int | None, found: list[WidgetNode]) -> WidgetNode:
    kind, props = parsed["type"], parsed["props"] or ""
    node = WidgetNode(kind, parent)
    bare = kind.partition("<")[0]
    if parsed["key"] is not None or parsed["number"] is not None:
        node.attributes["key"] = parsed["key"] if parsed["key"] is not None else parsed["number"]
    named = dict(reversed(_NAMED.findall(props)))
    first = _SAID_FIRST.match(props)
    if bare in _TEXTS:
        node.text = first[1] if first else named.get("data", "")
    elif bare == "RichText" and not _is_drawn_by_another(parent, found):
        node.text = named.get("text", "")
    elif bare == "Tooltip" and first:
        node.attributes["tooltip"] = first[1]
    elif icon := _ICON.match(props):
        node.attributes["icon"] = icon[1]
    _note_captions(node, bare, named)
    flags = props.split(", ")
    node.visible = not (
        (bare == "Offstage" and "offstage: true" in flags)
        or (bare == "Visibility" and "hidden" in flags)
        or (bare == "Opacity" and "opacity: 0.0" in flags)
    )
    node.enabled = "disabled" not in flags and "enabled: false" not in flags
    return node


def _is_drawn_by_another(parent: int | None, found: list[WidgetNode]) -> bool:
    """A Text and an Icon are drawn by a RichText, which would say the same again, or a character of an icon font."""
    while parent is not None:
        if found[parent].type in (*_TEXTS, "Icon"):
            return True
        if found[parent].type not in ("Semantics", "ExcludeSemantics", "SizedBox", "Center", "MouseRegion", "Builder"):
            return False
        parent = found[parent].parent
    return False


def _note_captions(node: WidgetNode, bare: str, named: dict[str, str]) -> None:
    spoken = (
        named.get("semanticsLabel") or named.get("semanticLabel") or (named.get("label") if bare == "Semantics" else "")
    )
    if spoken:
        node.attributes["semanticsLabel"] = spoken
    if ROLES.get(bare) == "textbox":
        node.label = named.get("labelText", "")
        if named.get("hintText"):
            node.attributes["hintText"] = named["hintText"]


def unprefixed(text: str) -> str:
    """Flutter's output without what a device or a terminal puts in front of its lines."""
    return _PREFIX.sub("", without_colours(text.replace("\r\n", "\n")))
