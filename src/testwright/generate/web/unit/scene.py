"""The text of a unit test: what surrounds the module, the one test, and the functions that both use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from testwright.generate.web.plan import ExpectedError, Polarity, WebFramework, WebPlan
from testwright.generate.web.unit.approach import Approach, Level
from testwright.generate.web.unit.data import page_lines, recorded_lines, socket_lines
from testwright.generate.web.unit.doing import doing_lines, filling_lines
from testwright.generate.web.unit.loading import NEEDS_FLAG, Loading, specifier
from testwright.generate.web.unit.parts import NO_SERVER, PARTS, SERVER, STUB, in_language
from testwright.generate.web.unit.stage import Stage
from testwright.generate.web.values import text, typed
from testwright.generate.web.waiting import moment, one_line, patience
from testwright.model.selector import Dialect, Pattern
from testwright.model.session import ErrorSource, OriginStorage
from testwright.model.untrusted import visible_line
from testwright.selectors.spelling import regex_source

_TS = Dialect.TYPESCRIPT
_SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|/]")
# Jest cannot replace the date alone by naming it: all else has to be named.
_TIMERS = (
    "hrtime", "nextTick", "performance", "queueMicrotask", "requestAnimationFrame", "cancelAnimationFrame",
    "requestIdleCallback", "cancelIdleCallback", "setImmediate", "clearImmediate", "setInterval", "clearInterval",
    "setTimeout", "clearTimeout",
)  # fmt: skip


@dataclass
class Scene:
    """One test file."""

    plan: WebPlan
    framework: WebFramework
    polarity: Polarity
    approach: Approach
    stage: Stage
    loading: Loading
    folder: str  # that the file will lie in

    # --- facts ---

    @property
    def is_vitest(self) -> bool:
        return self.framework is WebFramework.VITEST

    @property
    def mounts(self) -> bool:
        return bool(self.stage.fragment.lines) and (self.approach.touches_page or "document" in self.approach.call)

    @cached_property
    def selectors(self) -> tuple[str, ...]:
        acting = [self.stage.target] if self._acts else []
        return tuple(dict.fromkeys([*(one.selector for one in self.stage.filled if self.mounts), *acting]))

    @property
    def uses_state(self) -> bool:
        return bool(list(self._state()))

    @property
    def _acts(self) -> bool:
        return self.approach.action is not None and self.approach.level is not Level.MODULE

    @property
    def _is_heard(self) -> bool:
        """Somebody must have listened. Where a request must have been made, that says more."""
        return self._acts and self.approach.must_be_heard and not self._trigger

    @property
    def _trigger(self) -> str:
        return self.approach.trigger if self.plan.mocks else ""

    @property
    def _uses_xhr(self) -> bool:
        return bool(self.plan.mocks) and any(one.resource == "xhr" for one in self.plan.slice.requests)

    @property
    def _own_storage(self) -> OriginStorage | None:
        parts = urlsplit(self.plan.slice.start_url)
        origin = f"{parts.scheme}://{parts.netloc}"
        return next((one for one in self.plan.state.origins if one.origin in (origin, self.plan.origin)), None)

    # --- the file ---

    def file(self) -> str:
        test = list(self._test())
        setting = list(self._setting())
        body = "\n".join([*setting, *test])
        sections = [
            "\n".join([*self.head(), *self._imports()]),
            "\n".join(page_lines(self.stage.fragment)) if self.mounts else "",
            "\n".join(recorded_lines(self.plan.mocks, self.loading.is_typed)) if self.plan.mocks else "",
            "\n".join(socket_lines(self.plan.sockets, self.loading.is_typed)) if self.plan.sockets else "",
            "\n".join(self._constants()),
            "\n".join(setting),
            "\n".join(test),
            *self._parts(body),
        ]
        return "\n\n".join(section.rstrip("\n") for section in sections if section) + "\n"

    def head(self) -> Iterator[str]:
        if self.is_vitest:
            yield "// @vitest-environment jsdom"
        else:
            yield "/** @jest-environment jsdom */"
        error = self.plan.error
        about = f", error {error.error_id}." if error is not None else "."
        yield f"// Recorded by Testwright in session {visible_line(self.plan.slice.head.id)}{about}"
        if self.approach.told:
            yield f"// The error's stack leads to {visible_line(self.approach.told)}."
        for note in self.plan.notes:
            yield f"// TODO: {one_line(visible_line(note))}"
        if self.loading.needs_flag:
            yield f"// {NEEDS_FLAG}"

    def _imports(self) -> Iterator[str]:
        if self.is_vitest:
            yield "import { afterEach, beforeEach, expect, test, vi } from 'vitest';"
        elif self.loading.needs_flag and self.plan.clock is not None:
            yield "import { jest } from '@jest/globals';"

    def _constants(self) -> Iterator[str]:
        assert self.plan.error is not None
        if self.plan.mocks:
            yield f"const ORIGIN = {text(self.plan.origin, _TS)};"
        yield f"const THE_ERROR = {regex_source(Pattern(_pattern(self.plan.error), 'm'))};"
        yield self._typed("const errors⟦: string[]⟧ = [];")
        if self.plan.mocks:
            yield self._typed("const asked⟦: string[]⟧ = []; // what the code asked the server for")
            yield self._typed("const answered⟦: string[]⟧ = [];")
        if self._is_heard:
            yield self._typed("const heard⟦: string[]⟧ = []; // events that listeners of the page were called for")
            yield self._typed("const listen⟦: any⟧ = EventTarget.prototype.addEventListener;")
        if self.plan.sockets:
            yield self._typed("const sockets⟦: any[]⟧ = [];")
            yield f"let steps = {max(0, len(self.plan.slice.actions) - 1)};"
        if self.is_vitest:
            yield self._typed("let runners⟦: Record<string, any[]>⟧ = {};")

    def _typed(self, line: str) -> str:
        return in_language(line, typed=self.loading.is_typed)

    def _parts(self, body: str) -> Iterator[str]:
        own = [] if self.is_vitest else [STUB]
        own.append(SERVER if self.plan.mocks else NO_SERVER)
        said = body + "".join(own)
        for name, part in PARTS.items():
            if f"{name}(" in said or f" {name})" in said:
                own.append(part)
                said += part
        yield from (self._typed(part) for part in own)

    # --- around the test ---

    def _setting(self) -> Iterator[str]:
        yield "beforeEach(() => {"
        yield from (f"  {line}" for line in self._before())
        yield "});"
        yield ""
        yield "afterEach(() => {"
        yield from (f"  {line}" for line in self._after())
        yield "});"

    def _before(self) -> Iterator[str]:
        yield f"for (const seen of [{', '.join(self._seen)}]) seen.length = 0;"
        if self.is_vitest or self.loading.requires:
            yield f"{'vi' if self.is_vitest else 'jest'}.resetModules(); // a second try loads them anew"
        yield f"history.replaceState(null, '', {text(self._address, _TS)});"
        if self.mounts:
            yield "document.body.innerHTML = PAGE;"
        yield from self._state()
        yield self._stub("fetch", "fetchRecorded")
        yield self._stub("XMLHttpRequest", "RecordedXhr" if self._uses_xhr else "refused('XMLHttpRequest')")
        yield self._stub("WebSocket", "RecordedSocket" if self.plan.sockets else "refused('WebSocket')")
        yield self._stub("EventSource", "refused('EventSource')")
        if self.plan.slice.dialogs:
            yield self._stub("alert", "() => {}")
            yield self._stub("confirm", f"() => {str(self.plan.accepts_dialogs).lower()}")
        if self.plan.clock is not None:
            yield from self._clock(self.plan.clock)
        yield from self._listening()

    @property
    def _seen(self) -> list[str]:
        made = {
            "asked": self.plan.mocks,
            "answered": self.plan.mocks,
            "heard": self._is_heard,
            "sockets": self.plan.sockets,
        }
        return ["errors", *(name for name, is_there in made.items() if is_there)]

    @property
    def _address(self) -> str:
        """Where the page was, below whatever origin the environment has."""
        action = self.approach.action
        parts = urlsplit((action.url if action is not None else "") or self.plan.slice.start_url)
        path = parts.path or "/"
        return "/" + path.lstrip("/") + (f"?{parts.query}" if parts.query else "")

    def _state(self) -> Iterator[str]:
        kept = self._own_storage
        for place, values in (("localStorage", kept.local), ("sessionStorage", kept.session)) if kept else ():
            for name, value in values.items():
                yield f"{place}.setItem({text(name, _TS)}, {typed(value, _TS)});"
        for cookie in self.plan.state.cookies:
            if not cookie.http_only:
                yield f"document.cookie = {text(cookie.name + '=', _TS)} + ({typed(cookie.value, _TS)});"

    def _stub(self, name: str, value: str) -> str:
        return f"{'vi.stubGlobal' if self.is_vitest else 'stub'}('{name}', {value});"

    def _clock(self, milliseconds: int) -> Iterator[str]:
        if self.is_vitest:
            yield f"vi.setSystemTime(new Date({text(moment(milliseconds), _TS)}));"
            return
        yield "jest.useFakeTimers({"
        yield f"  now: new Date({text(moment(milliseconds), _TS)}),"
        yield f"  doNotFake: [{', '.join(text(name, _TS) for name in _TIMERS)}],"
        yield "});"

    def _listening(self) -> Iterator[str]:
        assert self.plan.error is not None
        yield "window.addEventListener('error', onError);"
        if self.plan.error.source is ErrorSource.CONSOLE:
            own = (
                "{ ...console, error: (...said"
                + self._typed("⟦: any[]⟧")
                + ") => errors.push(said.map(String).join(' ')) }"
            )
            yield self._stub("console", own)
        if self.is_vitest:
            yield "// Vitest would report these itself: for this test they are ours."
            yield "for (const name of ['unhandledRejection', 'uncaughtException']) {"
            yield "  runners[name] = process.listeners(name" + self._typed("⟦ as any⟧") + ");"
            yield "  process.removeAllListeners(name);"
            yield "  process.on(name, onRejection);"
            yield "}"
        if self._is_heard:
            yield self._typed("EventTarget.prototype.addEventListener = function (type⟦: string⟧, ...more⟦: any⟧) {")
            yield "  listen.call(this, type, () => heard.push(type), true);"
            yield "  return listen.call(this, type, ...more);"
            yield "};"

    def _after(self) -> Iterator[str]:
        yield "window.removeEventListener('error', onError);"
        if self._is_heard:
            yield "EventTarget.prototype.addEventListener = listen;"
        if self.is_vitest:
            yield "for (const [name, listeners] of Object.entries(runners)) {"
            yield "  process.removeListener(name, onRejection);"
            yield "  for (const one of listeners) process.on(name, one);"
            yield "}"
            yield "vi.unstubAllGlobals();"
            if self.plan.clock is not None:
                yield "vi.useRealTimers();"
        else:
            if self.plan.clock is not None:
                yield "jest.useRealTimers();"
            yield "for (const [name, one] of Object.entries(before)) Object.defineProperty(globalThis, name, one);"
        yield "localStorage.clear();"
        yield "sessionStorage.clear();"
        yield "document.body.innerHTML = '';"

    # --- the test ---

    def _test(self) -> Iterator[str]:
        word = "test"
        if self.polarity is Polarity.KNOWN_BUG:
            yield "// A known bug: once this test passes, the bug is fixed and the mark goes."
            word = "test.fails" if self.is_vitest else "test.failing"
        yield f"{word}({text(self.plan.title, _TS)}, async () => {{"
        yield from (f"  {line}" if line else "" for line in self._body())
        yield "});"

    def _body(self) -> Iterator[str]:
        if self.mounts:
            yield from filling_lines(self.stage.filled)
        if self.approach.level is Level.MODULE:
            yield from self._calling()
        else:
            yield from self._loading_and_doing()
        yield ""
        yield from self._verdict()

    def _calling(self) -> Iterator[str]:
        if not self.approach.call:
            yield f"await noting(() => {self._load()});"
            return
        yield f"const {self._imported()} = {self._awaited_load()};"
        yield f"await noting(() => {self.approach.call});"

    def _loading_and_doing(self) -> Iterator[str]:
        if self.approach.call:
            yield f"const {self._imported()} = {self._awaited_load()};"
            yield f"await {self.approach.call}; // attaches the handlers"
        else:
            yield f"{self._awaited_load()}; // loaded now that the page is there"
        yield "await quiet();"
        if not self._acts or self.approach.action is None:
            return
        if self._is_heard:
            yield "heard.length = 0;"
        yield ""
        yield from doing_lines(self.approach.action, self.stage.target)
        if self.plan.sockets:
            yield "steps += 1;"
            yield "for (const one of sockets) one.play();"

    def _load(self) -> str:
        path = specifier(self.approach.module, self.folder)
        return f"require({path})" if self.loading.requires else f"import({path})"

    def _awaited_load(self) -> str:
        return self._load() if self.loading.requires else f"await {self._load()}"

    def _imported(self) -> str:
        name = self.approach.imports
        called = re.split(r"[.(]", self.approach.call)[0]
        if name != "default":
            return f"{{ {name} }}"
        return called if self.loading.requires else f"{{ default: {called} }}"

    def _verdict(self) -> Iterator[str]:
        error = self.plan.error
        assert error is not None
        is_repro = self.polarity is Polarity.REPRO
        if self._trigger:
            yield f"await until(() => asked.includes({text(self._trigger, _TS)}));"
        if self.approach.can_wait or is_repro:
            yield f"await until(() => errors.length > 0, {patience(error) if self.approach.can_wait else 1000});"
        yield "await quiet();"
        yield "// It came as far as it did when it was recorded."
        if self._trigger:
            yield f"expect(asked).toContain({text(self._trigger, _TS)});"
        if self._is_heard:
            yield "expect(heard).not.toEqual([]);"
        if is_repro:
            yield "expect(errors.join('\\n')).toMatch(THE_ERROR);"
            return
        if self.approach.level is Level.PROMISE and not self.is_vitest:
            yield "// Jest itself fails a test in which a promise is rejected and nobody waits for it."
        yield "expect(errors.join('\\n')).not.toMatch(THE_ERROR);"
        if error.source is not ErrorSource.CONSOLE:
            yield "expect(errors.join('\\n')).toBe(''); // with any other error it is not known whether this one is gone"


def _pattern(error: ExpectedError) -> str:
    """For the name and the message in one line."""
    if not error.name or error.source is ErrorSource.CONSOLE:
        return error.pattern
    name = _SPECIAL.sub(lambda found: "\\" + found[0], error.name)
    if error.pattern.startswith("^"):
        return f"^{name}: {error.pattern[1:]}"
    return f"^{name}: .*{error.pattern}"
