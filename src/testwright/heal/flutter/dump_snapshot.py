"""The trees that Flutter prints, read as a page: `debugDumpApp` for widgets, `debugDumpSemanticsTree` for places."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from testwright.heal.flutter.semantics_tree import SemanticsNode, read_semantics
from testwright.heal.flutter.widget_tree import ROLES, WidgetNode, read_widgets
from testwright.model.dom import MOST_TEXT, Box, DomSnapshot, Element
from testwright.model.errors import TooLarge

MOST_CHARACTERS = 10_000_000
MOST_NODES = 50_000

# A control's words are its own, wherever in it they are written.
_SPEAKING = frozenset({"button", "link", "tab", "checkbox", "radio", "switch", "menuitem"})
_ON_THE_WEB = {"key": "id", "tooltip": "title", "semanticsLabel": "aria-label", "hintText": "placeholder"}
_FAR = 200  # widgets: what a tooltip stands around comes soon
_VIEWPORT = re.compile(r"\bsize: Size\(([0-9.]+), ([0-9.]+)\)")


def snapshot_from_dumps(widget_tree: str = "", semantics: str = "") -> DomSnapshot:
    """The page behind one or both dumps. Widgets take their boxes from the semantics node of the same text.

    Attributes are `key`, `tooltip`, `semanticsLabel`, `hintText` and `icon`, on the widgets that Flutter's finders
    would find by them. A control has what is said about it under the names of the web, by which the engine knows them:
    `id`, `title`, `aria-label`, `placeholder`. Widgets that are not on stage are left out. Raises TooLarge.
    """
    if len(widget_tree) + len(semantics) > MOST_CHARACTERS:
        raise TooLarge(
            f"The dumps are larger than {MOST_CHARACTERS:,} characters.", next_step="Dump one screen, not a session."
        )
    widgets, nodes = read_widgets(widget_tree), read_semantics(semantics)
    if len(widgets) + len(nodes) > MOST_NODES:
        raise TooLarge(f"The dumps have more than {MOST_NODES:,} nodes.", next_step="Dump one screen, not a session.")
    drafts = _from_widgets(widgets) if widgets else [_from_node(node) for node in nodes]
    if widgets and nodes:
        drafts = _placed(drafts, [_from_node(node) for node in nodes])
    return DomSnapshot(
        tuple(drafts),
        viewport=_viewport(widget_tree, nodes),
        has_boxes=any(element.box is not None for element in drafts),
    )


def _viewport(widget_tree: str, nodes: Sequence[SemanticsNode]) -> tuple[int, int] | None:
    if nodes and nodes[0].box is not None:
        return round(nodes[0].box.width), round(nodes[0].box.height)
    size = _VIEWPORT.search(widget_tree)
    return (round(float(size[1])), round(float(size[2]))) if size else None


# --- widgets ---------------------------------------------------------------------------------


@dataclass(slots=True)
class _Draft:
    """What is gathered about a widget from those around it."""

    words: list[str]
    attributes: dict[str, str]
    role: str
    label: str


def _from_widgets(widgets: Sequence[WidgetNode]) -> list[Element]:
    drafts = [_Draft([], _known(widget.attributes), "", widget.label) for widget in widgets]
    _give_roles(widgets, drafts)
    for number, widget in enumerate(widgets):
        if widget.text:
            for above in (number, *_above(widgets, number)):
                drafts[above].words.append(widget.text)
    _share_captions(widgets, drafts)
    return [_element(number, widget, drafts[number]) for number, widget in enumerate(widgets)]


def _known(attributes: dict[str, str]) -> dict[str, str]:
    own = {_ON_THE_WEB[name]: said for name, said in attributes.items() if name in ("key", "hintText")}
    return {**attributes, **own}


def _above(widgets: Sequence[WidgetNode], number: int) -> Iterable[int]:
    at = widgets[number].parent
    while at is not None:
        yield at
        at = widgets[at].parent


def _give_roles(widgets: Sequence[WidgetNode], drafts: Sequence[_Draft]) -> None:
    """The outermost widget of a control has its role: those inside it are how it is made."""
    inside: list[str] = []
    for number, widget in enumerate(widgets):
        role = ROLES.get(widget.type.partition("<")[0], "")
        around = inside[widget.parent] if widget.parent is not None else ""
        is_part = bool(around) and (role == around or role == "img")
        drafts[number].role = "" if is_part else role
        inside.append(around if is_part or not role else role)


def _share_captions(widgets: Sequence[WidgetNode], drafts: Sequence[_Draft]) -> None:
    """A tooltip or spoken label belongs to the control that it stands in, or to the first one that it stands around."""
    for number, widget in enumerate(widgets):
        captions = {
            name: widget.attributes[name] for name in ("tooltip", "semanticsLabel") if name in widget.attributes
        }
        if not captions or drafts[number].role:
            continue
        owner = next((above for above in _above(widgets, number) if drafts[above].role), None)
        if owner is None:
            owner = _first_control_below(widgets, drafts, number)
        if owner is not None:
            for name, said in captions.items():
                drafts[owner].attributes.setdefault(_ON_THE_WEB[name], said)


def _first_control_below(widgets: Sequence[WidgetNode], drafts: Sequence[_Draft], number: int) -> int | None:
    below = {number}
    for at in range(number + 1, min(number + _FAR, len(widgets))):
        if widgets[at].parent not in below:
            return None
        below.add(at)
        if drafts[at].role:
            return at
    return None


def _element(number: int, widget: WidgetNode, draft: _Draft) -> Element:
    text = _folded(" ".join(draft.words))[:MOST_TEXT]
    attributes = draft.attributes
    own = text if draft.role in _SPEAKING else _folded(widget.text)
    name = attributes.get("aria-label", "") or draft.label or text or attributes.get("title", "")
    return Element(
        number,
        widget.parent,
        widget.type,
        attributes,
        own_text=own,
        text=text,
        role=draft.role,
        name=_folded(name)[:MOST_TEXT],
        label=draft.label,
        enabled=widget.enabled,
    )


def _folded(text: str) -> str:
    return " ".join(text.split())


# --- semantics -------------------------------------------------------------------------------


def _from_node(node: SemanticsNode) -> Element:
    label = _folded(node.label)[:MOST_TEXT]
    tooltip = _folded(node.tooltip)
    captions = {"semanticsLabel": label, "tooltip": tooltip, "title": tooltip}
    captions["type"] = "password" if node.obscured else ""
    return Element(
        node.number,
        node.parent,
        "SemanticsNode",
        {name: said for name, said in captions.items() if said},
        own_text=label,
        text="" if node.role == "textbox" else label,
        role=node.role,
        name=label or tooltip,
        label=label if node.role == "textbox" else "",
        box=node.box,
        visible=node.visible,
        enabled=node.enabled,
    )


def _placed(widgets: list[Element], nodes: list[Element]) -> list[Element]:
    """Widgets with the boxes of the semantics nodes that say the same: where as many say it here as there, in order."""
    sayings: dict[tuple[str, str], list[int]] = defaultdict(list)
    for element in widgets:
        if (element.role or element.own_text) and element.name:
            sayings[_kind(element), element.name].append(element.number)
    places: dict[tuple[str, str], list[Element]] = defaultdict(list)
    for node in nodes:
        if node.visible and node.box is not None and node.name:
            places[_kind(node), node.name].append(node)
    boxes: dict[int, Box] = {}
    for saying, numbers in sayings.items():
        found = places.get(saying, [])
        if len(found) == len(numbers):
            boxes.update(
                {number: node.box for number, node in zip(numbers, found, strict=True) if node.box is not None}
            )
    return [replace(each, box=boxes[each.number]) if each.number in boxes else each for each in widgets]


def _kind(element: Element) -> str:
    return element.role if element.role not in ("heading", "img") else ""
