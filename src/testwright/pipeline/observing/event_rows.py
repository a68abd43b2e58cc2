"""One event in words, and as plain values without what is empty or long."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

from testwright.model.session import (
    KINDS,
    REDACTED,
    Action,
    ActionTarget,
    AnySessionEvent,
    ConsoleLine,
    Dialog,
    HttpRequest,
    MessageBody,
    Navigation,
    PageError,
    Secret,
    SocketEvent,
    TabEvent,
)

LONGEST_INLINE = 2048  # characters of a body within a list
_MOST_FRAMES = 8
_MOST_CANDIDATES = 3
_ONLY_IN_FULL = ("args", "headers", "answer_headers", "state")
Texts = Callable[[str], str | None]  # a session's long texts by their name


def in_words(event: AnySessionEvent) -> str:
    """What happened, in one line."""
    match event:
        case Navigation():
            status = f" {event.status}" if event.status is not None else ""
            return f"{event.cause} {event.url}{status}"
        case Action():
            return _action_in_words(event)
        case HttpRequest():
            return f"{event.method} {short_url(event.url)} {_outcome(event)}"
        case SocketEvent():
            said = event.text if event.text is not None else f"{event.size} bytes" if event.size else event.url
            return f"socket {event.socket} {event.what} {said}".rstrip()
        case ConsoleLine():
            return f"{event.level}: {event.text}"
        case PageError():
            return f"{event.error_id} {error_in_words(event)}"
        case TabEvent():
            by = f" by tab {event.opener}" if event.opener is not None else ""
            return f"tab {event.tab} {event.what}{by} {event.url}".rstrip()
        case Dialog():
            answers = {True: " accepted", False: " dismissed", None: ""}
            return f'{event.type} "{event.message}"{answers[event.accepted]}'


def error_in_words(error: PageError) -> str:
    if error.name and not error.message.startswith(error.name):
        return f"{error.name}: {error.message}"
    return error.message or error.name or error.source


def short_url(url: str) -> str:
    """Host and what follows it; a document within an address is not spelled out."""
    if url.startswith(("data:", "blob:")):
        return url[:60]
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path}{'?' + parts.query if parts.query else ''}" if parts.netloc else url


def target_in_words(target: ActionTarget) -> str:
    called = f'{target.role or target.tag or "element"} "{target.name}"' if target.name else target.role or target.tag
    best = target.best or (target.candidates[0] if target.candidates else None)
    return called or (best.selector if best is not None else "an element")


def _action_in_words(action: Action) -> str:
    words = f"{action.type} {target_in_words(action.target)}"
    if action.onto is not None:
        words += f" onto {target_in_words(action.onto)}"
    if isinstance(action.value, Secret):
        words += f" = {REDACTED} ({action.value.name})"
    elif action.value:
        words += f" = {action.value!r}"
    if action.values:
        words += f" = {', '.join(action.values)}"
    return words


def _outcome(request: HttpRequest) -> str:
    took = f" in {request.ended - request.t} ms" if request.ended is not None else ""
    return f"{request.status if request.status is not None else request.failure or 'no answer'}{took}"


def brief_row(event: AnySessionEvent) -> dict[str, Any]:
    """An event as a row of the timeline."""
    row: dict[str, Any] = {"seq": event.seq, "t": event.t, "kind": KINDS[type(event)].value, "what": in_words(event)}
    if len(row["what"]) > LONGEST_INLINE:
        row["what"] = row["what"][:LONGEST_INLINE] + "…"
    if isinstance(event, PageError):
        row["error_id"] = event.error_id
    if event.tab != 1:
        row["tab"] = event.tab
    if event.after is not None:
        row["after"] = event.after
    return row


def full_row(event: AnySessionEvent, texts: Texts, *, full: bool = False) -> dict[str, Any]:
    """An event with all that is known of it. `full`: with long texts and with every candidate and frame."""
    values: dict[str, Any] = msgspec.to_builtins(event)
    for name in ("sent", "received"):
        body = getattr(event, name, None)
        if isinstance(body, MessageBody):
            values[name] = _body(body, texts, full=full)
    if not full:
        _shorten(values)
    return _without_empty_fields({"seq": event.seq, "t": event.t, "kind": KINDS[type(event)].value, **values})


def _body(body: MessageBody, texts: Texts, *, full: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {"mime": body.mime, "size": body.size, "note": body.note, "blob": body.blob}
    if full:
        text = body.text if body.text is not None or not body.blob else texts(body.blob)
    else:
        text = body.text if body.text is not None and len(body.text) <= LONGEST_INLINE else None
        if text is None and (body.text is not None or body.blob):
            shown["note"] = body.note or "long: --full shows it"
    return {**shown, "text": text}


def _shorten(values: dict[str, Any]) -> None:
    for name, value in values.items():
        if isinstance(value, str) and len(value) > LONGEST_INLINE:
            values[name] = value[:LONGEST_INLINE] + "…"
    stack = values.get("stack")
    if isinstance(stack, list | tuple) and len(stack) > _MOST_FRAMES:
        values["stack"] = stack[:_MOST_FRAMES]
        values["frames_left_out"] = len(stack) - _MOST_FRAMES
    for target in (values.get("target"), values.get("onto")):
        if target:
            target["candidates"] = target["candidates"][:_MOST_CANDIDATES]
    for name in _ONLY_IN_FULL:
        values.pop(name, None)


def _without_empty_fields(values: dict[str, Any]) -> dict[str, Any]:
    """Without fields that say nothing: agents pay for each word. That a dialog was not accepted says something."""
    kept = {key: _without_empty(value) for key, value in values.items()}
    return {
        key: value
        for key, value in kept.items()
        if value not in ("", None, [], {}) and (value is not False or key == "accepted")
    }


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return _without_empty_fields(value)
    return [_without_empty(one) for one in value] if isinstance(value, list | tuple) else value
