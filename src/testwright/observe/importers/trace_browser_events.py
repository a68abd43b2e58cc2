"""What a trace says of the browser's side: console lines, errors, tabs and dialogs."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from testwright.masking.masker import Masker
from testwright.model.session import ConsoleLine, Dialog, ErrorSource, PageError, ScriptFrame, TabEvent
from testwright.observe.importers.json_fields import object_or_empty, text_or_empty
from testwright.observe.importers.session_timeline import MOST_EVENTS, NOT_YET, PageSource, Timeline
from testwright.observe.importers.trace_listener import BrowserEvent, TraceListener
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.playwright_trace import Trace, TracedCall
from testwright.observe.recording.error_fingerprints import error_fingerprint
from testwright.observe.recording.error_ids import ErrorIds
from testwright.observe.recording.error_stacks import name_and_message, only_frame, parsed_stack

_LONGEST = 16 << 10
_MOST_ARGS = 20


@dataclass
class BrowserEvents:
    """Puts them on a timeline."""

    trace: Trace
    heard: TraceListener
    masker: Masker
    noise: NoiseRules
    timeline: Timeline
    tabs: Mapping[str, int]
    _ids: ErrorIds = field(default_factory=ErrorIds)
    _calls: dict[tuple[str, str], tuple[list[float], list[TracedCall]]] = field(
        default_factory=dict
    )  # by part and page

    def take_all(self) -> None:
        answers = [call for call in self.trace.calls if call.kind == "Dialog"]
        for call in self.trace.calls:
            page = self.heard.page_of((call.source, call.id))
            times, calls = self._calls.setdefault((call.source, page), ([], []))
            times.append(self.heard.at(call.source, call.started))
            calls.append(call)
        for one in self.heard.happenings[:MOST_EVENTS]:
            if one.kind == "console":
                self._take_line(one)
            elif one.kind == "pageError":
                self._take_error(one)
            elif one.kind in ("page", "pageClosed", "crash"):
                self._take_tab(one)
            elif one.kind == "dialog":
                self._take_dialog(one, answers)

    def _take_line(self, one: BrowserEvent) -> None:
        text, place = text_or_empty(one.data.get("text")), object_or_empty(one.data.get("location"))
        level, url = text_or_empty(one.data.get("messageType")) or "log", text_or_empty(place.get("url"))
        if self.noise.drops_console(text, url):
            return
        given = one.data.get("args")
        args = (
            [text_or_empty(arg.get("preview")) for arg in given if isinstance(arg, dict)]
            if isinstance(given, list)
            else []
        )
        line, column = _whole(place.get("lineNumber")) + 1, _whole(place.get("columnNumber")) + 1
        mask = self.masker.text
        self.timeline.add(
            one.at,
            ConsoleLine(
                seq=NOT_YET,
                t=NOT_YET,
                tab=self._tab(one),
                level=level,
                text=mask(text[:_LONGEST]),
                args=tuple(mask(arg[:_LONGEST]) for arg in args[:_MOST_ARGS]),
                url=self.masker.url(url),
                line=line,
                column=column,
            ),
        )
        if level == "error" and args:
            name, message = name_and_message(text)
            stack = only_frame(url, line, column, self._url_at(one))
            self._add_error(one, ErrorSource.CONSOLE, name, message, stack)

    def _take_error(self, one: BrowserEvent) -> None:
        outer = object_or_empty(one.data.get("error"))
        error = object_or_empty(outer.get("error"))
        message = text_or_empty(error.get("message")) or text_or_empty(outer.get("value"))
        stack = parsed_stack(text_or_empty(error.get("stack")), self._url_at(one))
        if not stack:
            place = object_or_empty(one.data.get("location"))
            line, column = _whole(place.get("line")) + 1, _whole(place.get("column")) + 1
            stack = only_frame(text_or_empty(place.get("url")), line, column, self._url_at(one))
        self._add_error(one, ErrorSource.PAGE_ERROR, text_or_empty(error.get("name")), message, stack)

    def _add_error(
        self, one: BrowserEvent, source: ErrorSource, name: str, message: str, stack: tuple[ScriptFrame, ...]
    ) -> None:
        if self.noise.drops_error(f"{name}: {message}", next((frame.url for frame in stack if frame.url), "")):
            return
        message = self.masker.text(message[:_LONGEST])
        stack = tuple(replace(frame, url=self.masker.url(frame.url)) if frame.url else frame for frame in stack)
        url = self.masker.url(self._url_at(one))
        told = "\n".join(f"{frame.function} {frame.url}:{frame.line}:{frame.column}" for frame in stack)
        self.timeline.add(
            one.at,
            PageError(
                seq=NOT_YET,
                t=NOT_YET,
                tab=self._tab(one),
                error_id=self._ids.give(int(one.at), message, told, url),
                source=source,
                name=name[:200],
                message=message,
                stack=stack,
                url=url,
                fingerprint=error_fingerprint(name, message, stack),
            ),
            self._page_after(one),
        )

    def _take_tab(self, one: BrowserEvent) -> None:
        tab = self._tab(one)
        what = {"page": "opened", "crash": "crashed"}.get(one.kind, "closed")
        if tab == 1 and what == "opened":
            return
        opener = self.tabs.get(text_or_empty(one.data.get("openerPageId")))
        # A trace mentions a tab once it has loaded: it was there before anything that happened in it.
        at = min(one.at, self.timeline.first_in(tab) - 0.5) if what == "opened" else one.at
        self.timeline.add(at, TabEvent(seq=NOT_YET, t=NOT_YET, tab=tab, what=what, opener=opener))

    def _take_dialog(self, one: BrowserEvent, answers: list[TracedCall]) -> None:
        """Dialogs are answered in the order they open; one without an answer was dismissed by Playwright."""
        answer = next((call for call in answers if self.heard.at(call.source, call.started) >= one.at), None)
        if answer is not None:
            answers.remove(answer)
        params = self.heard.params.get((answer.source, answer.id), {}) if answer else {}
        self.timeline.add(
            one.at,
            Dialog(
                seq=NOT_YET,
                t=NOT_YET,
                tab=self._tab(one),
                type=text_or_empty(one.data.get("type")),
                message=self.masker.text(text_or_empty(one.data.get("message"))[:_LONGEST]),
                accepted=answer is not None and answer.method == "accept",
                text=self.masker.text(text_or_empty(params.get("promptText"))),
            ),
        )

    def _tab(self, one: BrowserEvent) -> int:
        return self.tabs.get(one.page, 1)

    def _call_at(self, one: BrowserEvent) -> TracedCall | None:
        """The last call on the same tab that had begun by then."""
        times, calls = self._calls.get((one.source, one.page), ([], []))
        at = bisect_right(times, one.at)
        return calls[at - 1] if at else None

    def _url_at(self, one: BrowserEvent) -> str:
        call = self._call_at(one)
        return self.heard.url_of((call.source, call.id)) if call is not None else ""

    def _page_after(self, one: BrowserEvent) -> PageSource | None:
        call = self._call_at(one)
        return None if call is None else (lambda: self.trace.page_at(call, "after"))


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) and abs(value) < 1e9 else 0
