"""Remember an element: what it is, where it is, and what tells it apart on its page."""

from testwright.heal.engine.page_view import PageView
from testwright.heal.engine.shared_keys import shared_keys
from testwright.model.dom import DomSnapshot, Element, Fingerprint

_CONTAINERS = frozenset(
    {"form", "fieldset", "dialog", "nav", "header", "footer", "main", "aside", "section", "article", "tr", "li"}
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption"})
_MOST_WORDS = 80  # characters of what names a container


def fingerprint_of(page: DomSnapshot, number: int) -> Fingerprint:
    view = PageView(page)
    element = page.elements[number]
    return Fingerprint(
        element=element,
        path=page.paths[number],
        container=container_of(page, number),
        neighbours=" ".join(sorted(view.near(number))),
        shared_by=shared_keys(element, view).counts,
        page=page,
        url=page.url,
        title=page.title,
    )


def container_of(page: DomSnapshot, number: int) -> str:
    """What a person would call the part of the page it is in: `form "Sign in"`, `tr "Order 7 Remove"`."""
    for above in page.ancestors(number):
        container = page.elements[above]
        if container.tag in _CONTAINERS or container.role in ("dialog", "row", "region", "group", "tabpanel"):
            return f"{container.role or container.tag} {_called(page, container)}".strip()
    return ""


def _called(page: DomSnapshot, container: Element) -> str:
    if container.name:
        return f'"{container.name[:_MOST_WORDS]}"'
    heading = next(
        (page.elements[each] for each in _below(page, container.number) if page.elements[each].tag in _HEADINGS), None
    )
    words = heading.text if heading is not None else container.text if container.tag in ("tr", "li") else ""
    return f'"{words[:_MOST_WORDS]}"' if words else ""


def _below(page: DomSnapshot, number: int) -> list[int]:
    """In document order."""
    found, waiting = [], list(reversed(page.children[number]))
    while waiting:
        at = waiting.pop()
        found.append(at)
        waiting.extend(reversed(page.children[at]))
    return found
