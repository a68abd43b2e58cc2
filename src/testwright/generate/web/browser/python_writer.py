"""A plan as a Playwright test in Python, for pytest-playwright."""

import re
from collections.abc import Iterator

from testwright.generate.web.browser.playwright_calls import PYTHON, PlaywrightWriter
from testwright.generate.web.browser.python_helpers import IS_FOR, PLAY_SOCKET, REPLAY, SHAPE_OF
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
from testwright.model.selector import Dialect
from testwright.model.session import ActionType, ErrorSource

_PY = Dialect.PYTHON
_WIDTH = 100
_MOST_NAME = 70


def write_python(plan: WebPlan, polarity: Polarity = Polarity.GUARD) -> WrittenTest:
    from black import format_str
    from black.mode import Mode, TargetVersion

    writing = _Writing(plan, polarity)
    mode = Mode(line_length=_WIDTH, target_versions={TargetVersion.PY311})
    ending = "_repro.py" if polarity is Polarity.REPRO else ".py"
    filename = f"test_{plan.slug.replace('-', '_')}{ending}"
    return writing.written(WebFramework.PYTEST, filename, format_str(writing.file(), mode=mode))


class _Writing(PlaywrightWriter):
    speech = PYTHON

    def address(self, path: str) -> str:
        return f"re.compile({_pattern(address_of(path))})"

    def file(self) -> str:
        body = "\n".join(f"    {line}" if line else "" for line in self._body())
        fixtures = "page: Page, context: BrowserContext" if re.search(r"\bcontext\b", body) else "page: Page"
        mark = (
            '@pytest.mark.xfail(strict=True, reason="a known bug: once this passes, the mark goes")\n'
            if self.polarity is Polarity.KNOWN_BUG
            else ""
        )
        name = _function_name(self.plan.title)
        test = f"{mark}def test_{name}({fixtures}) -> None:\n{body}"
        after = "\n\n\n".join(part.rstrip("\n") for part in self._parts())
        rest = [self._context_arguments(), self._recorded(), after, test]
        code = "\n\n\n".join(part for part in rest if part)
        return f"{self._head(code)}\n\n\n{code}\n"

    # --- around the test ---

    def _head(self, code: str) -> str:
        plan = self.plan
        about = f", error {plan.error.error_id}" if plan.error is not None else ""
        lines = [
            f'"""{_docstring(plan.title)}\n\nRecorded by Testwright in session {plan.slice.head.id}{about}.\n"""',
            "",
        ]
        lines += [f"# TODO: {one_line(note)}" for note in plan.notes]
        lines += ["import json"] if "json.dumps(" in code else []
        lines.append("import os")
        lines += ["import re"] if "re." in code else []
        lines += ["import time"] if "time.monotonic()" in code else []
        lines += ["from contextlib import suppress"] if "suppress(" in code else []
        lines += ["from typing import Any", ""]
        uses_origin = "ORIGIN" in code
        addresses = [name for name in ("parse_qsl", "urlsplit") if f"{name}(" in code]
        addresses += ["urlsplit"] if uses_origin and "urlsplit" not in addresses else []
        if addresses:
            lines.insert(-1, f"from urllib.parse import {', '.join(addresses)}")
        known = (
            "BrowserContext",
            "Page",
            "Request",
            "Response",
            "Route",
            "WebError",
            "WebSocketRoute",
            "ConsoleMessage",
        )
        names = [name for name in known if re.search(rf"\b{name}\b", code)]
        names += ["expect"] if "expect(" in code else []
        lines += ["import pytest", f"from playwright.sync_api import {', '.join(sorted(names))}"]
        lines += ["from playwright.sync_api import TimeoutError as TookTooLong"] if "TookTooLong" in code else []
        lines += ["", f'BASE_URL = os.environ.get("BASE_URL", {text(plan.origin, _PY)})']
        lines += ['ORIGIN = "{0.scheme}://{0.netloc}".format(urlsplit(BASE_URL))'] if uses_origin else []
        return "\n".join(lines)

    def _context_arguments(self) -> str:
        around = self.plan.surroundings
        lines = ['"base_url": BASE_URL,']
        if around.viewport is not None:
            lines.append(f'"viewport": {{"width": {around.viewport[0]}, "height": {around.viewport[1]}}},')
        options = {
            "locale": text(around.locale, _PY) if around.locale else "",
            "timezone_id": text(around.timezone, _PY) if around.timezone else "",
            "color_scheme": text(around.color_scheme, _PY) if around.color_scheme == "dark" else "",
            "device_scale_factor": f"{around.scale:g}" if around.scale != 1 else "",
            "has_touch": "True" if around.touch else "",
            "service_workers": '"block"' if self.plan.mocks else "",
        }
        lines += [f'"{name}": {value},' for name, value in options.items() if value]
        lines += self._storage_state()
        inside = "".join(f"        {line}\n" for line in lines)
        return (
            '@pytest.fixture(scope="session")\n'
            "def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:\n"
            f"    return {{\n        **browser_context_args,\n{inside}    }}"
        )

    def _storage_state(self) -> Iterator[str]:
        state = self.plan.state
        local = self.own_storage.local
        if not state.cookies and not local:
            return
        yield '"storage_state": {'
        yield '"cookies": ['
        for cookie in state.cookies:
            yield (
                f'{{"name": {text(cookie.name, _PY)}, "value": {typed(cookie.value, _PY)}, '
                f'"domain": urlsplit(BASE_URL).hostname, "path": {text(cookie.path, _PY)}, "expires": -1, '
                f'"httpOnly": {cookie.http_only}, "secure": {cookie.secure}, '
                f'"sameSite": {text(cookie.same_site or "Lax", _PY)}}},'
            )
        yield "],"
        entries = ", ".join(
            f'{{"name": {text(name, _PY)}, "value": {typed(value, _PY)}}}' for name, value in local.items()
        )
        yield f'"origins": [{{"origin": ORIGIN, "localStorage": [{entries}]}}],'
        yield "},"

    def _recorded(self) -> str:
        if not self.plan.mocks:
            return ""
        entries = "".join(f"    {_exchange(mock)},\n" for mock in self.plan.mocks)
        return (
            "# What the server answered when this was recorded; the last answer to a request repeats.\n"
            f"RECORDED: list[dict[str, Any]] = [\n{entries}]"
        )

    def _parts(self) -> Iterator[str]:
        if self.plan.mocks:
            yield REPLAY
        if self.plan.mocks or self.plan.shapes or any(step.awaits for step in self.plan.steps):
            yield IS_FOR
        if self.plan.sockets:
            yield PLAY_SOCKET
        if self.plan.shapes:
            yield SHAPE_OF

    # --- the test ---

    def _body(self) -> Iterator[str]:
        yield from self._before()
        for place, step in enumerate(self.plan.steps):
            yield from self._step(step)
            if place == 0:
                for check in self.plan.start_checks:
                    yield from self.check(check)
        yield from self._afterwards()

    def _before(self) -> Iterator[str]:
        plan = self.plan
        if plan.error is not None:
            yield from self._listener(plan.error)
        if plan.watches_errors:
            yield "errors: list[str] = []"
            yield 'context.on("weberror", lambda event: errors.append(f"{event.error.name}: {event.error.message}"))'
        if plan.shapes:
            yield "answers: list[Response] = []"
            # Playwright cannot listen with a method of a list itself.
            yield 'page.on("response", lambda answer: answers.append(answer))'
        if plan.mocks:
            yield "server = Replay(context, RECORDED)"
        for number, script in enumerate(plan.sockets, 1):
            messages = [
                {"text": one.text, "after_steps": one.after_steps, "after_sent": one.after_sent}
                for one in script.messages
            ]
            yield f"socket{number} = PlayedSocket(context, {text(script.path, _PY)}, {json_literal(messages, _PY, 4)})"
        if plan.clock is not None:
            yield f"context.clock.set_fixed_time({text(moment(plan.clock), _PY)})"
        if plan.accepts_dialogs:
            yield 'page.on("dialog", lambda dialog: dialog.accept())'
        yield from self._session_storage()

    def _session_storage(self) -> Iterator[str]:
        kept = self.own_storage.session
        if not kept:
            return
        entries = ", ".join(f"{text(name, _PY)}: {typed(value, _PY)}" for name, value in kept.items())
        yield f"kept = json.dumps({{{entries}}})"
        yield "origin = json.dumps(ORIGIN)"
        yield "context.add_init_script("
        yield '    f"if (location.origin === {origin}) for (const [name, value] of Object.entries({kept}))"'
        yield '    " if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, value);"'
        yield ")"

    def _listener(self, error: ExpectedError) -> Iterator[str]:
        pattern = _pattern(told_as(error))
        yield "recorded: list[str] = []"
        yield ""
        if error.source is ErrorSource.CONSOLE:
            yield "def is_recorded(message: ConsoleMessage) -> bool:"
            yield f'    return message.type == "error" and re.search({pattern}, message.text) is not None'
            yield ""
            yield "# Listens before the first page is opened: an error that comes early counts too."
            yield 'context.on("console", lambda one: recorded.append(one.text) if is_recorded(one) else None)'
        elif error.source is ErrorSource.CRASH:
            yield 'page.on("crash", lambda _: recorded.append("the page crashed"))'
        else:
            yield "def told(event: WebError) -> str:"
            yield '    return f"{event.error.name}: {event.error.message}"'
            yield ""
            yield "def is_recorded(event: WebError) -> bool:"
            yield f"    return re.search({pattern}, told(event)) is not None"
            yield ""
            yield "# Listens before the first page is opened: an error that comes early counts too."
            yield 'context.on("weberror", lambda one: recorded.append(told(one)) if is_recorded(one) else None)'
        yield ""

    def _afterwards(self) -> Iterator[str]:
        plan = self.plan
        if plan.holds_answers:
            yield "server.release()  # what is still kept back"
        yield from self._preconditions()
        if plan.error is not None:
            yield from self._verdict(plan.error)
        if plan.watches_errors:
            known = ", ".join(_pattern(pattern) for pattern in plan.known_errors)
            yield ""
            yield f"known: list[str] = [{known}]"
            yield "new = [error for error in errors if not any(re.search(one, error) for one in known)]"
            yield 'assert new == [], "errors that were not there before"'
        for shape in plan.shapes:
            meant = text(f"{shape.method} {shape.path}", _PY)
            yield ""
            yield f"meant = [one for one in answers if is_for(one.request, {meant})]"
            yield "assert meant, 'it was not asked for'"
            yield f"wanted = {json_literal(list(shape.parts), _PY, 4)}"
            yield "for answer in meant:"
            yield f"    assert answer.status == {shape.status}"
            yield "    assert missing_from(answer.json(), wanted) == []"

    def _preconditions(self) -> Iterator[str]:
        """Without these a guard could pass because nothing happened at all."""
        plan = self.plan
        if self.trigger:
            yield f"assert {text(f'{self.trigger} #1', _PY)} in server.answered  # it came as far as that"
        for number, script in enumerate(plan.sockets, 1):
            if script.messages:
                yield f"assert socket{number}.played(page) == {len(script.messages)}"

    def _verdict(self, error: ExpectedError) -> Iterator[str]:
        waits = self.polarity is Polarity.REPRO
        event = {ErrorSource.CONSOLE: "console", ErrorSource.CRASH: "crash"}.get(error.source, "weberror")
        listener = "page" if error.source is ErrorSource.CRASH else "context"
        predicate = "" if error.source is ErrorSource.CRASH else "predicate=is_recorded, "
        yield ""
        if not waits:
            yield f"# Red while the bug is there. Recorded, the error came {error.delay} ms after the last step."
        yield "if not recorded:"
        yield "    with suppress(TookTooLong):"
        yield f'        {listener}.wait_for_event("{event}", {predicate}timeout={patience(error, waits=waits)})'
        yield f'assert recorded != [], "{REPRO_FAILED}"' if waits else f'assert recorded == [], "{GUARD_FAILED}"'

    # --- a step ---

    def _step(self, step: WebStep) -> Iterator[str]:
        page = self.page_of(step.tab)
        if step.note:
            yield f"# TODO: {one_line(step.note)}"
        waiting = []
        if step.awaits:
            meant, holds = split_key(step.awaits)
            extra = f", {text(holds, _PY)}" if holds else ""
            waiting.append(f"{page}.expect_response(lambda answer: is_for(answer.request, {text(meant, _PY)}{extra}))")
        if step.opens is not None:
            waiting.append(f"context.expect_page() as opened{step.opens}")
        if waiting:
            yield f"with {', '.join(waiting)}:"
        yield from (f"    {line}" if waiting else line for line in self.act(step, page))
        if step.opens is not None:
            yield f"{self.page_of(step.opens)} = opened{step.opens}.value"
        if isinstance(step.type, ActionType):
            yield from self.after_action()
        for check in step.checks:
            yield from self.check(check)


def _exchange(mock: Mock) -> str:
    holds = f'"holds": {text(mock.body_holds, _PY)}, ' if mock.body_holds else ""
    answers = ", ".join(answer_literal(answer, _PY) for answer in mock.answers)
    return f'{{"request": {text(mock.request, _PY)}, {holds}"answers": [{answers}]}}'


def _pattern(pattern: str) -> str:
    """As a raw text where that can hold it: that is how people write them."""
    if '"' not in pattern and pattern.isprintable() and not pattern.endswith("\\"):
        return f'r"{pattern}"'
    return text(pattern, _PY)


def _function_name(title: str) -> str:
    made = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")
    return made[:_MOST_NAME].rstrip("_") or "page"


def _docstring(title: str) -> str:
    return one_line(title).replace("\\", "\\\\").replace('"""', "'''").rstrip('"')
