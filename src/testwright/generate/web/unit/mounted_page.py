"""The page that a unit test plays on: the fragment to mount, and where in it the actions happen."""

from dataclasses import dataclass, field

from testwright.generate.web.unit.approach import Approach, actions_in_document
from testwright.generate.web.unit.page_fragment import Fragment, css_for, fragment_of, looked_up
from testwright.generate.web.web_plan import WebPlan
from testwright.generate.web.web_plan_builder import PageOf
from testwright.model.dom import DomSnapshot
from testwright.model.errors import TestwrightError
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.model.session import Action, ActionTarget, ActionType
from testwright.selectors.selector_matcher import matching
from testwright.selectors.selector_parser import parse_selector

_STATE = frozenset({ActionType.FILL, ActionType.CHECK, ActionType.UNCHECK, ActionType.SELECT})
_ENTER = " >> internal:control=enter-frame >> "


@dataclass(frozen=True, slots=True)
class MountedAction:
    """An action, and the selector that finds its element in the mounted page."""

    selector: str
    action: Action


@dataclass(frozen=True, slots=True)
class MountedPage:
    fragment: Fragment = field(default_factory=Fragment)
    acts: tuple[MountedAction, ...] = ()  # in order
    reaches_last: bool = False  # the last action is among them
    left_out: int = 0  # actions whose element was not found again
    is_kept: bool = False  # False: no page was kept

    @property
    def filled(self) -> tuple[MountedAction, ...]:
        """Fields as they were left in the end."""
        return tuple({act.selector: act for act in self.acts if act.action.type in _STATE}.values())


def mounted_page_for(plan: WebPlan, approach: Approach, pages: PageOf) -> MountedPage:
    """The page as it was before the first action in the document of the error; where none was done, at the error."""
    return _Staging(plan, pages).stage(approach)


class _Staging:
    def __init__(self, plan: WebPlan, pages: PageOf) -> None:
        self.plan, self.pages = plan, pages
        self.attributes = (plan.slice.head.test_id_attribute, DEFAULT_TEST_ID_ATTRIBUTE)
        self.actions = actions_in_document(plan)

    def stage(self, approach: Approach) -> MountedPage:
        page = self._page()
        if page is None:
            return MountedPage()
        acting = {action.seq: self._element(action.target, page) for action in self.actions}
        found = [number for number in acting.values() if number is not None]
        frame = page.elements[found[0]].frame if found else self._frame(page)
        wanted = [*looked_up(page, approach.lookups), *found]
        fragment = fragment_of(page, [one for one in wanted if not page.elements[one].in_shadow], frame)
        acts = []
        for action in self.actions:
            selector = self._selector(action, acting[action.seq], page, fragment)
            if selector:
                acts.append(MountedAction(selector, action))
        reaches_last = bool(acts) and acts[-1].action is self.actions[-1]
        return MountedPage(fragment, tuple(acts), reaches_last, len(self.actions) - len(acts), is_kept=True)

    def _page(self) -> DomSnapshot | None:
        error = self.plan.slice.error
        names = [self.actions[0].page, self.actions[-1].page] if self.actions else []
        names += [error.page if error is not None else "", self.plan.slice.last_page]
        return next((page for name in names if name and (page := self.pages(name)) is not None), None)

    def _frame(self, page: DomSnapshot) -> int:
        error = self.plan.slice.error
        if error is None or not error.frames:
            return 0
        return next((place for place, frame in enumerate(page.frames) if frame.url == error.frame_url), 0)

    def _selector(self, action: Action, number: int | None, page: DomSnapshot, fragment: Fragment) -> str:
        if number is not None:
            return css_for(page, number, fragment, self.attributes[0])
        # An element that came later: only what it has of its own can find it, its place is not known.
        own = self.pages(action.page) if action.page else None
        at = self._element(action.target, own) if own is not None else None
        return css_for(own, at, Fragment(), self.attributes[0]) if own is not None and at is not None else ""

    def _element(self, target: ActionTarget, page: DomSnapshot) -> int | None:
        error = self.plan.slice.error
        # What was kept is often the frame's own document, and not the page around it.
        is_inside = error is not None and page.frames[0].url == error.frame_url
        frames = () if is_inside else target.frames
        for candidate in target.candidates:
            if candidate.count != 1:
                continue
            selector = _ENTER.join([*frames, candidate.selector])
            try:
                found = matching(parse_selector(selector), page, test_id_attributes=self.attributes)
            except TestwrightError:
                continue
            if len(found) == 1:
                return found[0]
        return None
