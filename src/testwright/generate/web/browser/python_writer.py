"""A plan as a Playwright test in Python, for pytest-playwright."""

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
from testwright.generate.web.browser.python_helpers import IS_FOR, PLAY_SOCKET, REPLAY, SHAPE_OF
from testwright.generate.web.code_literals import answer_literal, json_literal, one_line, text, typed
from testwright.generate.web.error_wording import GUARD_FAILED, REPRO_FAILED
from testwright.generate.web.web_plan import AnswerShape, Mock, Polarity, WebPlan, WrittenTest
from testwright.generate.writing.source_layout import blackened
from testwright.model.case import WebFramework
from testwright.model.selector import Dialect
from testwright.model.session import ErrorSource, Secret
from testwright.selectors.spelling import snake

_PY = Dialect.PYTHON
_WIDTH = 100
_MOST_NAME = 70
_ODD_NAMES = {"toHaveURL": "to_have_url", "not.toBeChecked": "not_to_be_checked", "baseURL": "base_url"}
_KNOWN_BUG = '@pytest.mark.xfail(strict=True, reason="a known bug: once this passes, the mark goes")\n'
_PLAYWRIGHT_NAMES = (
    "BrowserContext", "Page", "Request", "Response", "Route", "WebError", "WebSocketRoute",
    "ConsoleMessage",
)  # fmt: skip


def write_python(plan: WebPlan, polarity: Polarity = Polarity.GUARD) -> WrittenTest:
    return PlanWriter(plan, polarity, PYTHON).written()


class Python(PlaywrightLanguage):
    framework = WebFramework.PYTEST
    dialect = _PY
    remark = "#"
    indent = "    "
    literal_indent = 4
    file_literal = '{{"name": {}, "mimeType": "application/octet-stream", "buffer": b""}}'
    right_click = 'button="right"'
    hostname = "urlsplit(BASE_URL).hostname"
    loop = ("for part in {}:", "")
    has_test_id_option = False
    helpers = {  # noqa: RUF012 - never written to
        Helper.REPLAY: REPLAY,
        Helper.IS_FOR: IS_FOR,
        Helper.PLAY_SOCKET: PLAY_SOCKET,
        Helper.SHAPE_OF: SHAPE_OF,
    }

    # --- the words of a line ---

    def name(self, name: str) -> str:
        return _ODD_NAMES.get(name) or snake(name)

    def call(self, call: str) -> str:
        return call

    def statement(self, code: str, comment: str = "") -> str:
        return f"{code}  # {comment}" if comment else code

    def pattern(self, regex: str) -> str:
        """As a raw text where that can hold it: that is how people write them."""
        if '"' not in regex and regex.isprintable() and not regex.endswith("\\"):
            return f'r"{regex}"'
        return text(regex, _PY)

    def address(self, regex: str) -> str:
        return f"re.compile({self.pattern(regex)})"

    def record(self, fields: Mapping[str, str]) -> str:
        return "{" + ", ".join(f'"{name}": {value}' for name, value in fields.items()) + "}"

    def option(self, name: str, value: str) -> str:
        return f'"{self.name(name)}": {value},'

    # --- around the test ---

    def filename(self, slug: str, *, is_repro: bool) -> str:
        return f"test_{slug.replace('-', '_')}{'_repro' if is_repro else ''}.py"

    def file(self, draft: FileDraft) -> str:
        body = "\n".join(f"{self.indent}{line}" if line else "" for line in draft.body)
        fixtures = "page: Page, context: BrowserContext" if re.search(r"\bcontext\b", body) else "page: Page"
        mark = _KNOWN_BUG if draft.is_known_bug else ""
        sections = [
            _context_arguments(draft.options),
            _recorded(draft.mocks),
            *(self.helpers[helper].rstrip("\n") for helper in draft.helpers if helper in self.helpers),
            f"{mark}def test_{_function_name(draft.title)}({fixtures}) -> None:\n{body}",
        ]
        code = "\n\n\n".join(section for section in sections if section)
        return blackened(f"{_head(draft, code)}\n\n\n{code}\n", _WIDTH)

    def storage_state(self, cookies: Sequence[str], entries: Sequence[str]) -> Iterator[str]:
        yield '"storage_state": {'
        yield '"cookies": ['
        yield from (f"{cookie}," for cookie in cookies)
        yield "],"
        yield f'"origins": [{{"origin": ORIGIN, "localStorage": [{", ".join(entries)}]}}],'
        yield "},"

    # --- before the first step ---

    def listener(self, source: ErrorSource, pattern: str) -> Iterator[str]:
        yield "recorded: list[str] = []"
        yield ""
        if source is ErrorSource.CONSOLE:
            yield "def is_recorded(message: ConsoleMessage) -> bool:"
            yield f'    return message.type == "error" and re.search({pattern}, message.text) is not None'
            yield ""
            yield f"# {LISTENS_EARLY}"
            yield 'context.on("console", lambda one: recorded.append(one.text) if is_recorded(one) else None)'
        elif source is ErrorSource.CRASH:
            yield 'page.on("crash", lambda _: recorded.append("the page crashed"))'
        else:
            yield "def told(event: WebError) -> str:"
            yield '    return f"{event.error.name}: {event.error.message}"'
            yield ""
            yield "def is_recorded(event: WebError) -> bool:"
            yield f"    return re.search({pattern}, told(event)) is not None"
            yield ""
            yield f"# {LISTENS_EARLY}"
            yield 'context.on("weberror", lambda one: recorded.append(told(one)) if is_recorded(one) else None)'
        yield ""

    def watch_errors(self) -> Iterator[str]:
        yield "errors: list[str] = []"
        yield 'context.on("weberror", lambda event: errors.append(f"{event.error.name}: {event.error.message}"))'

    def collect_answers(self) -> Iterator[str]:
        yield "answers: list[Response] = []"
        # Playwright cannot listen with a method of a list itself.
        yield 'page.on("response", lambda answer: answers.append(answer))'

    def replay(self) -> str:
        return "server = Replay(context, RECORDED)"

    def play_socket(self, number: int, path: str, messages: str) -> str:
        return f"socket{number} = PlayedSocket(context, {text(path, _PY)}, {messages})"

    def fix_clock(self, moment: str) -> str:
        return f"context.clock.set_fixed_time({text(moment, _PY)})"

    def accept_dialogs(self) -> str:
        return 'page.on("dialog", lambda dialog: dialog.accept())'

    def session_storage(self, entries: Mapping[str, str | Secret]) -> Iterator[str]:
        kept = ", ".join(f"{text(name, _PY)}: {typed(value, _PY)}" for name, value in entries.items())
        yield f"kept = json.dumps({{{kept}}})"
        yield "origin = json.dumps(ORIGIN)"
        yield "context.add_init_script("
        yield '    f"if (location.origin === {origin}) for (const [name, value] of Object.entries({kept}))"'
        yield '    " if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, value);"'
        yield ")"

    # --- a step ---

    def waiting(self, waits: StepWaits, lines: Sequence[str]) -> Iterator[str]:
        around = []
        if waits.request:
            extra = f", {text(waits.holds, _PY)}" if waits.holds else ""
            answered = f"is_for(answer.request, {text(waits.request, _PY)}{extra})"
            around.append(f"{waits.page}.expect_response(lambda answer: {answered})")
        if waits.opens is not None:
            around.append(f"context.expect_page() as opened{waits.opens}")
        if around:
            yield f"with {', '.join(around)}:"
        yield from (f"{self.indent}{line}" if around else line for line in lines)
        if waits.opens is not None:
            yield f"{waits.opened_page} = opened{waits.opens}.value"

    # --- after the last step ---

    def was_answered(self, key: str) -> str:
        return f"assert {text(key, _PY)} in server.answered"

    def socket_played(self, number: int, count: int) -> str:
        return f"assert socket{number}.played(page) == {count}"

    def verdict(self, source: ErrorSource, milliseconds: int, *, must_come: bool) -> Iterator[str]:
        event = {ErrorSource.CONSOLE: "console", ErrorSource.CRASH: "crash"}.get(source, "weberror")
        listener = "page" if source is ErrorSource.CRASH else "context"
        predicate = "" if source is ErrorSource.CRASH else "predicate=is_recorded, "
        yield "if not recorded:"
        yield "    with suppress(TookTooLong):"
        yield f'        {listener}.wait_for_event("{event}", {predicate}timeout={milliseconds})'
        check, said = ("!=", REPRO_FAILED) if must_come else ("==", GUARD_FAILED)
        yield f'assert recorded {check} [], "{said}"'

    def no_new_errors(self, known: Sequence[str]) -> Iterator[str]:
        yield f"known: list[str] = [{', '.join(known)}]"
        yield "new = [error for error in errors if not any(re.search(one, error) for one in known)]"
        yield 'assert new == [], "errors that were not there before"'

    def answer_shape(self, shape: AnswerShape) -> Iterator[str]:
        meant = text(f"{shape.method} {shape.path}", _PY)
        yield f"meant = [one for one in answers if is_for(one.request, {meant})]"
        yield "assert meant, 'it was not asked for'"
        yield f"wanted = {json_literal(list(shape.parts), _PY, 4)}"
        yield "for answer in meant:"
        yield f"    assert answer.status == {shape.status}"
        yield "    assert missing_from(answer.json(), wanted) == []"


def _head(draft: FileDraft, code: str) -> str:
    """With the imports that the code needs."""
    about = f", error {draft.error_id}" if draft.error_id else ""
    lines = [
        f'"""{_docstring(draft.title)}\n\nRecorded by Testwright in session {draft.session}{about}.\n"""',
        "",
        *(f"# TODO: {note}" for note in draft.notes),
    ]
    lines += ["import json"] if "json.dumps(" in code else []
    lines.append("import os")
    lines += ["import re"] if "re." in code else []
    lines += ["import time"] if "time.monotonic()" in code else []
    lines += ["from contextlib import suppress"] if "suppress(" in code else []
    lines.append("from typing import Any")
    uses_origin = "ORIGIN" in code
    addresses = [name for name in ("parse_qsl", "urlsplit") if f"{name}(" in code]
    addresses += ["urlsplit"] if uses_origin and "urlsplit" not in addresses else []
    lines += [f"from urllib.parse import {', '.join(addresses)}"] if addresses else []
    names = [name for name in _PLAYWRIGHT_NAMES if re.search(rf"\b{name}\b", code)]
    names += ["expect"] if "expect(" in code else []
    lines += ["", "import pytest", f"from playwright.sync_api import {', '.join(sorted(names))}"]
    lines += ["from playwright.sync_api import TimeoutError as TookTooLong"] if "TookTooLong" in code else []
    lines += ["", f'BASE_URL = os.environ.get("BASE_URL", {text(draft.origin, _PY)})']
    lines += ['ORIGIN = "{0.scheme}://{0.netloc}".format(urlsplit(BASE_URL))'] if uses_origin else []
    return "\n".join(lines)


def _context_arguments(options: Sequence[str]) -> str:
    inside = "".join(f"        {line}\n" for line in options)
    return (
        '@pytest.fixture(scope="session")\n'
        "def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:\n"
        f"    return {{\n        **browser_context_args,\n{inside}    }}"
    )


def _recorded(mocks: Sequence[Mock]) -> str:
    if not mocks:
        return ""
    entries = "".join(f"    {_exchange(mock)},\n" for mock in mocks)
    return (
        "# What the server answered when this was recorded; the last answer to a request repeats.\n"
        f"RECORDED: list[dict[str, Any]] = [\n{entries}]"
    )


def _exchange(mock: Mock) -> str:
    holds = f'"holds": {text(mock.body_holds, _PY)}, ' if mock.body_holds else ""
    answers = ", ".join(answer_literal(answer, _PY) for answer in mock.answers)
    return f'{{"request": {text(mock.request, _PY)}, {holds}"answers": [{answers}]}}'


def _function_name(title: str) -> str:
    made = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")
    return made[:_MOST_NAME].rstrip("_") or "page"


def _docstring(title: str) -> str:
    return one_line(title).replace("\\", "\\\\").replace('"""', "'''").rstrip('"')


PYTHON = Python()
