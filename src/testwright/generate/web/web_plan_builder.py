"""From a slice of a session to a plan: where to begin, what to do, what the server says, what must be seen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from urllib.parse import urlsplit

from testwright.generate.web.element_locator import located
from testwright.generate.web.request_urls import below, is_masked, origin_of, unmasked
from testwright.generate.web.server_mocks import mocks_of
from testwright.generate.web.session_slice import Slice
from testwright.generate.web.step_checks import step_checks
from testwright.generate.web.titles_and_slugs import (
    action_words,
    error_slug,
    error_title,
    interaction_slug,
    interaction_title,
)
from testwright.generate.web.web_plan import (
    CheckKind,
    ExpectedError,
    PageCheck,
    Polarity,
    SocketMessage,
    SocketScript,
    WebPlan,
    WebStep,
)
from testwright.model.dom import DomSnapshot
from testwright.model.session import (
    REDACTED,
    Action,
    ActionType,
    Navigation,
    NavigationCause,
    Secret,
    SocketMoment,
    StorageState,
    TabEvent,
)

PageOf = Callable[[str], DomSnapshot | None]  # the page that was kept under a name

_SOON = 1_500  # milliseconds in which an action explains that the page went elsewhere


@dataclass(frozen=True, slots=True)
class Ingredients:
    """What a test brings along besides its steps. A bug may need each of them, and any may be in its way."""

    state: bool = True
    mocks: bool = True
    clock: bool = False
    whole: bool = False  # all steps since the session began, not only those since the last full navigation


def plan_for_error(
    piece: Slice, expected: ExpectedError, polarity: Polarity, ingredients: Ingredients, *, base_url: str = ""
) -> WebPlan:
    assert piece.error is not None
    plan = _plan(piece, ingredients, base_url, until=piece.error.t)
    last = piece.actions[-1].t if piece.actions else piece.began
    return replace(
        plan,
        title=error_title(piece, piece.error, polarity),
        slug=error_slug(piece, piece.error),
        error=replace(expected, delay=max(0, piece.error.t - last)),
        start_checks=_where_it_begins(piece),
    )


def plan_for_actions(piece: Slice, pages: PageOf, ingredients: Ingredients, *, base_url: str = "") -> WebPlan:
    """What somebody did, with checks of what they saw."""
    plan = _plan(piece, ingredients, base_url, until=None)
    steps = _with_checks(piece, plan, pages)
    return replace(plan, title=interaction_title(piece), slug=interaction_slug(piece), steps=steps)


# --- the parts of a plan -----------------------------------------------------------------------


def _plan(piece: Slice, ingredients: Ingredients, base_url: str, until: int | None) -> WebPlan:
    origin = origin_of(piece.start_url)
    mocked = mocks_of(piece.requests, origin, _done_in_test(piece))
    steps, confidence = _Steps(piece, origin, mocked.keys, until).written()
    notes = [*(mocked.notes if ingredients.mocks else ()), *_notes(piece, steps)]
    state = piece.state if ingredients.state else StorageState()
    fixed = piece.head.surroundings.fixed_clock
    clock = piece.head.started + (0 if fixed else piece.began) if fixed or ingredients.clock else None
    return WebPlan(
        title="",
        slug="",
        origin=base_url.rstrip("/") or origin,
        start=below(origin, piece.start_url),
        slice=piece,
        steps=steps,
        surroundings=piece.head.surroundings,
        state=state,
        clock=clock,
        mocks=mocked.mocks if ingredients.mocks else (),
        sockets=_sockets(piece) if ingredients.mocks else (),
        accepts_dialogs=any(dialog.accepted is not False for dialog in piece.dialogs),
        notes=tuple(dict.fromkeys([*notes, *_secrets_needed(steps, state)])),
        confidence=confidence,
    )


def _notes(piece: Slice, steps: Sequence[WebStep]) -> Iterator[str]:
    if any(is_masked(value) for step in steps for value in step.values):
        yield f"A part of what was chosen was secret: put what belongs there in the place of {REDACTED}."
    if any(step.type == "goto" and isinstance(step.value, str) and is_masked(step.value) for step in steps):
        yield f"A part of an address was secret: put what belongs there in the place of {REDACTED}."
    if any(dialog.accepted is None and dialog.type in {"confirm", "prompt"} for dialog in piece.dialogs):
        yield "It is not known how a question of the page was answered: the test says yes."
    for action in _meant(piece.actions):
        if not _can_be_written(action):
            yield f"A step is missing, since nothing is known of its element: {action_words(action)}."


def _secrets_needed(steps: Sequence[WebStep], state: StorageState) -> list[str]:
    """What only the user knows: the test reads it from the environment."""
    given = [step.value for step in steps] + [cookie.value for cookie in state.cookies]
    for one in state.origins:
        given += [*one.local.values(), *one.session.values()]
    names = sorted({value.name for value in given if isinstance(value, Secret)})
    return [f"set {', '.join(names)} in the environment: what was there is secret, and was not kept."] if names else []


def _where_it_begins(piece: Slice) -> tuple[PageCheck, ...]:
    """A test that was sent to a login page instead must not pass."""
    at_first = next((action.url for action in piece.actions if action.tab == 1), "") or piece.start_url
    address = at_first.partition("#")[0].partition("?")[0]
    if not piece.actions or is_masked(address) or origin_of(address) != origin_of(piece.start_url):
        return ()
    return (PageCheck(CheckKind.URL, value=urlsplit(address).path or "/"),)


class _Steps:
    def __init__(self, piece: Slice, origin: str, keys: Mapping[int, str], until: int | None) -> None:
        self._piece, self._origin, self._keys, self._until = piece, origin, keys, until
        self._confidence = 1.0

    def written(self) -> tuple[tuple[WebStep, ...], float]:
        piece = self._piece
        actions = _meant(piece.actions)
        start = WebStep(_first_tab(piece), "goto", value=below(self._origin, piece.start_url))
        moments: list[Action | Navigation] = sorted(
            [*actions, *filter(self._is_by_hand, piece.navigations)], key=lambda event: event.seq
        )
        began = piece.start.seq if piece.start is not None else 0
        steps = [replace(start, awaits=self._awaited(began, moments[0].t if moments else self._until))]
        for place, moment in enumerate(moments):
            following = moments[place + 1].t if place + 1 < len(moments) else self._until
            step = self._step(moment)
            if step is not None:
                steps.append(replace(step, awaits=self._awaited(moment.seq, following)))
        return tuple(steps), self._confidence

    def _is_by_hand(self, navigation: Navigation) -> bool:
        """Whether somebody gave an address, or used the browser's own buttons; all else follows from other steps."""
        if navigation.cause in {NavigationCause.GOTO, NavigationCause.RELOAD}:
            return not self._is_new_tab(navigation)
        if navigation.cause is NavigationCause.HISTORY:
            before = [action.t for action in self._piece.actions if action.seq < navigation.seq]
            return not before or navigation.t - before[-1] > _SOON
        return False

    def _is_new_tab(self, navigation: Navigation) -> bool:
        """The first address of a tab that a page opened."""
        earlier = any(one.tab == navigation.tab and one.seq < navigation.seq for one in self._piece.navigations)
        opened = any(one.tab == navigation.tab and one.opener is not None for one in self._opened)
        return opened and not earlier

    @property
    def _opened(self) -> list[TabEvent]:
        return [one for one in self._piece.tabs if one.what == "opened"]

    def _step(self, moment: Action | Navigation) -> WebStep | None:
        if isinstance(moment, Navigation):
            return self._navigation_step(moment)
        found = located(moment.target)
        if found is None and moment.type is ActionType.PRESS:  # a key, wherever the focus is
            return WebStep(moment.tab, moment.type, None, unmasked(moment.value), opens=self._tab_opened_by(moment))
        if found is None:
            self._confidence = 0.0
            return None
        self._confidence = min(self._confidence, found.confidence)
        onto = located(moment.onto) if moment.onto is not None else None
        return WebStep(
            moment.tab,
            moment.type,
            found.selector,
            unmasked(moment.value),
            moment.values,
            onto.selector if onto is not None else None,
            opens=self._tab_opened_by(moment),
            note=found.note,
        )

    def _navigation_step(self, navigation: Navigation) -> WebStep:
        if navigation.cause is NavigationCause.GOTO:
            return WebStep(navigation.tab, "goto", value=below(self._origin, navigation.url))
        if navigation.cause is NavigationCause.RELOAD:
            return WebStep(navigation.tab, "reload")
        return WebStep(navigation.tab, "back")

    def _tab_opened_by(self, action: Action) -> int | None:
        later = [one.seq for one in self._piece.actions if one.seq > action.seq and one.tab == action.tab]
        until = min(later, default=None)
        for event in self._opened:
            if event.opener == action.tab and event.seq > action.seq and (until is None or event.seq < until):
                return event.tab
        return None

    def _awaited(self, cause: int, until: int | None) -> str:
        """The request whose answer ends a step: the last one that came of it and was over before what came next."""
        over = [
            request
            for request in self._piece.requests
            if request.is_api
            and request.after == cause
            and request.status is not None
            and request.ended is not None
            and (until is None or request.ended <= until)
        ]
        if not over:
            return ""
        last = max(over, key=lambda request: (request.ended or 0, request.seq))
        return self._keys.get(last.seq, "")


def _meant(actions: Sequence[Action]) -> list[Action]:
    """Without clicks on nothing, and without the click into a field that is then filled in: `fill` does that too."""
    kept = []
    for action, following in zip_longest(actions, actions[1:]):
        is_on_nothing = action.type is ActionType.CLICK and action.target.tag in {"html", "body"}
        is_into_field = (
            action.type is ActionType.CLICK
            and following is not None
            and following.type is ActionType.FILL
            and following.target.candidates == action.target.candidates
            and following.tab == action.tab
            and following.page == action.page  # the click has changed nothing
        )
        if not is_on_nothing and not is_into_field:
            kept.append(action)
    return kept


def _done_in_test(piece: Slice) -> list[Action]:
    """The actions that become steps: what waits for so many steps must count these."""
    return [action for action in _meant(piece.actions) if _can_be_written(action)]


def _can_be_written(action: Action) -> bool:
    return action.type is ActionType.PRESS or located(action.target) is not None


def _first_tab(piece: Slice) -> int:
    return piece.start.tab if piece.start is not None else 1


def _sockets(piece: Slice) -> tuple[SocketScript, ...]:
    """For each address what the server pushed, and what had been done and said before."""
    scripts = []
    opened = [one for one in piece.sockets if one.what is SocketMoment.OPENED]
    actions = _done_in_test(piece)
    for socket in opened:
        sent, messages = 0, []
        for event in piece.sockets:
            if event.socket != socket.socket:
                continue
            if event.what is SocketMoment.SENT:
                sent += 1
            elif event.what is SocketMoment.RECEIVED and event.text is not None:
                steps = sum(action.seq < event.seq for action in actions)
                messages.append(SocketMessage(event.text, steps, sent))
        scripts.append(SocketScript(urlsplit(socket.url).path or "/", tuple(messages)))
    return tuple({script.path: script for script in scripts}.values())


def _with_checks(piece: Slice, plan: WebPlan, pages: PageOf) -> tuple[WebStep, ...]:
    """Each step with what it made visible, by the pages before and after it."""
    by_place = _meant(piece.actions)
    names = [action.page for action in by_place] + [piece.last_page]
    steps = list(plan.steps)
    acting = [place for place, step in enumerate(steps) if isinstance(step.type, ActionType)]
    if len(acting) != len(by_place):  # some action could not be written: what was seen belongs to none for sure
        acting = acting[-1:]
        by_place, names = by_place[-1:], names[-2:]
    for number, place in enumerate(acting):
        is_last = number == len(acting) - 1
        moved = _moved_to(piece, by_place[number])
        before, after = pages(names[number]), pages(names[number + 1])
        checks = step_checks(steps[place], before, after, moved, is_last=is_last)
        steps[place] = replace(steps[place], checks=checks)
    return tuple(steps)


def _moved_to(piece: Slice, action: Action) -> str:
    """The path of the page that an action led to, where it led to another one."""
    later = [one.seq for one in piece.actions if one.seq > action.seq]
    until = min(later, default=None)
    moves = [
        one
        for one in piece.navigations
        if one.seq > action.seq and (until is None or one.seq < until) and one.tab == action.tab
    ]
    by_page = [one for one in moves if one.cause in {NavigationCause.PAGE, NavigationCause.SAME_DOCUMENT}]
    if not by_page or origin_of(by_page[-1].url) != origin_of(piece.start_url) or is_masked(by_page[-1].url):
        return ""
    path = urlsplit(by_page[-1].url).path or "/"
    return path if path != urlsplit(action.url).path else ""
