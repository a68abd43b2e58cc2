"""The calls of a traced test as actions: clicks, fills, presses, choices, uploads."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from testwright.masking.masker import Masker
from testwright.model.dom import DomSnapshot
from testwright.model.selector import Selector
from testwright.model.session import Action, ActionTarget, ActionType, Secret
from testwright.model.untrusted_text import storable
from testwright.observe.importers.json_fields import text_or_empty
from testwright.observe.importers.key_presses import types_text
from testwright.observe.importers.session_timeline import NOT_YET, PageSource, Timeline
from testwright.observe.importers.trace_listener import CallKey, TraceListener
from testwright.observe.importers.trace_targets import number_on, read_selector, target_on, untried_target
from testwright.observe.playwright_trace import Trace, TracedCall

_ACTIONS = {
    "click": ActionType.CLICK,
    "tap": ActionType.CLICK,
    "dblclick": ActionType.DOUBLE_CLICK,
    "fill": ActionType.FILL,
    "type": ActionType.FILL,
    "press": ActionType.PRESS,
    "check": ActionType.CHECK,
    "uncheck": ActionType.UNCHECK,
    "selectOption": ActionType.SELECT,
    "setInputFiles": ActionType.UPLOAD,
    "hover": ActionType.HOVER,
    "dragAndDrop": ActionType.DRAG,
}
_ON_FOCUS = {"keyboardPress": ActionType.PRESS, "keyboardType": ActionType.FILL, "keyboardInsertText": ActionType.FILL}
_UNUSED = {
    "expect": "checks of the test, which do nothing to the page",
    "setContent": "pages that the test wrote itself, which no address leads to",
}
_NO_ELEMENT = re.compile(r"(?:mouse|touchscreen|keyboard)[A-Z]\w*")
_MOST_VALUES = 100


@dataclass(frozen=True, slots=True)
class _Meant:
    """An element that a call was about, the page it was on, and what is known of it as a field."""

    target: ActionTarget
    facts: Mapping[str, str] = field(default_factory=dict)
    source: PageSource | None = None
    url: str = ""


@dataclass
class TestCalls:
    """Puts a trace's calls on a timeline."""

    __test__ = False

    trace: Trace
    heard: TraceListener
    masker: Masker
    timeline: Timeline
    tabs: Mapping[str, int]
    _focus: dict[int, _Meant] = field(default_factory=dict)

    def take(self, call: TracedCall) -> None:
        key = (call.source, call.id)
        type_ = _ACTIONS.get(call.method) or _ON_FOCUS.get(call.method)
        if type_ is None or not self._can_be_told(call):
            self._leave_out(call)
            return
        if call.error:
            self.timeline.left_out["calls that failed"] += 1
            return
        params = self.heard.params.get(key, {})
        type_ = self._exact_type(type_, params)
        if type_ is None:
            self.timeline.left_out["clicks with other buttons of the mouse"] += 1
            return
        tab = self.tabs.get(self.heard.page_of(key), 1)
        meant = (
            self._focus.get(tab, _Meant(ActionTarget(()))) if call.method in _ON_FOCUS else self._meant(call, params)
        )
        if meant is None:
            self.timeline.left_out["calls whose selector could not be read"] += 1
            return
        self._focus[tab] = meant
        self._add(call, type_, params, tab, meant)

    def _leave_out(self, call: TracedCall) -> None:
        if call.method in _UNUSED and call.kind in ("Frame", "Page"):
            self.timeline.left_out[_UNUSED[call.method]] += 1
        elif _NO_ELEMENT.fullmatch(call.method) and call.method not in _ON_FOCUS:
            self.timeline.left_out["moves and clicks of the mouse at a place, without an element"] += 1

    def _can_be_told(self, call: TracedCall) -> bool:
        if call.method in _ON_FOCUS:
            return call.kind == "Page"
        if call.kind == "Frame":
            return True
        if call.kind == "ElementHandle":
            self.timeline.left_out["calls on element handles, which do not say what they were found by"] += 1
        return False

    def _exact_type(self, type_: ActionType, params: Mapping[str, Any]) -> ActionType | None:
        if type_ is not ActionType.CLICK:
            return type_
        button = params.get("button") or "left"
        if button == "right":
            return ActionType.RIGHT_CLICK
        if button != "left":
            return None
        return ActionType.DOUBLE_CLICK if params.get("clickCount") == 2 else ActionType.CLICK

    def _meant(self, call: TracedCall, params: Mapping[str, Any]) -> _Meant | None:
        said = read_selector(call.selector or text_or_empty(params.get("source")))
        if said is None:
            return None
        seen = self.trace.seen(call)
        if seen is not None and call.method != "dragAndDrop":
            return self._on(seen.page, seen.targets[0], said, lambda: self._page_of(call))
        page = self.trace.page_at(call, "before")
        number = number_on(page, said, self.trace.test_id_attribute) if page is not None else None
        if page is None or number is None:
            source = None if page is None else (lambda: self.trace.page_at(call, "before"))
            return _Meant(untried_target(said), {}, source, page.url if page else "")
        return self._on(page, number, said, lambda: self.trace.page_at(call, "before"))

    def _page_of(self, call: TracedCall) -> DomSnapshot | None:
        seen = self.trace.seen(call)
        return seen.page if seen is not None else None

    def _on(self, page: DomSnapshot, number: int, said: Selector, source: PageSource) -> _Meant:
        element = page.elements[number]
        facts = {"aria-label": element.name, **element.attributes, "tag": element.tag, "label": element.label}
        target = target_on(page, number, said, self.trace.test_id_attribute)
        return _Meant(target, {name: value for name, value in facts.items() if value}, source, page.url)

    def _add(self, call: TracedCall, type_: ActionType, params: Mapping[str, Any], tab: int, meant: _Meant) -> None:
        key = (call.source, call.id)
        value = self._value(type_, params, meant)
        if value is None:
            self.timeline.left_out["keys typed into secret fields"] += 1
            return
        values = self._values(type_, params, key)
        self.timeline.add(
            self.heard.acted_at(key, call.started),
            Action(
                seq=NOT_YET,
                t=NOT_YET,
                tab=tab,
                type=type_,
                target=meant.target,
                value=value,
                values=values,
                onto=self._onto(call, params) if type_ is ActionType.DRAG else None,
                url=self.masker.url(self.heard.url_of(key) or meant.url),
            ),
            meant.source,
        )

    def _value(self, type_: ActionType, params: Mapping[str, Any], meant: _Meant) -> str | Secret | None:
        """None: a key that would give away a letter of a secret."""
        if type_ is ActionType.FILL:
            text = text_or_empty(params.get("value")) or text_or_empty(params.get("text"))
            return self.masker.field(text, meant.facts)
        if type_ is ActionType.PRESS:
            key = text_or_empty(params.get("key"))
            is_secret = types_text(key) and isinstance(self.masker.field("x" * 12, meant.facts), Secret)
            return None if is_secret else key
        return ""

    def _values(self, type_: ActionType, params: Mapping[str, Any], key: CallKey) -> tuple[str, ...]:
        found: list[str] = []
        if type_ is ActionType.SELECT:
            chosen = self.heard.results.get(key, {}).get("values")
            found = _texts(chosen) or _options(params)
        elif type_ is ActionType.UPLOAD:
            named = [text_or_empty(one.get("name")) for one in _mappings(params.get("payloads"))]
            paths = [*_texts(params.get("localPaths")), *_texts(params.get("files")), *named]
            found = [re.split(r"[/\\]", path)[-1] for path in paths]
        return tuple(self.masker.text(one) for one in found[:_MOST_VALUES])

    def _onto(self, call: TracedCall, params: Mapping[str, Any]) -> ActionTarget | None:
        said = read_selector(text_or_empty(params.get("target")))
        if said is None:
            return None
        page = self.trace.page_at(call, "before")
        number = number_on(page, said, self.trace.test_id_attribute) if page is not None else None
        if page is None or number is None:
            return untried_target(said)
        return target_on(page, number, said, self.trace.test_id_attribute)


def _options(params: Mapping[str, Any]) -> list[str]:
    said = (one.get("value", one.get("valueOrLabel", one.get("label"))) for one in _mappings(params.get("options")))
    return _texts(list(said))


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _texts(value: object) -> list[str]:
    return [storable(one) for one in value if isinstance(one, str)] if isinstance(value, list) else []
