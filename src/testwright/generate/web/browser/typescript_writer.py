"""A plan as a Playwright test in TypeScript."""

import re
from collections.abc import Iterator, Mapping, Sequence

from testwright.generate.web.browser.plan_writer import PlanWriter
from testwright.generate.web.browser.playwright_language import (
    LISTENS_EARLY,
    FileDraft,
    Helper,
    PlaywrightLanguage,
    StepWaits,
)
from testwright.generate.web.browser.typescript_helpers import IS_FOR, PLAY_SOCKET, REPLAY, SHAPE_OF, WITHIN
from testwright.generate.web.code_literals import json_literal, text, typed
from testwright.generate.web.error_wording import GUARD_FAILED, REPRO_FAILED
from testwright.generate.web.recorded_constants import recorded_lines
from testwright.generate.web.web_plan import AnswerShape, Polarity, WebPlan, WrittenTest
from testwright.model.case import WebFramework
from testwright.model.selector import Dialect, TextPattern
from testwright.model.session import ErrorSource, Secret
from testwright.selectors.spelling import regex_source

_TS = Dialect.TYPESCRIPT
_KNOWN_BUG = "test.fail(); // a known bug: once this test passes, the bug is fixed and this line goes"
_TYPES = {Helper.REPLAY: "BrowserContext", Helper.IS_FOR: "Request", Helper.PLAY_SOCKET: "WebSocketRoute"}


def write_typescript(plan: WebPlan, polarity: Polarity = Polarity.GUARD) -> WrittenTest:
    return PlanWriter(plan, polarity, TYPESCRIPT).written()


class TypeScript(PlaywrightLanguage):
    framework = WebFramework.PLAYWRIGHT
    dialect = _TS
    remark = "//"
    indent = "  "
    literal_indent = 2
    file_literal = "{{ name: {}, mimeType: 'application/octet-stream', buffer: Buffer.from('') }}"
    right_click = "{ button: 'right' }"
    hostname = "new URL(BASE_URL).hostname"
    loop = ("for (const part of {}) {{", "}")
    has_test_id_option = True
    after_setup = ("",)
    helpers = {  # noqa: RUF012 - never written to
        Helper.REPLAY: REPLAY,
        Helper.IS_FOR: IS_FOR,
        Helper.PLAY_SOCKET: PLAY_SOCKET,
        Helper.WITHIN: WITHIN,
        Helper.SHAPE_OF: SHAPE_OF,
    }

    # --- the words of a line ---

    def name(self, name: str) -> str:
        return name

    def call(self, call: str) -> str:
        return f"await {call};"

    def statement(self, code: str, comment: str = "") -> str:
        return f"{code}; // {comment}" if comment else f"{code};"

    def pattern(self, regex: str) -> str:
        return regex_source(TextPattern(regex))

    def address(self, regex: str) -> str:
        return self.pattern(regex)

    def record(self, fields: Mapping[str, str]) -> str:
        return "{ " + ", ".join(f"{name}: {value}" for name, value in fields.items()) + " }"

    def option(self, name: str, value: str) -> str:
        return f"{name}: {value},"

    # --- around the test ---

    def filename(self, slug: str, *, is_repro: bool) -> str:
        return f"{slug}-repro.spec.ts" if is_repro else f"{slug}.spec.ts"

    def file(self, draft: FileDraft) -> str:
        lines = [_KNOWN_BUG, *draft.body] if draft.is_known_bug else draft.body
        body = "\n".join(f"{self.indent}{line}" if line else "" for line in lines)
        fixtures = "page, context" if re.search(r"context\.|\(context", body) else "page"
        sections = [
            "\n".join(_head(draft)),
            "test.use({\n" + "".join(f"{self.indent}{line}\n" for line in draft.options) + "});",
            "\n".join(recorded_lines(draft.mocks, "Exchange[]")) if draft.mocks else "",
            f"test({text(draft.title, _TS)}, async ({{ {fixtures} }}) => {{\n{body}\n}});",
            *(self.helpers[helper].rstrip("\n") for helper in draft.helpers),
        ]
        return "\n\n".join(section for section in sections if section) + "\n"

    def storage_state(self, cookies: Sequence[str], entries: Sequence[str]) -> Iterator[str]:
        yield "storageState: {"
        yield "  cookies: [" if cookies else "  cookies: [],"
        yield from (f"    {cookie}," for cookie in cookies)
        if cookies:
            yield "  ],"
        yield "  origins: [{"
        yield "    origin: new URL(BASE_URL).origin,"
        yield "    localStorage: ["
        yield from (f"      {entry}," for entry in entries)
        yield "    ],"
        yield "  }],"
        yield "},"

    # --- before the first step ---

    def listener(self, source: ErrorSource, pattern: str) -> Iterator[str]:
        yield f"// {LISTENS_EARLY}"
        yield "const recorded = new Promise<string>((resolve) => {"
        if source is ErrorSource.CRASH:
            yield "  page.on('crash', () => resolve('the page crashed'));"
        elif source is ErrorSource.CONSOLE:
            yield "  context.on('console', (message) => {"
            yield f"    if (message.type() === 'error' && {pattern}.test(message.text())) resolve(message.text());"
            yield "  });"
        else:
            yield "  context.on('weberror', (event) => {"
            yield "    const said = String(event.error());"
            yield f"    if ({pattern}.test(said)) resolve(said);"
            yield "  });"
        yield "});"

    def watch_errors(self) -> Iterator[str]:
        yield "const errors: string[] = [];"
        yield "context.on('weberror', (event) => errors.push(`${event.error().name}: ${event.error().message}`));"

    def collect_answers(self) -> Iterator[str]:
        yield "const answers: { request: Request; status: number; body: unknown }[] = [];"
        yield "page.on('response', async (response) => {"
        yield "  if (!/json/.test(response.headers()['content-type'] ?? '')) return;"
        yield "  const body: unknown = await response.json();"
        yield "  answers.push({ request: response.request(), status: response.status(), body });"
        yield "});"

    def replay(self) -> str:
        return "const server = await replay(context, RECORDED);"

    def play_socket(self, number: int, path: str, messages: str) -> str:
        return f"const socket{number} = await playSocket(context, {text(path, _TS)}, {messages});"

    def fix_clock(self, moment: str) -> str:
        return f"await context.clock.setFixedTime(new Date({text(moment, _TS)}));"

    def accept_dialogs(self) -> str:
        return "page.on('dialog', (dialog) => dialog.accept());"

    def session_storage(self, entries: Mapping[str, str | Secret]) -> Iterator[str]:
        kept = ", ".join(f"[{text(name, _TS)}, {typed(value, _TS)}]" for name, value in entries.items())
        yield "await context.addInitScript("
        yield "  ({ origin, kept }) => {"
        yield "    if (location.origin !== origin) return;"
        yield "    for (const [name, value] of kept) if (sessionStorage.getItem(name) === null) {"
        yield "      sessionStorage.setItem(name, value);"
        yield "    }"
        yield "  },"
        yield f"  {{ origin: new URL(BASE_URL).origin, kept: [{kept}] }},"
        yield ");"

    # --- a step ---

    def waiting(self, waits: StepWaits, lines: Sequence[str]) -> Iterator[str]:
        if waits.request:
            extra = f", {text(waits.holds, _TS)}" if waits.holds else ""
            answered = f"isFor(response.request(), {text(waits.request, _TS)}{extra})"
            yield f"const answer{waits.number} = {waits.page}.waitForResponse((response) => {answered});"
        if waits.opens is not None:
            yield f"const opened{waits.opens} = context.waitForEvent('page');"
        yield from lines
        if waits.opens is not None:
            yield f"const {waits.opened_page} = await opened{waits.opens};"
        if waits.request:
            yield f"await answer{waits.number};"

    # --- after the last step ---

    def was_answered(self, key: str) -> str:
        return f"expect(server.answered).toContain({text(key, _TS)})"

    def socket_played(self, number: int, count: int) -> str:
        return f"await expect.poll(() => socket{number}.sent()).toBe({count});"

    # It waits for the listener's promise, which is the same for every source.
    def verdict(self, source: ErrorSource, milliseconds: int, *, must_come: bool) -> Iterator[str]:  # noqa: ARG002
        said, check = (REPRO_FAILED, "not.toBe('')") if must_come else (GUARD_FAILED, "toBe('')")
        yield f"expect(await within({milliseconds}, recorded), '{said}').{check};"

    def no_new_errors(self, known: Sequence[str]) -> Iterator[str]:
        yield f"const known: RegExp[] = [{', '.join(known)}];"
        yield (
            "expect(errors.filter((error) => !known.some((one) => one.test(error))), "
            "'errors that were not there before').toEqual([]);"
        )

    def answer_shape(self, shape: AnswerShape) -> Iterator[str]:
        meant = text(f"{shape.method} {shape.path}", _TS)
        yield f"await expect.poll(() => answers.some((one) => isFor(one.request, {meant}))).toBe(true);"
        yield f"for (const answer of answers.filter((one) => isFor(one.request, {meant}))) {{"
        yield f"  expect(answer.status, {meant}).toBe({shape.status});"
        yield f"  const wanted = {json_literal(list(shape.parts), _TS, 4)};"
        yield f"  expect(missingFrom(answer.body, wanted), {meant}).toEqual([]);"
        yield "}"


def _head(draft: FileDraft) -> Iterator[str]:
    about = f", error {draft.error_id}." if draft.error_id else "."
    yield f"// Recorded by Testwright in session {draft.session}{about}"
    yield from (f"// TODO: {note}" for note in draft.notes)
    names = ["expect", "test", *(f"type {name}" for name in _types(draft.helpers))]
    yield f"import {{ {', '.join(names)} }} from '@playwright/test';"
    yield ""
    yield f"const BASE_URL = process.env.BASE_URL ?? {text(draft.origin, _TS)};"


def _types(helpers: Sequence[Helper]) -> Iterator[str]:
    """What the helpers name: a played socket stands in the context as well."""
    if Helper.REPLAY not in helpers and Helper.PLAY_SOCKET in helpers:
        yield _TYPES[Helper.REPLAY]
    yield from (_TYPES[helper] for helper in helpers if helper in _TYPES)


TYPESCRIPT = TypeScript()
