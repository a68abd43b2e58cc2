"""The page that a unit test plays on: the fragment to mount, and where in it the actions happen."""

from dataclasses import dataclass, field

from testwright.generate.web.plan import WebPlan
from testwright.generate.web.planning import PageOf
from testwright.generate.web.unit.approach import Approach, last_action
from testwright.generate.web.unit.fragment import Fragment, css_for, fragment_of, looked_up
from testwright.model.dom import DomSnapshot
from testwright.model.errors import TestwrightError
from testwright.model.session import Action, ActionType, Secret, Target
from testwright.selectors.matching import matching
from testwright.selectors.parsing import parse_selector

_STATE = frozenset({ActionType.FILL, ActionType.CHECK, ActionType.UNCHECK, ActionType.SELECT})


@dataclass(frozen=True, slots=True)
class Filled:
    """A field as it was when the last action came."""

    selector: str
    type: ActionType
    value: str | Secret = ""


@dataclass(frozen=True, slots=True)
class Stage:
    fragment: Fragment = field(default_factory=Fragment)
    target: str = ""  # finds the element of the last action in the fragment
    filled: tuple[Filled, ...] = ()
    is_kept: bool = False  # False: the page was not kept


def stage_for(plan: WebPlan, approach: Approach, pages: PageOf) -> Stage:
    action = last_action(plan)
    page = _page(plan, action, pages)
    if page is None:
        return Stage()
    frame = _frame(plan, page)
    attributes = (plan.slice.head.test_id_attribute, "data-testid")
    acting = _element(action.target, page, attributes) if action is not None else None
    earlier = {
        number: one
        for one in plan.slice.actions
        if one is not action and one.type in _STATE and (number := _element(one.target, page, attributes)) is not None
    }
    wanted = looked_up(page, approach.lookups)
    wanted += [number for number in (acting, *earlier) if number is not None]
    fragment = fragment_of(page, [number for number in wanted if not page.elements[number].in_shadow], frame)
    found = css_for(page, acting, fragment, attributes[0]) if acting is not None else ""
    filled = [
        Filled(selector, one.type, one.values[0] if one.type is ActionType.SELECT and one.values else one.value)
        for number, one in earlier.items()
        if (selector := css_for(page, number, fragment, attributes[0]))
    ]
    return Stage(fragment, found, tuple(filled), is_kept=True)


def _page(plan: WebPlan, action: Action | None, pages: PageOf) -> DomSnapshot | None:
    """The page just before the last action; where that was not kept, the one at the error."""
    error = plan.slice.error
    names = [action.page if action is not None else "", error.page if error is not None else "", plan.slice.last_page]
    return next((page for name in names if name and (page := pages(name)) is not None), None)


def _frame(plan: WebPlan, page: DomSnapshot) -> int:
    error = plan.slice.error
    if error is None or not error.frames:
        return 0
    return next((place for place, frame in enumerate(page.frames) if frame.url == error.frame_url), 0)


def _element(target: Target, page: DomSnapshot, attributes: tuple[str, ...]) -> int | None:
    for candidate in target.candidates:
        if candidate.count != 1:
            continue
        try:
            found = matching(parse_selector(candidate.selector), page, test_id_attributes=attributes)
        except TestwrightError:
            continue
        if len(found) == 1:
            return found[0]
    return None
