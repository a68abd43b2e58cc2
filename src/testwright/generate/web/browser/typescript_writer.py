"""A plan as a Playwright test in TypeScript."""

from collections.abc import Iterator

from testwright.generate.web.browser.playwright_calls import TYPESCRIPT, PlaywrightWriter
from testwright.generate.web.browser.typescript_helpers import IS_FOR, PLAY_SOCKET, REPLAY, SHAPE_OF, WITHIN
from testwright.generate.web.code_literals import answer_literal, json_literal, text, typed
from testwright.generate.web.error_wording import (
    GUARD_FAILED,
    REPRO_FAILED,
    address_of,
    moment,
    one_line,
    patience,
    told_as,
)
from testwright.generate.web.web_plan import (
    ExpectedError,
    Mock,
    Polarity,
    WebFramework,
    WebPlan,
    WebStep,
    WrittenTest,
    split_key,
)
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE, Dialect, TextPattern
from testwright.model.session import ActionType, ErrorSource
from testwright.selectors.spelling import regex_source

_TS = Dialect.TYPESCRIPT


def write_typescript(plan: WebPlan, polarity: Polarity = Polarity.GUARD) -> WrittenTest:
    writing = _Writing(plan, polarity)
    ending = "-repro.spec.ts" if polarity is Polarity.REPRO else ".spec.ts"
    return writing.written(WebFramework.PLAYWRIGHT, f"{plan.slug}{ending}", writing.file())


class _Writing(PlaywrightWriter):
    speech = TYPESCRIPT

    def address(self, path: str) -> str:
        return regex_source(TextPattern(address_of(path)))

    def file(self) -> str:
        test = "\n".join(f"  {line}" if line else "" for line in self._body())
        sections = [
            "\n".join(self._head()),
            self._use(),
            self._recorded(),
            f"test({text(self.plan.title, _TS)}, async ({{ {self._fixtures(test)} }}) => {{\n{test}\n}});",
            *(part.rstrip("\n") for part in self._parts(test)),
        ]
        return "\n\n".join(section for section in sections if section) + "\n"

    # --- around the test ---

    def _head(self) -> Iterator[str]:
        plan = self.plan
        yield f"// Recorded by Testwright in session {plan.slice.head.id}" + (
            f", error {plan.error.error_id}." if plan.error is not None else "."
        )
        for note in plan.notes:
            yield f"// TODO: {one_line(note)}"
        types = ["type BrowserContext"] if plan.mocks or plan.sockets else []
        types += ["type Request"] if self._needs_is_for else []
        types += ["type WebSocketRoute"] if plan.sockets else []
        yield f"import {{ {', '.join(['expect', 'test', *types])} }} from '@playwright/test';"
        yield ""
        yield f"const BASE_URL = process.env.BASE_URL ?? {text(plan.origin, _TS)};"

    def _use(self) -> str:
        around = self.plan.surroundings
        lines = ["baseURL: BASE_URL,"]
        if around.viewport is not None:
            lines.append(f"viewport: {{ width: {around.viewport[0]}, height: {around.viewport[1]} }},")
        options = {
            "locale": text(around.locale, _TS) if around.locale else "",
            "timezoneId": text(around.timezone, _TS) if around.timezone else "",
            "colorScheme": text(around.color_scheme, _TS) if around.color_scheme == "dark" else "",
            "deviceScaleFactor": f"{around.scale:g}" if around.scale != 1 else "",
            "hasTouch": "true" if around.touch else "",
            "serviceWorkers": "'block'" if self.plan.mocks else "",
            "testIdAttribute": "" if self._test_id == DEFAULT_TEST_ID_ATTRIBUTE else text(self._test_id, _TS),
        }
        lines += [f"{name}: {value}," for name, value in options.items() if value]
        lines += self._storage_state()
        return "test.use({\n" + "".join(f"  {line}\n" for line in lines) + "});"

    def _storage_state(self) -> Iterator[str]:
        state = self.plan.state
        local = self.own_storage.local
        if not state.cookies and not local:
            return
        yield "storageState: {"
        yield "  cookies: [" if state.cookies else "  cookies: [],"
        for cookie in state.cookies:
            yield (
                f"    {{ name: {text(cookie.name, _TS)}, value: {typed(cookie.value, _TS)}, "
                f"domain: new URL(BASE_URL).hostname, path: {text(cookie.path, _TS)}, expires: -1, "
                f"httpOnly: {_bool(cookie.http_only)}, secure: {_bool(cookie.secure)}, "
                f"sameSite: {text(cookie.same_site or 'Lax', _TS)} }},"
            )
        if state.cookies:
            yield "  ],"
        yield "  origins: [{"
        yield "    origin: new URL(BASE_URL).origin,"
        yield "    localStorage: ["
        for name, value in local.items():
            yield f"      {{ name: {text(name, _TS)}, value: {typed(value, _TS)} }},"
        yield "    ],"
        yield "  }],"
        yield "},"

    @property
    def _test_id(self) -> str:
        return self.plan.slice.head.test_id_attribute or DEFAULT_TEST_ID_ATTRIBUTE

    def _recorded(self) -> str:
        if not self.plan.mocks:
            return ""
        entries = "".join(_exchange(mock) for mock in self.plan.mocks)
        return (
            "/** What the server answered when this was recorded; the last answer to a request repeats. */\n"
            f"const RECORDED: Exchange[] = [\n{entries}];"
        )

    def _parts(self, body: str) -> Iterator[str]:
        if self.plan.mocks:
            yield REPLAY
        if self._needs_is_for:
            yield IS_FOR
        if self.plan.sockets:
            yield PLAY_SOCKET
        if "within(" in body:
            yield WITHIN
        if self.plan.shapes:
            yield SHAPE_OF

    @property
    def _needs_is_for(self) -> bool:
        return bool(self.plan.mocks or self.plan.shapes or any(step.awaits for step in self.plan.steps))

    @staticmethod
    def _fixtures(body: str) -> str:
        return "page, context" if "context." in body or "(context" in body else "page"

    # --- the test ---

    def _body(self) -> Iterator[str]:
        if self.polarity is Polarity.KNOWN_BUG:
            yield "test.fail(); // a known bug: once this test passes, the bug is fixed and this line goes"
        before = list(self._before())
        yield from before
        if before:
            yield ""
        for place, step in enumerate(self.plan.steps):
            yield from self._step(step, place + 1)
            if place == 0:
                for check in self.plan.start_checks:
                    yield from self.check(check)
        yield from self._afterwards()

    def _before(self) -> Iterator[str]:
        plan = self.plan
        if plan.error is not None:
            yield "// Listens before the first page is opened: an error that comes early counts too."
            yield from self._listener(plan.error)
        if plan.watches_errors:
            yield "const errors: string[] = [];"
            yield "context.on('weberror', (event) => errors.push(`${event.error().name}: ${event.error().message}`));"
        if plan.shapes:
            yield "const answers: { request: Request; status: number; body: unknown }[] = [];"
            yield "page.on('response', async (response) => {"
            yield "  if (!/json/.test(response.headers()['content-type'] ?? '')) return;"
            yield "  const body: unknown = await response.json();"
            yield "  answers.push({ request: response.request(), status: response.status(), body });"
            yield "});"
        if plan.mocks:
            yield "const server = await replay(context, RECORDED);"
        for number, script in enumerate(plan.sockets, 1):
            messages = [
                {"text": one.text, "afterSteps": one.after_steps, "afterSent": one.after_sent}
                for one in script.messages
            ]
            yield (
                f"const socket{number} = await playSocket(context, {text(script.path, _TS)}, "
                f"{json_literal(messages, _TS, 2)});"
            )
        if plan.clock is not None:
            yield f"await context.clock.setFixedTime(new Date({text(moment(plan.clock), _TS)}));"
        if plan.accepts_dialogs:
            yield "page.on('dialog', (dialog) => dialog.accept());"
        yield from self._session_storage()

    def _session_storage(self) -> Iterator[str]:
        kept = self.own_storage.session
        if not kept:
            return
        entries = ", ".join(f"[{text(name, _TS)}, {typed(value, _TS)}]" for name, value in kept.items())
        yield "await context.addInitScript("
        yield "  ({ origin, kept }) => {"
        yield "    if (location.origin !== origin) return;"
        yield "    for (const [name, value] of kept) if (sessionStorage.getItem(name) === null) {"
        yield "      sessionStorage.setItem(name, value);"
        yield "    }"
        yield "  },"
        yield f"  {{ origin: new URL(BASE_URL).origin, kept: [{entries}] }},"
        yield ");"

    def _listener(self, error: ExpectedError) -> Iterator[str]:
        pattern = regex_source(TextPattern(told_as(error)))
        yield "const recorded = new Promise<string>((resolve) => {"
        if error.source is ErrorSource.CRASH:
            yield "  page.on('crash', () => resolve('the page crashed'));"
        elif error.source is ErrorSource.CONSOLE:
            yield "  context.on('console', (message) => {"
            yield f"    if (message.type() === 'error' && {pattern}.test(message.text())) resolve(message.text());"
            yield "  });"
        else:
            yield "  context.on('weberror', (event) => {"
            yield "    const said = String(event.error());"
            yield f"    if ({pattern}.test(said)) resolve(said);"
            yield "  });"
        yield "});"

    def _afterwards(self) -> Iterator[str]:
        plan = self.plan
        if plan.holds_answers:
            yield "server.release(); // what is still kept back"
        yield from self._preconditions()
        if plan.error is not None:
            yield ""
            yield from self._verdict(plan.error)
        if plan.watches_errors:
            yield ""
            known = [regex_source(TextPattern(pattern)) for pattern in plan.known_errors]
            yield f"const known: RegExp[] = [{', '.join(known)}];"
            yield (
                "expect(errors.filter((error) => !known.some((one) => one.test(error))), "
                "'errors that were not there before').toEqual([]);"
            )
        for shape in plan.shapes:
            yield from self._shape(shape.method, shape.path, shape.status, shape.parts)

    def _shape(self, method: str, path: str, status: int, parts: tuple[str, ...]) -> Iterator[str]:
        meant = text(f"{method} {path}", _TS)
        yield ""
        yield f"await expect.poll(() => answers.some((one) => isFor(one.request, {meant}))).toBe(true);"
        yield f"for (const answer of answers.filter((one) => isFor(one.request, {meant}))) {{"
        yield f"  expect(answer.status, {meant}).toBe({status});"
        yield f"  const wanted = {json_literal(list(parts), _TS, 4)};"
        yield f"  expect(missingFrom(answer.body, wanted), {meant}).toEqual([]);"
        yield "}"

    def _preconditions(self) -> Iterator[str]:
        """Without these a guard could pass because nothing happened at all."""
        plan = self.plan
        if self.trigger:
            yield f"expect(server.answered).toContain({text(f'{self.trigger} #1', _TS)}); // it came as far as that"
        for number, script in enumerate(plan.sockets, 1):
            if script.messages:
                yield f"await expect.poll(() => socket{number}.sent()).toBe({len(script.messages)});"

    def _verdict(self, error: ExpectedError) -> Iterator[str]:
        if self.polarity is Polarity.REPRO:
            yield f"expect(await within({patience(error, waits=True)}, recorded), '{REPRO_FAILED}').not.toBe('');"
            return
        yield f"// Red while the bug is there. Recorded, the error came {error.delay} ms after the last step."
        yield f"expect(await within({patience(error)}, recorded), '{GUARD_FAILED}').toBe('');"

    # --- a step ---

    def _step(self, step: WebStep, number: int) -> Iterator[str]:
        page = self.page_of(step.tab)
        if step.note:
            yield f"// TODO: {one_line(step.note)}"
        if step.awaits:
            meant, holds = split_key(step.awaits)
            extra = f", {text(holds, _TS)}" if holds else ""
            answered = f"isFor(response.request(), {text(meant, _TS)}{extra})"
            yield f"const answer{number} = {page}.waitForResponse((response) => {answered});"
        if step.opens is not None:
            yield f"const opened{step.opens} = context.waitForEvent('page');"
        yield from self.act(step, page)
        if step.opens is not None:
            yield f"const {self.page_of(step.opens)} = await opened{step.opens};"
        if step.awaits:
            yield f"await answer{number};"
        if isinstance(step.type, ActionType):
            yield from self.after_action()
        for check in step.checks:
            yield from self.check(check)


def _exchange(mock: Mock) -> str:
    holds = f"    holds: {text(mock.body_holds, _TS)},\n" if mock.body_holds else ""
    answers = "".join(f"      {answer_literal(answer, _TS)},\n" for answer in mock.answers)
    return f"  {{\n    request: {text(mock.request, _TS)},\n{holds}    answers: [\n{answers}    ],\n  }},\n"


def _bool(value: bool) -> str:
    return "true" if value else "false"
