"""Pages of any size, and the same pages after a redesign: the same each time."""

import random
from dataclasses import replace

from testwright.model.accessibility.accessible_elements import completed
from testwright.model.dom import Box, DomSnapshot, Element

_WORDS = ("order", "invoice", "customer", "delivery", "address", "total", "price", "help", "about")
_ROW = 8  # elements of a row, itself included


def page_of(size: int, *, seed: int = 1) -> DomSnapshot:
    """A page of tables: rows with a name, a link, a field and two buttons."""
    chance = random.Random(seed)
    elements = [Element(0, None, "html"), Element(1, 0, "body"), Element(2, 1, "main"), Element(3, 2, "table")]
    row = 0
    while len(elements) + _ROW <= size:
        row += 1
        top = 40.0 + 30 * row
        name = f"{chance.choice(_WORDS)} {chance.choice(_WORDS)} {row}"
        at = len(elements)
        elements.append(Element(at, 3, "tr", {"class": "row"}, box=Box(0, top, 1200, 28)))
        cells = (
            ("td", {"class": "name"}, name, at, 10.0, 300.0),
            ("td", {"class": "actions"}, "", at, 320.0, 600.0),
            ("a", {"href": f"/orders/{row}", "class": "link"}, f"Order {row}", at + 2, 330.0, 80.0),
            ("input", {"name": f"amount-{row}", "type": "text", "placeholder": "Amount"}, "", at + 2, 430.0, 90.0),
            ("button", {"id": f"save-{row}", "class": "btn primary"}, "Save", at + 2, 540.0, 60.0),
            ("button", {"class": "btn", "aria-label": f"Remove {name}"}, "×", at + 2, 610.0, 30.0),
            ("span", {"class": "hint"}, chance.choice(_WORDS), at + 2, 660.0, 90.0),
        )
        for tag, attributes, text, parent, left, width in cells:
            number = len(elements)
            elements.append(
                Element(number, parent, tag, attributes, own_text=text, text=text, box=Box(left, top, width, 24))
            )
    return DomSnapshot(completed(elements), url="http://127.0.0.1/orders", title="Orders")


def redesigned(page: DomSnapshot) -> DomSnapshot:
    """Other classes and ids everywhere, and everything moved down."""
    changed = []
    for element in page.elements:
        attributes = {
            name: f"new-{value}" if name in ("id", "class") else value for name, value in element.attributes.items()
        }
        box = element.box and replace(element.box, y=element.box.y + 35)
        changed.append(replace(element, attributes=attributes, box=box))
    return replace(page, elements=tuple(changed))
