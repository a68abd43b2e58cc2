"""A kept page in words: its landmarks, headings, controls and texts, indented as they are nested."""

from collections.abc import Iterator

from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import NotFound
from testwright.model.session import Action, EventKind, PageError
from testwright.store.sessions import SessionReader

_WITHOUT_MEANING = frozenset({"", "generic", "none", "presentation", "document"})
_NAMED_BY_CONTENT = frozenset(
    {"button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "option", "radio",
     "rowheader", "switch", "tab", "treeitem"}
)  # fmt: skip
_STATES = ("checked", "selected", "expanded", "pressed")


def outline(page: DomSnapshot) -> list[str]:
    """The lines, much as an ARIA snapshot of Playwright has them."""
    lines: list[str] = []
    roots = [element.number for element in page.elements if element.parent is None]
    # (element, depth of its line, whether its text has been said by the one above)
    waiting = [(number, 0, False) for number in reversed(roots)]
    while waiting:
        number, depth, is_said = waiting.pop()
        element = page.elements[number]
        line = _line(element, is_said=is_said)
        is_shown = line is not None and element.visible and element.exposed
        if is_shown:
            lines.append(f"{'  ' * depth}- {line}")
        said = is_said or (is_shown and element.role in _NAMED_BY_CONTENT)
        below = depth + 1 if is_shown else depth
        waiting.extend((child, below, said) for child in reversed(page.children[number]))
    return lines


def _line(element: Element, *, is_said: bool) -> str | None:
    if element.role in _WITHOUT_MEANING:
        return None if is_said or not element.own_text else f"text: {element.own_text}"
    name = f' "{element.name}"' if element.name else ""
    text = ""
    if element.own_text and element.role not in _NAMED_BY_CONTENT and element.own_text != element.name and not is_said:
        text = f": {element.own_text}"
    return f"{element.role}{name}{''.join(_states(element))}{text}"


def _states(element: Element) -> Iterator[str]:
    if not element.enabled:
        yield " [disabled]"
    if element.role == "heading":
        level = element.get("aria-level") or (element.tag[1:] if element.tag[:1] == "h" else "")
        if level.isdigit():
            yield f" [level={level}]"
    for state in _STATES:
        value = element.get(f"aria-{state}") or ("true" if state in element.attributes else "")
        if value and value != "false":
            yield f" [{state}]" if value == "true" else f" [{state}={value}]"


def kept_page(reader: SessionReader, *, at: int | None = None, error_id: str = "") -> tuple[str, DomSnapshot]:
    """A page and the name it is kept by: before an action, at an error, or else the last one there is."""
    names = list(_names(reader, at, error_id))
    for name in names:
        page = reader.page(name)
        if page is not None:
            return name, page
    if at is not None:
        raise NotFound(
            f"No page was kept for the event {at} of {reader.id}.",
            next_step="In the actions and errors of `testwright observe --json` `page` names what was kept.",
        )
    raise NotFound(
        f"No such page is kept in {reader.id}{'; old ones give way to newer ones' if names else ''}.",
        next_step="Pages are kept before each action and at each error while `testwright record` runs.",
    )


def _names(reader: SessionReader, at: int | None, error_id: str) -> Iterator[str]:
    """The names of the pages that fit, the best first."""
    if at is None and not error_id and (last := reader.end.last_page):
        yield last
    events = reader.session([EventKind.ACTION, EventKind.ERROR]).events
    for event in reversed(events):
        if not isinstance(event, Action | PageError) or not event.page:
            continue
        if at is not None and event.seq != at:
            continue
        if error_id and not (isinstance(event, PageError) and event.error_id == error_id):
            continue
        yield event.page
