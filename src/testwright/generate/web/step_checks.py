"""What a person would look at after a step: what it made appear, change or go, by the pages before and after it."""

from collections.abc import Iterator
from dataclasses import replace

from testwright.generate.web.request_urls import is_masked
from testwright.generate.web.web_plan import CheckKind, PageCheck, WebPlan, WebStep
from testwright.model.dom import DomSnapshot, Element
from testwright.model.selector import Dialect, Selector, SelectorEngine
from testwright.model.session import ActionType
from testwright.selectors.selector_choice import choose_selector
from testwright.selectors.stability import looks_volatile

MOST_CHECKS = 2  # of what appeared: more would tie the test to the page's wording
_MOST_TEXT = 80
_TELLING = ("alert", "status", "dialog", "alertdialog", "heading")  # roles made for telling people what happened
_CONTENT = ("listitem", "cell", "row", "link", "button", "option", "tab", "img", "paragraph")
_SILENT = frozenset({"html", "head", "body", "script", "style", "title", "meta", "link", "noscript", "option"})
_AS_TYPESCRIPT = Selector((), Dialect.TYPESCRIPT, "")


def step_checks(
    step: WebStep, before: DomSnapshot | None, after: DomSnapshot | None, moved: str, *, is_last: bool
) -> tuple[PageCheck, ...]:
    """`moved` is the path of another page that the step led to. Only the last steps are checked for what they show."""
    tab = step.opens or step.tab
    checks = [PageCheck(CheckKind.URL, value=moved, tab=step.tab)] if moved else []
    if not is_last:
        return tuple(checks)
    own = _of_the_field(step)
    seen = list(_appeared(before, after, tab)) if after is not None else []
    if not seen and own is None and before is not None and after is not None and not moved:
        seen = [*_went(before, after, tab), *_still_there(step, after)[:1]]  # not because all of it is gone
    checks += [own] if own is not None else []
    checks += seen
    return tuple(checks) or _still_there(step, after)


def without_passing_checks(plan: WebPlan) -> WebPlan:
    """The plan with only those checks that hang on nothing but the step itself: addresses and fields."""
    lasting = {CheckKind.URL, CheckKind.VALUE, CheckKind.CHECKED, CheckKind.UNCHECKED}
    steps = [replace(step, checks=tuple(one for one in step.checks if one.kind in lasting)) for step in plan.steps]
    if not any(step.checks for step in steps):
        steps[-1] = replace(steps[-1], checks=_still_there(steps[-1], None))
    return replace(plan, steps=tuple(steps))


def _of_the_field(step: WebStep) -> PageCheck | None:
    """Fields show what was done to them."""
    if step.target is None:
        return None
    match step.type:
        case ActionType.FILL if isinstance(step.value, str):
            return PageCheck(CheckKind.VALUE, step.target, step.value, step.tab)
        case ActionType.SELECT if len(step.values) == 1 and not is_masked(step.values[0]):
            return PageCheck(CheckKind.VALUE, step.target, step.values[0], step.tab)
        case ActionType.CHECK:
            return PageCheck(CheckKind.CHECKED, step.target, tab=step.tab)
        case ActionType.UNCHECK:
            return PageCheck(CheckKind.UNCHECKED, step.target, tab=step.tab)
    return None


def _appeared(before: DomSnapshot | None, after: DomSnapshot, tab: int) -> Iterator[PageCheck]:
    """The most telling things that were not there before."""
    old = {_seen_as(element) for element in before.elements if _is_seen(element)} if before is not None else set()
    new = [element for element in after.elements if _is_seen(element) and _seen_as(element) not in old]
    found = 0
    said: set[str] = set()
    for element in sorted(new, key=_by_worth):
        if element.text in said or found == MOST_CHECKS:
            continue
        check = _check_of(after, element, tab)
        if check is not None:
            said.add(element.text)
            found += 1
            yield check


def _went(before: DomSnapshot, after: DomSnapshot, tab: int) -> Iterator[PageCheck]:
    """What has gone: the outermost elements are enough."""
    left = {_seen_as(element) for element in after.elements if _is_seen(element)}
    for element in before.elements:
        if _is_seen(element) and _seen_as(element) not in left:
            selector = choose_selector(before, element.number, like=_AS_TYPESCRIPT)
            if selector is not None and not _is_by_place(selector):
                yield PageCheck(CheckKind.HIDDEN, selector, tab=tab)
                return


def _still_there(step: WebStep, after: DomSnapshot | None) -> tuple[PageCheck, ...]:
    """Nothing could be seen to change. At least the page has not fallen apart."""
    if after is not None:
        headings = (one for one in after.elements if one.role == "heading" and _is_seen(one))
        for element in headings:
            check = _check_of(after, element, step.opens or step.tab)
            if check is not None:
                return (check,)
    return (PageCheck(CheckKind.VISIBLE, step.target, tab=step.tab),) if step.target is not None else ()


def _check_of(page: DomSnapshot, element: Element, tab: int) -> PageCheck | None:
    selector = choose_selector(page, element.number, like=_AS_TYPESCRIPT)
    if selector is None or _is_by_place(selector):
        return None
    text = element.text
    if _says(selector, text) or not text or len(text) > _MOST_TEXT or is_masked(text):
        return PageCheck(CheckKind.VISIBLE, selector, tab=tab)
    return PageCheck(CheckKind.TEXT, selector, text, tab)


def _says(selector: Selector, text: str) -> bool:
    """Whether finding the element is finding its text, or the name that people know it by."""
    last = selector.parts[-1]
    return last.name is not None or text == (last.value if last.engine is SelectorEngine.TEXT else None)


def _is_by_place(selector: Selector) -> bool:
    return any(part.engine is SelectorEngine.NTH for part in selector.parts)


def _is_seen(element: Element) -> bool:
    if not element.visible or element.tag in _SILENT:
        return False
    return bool(element.own_text or element.name) and not is_masked(element.text + element.name)


def _seen_as(element: Element) -> tuple[str, str, str]:
    return element.role, element.name, element.own_text


def _by_worth(element: Element) -> tuple[int, bool, int]:
    """What was made for telling first, then what stays the same from day to day, then what comes first."""
    is_made_for_it = element.role in _TELLING
    worth = _TELLING.index(element.role) if is_made_for_it else len(_TELLING) + (element.role not in _CONTENT)
    return worth, looks_volatile(element.own_text or element.name), element.number
