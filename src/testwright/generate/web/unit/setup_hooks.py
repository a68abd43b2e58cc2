"""What surrounds a unit test: the page, the server, the storage and the clock before it, and all put back after it."""

from collections.abc import Iterator

from testwright.generate.web.code_literals import text, typed
from testwright.generate.web.error_wording import moment
from testwright.generate.web.unit.unit_facts import UnitTestFacts
from testwright.model.selector import Dialect
from testwright.model.session import ErrorSource

_TS = Dialect.TYPESCRIPT
# Jest cannot replace the date alone by naming it: all else has to be named.
_TIMERS = (
    "hrtime", "nextTick", "performance", "queueMicrotask", "requestAnimationFrame", "cancelAnimationFrame",
    "requestIdleCallback", "cancelIdleCallback", "setImmediate", "clearImmediate", "setInterval", "clearInterval",
    "setTimeout", "clearTimeout",
)  # fmt: skip


class SetupHooks:
    def __init__(self, facts: UnitTestFacts) -> None:
        self.facts, self.plan = facts, facts.plan

    def lines(self) -> Iterator[str]:
        yield "beforeEach(() => {"
        yield from (f"  {line}" for line in self._before())
        yield "});"
        yield ""
        yield "afterEach(() => {"
        yield from (f"  {line}" for line in self._after())
        yield "});"

    def _before(self) -> Iterator[str]:
        yield f"for (const seen of [{', '.join(self._seen)}]) seen.length = 0;"
        yield "stuck = new Promise((resolve) => { stop = resolve; });"
        if self.plan.sockets:
            yield f"steps = {self._steps_before};"
        if self.facts.is_vitest or self.facts.loading.requires:
            yield f"{'vi' if self.facts.is_vitest else 'jest'}.resetModules(); // a second try loads them anew"
        yield f"history.replaceState(null, '', {text(self.facts.address, _TS)});"
        if self.facts.mounts:
            yield "document.body.innerHTML = PAGE;"
        yield from self._state()
        yield self._stub("fetch", "fetchRecorded")
        yield self._stub("XMLHttpRequest", "RecordedXhr" if self.facts.uses_xhr else "refused('XMLHttpRequest')")
        yield self._stub("WebSocket", "RecordedSocket" if self.plan.sockets else "refused('WebSocket')")
        yield self._stub("EventSource", "refused('EventSource')")
        if self.facts.approach.uses_opener:
            yield self._stub("opener", "null")
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
            "heard": self.facts.must_be_heard,
            "sockets": self.plan.sockets,
        }
        return ["errors", *(name for name, is_there in made.items() if is_there)]

    @property
    def _steps_before(self) -> int:
        """Actions of the recording that this test does not repeat."""
        return max(0, len(self.plan.slice.actions) - (len(self.facts.stage.acts) if self.facts.acts else 0))

    def _state(self) -> Iterator[str]:
        kept = self.facts.own_storage
        for place, values in (("localStorage", kept.local), ("sessionStorage", kept.session)) if kept else ():
            for name, value in values.items():
                yield f"{place}.setItem({text(name, _TS)}, {typed(value, _TS)});"
        for cookie in self.facts.state.cookies:
            if not cookie.http_only:
                yield f"document.cookie = {text(cookie.name + '=', _TS)} + ({typed(cookie.value, _TS)});"

    def _stub(self, name: str, value: str) -> str:
        return f"{'vi.stubGlobal' if self.facts.is_vitest else 'stub'}('{name}', {value});"

    def _clock(self, milliseconds: int) -> Iterator[str]:
        if self.facts.is_vitest:
            yield f"vi.setSystemTime(new Date({text(moment(milliseconds), _TS)}));"
            return
        yield "jest.useFakeTimers({"
        yield f"  now: new Date({text(moment(milliseconds), _TS)}),"
        yield f"  doNotFake: [{', '.join(text(name, _TS) for name in _TIMERS)}],"
        yield "});"

    def _listening(self) -> Iterator[str]:
        yield "window.addEventListener('error', onError);"
        if self.facts.error.source is ErrorSource.CONSOLE:
            own = (
                "{ ...console, error: (...said"
                + self.facts.typed("⟦: any[]⟧")
                + ") => note(said.map(String).join(' ')) }"
            )
            yield self._stub("console", own)
        if self.facts.is_vitest:
            yield "// Vitest would report these itself: for this test they are ours."
            yield "for (const name of ['unhandledRejection', 'uncaughtException']) {"
            yield "  runners[name] = process.listeners(name" + self.facts.typed("⟦ as any⟧") + ");"
            yield "  process.removeAllListeners(name);"
            yield "  process.on(name, onRejection);"
            yield "}"
        if self.facts.must_be_heard:
            yield self.facts.typed(
                "EventTarget.prototype.addEventListener = function (type⟦: string⟧, ...more⟦: any⟧) {"
            )
            yield "  listen.call(this, type, () => heard.push(type), true);"
            yield "  return listen.call(this, type, ...more);"
            yield "};"

    def _after(self) -> Iterator[str]:
        yield "window.removeEventListener('error', onError);"
        if self.facts.must_be_heard:
            yield "EventTarget.prototype.addEventListener = listen;"
        if self.facts.is_vitest:
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
