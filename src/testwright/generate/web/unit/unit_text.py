"""The text of a unit test: what surrounds the module, the one test, and the functions that both use."""

import re
from collections.abc import Iterator

from testwright.generate.web.code_literals import one_line, text
from testwright.generate.web.error_wording import GUARD_FAILED, error_line_pattern, patience
from testwright.generate.web.recorded_constants import recorded_lines, socket_lines
from testwright.generate.web.unit.approach import Level
from testwright.generate.web.unit.dom_events import doing_lines, filling_lines
from testwright.generate.web.unit.import_style import NEEDS_FLAG, specifier
from testwright.generate.web.unit.mounted_page import MountedAction
from testwright.generate.web.unit.page_fragment import page_lines
from testwright.generate.web.unit.setup_hooks import SetupHooks
from testwright.generate.web.unit.unit_facts import UnitTestFacts
from testwright.generate.web.unit.unit_helpers import NO_SERVER, PARTS, SERVER, SPEAKER, with_order
from testwright.generate.web.web_plan import Polarity
from testwright.model.selector import Dialect, TextPattern
from testwright.model.session import ErrorSource
from testwright.model.untrusted_text import visible_line
from testwright.selectors.spelling import regex_source

_TS = Dialect.TYPESCRIPT


class UnitTestText:
    """One test file."""

    def __init__(self, facts: UnitTestFacts) -> None:
        self.facts, self.plan, self.approach = facts, facts.plan, facts.approach

    def file(self) -> str:
        test = list(self._test())
        setting = list(SetupHooks(self.facts).lines())
        body = "\n".join([*setting, *test])
        sections = [
            "\n".join([*self.head(), *self._imports()]),
            "\n".join(page_lines(self.facts.stage.fragment)) if self.facts.mounts else "",
            "\n".join(recorded_lines(self.plan.mocks, self.facts.type_name("any[]"))) if self.plan.mocks else "",
            "\n".join(socket_lines(self.plan.sockets, self.facts.type_name("any"))) if self.plan.sockets else "",
            "\n".join(self._constants()),
            "\n".join(setting),
            "\n".join(test),
            *self._parts(body),
        ]
        return "\n\n".join(section.rstrip("\n") for section in sections if section) + "\n"

    def head(self) -> Iterator[str]:
        yield self.facts.runner.environment
        error = self.plan.error
        about = f", error {error.error_id}." if error is not None else "."
        yield f"// Recorded by Testwright in session {visible_line(self.plan.slice.head.id)}{about}"
        if self.approach.told:
            yield f"// The error's stack leads to {visible_line(self.approach.told)}."
        for note in self.plan.notes:
            yield f"// TODO: {one_line(visible_line(note))}"
        if self.facts.loading.needs_flag:
            yield f"// {NEEDS_FLAG}"

    def _imports(self) -> Iterator[str]:
        yield from self.facts.runner.imports
        if self.facts.loading.needs_flag and self.plan.clock is not None:
            yield from self.facts.runner.module_imports

    def _constants(self) -> Iterator[str]:
        if self.plan.mocks:
            yield f"const ORIGIN = {text(self.plan.origin, _TS)};"
        yield f"const THE_ERROR = {regex_source(TextPattern(error_line_pattern(self.facts.error), 'm'))};"
        yield self.facts.typed("const errors⟦: string[]⟧ = [];")
        yield self.facts.typed("let stop⟦: any⟧ = null;")
        yield self.facts.typed(
            "let stuck⟦: any⟧ = null; // comes true once something is asked for that was not recorded"
        )
        if self.plan.mocks:
            yield self.facts.typed("const asked⟦: string[]⟧ = []; // what the code asked the server for")
            yield self.facts.typed("const answered⟦: string[]⟧ = [];")
        if self.facts.order_matters:
            yield "let held = 0; // answers that wait for another one"
        if self.facts.must_be_heard:
            yield self.facts.typed("const heard⟦: string[]⟧ = []; // events that listeners of the page were called for")
            yield self.facts.typed("const listen⟦: any⟧ = EventTarget.prototype.addEventListener;")
        if self.plan.sockets:
            yield self.facts.typed("const sockets⟦: any[]⟧ = [];")
            yield "let steps = 0; // actions so far"
        yield from map(self.facts.typed, self.facts.runner.constants)

    def _parts(self, body: str) -> Iterator[str]:
        own = list(self.facts.runner.helpers)
        own.append(with_order(SERVER, matters=self.facts.order_matters) if self.plan.mocks else NO_SERVER)
        said = body + "".join(own)
        for name, part in PARTS.items():
            if re.search(rf"\b{name}\(|[ ]{name}\)|extends {name}\b", said):
                own.append(part)
                said += part
        # A class has to stand before those that are made of it.
        own.sort(key=lambda part: part is not SPEAKER)
        yield from (self.facts.typed(part) for part in own)

    # --- the test ---

    def _test(self) -> Iterator[str]:
        word = "test"
        if self.facts.polarity is Polarity.KNOWN_BUG:
            yield "// A known bug: once this test passes, the bug is fixed and the mark goes."
            word = self.facts.runner.known_bug
        yield f"{word}({text(self._title, _TS)}, async () => {{"
        yield from (f"  {line}" if line else "" for line in self._body())
        yield "});"

    @property
    def _title(self) -> str:
        """The plan's, which tells what a person did; where a function is called instead, that."""
        found = re.search(r" (?:does not throw|throws|does not report|reports) ", self.plan.title)
        if self.approach.level is not Level.MODULE or found is None:
            return self.plan.title
        doing = self.approach.call or f"loading {self.approach.module}"
        return doing + self.plan.title[found.start() :]

    def _body(self) -> Iterator[str]:
        if self.approach.level is Level.MODULE:
            if self.facts.mounts:
                yield from filling_lines(self.facts.stage.filled)
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
        if not self.facts.acts:
            return
        *earlier, last = self.facts.stage.acts
        for act in earlier:
            yield ""
            yield from self._doing(act)
            yield "await quiet();"
        yield ""
        if self.facts.must_be_heard:
            yield "heard.length = 0;"
        yield from self._doing(last)

    def _doing(self, act: MountedAction) -> Iterator[str]:
        is_first = act is self.facts.stage.acts[0]
        yield from doing_lines(act, declares="let " if is_first else "")
        if self.plan.sockets:
            yield "steps += 1;"
            yield "for (const one of sockets) one.play();"

    def _load(self) -> str:
        path = specifier(self.approach.module, self.facts.folder)
        return f"require({path})" if self.facts.loading.requires else f"import({path})"

    def _awaited_load(self) -> str:
        return self._load() if self.facts.loading.requires else f"await {self._load()}"

    def _imported(self) -> str:
        name = self.approach.imports
        called = re.split(r"[.(]", self.approach.call)[0]
        if name != "default":
            return f"{{ {name} }}"
        return called if self.facts.loading.requires else f"{{ default: {called} }}"

    def _verdict(self) -> Iterator[str]:
        error = self.facts.error
        is_repro = self.facts.polarity is Polarity.REPRO
        if self.facts.trigger:
            yield f"await until(() => asked.includes({text(self.facts.trigger, _TS)}));"
        if self.facts.order_matters:
            yield "await until(() => held === 0);"
        if self.approach.can_wait or is_repro:
            yield f"await until(() => errors.length > 0, {patience(error) if self.approach.can_wait else 1000});"
        yield "await quiet();"
        if self.facts.trigger or self.facts.must_be_heard or self.plan.sockets:
            yield "// It came as far as it did when it was recorded."
        if self.facts.trigger:
            yield f"expect(asked).toContain({text(self.facts.trigger, _TS)});"
        if self.facts.must_be_heard:
            yield "expect(heard).not.toEqual([]);"
        pushed = sum(len(script.messages) for script in self.plan.sockets)
        if pushed:
            yield f"expect(sockets.reduce((sum, one) => sum + one.next, 0)).toBeGreaterThanOrEqual({pushed});"
        if is_repro:
            yield "expect(errors.join('\\n')).toMatch(THE_ERROR);"
            return
        if self.approach.level is Level.PROMISE:
            yield from self.facts.runner.on_rejection
        said = f", '{GUARD_FAILED}'" if self.facts.runner.takes_message else ""
        yield f"expect(errors.join('\\n'){said}).not.toMatch(THE_ERROR);"
        if error.source is not ErrorSource.CONSOLE:
            yield "expect(errors.join('\\n')).toBe(''); // with another error it is not known whether this one is gone"
