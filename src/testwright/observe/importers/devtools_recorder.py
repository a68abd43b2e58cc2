"""Recordings of the Recorder panel in Chrome's DevTools: what a person did, and nothing that came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from testwright.masking.masker import Masker
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.model.session import (
    Action,
    ActionTarget,
    ActionType,
    BrowserEnvironment,
    Navigation,
    NavigationCause,
    Secret,
    SessionHead,
    SessionId,
    SessionSource,
    TabEvent,
)
from testwright.model.strict_json import JsonObject
from testwright.observe.importers.devtools_selectors import StepTarget, found_by
from testwright.observe.importers.json_document import malformed
from testwright.observe.importers.json_fields import (
    WrongTypeError,
    checked_object,
    list_of,
    number_of,
    objects_of,
    text_of,
)
from testwright.observe.importers.key_presses import Keyboard, is_modifier, types_text
from testwright.observe.importers.session_input import SessionInput
from testwright.observe.importers.session_timeline import NOT_YET, SessionContent, Timeline

NEVER_THERE = (
    "requests and WebSockets: a recording of DevTools has none",
    "errors and console lines: a recording of DevTools has none",
    "pages: a recording of DevTools does not show them, so that no selector of it could be tried",
    "cookies and storage: a recording of DevTools has none",
    "times: a recording of DevTools has the order of steps only",
)
_UNUSED = {
    "scroll": "steps that scroll",
    "waitForElement": "steps that wait for elements",
    "waitForExpression": "steps that wait for expressions",
    "emulateNetworkConditions": "steps that slow down the network",
    "customStep": "steps of extensions",
}
_MOUSE = {
    ("click", "primary"): ActionType.CLICK,
    ("click", "secondary"): ActionType.RIGHT_CLICK,
    ("doubleClick", "primary"): ActionType.DOUBLE_CLICK,
}
_NO_TARGET = ActionTarget(())
_DEEPEST_FRAME = 20
_MOST_STEPS = 10_000


def read_file(source: SessionInput) -> SessionContent:
    recorded_at = source.path.stat().st_mtime * 1000
    return import_recording(source.document, source.name, source.masker, recorded_at=recorded_at)


def import_recording(flow: JsonObject, name: str, masker: Masker, *, recorded_at: float) -> SessionContent:
    """A user flow as a session. `recorded_at`: milliseconds since 1970; the file itself does not say."""
    steps = flow.get("steps")
    if not isinstance(steps, list) or not steps:
        raise malformed(name, "it has no steps, as a recording must")
    reading = _Reading(masker, _test_id_attribute(flow), recorded_at)
    for step in steps[:_MOST_STEPS]:
        try:
            reading.take(checked_object(step, "step"))
        except WrongTypeError:
            reading.timeline.left_out["steps of the file that could not be used"] += 1
    if len(steps) > _MOST_STEPS:
        reading.timeline.left_out[f"steps after the first {_MOST_STEPS:,}"] = len(steps) - _MOST_STEPS
    if not reading.timeline:
        raise malformed(name, "no step of it can be used")
    return reading.session(_title(flow))


@dataclass
class _Reading:
    masker: Masker
    test_id_attribute: str
    at: float
    timeline: Timeline = field(default_factory=Timeline)
    surroundings: BrowserEnvironment = field(default_factory=BrowserEnvironment)
    _tabs: dict[str, int] = field(default_factory=dict)
    _keyboard: Keyboard = field(default_factory=Keyboard)
    _focus: dict[int, StepTarget | None] = field(default_factory=dict)  # tab -> the element that keys go to
    _addresses: dict[int, str] = field(default_factory=dict)

    def take(self, step: JsonObject) -> None:
        kind = text_of(step, "type")
        if kind == "setViewport":
            self._take_viewport(step)
        elif kind == "navigate":
            self._take_navigation(step)
        elif kind in ("click", "doubleClick", "hover", "change"):
            self._take_action(kind, step)
        elif kind == "keyDown":
            self._take_key(step)
        elif kind == "keyUp":
            self._keyboard.up(text_of(step, "key"))
        elif kind == "close":
            self._add_tab(self._tab(step), "closed")
        else:
            self.timeline.left_out[_UNUSED.get(kind, "steps of a kind that is not known")] += 1

    def _take_viewport(self, step: JsonObject) -> None:
        if self.surroundings.viewport is None:
            width, height = int(number_of(step, "width")), int(number_of(step, "height"))
            if width > 0 and height > 0:
                self.surroundings = BrowserEnvironment(
                    viewport=(width, height),
                    scale=number_of(step, "deviceScaleFactor") or 1.0,
                    touch=step.get("hasTouch") is True,
                )
        else:
            self.timeline.left_out["changes of the window's size"] += 1

    def _take_navigation(self, step: JsonObject) -> None:
        url = text_of(step, "url")
        tab = self._tab(step)
        if url.startswith(("chrome:", "about:", "chrome-untrusted:")):
            return  # the empty tab that a recording began in
        self._add_navigation(tab, url, NavigationCause.GOTO, _asserted_title(step))

    def _take_action(self, kind: str, step: JsonObject) -> None:
        tab = self._tab(step)
        found = found_by(
            step.get("selectors"),
            frames=_frames(step),
            is_field=kind == "change",
            test_id_attribute=self.test_id_attribute,
        )
        if found.unreadable:
            self.timeline.left_out["selectors that could not be read"] += found.unreadable
        if not found.target.candidates:
            raise WrongTypeError("selectors")
        if kind == "change":
            self._take_change(tab, found, text_of(step, "value"))
        elif kind == "hover":
            self._add_action(tab, ActionType.HOVER, found.target)
        else:
            made = _MOUSE.get((kind, text_of(step, "button", "primary")))
            if made is None:
                self.timeline.left_out["clicks with other buttons of the mouse"] += 1
                return
            self._add_action(tab, made, found.target)
        self._focus[tab] = found
        self._take_outcome(tab, step)

    def _take_change(self, tab: int, found: StepTarget, value: str) -> None:
        masked = self.masker.field(value, found.facts)
        if not found.is_select:
            self._add_action(tab, ActionType.FILL, found.target, masked)
        elif isinstance(masked, Secret):
            self.timeline.left_out["choices of secret values"] += 1
        else:
            self._add_action(tab, ActionType.SELECT, found.target, values=(masked,))

    def _take_key(self, step: JsonObject) -> None:
        tab = self._tab(step)
        key = text_of(step, "key")
        press = self._keyboard.down(key)
        if press is None:
            if not is_modifier(key):
                self.timeline.left_out["keys that are not known"] += 1
            return
        focus = self._focus.get(tab)
        if types_text(press) and focus is not None and isinstance(self.masker.field("x" * 12, focus.facts), Secret):
            # One by one the keys would spell the secret.
            self.timeline.left_out["keys typed into secret fields"] += 1
            return
        self._add_action(tab, ActionType.PRESS, focus.target if focus else _NO_TARGET, press)
        if press in ("Tab", "Shift+Tab"):
            self._focus[tab] = None  # it moved on, and the file does not say where to
        self._take_outcome(tab, step)

    def _take_outcome(self, tab: int, step: JsonObject) -> None:
        """The only thing that a Recorder says of what came of a step: that the page went elsewhere."""
        for event in objects_of(step, "assertedEvents"):
            url = text_of(event, "url")
            if text_of(event, "type") == "navigation" and url:
                self._add_navigation(tab, url, NavigationCause.PAGE, text_of(event, "title"))

    def _tab(self, step: JsonObject) -> int:
        target = text_of(step, "target", "main") or "main"
        if target not in self._tabs:
            self._tabs[target] = len(self._tabs) + 1
            if self._tabs[target] > 1:
                self._addresses[self._tabs[target]] = target
                self._add_tab(self._tabs[target], "opened", self.masker.url(target))
        return self._tabs[target]

    def _add_tab(self, tab: int, what: str, url: str = "") -> None:
        opener = 1 if what == "opened" else None
        self.timeline.add(self.at, TabEvent(seq=NOT_YET, t=NOT_YET, tab=tab, what=what, opener=opener, url=url))

    def _add_navigation(self, tab: int, url: str, cause: NavigationCause, title: str) -> None:
        self._addresses[tab] = url
        self._focus[tab] = None
        self.timeline.add(
            self.at,
            Navigation(
                seq=NOT_YET, t=NOT_YET, tab=tab, url=self.masker.url(url), cause=cause, title=self.masker.text(title)
            ),
        )

    def _add_action(
        self, tab: int, type_: ActionType, target: ActionTarget, value: str | Secret = "", values: tuple[str, ...] = ()
    ) -> None:
        url = self.masker.url(self._addresses.get(tab, ""))
        self.timeline.add(
            self.at,
            Action(seq=NOT_YET, t=NOT_YET, tab=tab, type=type_, target=target, value=value, values=values, url=url),
        )

    def session(self, title: str) -> SessionContent:
        events, _ = self.timeline.finish(self.at)
        first = next((event for event in events if isinstance(event, Navigation)), None)
        head = SessionHead(
            id=SessionId(""),
            source=SessionSource.RECORDER,
            url=first.url if first else "",
            started=int(self.at),
            surroundings=self.surroundings,
            test_id_attribute=self.test_id_attribute,
            title=self.masker.text(title),
            gaps=(*NEVER_THERE, *self.timeline.left_out_gaps()),
        )
        return SessionContent(head, events)


def _frames(step: JsonObject) -> tuple[str, ...]:
    """`[1, 0]`: the first frame within the second one."""
    indexes = list_of(step, "frame")
    if len(indexes) > _DEEPEST_FRAME or not all(type(one) is int and 0 <= one < 1000 for one in indexes):
        raise WrongTypeError("frame")
    return tuple(f"iframe >> nth={index}" for index in indexes)


def _asserted_title(step: Mapping[str, object]) -> str:
    return next((text_of(event, "title") for event in objects_of(step, "assertedEvents")), "")


def _test_id_attribute(flow: JsonObject) -> str:
    said = flow.get("selectorAttribute")
    return said if isinstance(said, str) and said.replace("-", "").isalnum() else DEFAULT_TEST_ID_ATTRIBUTE


def _title(flow: JsonObject) -> str:
    said = flow.get("title")
    return said[:200] if isinstance(said, str) else ""
