"""What the server answered while it was recorded, in a form that can be answered again, in the same order."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from testwright.generate.web.request_urls import is_fresh, is_masked, path_of, query_of
from testwright.generate.web.web_plan import Mock, ServerAnswer
from testwright.model.session import Action, HttpRequest, MessageBody

MOST_BODY = 40_000  # characters of an answer that a test file may hold
_KEPT_HEADERS = ("location", "link", "retry-after", "etag", "content-disposition")
_BROKEN = {
    "net::ERR_ABORTED": "aborted", "net::ERR_CONNECTION_REFUSED": "connectionrefused",
    "net::ERR_CONNECTION_RESET": "connectionreset", "net::ERR_CONNECTION_CLOSED": "connectionclosed",
    "net::ERR_TIMED_OUT": "timedout", "net::ERR_INTERNET_DISCONNECTED": "internetdisconnected",
    "net::ERR_NAME_NOT_RESOLVED": "namenotresolved", "net::ERR_BLOCKED_BY_CLIENT": "blockedbyclient",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mocked:
    """The mocks, and the key that each request has among them."""

    mocks: tuple[Mock, ...]
    keys: dict[int, str]  # a request's seq -> its key
    notes: tuple[str, ...] = ()


def mocks_of(requests: Sequence[HttpRequest], origin: str, actions: Sequence[Action] = ()) -> Mocked:
    """Mocks for every request that code has asked for; `actions` are what was done in the same time."""
    asked = [request for request in requests if request.is_api]
    kinds = _kinds(asked, origin)
    keys = {request.seq: mock.key for mock, members in kinds for request in members}
    turns = {request.seq: turn for _, members in kinds for turn, request in enumerate(members, 1)}
    notes: list[str] = []
    mocks = []
    for mock, members in kinds:
        answers = tuple(
            replace(
                _answer(request, notes),
                waits_for=_held_up_by(request, asked, keys, turns),
                after_steps=_steps_before(request, actions),
            )
            for request in members
        )
        mocks.append(_with(mock, answers))
    return Mocked(tuple(mocks), keys, tuple(dict.fromkeys(notes)))


def _with(mock: Mock, answers: tuple[ServerAnswer, ...]) -> Mock:
    """Answers at the end that say the same as the one before them need not be said again: the last one repeats."""
    kept = list(answers)
    while len(kept) > 1 and kept[-1] == kept[-2]:
        kept.pop()
    return replace(mock, answers=tuple(kept))


def _kinds(requests: Sequence[HttpRequest], origin: str) -> list[tuple[Mock, list[HttpRequest]]]:
    """Requests that a program would call the same, in the order of their first one."""
    found: dict[str, tuple[Mock, list[HttpRequest]]] = {}
    for request in requests:
        kind = _kind(request, origin)
        found.setdefault(kind.request, (kind, []))[1].append(request)
    split: list[tuple[Mock, list[HttpRequest]]] = []
    for mock, members in found.values():
        split += _by_body(mock, members)
    return split


def _kind(request: HttpRequest, origin: str) -> Mock:
    stable = [(name, value) for name, value in query_of(request.url) if not is_fresh(name, value)]
    return Mock(request.method, path_of(origin, request.url), tuple(stable))


def _by_body(mock: Mock, members: list[HttpRequest]) -> list[tuple[Mock, list[HttpRequest]]]:
    """GraphQL and its like: one address for everything. What tells them apart is the operation's name."""
    by_operation: dict[str, list[HttpRequest]] = {}
    for request in members:
        by_operation.setdefault(_operation(request.sent), []).append(request)
    if len(by_operation) < 2 or "" in by_operation:  # one name tells nothing apart
        return [(mock, members)]
    return [(replace(mock, body_holds=operation), requests) for operation, requests in by_operation.items()]


def _operation(sent: MessageBody | None) -> str:
    """The piece of a body that names what is asked for, in its quotes: `"Cart"` is not in `"CartItems"`."""
    if sent is None or not sent.text:
        return ""
    try:
        body = json.loads(sent.text)
    except (ValueError, RecursionError):
        return ""
    name = body.get("operationName") or body.get("method") if isinstance(body, dict) else None
    return json.dumps(name, ensure_ascii=False) if isinstance(name, str) and not is_masked(name) else ""


def _held_up_by(request: HttpRequest, asked: Sequence[HttpRequest], keys: dict[int, str], turns: dict[int, int]) -> str:
    """The last request that was asked later and answered sooner: an order that a bug may hang on."""
    if request.ended is None:
        return ""
    ended = request.ended
    overtook = [
        other
        for other in asked
        if other.seq > request.seq and other.ended is not None and other.ended < ended and other.t < ended
    ]
    if not overtook:
        return ""
    last = max(overtook, key=lambda other: (other.ended or 0, other.seq))
    return f"{keys[last.seq]} #{turns[last.seq]}"


def _steps_before(request: HttpRequest, actions: Sequence[Action]) -> int:
    """How many steps were done when the answer came, where somebody was quicker than the server."""
    if request.ended is None or not any(one.seq > request.seq and one.t < request.ended for one in actions):
        return 0
    return sum(one.t < request.ended for one in actions)


def _answer(request: HttpRequest, notes: list[str]) -> ServerAnswer:
    if request.status is None:
        if request.failure == "unfinished" or not request.failure:
            return ServerAnswer(0, is_pending=True)
        return ServerAnswer(0, failure=_BROKEN.get(request.failure, "failed"))
    headers = {
        name: value
        for name, value in request.answer_headers.items()
        if (name in _KEPT_HEADERS or name.startswith(("x-", "access-control-"))) and not is_masked(value)
    }
    body = request.received
    text = body.text if body is not None and body.text is not None else ""
    if body is not None and body.text is None and body.note:
        notes.append(f"The answer to {request.method} {_shown(request.url)} was not kept ({body.note}): add it.")
    elif len(text) > MOST_BODY:
        notes.append(f"The answer to {request.method} {_shown(request.url)} is too long for a test file: add it.")
        text = ""
    mime = request.answer_headers.get("content-type", body.mime if body is not None else "")
    return ServerAnswer(request.status, mime, text, headers)


def _shown(url: str) -> str:
    return url.partition("?")[0]
