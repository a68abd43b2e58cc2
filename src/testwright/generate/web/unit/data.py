"""What was recorded, as constants of a test file: the page, the server's answers, a socket's messages."""

from collections.abc import Iterator, Sequence

from testwright.generate.web.plan import Answer, Mock, SocketScript
from testwright.generate.web.unit.fragment import Fragment
from testwright.generate.web.values import json_literal, parsed_json, text
from testwright.model.dom import DomSnapshot
from testwright.model.selector import Dialect

_TS = Dialect.TYPESCRIPT


def no_page(_name: str) -> DomSnapshot | None:
    """For a session of which no page was kept."""
    return None


def page_lines(fragment: Fragment) -> Iterator[str]:
    yield "/** The part of the page that this is about. What people typed is not in it. */"
    yield "const PAGE = ["
    for depth, line in fragment.lines:
        yield f"  {'  ' * min(depth, 12)}{text(line, _TS)},"
    yield "].join('');"


def recorded_lines(mocks: Sequence[Mock], typed: bool) -> Iterator[str]:
    yield "/** What the server answered when this was recorded; the last answer to a request repeats. */"
    yield f"const RECORDED{': any[]' if typed else ''} = ["
    for mock in mocks:
        yield "  {"
        yield f"    request: {text(mock.request, _TS)},"
        if mock.body_holds:
            yield f"    holds: {text(mock.body_holds, _TS)},"
        yield "    answers: ["
        yield from (f"      {_answer(answer)}," for answer in mock.answers)
        yield "    ],"
        yield "  },"
    yield "];"


def _answer(answer: Answer) -> str:
    if answer.is_pending:
        return "{ pending: true }"
    entries: dict[str, str] = {}
    if answer.failure:
        entries["fails"] = text(answer.failure, _TS)
    else:
        entries["status"] = str(answer.status)
        entries |= _said(answer)
        if answer.headers:
            entries["headers"] = json_literal(dict(answer.headers), _TS, 8)
    if answer.waits_for:
        entries["after"] = text(answer.waits_for, _TS)
    return "{ " + ", ".join(f"{name}: {value}" for name, value in entries.items()) + " }"


def _said(answer: Answer) -> dict[str, str]:
    is_json, value = parsed_json(answer.text) if "json" in answer.content_type else (False, None)
    if is_json and answer.content_type.partition(";")[0] == "application/json":
        return {"json": json_literal(value, _TS, 6)}
    kind = {"contentType": text(answer.content_type, _TS)} if answer.content_type else {}
    return {**kind, **({"body": text(answer.text, _TS)} if answer.text else {})}


def socket_lines(sockets: Sequence[SocketScript], typed: bool) -> Iterator[str]:
    yield "/** What the server sent over WebSockets, by their paths. */"
    yield f"const SOCKETS{': any' if typed else ''} = {{"
    for script in sockets:
        messages = [
            {"text": one.text, "afterSteps": one.after_steps, "afterSent": one.after_sent} for one in script.messages
        ]
        yield f"  {text(script.path, _TS)}: {json_literal(messages, _TS, 2)},"
    yield "};"
