"""What the server said in the recording, as constants of a test in TypeScript or JavaScript."""

from collections.abc import Iterator, Sequence
from typing import Any

from testwright.generate.web.code_literals import answer_literal, json_literal, text
from testwright.generate.web.web_plan import Mock, SocketScript
from testwright.model.selector import Dialect

_TS = Dialect.TYPESCRIPT


def recorded_lines(mocks: Sequence[Mock], type_name: str = "") -> Iterator[str]:
    """`type_name`: of the constant, in TypeScript."""
    yield "/** What the server answered when this was recorded; the last answer to a request repeats. */"
    yield f"const RECORDED{_typed(type_name)} = ["
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


def socket_lines(sockets: Sequence[SocketScript], type_name: str = "") -> Iterator[str]:
    yield "/** What the server sent over WebSockets, by their paths. */"
    yield f"const SOCKETS{_typed(type_name)} = {{"
    for script in sockets:
        yield f"  {text(script.path, _TS)}: {json_literal(messages_of(script), _TS, 2)},"
    yield "};"


def messages_of(script: SocketScript) -> list[dict[str, Any]]:
    """A socket's messages, with names as TypeScript has them."""
    return [{"text": one.text, "afterSteps": one.after_steps, "afterSent": one.after_sent} for one in script.messages]


def _typed(type_name: str) -> str:
    return f": {type_name}" if type_name else ""
