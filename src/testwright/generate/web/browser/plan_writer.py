"""A plan as a Playwright test: what stands in it and in which order. Each language says it in its own words."""

from collections.abc import Iterator

from testwright.generate.web.browser.playwright_calls import PlaywrightCalls
from testwright.generate.web.browser.playwright_language import FileDraft, Helper, PlaywrightLanguage, StepWaits
from testwright.generate.web.code_literals import json_literal, moment, one_line, text, typed
from testwright.generate.web.error_wording import error_pattern, patience
from testwright.generate.web.recorded_constants import messages_of
from testwright.generate.web.web_plan import ExpectedError, Polarity, WebPlan, WebStep, WrittenTest, split_key
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.model.session import ActionType


class PlanWriter:
    """One test file in one language."""

    def __init__(self, plan: WebPlan, polarity: Polarity, language: PlaywrightLanguage) -> None:
        self._plan, self._polarity, self._language = plan, polarity, language
        self._calls = PlaywrightCalls(plan, language)

    def written(self) -> WrittenTest:
        plan, language = self._plan, self._language
        content = language.file(self._draft())
        return WrittenTest(
            language.framework,
            language.filename(plan.slug, is_repro=self._polarity is Polarity.REPRO),
            content,
            tuple(dict.fromkeys(self._calls.selectors)),
            notes=plan.notes,
            uses_mocks=bool(plan.mocks or plan.sockets),
            uses_state=not plan.state.is_empty,
            uses_clock=plan.clock is not None,
            confidence=plan.confidence,
        )

    def _draft(self) -> FileDraft:
        plan = self._plan
        return FileDraft(
            plan.title,
            plan.slice.head.id,
            plan.error.error_id if plan.error is not None else "",
            [one_line(note) for note in plan.notes],
            plan.origin,
            list(context_options(plan, self._language)),
            plan.mocks,
            [helper for helper, is_needed in self._helpers().items() if is_needed],
            list(self._body()),
            is_known_bug=self._polarity is Polarity.KNOWN_BUG,
        )

    def _helpers(self) -> dict[Helper, bool]:
        """In the order in which they stand in the file."""
        plan = self._plan
        return {
            Helper.REPLAY: bool(plan.mocks),
            Helper.IS_FOR: bool(plan.mocks or plan.shapes or any(step.awaits for step in plan.steps)),
            Helper.PLAY_SOCKET: bool(plan.sockets),
            Helper.WITHIN: plan.error is not None,
            Helper.SHAPE_OF: bool(plan.shapes),
        }

    # --- the test ---

    def _body(self) -> Iterator[str]:
        setup = list(self._before())
        if setup:
            yield from (*setup, *self._language.after_setup)
        for number, step in enumerate(self._plan.steps, 1):
            yield from self._step(step, number)
            if number == 1:
                for check in self._plan.start_checks:
                    yield from self._calls.check(check)
        yield from self._afterwards()

    def _before(self) -> Iterator[str]:
        plan, language, dialect = self._plan, self._language, self._language.dialect
        if plan.error is not None:
            yield from language.listener(plan.error.source, language.pattern(error_pattern(plan.error)))
        if plan.watches_errors:
            yield from language.watch_errors()
        if plan.shapes:
            yield from language.collect_answers()
        if plan.mocks:
            yield language.replay()
        for number, script in enumerate(plan.sockets, 1):
            messages = [{language.name(name): value for name, value in one.items()} for one in messages_of(script)]
            yield language.play_socket(number, script.path, json_literal(messages, dialect, language.literal_indent))
        if plan.clock is not None:
            yield language.fix_clock(moment(plan.clock))
        if plan.accepts_dialogs:
            yield language.accept_dialogs()
        if plan.own_storage.session:
            yield from language.session_storage(plan.own_storage.session)

    def _afterwards(self) -> Iterator[str]:
        plan, language = self._plan, self._language
        if plan.holds_answers:
            yield language.statement("server.release()", "what is still kept back")
        yield from self._preconditions()
        if plan.error is not None:
            yield ""
            yield from self._verdict(plan.error)
        if plan.watches_errors:
            yield ""
            yield from language.no_new_errors([language.pattern(pattern) for pattern in plan.known_errors])
        for shape in plan.shapes:
            yield ""
            yield from language.answer_shape(shape)

    def _preconditions(self) -> Iterator[str]:
        """Without these a guard could pass because nothing happened at all."""
        language = self._language
        if self._trigger:
            yield language.statement(language.was_answered(f"{self._trigger} #1"), "it came as far as that")
        for number, script in enumerate(self._plan.sockets, 1):
            if script.messages:
                yield language.socket_played(number, len(script.messages))

    @property
    def _trigger(self) -> str:
        """The request that brought the error about."""
        plan = self._plan
        awaited = next((step.awaits for step in reversed(plan.steps) if step.awaits), "")
        return awaited if plan.error is not None and plan.mocks else ""

    def _verdict(self, error: ExpectedError) -> Iterator[str]:
        must_come = self._polarity is Polarity.REPRO
        if not must_come:
            came = f"Recorded, the error came {error.delay} ms after the last step."
            yield f"{self._language.remark} Red while the bug is there. {came}"
        yield from self._language.verdict(error.source, patience(error, waits=must_come), must_come=must_come)

    # --- a step ---

    def _step(self, step: WebStep, number: int) -> Iterator[str]:
        page = self._calls.page_of(step.tab)
        if step.note:
            yield f"{self._language.remark} TODO: {one_line(step.note)}"
        request, holds = split_key(step.awaits) if step.awaits else ("", "")
        lines = list(self._calls.act(step, page))
        opened = self._calls.page_of(step.opens) if step.opens is not None else ""
        yield from self._language.waiting(StepWaits(number, page, request, holds, step.opens, opened), lines)
        if isinstance(step.type, ActionType):
            yield from self._after_action()
        for check in step.checks:
            yield from self._calls.check(check)

    def _after_action(self) -> Iterator[str]:
        """The test counts its steps for the played server: its next answers and messages may depend on them."""
        if self._plan.counts_steps:
            yield self._language.statement("server.step()")
        for number in range(1, len(self._plan.sockets) + 1):
            yield self._language.statement(f"socket{number}.step()")


def context_options(plan: WebPlan, language: PlaywrightLanguage) -> Iterator[str]:
    around, dialect = plan.surroundings, language.dialect
    test_id = plan.slice.head.test_id_attribute or DEFAULT_TEST_ID_ATTRIBUTE
    viewport = dict(zip(("width", "height"), around.viewport or (), strict=False))
    options = {
        "baseURL": "BASE_URL",
        "viewport": json_literal(viewport, dialect) if viewport else "",
        "locale": text(around.locale, dialect) if around.locale else "",
        "timezoneId": text(around.timezone, dialect) if around.timezone else "",
        "colorScheme": text(around.color_scheme, dialect) if around.color_scheme == "dark" else "",
        "deviceScaleFactor": f"{around.scale:g}" if around.scale != 1 else "",
        "hasTouch": json_literal(True, dialect) if around.touch else "",
        "serviceWorkers": text("block", dialect) if plan.mocks else "",
    }
    if language.has_test_id_option and test_id != DEFAULT_TEST_ID_ATTRIBUTE:
        options["testIdAttribute"] = text(test_id, dialect)
    yield from (language.option(name, value) for name, value in options.items() if value)
    yield from _storage_state(plan, language)


def _storage_state(plan: WebPlan, language: PlaywrightLanguage) -> Iterator[str]:
    dialect = language.dialect
    cookies = [
        language.record(
            {
                "name": text(cookie.name, dialect),
                "value": typed(cookie.value, dialect),
                "domain": language.hostname,
                "path": text(cookie.path, dialect),
                "expires": "-1",
                "httpOnly": json_literal(cookie.http_only, dialect),
                "secure": json_literal(cookie.secure, dialect),
                "sameSite": text(cookie.same_site or "Lax", dialect),
            }
        )
        for cookie in plan.state.cookies
    ]
    entries = [
        language.record({"name": text(name, dialect), "value": typed(value, dialect)})
        for name, value in plan.own_storage.local.items()
    ]
    if cookies or entries:
        yield from language.storage_state(cookies, entries)
