"""The strategies of the heal chain for web pages: find the one element by text, role, tooltip or place."""

from collections.abc import Iterable, Sequence

from testwright.heal.heal_adapter import Ambiguous
from testwright.heal.thresholds import NEAR, SAME_BOX
from testwright.model.accessibility.raw_element import folded
from testwright.model.dom import DomSnapshot, Element

_TOOLTIPS = ("title", "aria-label", "tooltip", "data-tooltip")
_BUTTON_INPUTS = frozenset({"button", "submit", "reset"})


def reads_as(element: Element) -> str:
    """What a reader takes the element for: its text, or for a control without any, what names it."""
    if element.text:
        return element.text
    if element.tag == "input" and element.get("type") in _BUTTON_INPUTS and element.get("value"):
        return folded(element.get("value"))
    return element.label or element.name or folded(element.get("placeholder"))


class PageStrategies:
    """`find_by_*` of a heal adapter, for snapshots of web pages."""

    def find_by_text(self, snapshot: DomSnapshot, text: str) -> Element | None:
        wanted = folded(text)
        if not wanted:
            return None
        found = [element for element in seen(snapshot) if reads_as(element) == wanted]
        if any(element.label == wanted for element in found):
            # A label and the control it names read alike; the control is what a test works with.
            found = [element for element in found if element.tag != "label"]
        return only(snapshot, found)

    def find_by_role(self, snapshot: DomSnapshot, role: str) -> Element | None:
        return only(snapshot, [element for element in seen(snapshot) if role and element.role == role])

    def find_by_tooltip(self, snapshot: DomSnapshot, tip: str) -> Element | None:
        wanted = folded(tip)
        if not wanted:
            return None
        return only(snapshot, [element for element in seen(snapshot) if wanted in tooltips(element)])

    def find_by_coordinates(self, snapshot: DomSnapshot, x: float, y: float) -> Element | None:
        size = viewport_of(snapshot)
        if size is None:
            return None
        width, height = size
        near = [
            element
            for element in seen(snapshot)
            if (middle := middle_of(element)) is not None
            and abs(middle[0] - x) <= NEAR * width
            and abs(middle[1] - y) <= NEAR * height
        ]
        return only(snapshot, near)


def seen(snapshot: DomSnapshot) -> Iterable[Element]:
    return (element for element in snapshot.elements if element.visible)


def tooltips(element: Element) -> frozenset[str]:
    """Every tooltip that the element has, under any attribute."""
    return frozenset(folded(element.get(name)) for name in _TOOLTIPS) - {""}


def middle_of(element: Element) -> tuple[float, float] | None:
    box = element.box
    return None if box is None or box.area <= 0 else (box.x + box.width / 2, box.y + box.height / 2)


def viewport_of(snapshot: DomSnapshot) -> tuple[float, float] | None:
    """The viewport, or as much of the page as is drawn where it was not recorded; None: no layout is known."""
    if snapshot.viewport is not None and min(snapshot.viewport) > 0:
        return snapshot.viewport
    boxes = [element.box for element in snapshot.elements if element.box is not None]
    width = max((box.x + box.width for box in boxes), default=0.0)
    height = max((box.y + box.height for box in boxes), default=0.0)
    return (width, height) if width > 0 and height > 0 else None


def only(snapshot: DomSnapshot, found: Sequence[Element]) -> Element | None:
    """The one element among `found` once nested ones that are one to a reader are folded. Raises Ambiguous."""
    groups = _groups(snapshot, found)
    if len(groups) > 1:
        raise Ambiguous(tuple(_spokesman(group) for group in groups))
    return _spokesman(groups[0]) if groups else None


def _groups(snapshot: DomSnapshot, found: Sequence[Element]) -> list[list[Element]]:
    """Elements that are one, outermost first: each with those inside it that a reader cannot tell from it."""
    numbers = {element.number for element in found}
    group_of: dict[int, list[Element]] = {}
    groups: list[list[Element]] = []
    for element in found:  # in document order: what is around an element comes before it
        around = next((number for number in snapshot.ancestors(element.number) if number in numbers), None)
        if around is not None and _is_one(snapshot.elements[around], element):
            group = group_of[around]
            group.append(element)
        else:
            group = [element]
            groups.append(group)
        group_of[element.number] = group
    return groups


def _is_one(outer: Element, inner: Element) -> bool:
    if outer.frame != inner.frame:
        return False
    if reads_as(outer) == reads_as(inner):
        return True
    if outer.box is None or inner.box is None or outer.box.area <= 0:
        return False
    return inner.box.area / outer.box.area >= SAME_BOX


def _spokesman(group: Sequence[Element]) -> Element:
    """The innermost that has a role, as that is what a test would ask for; else the innermost of all."""
    with_role = [element for element in group if element.role and element.role not in ("generic", "presentation")]
    return (with_role or group)[-1]
