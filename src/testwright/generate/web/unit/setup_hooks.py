"""What surrounds a unit test: the page, the server, the storage and the clock before it, and all put back after it."""

from collections.abc import Iterator

from testwright.generate.web.code_literals import js_bool, moment, text, typed
from testwright.generate.web.unit.unit_facts import UnitTestFacts
from testwright.model.selector import Dialect
from testwright.model.session import ErrorSource

_TS = Dialect.TYPESCRIPT


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
        if self.facts.runner.resets_imports or self.facts.loading.requires:
            yield f"{self.facts.runner.mock_object}.resetModules(); // a second try loads them anew"
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
            yield self._stub("confirm", f"() => {js_bool(self.plan.accepts_dialogs)}")
        if self.plan.clock is not None:
            yield from self.facts.runner.set_clock(moment(self.plan.clock))
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
        for place, values in (("localStorage", kept.local), ("sessionStorage", kept.session)):
            for name, value in values.items():
                yield f"{place}.setItem({text(name, _TS)}, {typed(value, _TS)});"
        for cookie in self.facts.state.cookies:
            if not cookie.http_only:
                yield f"document.cookie = {text(cookie.name + '=', _TS)} + ({typed(cookie.value, _TS)});"

    def _stub(self, name: str, value: str) -> str:
        return f"{self.facts.runner.stub}('{name}', {value});"

    def _listening(self) -> Iterator[str]:
        yield "window.addEventListener('error', onError);"
        if self.facts.error.source is ErrorSource.CONSOLE:
            own = (
                "{ ...console, error: (...said"
                + self.facts.typed("⟦: any[]⟧")
                + ") => note(said.map(String).join(' ')) }"
            )
            yield self._stub("console", own)
        yield from map(self.facts.typed, self.facts.runner.take_rejections)
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
        yield from self.facts.runner.give_back(has_clock=self.plan.clock is not None)
        yield "localStorage.clear();"
        yield "sessionStorage.clear();"
        yield "document.body.innerHTML = '';"
