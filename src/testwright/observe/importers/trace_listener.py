"""What a trace says besides calls and pages: clocks, parameters, console lines, errors. Nothing here is masked."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from testwright.observe.importers.json_fields import object_or_empty

CallKey = tuple[str, str]  # the part of the archive, and the call's id there
_TIMELESS = 0.0


@dataclass(frozen=True, slots=True)
class BrowserEvent:
    """A console line, or an event of the browser: an error, a new tab, a dialog."""

    source: str
    at: float  # milliseconds since 1970
    kind: str  # console, pageError, page, pageClosed, dialog, ...
    page: str  # its id
    data: Mapping[str, Any]


@dataclass
class TraceListener:
    """Fills itself while a trace is read; see `testwright.observe.playwright_trace.Listener`."""

    options: dict[str, Any] = field(default_factory=dict)  # of the first browser context
    params: dict[CallKey, Mapping[str, Any]] = field(default_factory=dict)
    results: dict[CallKey, Mapping[str, Any]] = field(default_factory=dict)
    ends: dict[CallKey, float] = field(default_factory=dict)
    main_frames: set[str] = field(default_factory=set)
    happenings: list[BrowserEvent] = field(default_factory=list)
    _clocks: dict[str, float] = field(default_factory=dict)  # part -> what to add to its times
    _raw: list[BrowserEvent] = field(default_factory=list)  # with times of their own clocks
    _acted: dict[CallKey, float] = field(default_factory=dict)  # when the element was there and the input began
    _pages: dict[CallKey, str] = field(default_factory=dict)
    _urls: dict[CallKey, str] = field(default_factory=dict)

    def __call__(self, source: str, event: dict[str, Any]) -> None:
        kind = event.get("type")
        key = (source, _text(event.get("callId")))
        if kind == "context-options":
            self._hear_options(source, event)
        elif kind in ("before", "action"):
            self.params[key] = object_or_empty(event.get("params"))
            if isinstance(event.get("pageId"), str):
                self._pages.setdefault(key, event["pageId"])
        elif kind == "frame-snapshot":
            self._hear_snapshot(source, object_or_empty(event.get("snapshot")))
        elif kind in ("event", "console"):
            self._hear_happening(source, event)
        if kind in ("after", "action"):
            self.results[key] = object_or_empty(event.get("result"))
            self.ends[key] = _number(event.get("endTime"))

    def settle(self) -> None:
        """Once everything was heard: only now are all clocks known."""
        self.happenings = [replace(one, at=self.at(one.source, one.at)) for one in self._raw]

    def at(self, source: str, time: float) -> float:
        return time + self._clocks.get(source, _TIMELESS)

    def acted_at(self, key: CallKey, started: float) -> float:
        """When a call acted: it may have waited long for its element."""
        return self.at(key[0], self._acted.get(key, started))

    def page_of(self, key: CallKey) -> str:
        return self._pages.get(key, "")

    def pages(self) -> list[str]:
        """All that calls were about, in their order."""
        return [page for page in dict.fromkeys(self._pages.values()) if page]

    def url_of(self, key: CallKey) -> str:
        return self._urls.get(key, "")

    def _hear_options(self, source: str, event: dict[str, Any]) -> None:
        wall, own = _number(event.get("wallTime")), _number(event.get("monotonicTime"))
        if wall and own:
            self._clocks[source] = wall - own
        if not self.options and event.get("origin") != "testRunner":
            self.options = dict(object_or_empty(event.get("options")))

    def _hear_snapshot(self, source: str, snapshot: Mapping[str, Any]) -> None:
        time, wall = _number(snapshot.get("timestamp")), _number(snapshot.get("wallTime"))
        if source not in self._clocks and time and wall:
            self._clocks[source] = wall - time  # traces of old have no other clock
        if snapshot.get("isMainFrame") is not True:
            return
        self.main_frames.add(_text(snapshot.get("frameId")))
        name = _text(snapshot.get("snapshotName"))
        phase = _text(snapshot.get("phase")) or name.partition("@")[0]
        call = _text(snapshot.get("callId")) or name.partition("@")[2]
        self._pages.setdefault((source, call), _text(snapshot.get("pageId")))
        if phase != "after":
            self._urls[source, call] = _text(snapshot.get("frameUrl"))
        if phase in ("action", "input") and time:
            self._acted.setdefault((source, call), time)

    def _hear_happening(self, source: str, event: dict[str, Any]) -> None:
        is_line = event.get("type") == "console"
        data = event if is_line else object_or_empty(event.get("params"))
        page = _text(event.get("pageId")) or _text(data.get("pageId"))
        kind = "console" if is_line else _text(event.get("method"))
        self._raw.append(BrowserEvent(source, _number(event.get("time")), kind, page, data))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15 else 0.0
