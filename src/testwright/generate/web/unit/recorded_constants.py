"""What was recorded, as constants of a test file: the page, the server's answers, a socket's messages."""

from collections.abc import Iterator, Sequence

from testwright.generate.web.code_literals import answer_literal, json_literal, text
from testwright.generate.web.unit.page_fragment import Fragment
from testwright.generate.web.web_plan import Mock, SocketScript
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
        yield from (f"      {answer_literal(answer, _TS)}," for answer in mock.answers)
        yield "    ],"
        yield "  },"
    yield "];"


def socket_lines(sockets: Sequence[SocketScript], typed: bool) -> Iterator[str]:
    yield "/** What the server sent over WebSockets, by their paths. */"
    yield f"const SOCKETS{': any' if typed else ''} = {{"
    for script in sockets:
        messages = [
            {"text": one.text, "afterSteps": one.after_steps, "afterSent": one.after_sent} for one in script.messages
        ]
        yield f"  {text(script.path, _TS)}: {json_literal(messages, _TS, 2)},"
    yield "};"
