"""A baseline of a session: what its pages, its servers' answers and its errors looked like while all was well."""

import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec

from testwright.model.session import Action, HttpRequest, MessageBody, PageError, Session
from testwright.model.session_baseline import (
    ApiShape,
    ElementShape,
    KnownError,
    PageShape,
    SessionBaseline,
    element_shapes,
    path_shape,
    shape_of,
)
from testwright.store.sessions import SessionReader

_MOST_ANSWERS = 50  # of one kind of request: more of the same teach nothing
_NOT_MODIFIED = 304  # says the same as the answer that the browser had kept


def baseline_of(reader: SessionReader, name: str) -> SessionBaseline:
    session = reader.session()
    origin = _origin_of(session.head.url)
    pages = tuple(_pages(session, reader, origin))
    return SessionBaseline(
        name=name,
        session=reader.id,
        url=session.head.url,
        made=int(time.time() * 1000),
        pages=pages,
        apis=tuple(_apis(session, reader, origin)),
        gaps=(*session.gaps, *(f"no page was kept of {page.path}" for page in pages if page.elements is None)),
    )


def _origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _pages(session: Session, reader: SessionReader, origin: str) -> Iterator[PageShape]:
    elements = _elements_by_path(session, reader, origin)
    errors: dict[str, dict[str, KnownError]] = defaultdict(dict)
    for error in session.errors:
        errors[path_shape(error.url, origin)].setdefault(error.fingerprint, known_error(error))
    visited = [path_shape(event.url, origin) for event in session.navigations if _is_address(event.url)]
    for path in dict.fromkeys((*visited, *elements, *errors)):
        yield PageShape(path, tuple(errors[path].values()) if path in errors else (), elements.get(path))


def known_error(error: PageError) -> KnownError:
    return KnownError(error.fingerprint, error.name, error.message[:300])


def _elements_by_path(session: Session, reader: SessionReader, origin: str) -> dict[str, tuple[ElementShape, ...]]:
    """What the last page that was kept of each path consists of."""
    found: dict[str, tuple[ElementShape, ...]] = {}
    last = reader.page(session.last_page) if session.last_page else None
    if last is not None and _is_address(last.url):
        found[path_shape(last.url, origin)] = element_shapes(last)
    for event in reversed(session.events):
        if not isinstance(event, Action | PageError) or not event.page or not _is_address(event.url):
            continue
        path = path_shape(event.url, origin)
        page = reader.page(event.page) if path not in found else None
        if page is not None:
            found[path] = element_shapes(page)
    return found


def _is_address(url: str) -> bool:
    return url.startswith(("http://", "https://", "file://"))


def _apis(session: Session, reader: SessionReader, origin: str) -> Iterator[ApiShape]:
    asked: dict[tuple[str, str], list[HttpRequest]] = defaultdict(list)
    for request in session.requests:
        if request.is_api and request.status != _NOT_MODIFIED:
            asked[request.method.upper(), path_shape(request.url, origin)].append(request)
    for (method, path), requests in asked.items():
        statuses = tuple(sorted({request.status or 0 for request in requests}))
        answers = list(_answers(requests, reader))
        yield ApiShape(method, path, statuses, shape_of(*answers) if answers else None)


def _answers(requests: list[HttpRequest], reader: SessionReader) -> Iterator[Any]:
    """The JSON of the answers that succeeded; where none did, of all."""
    well = [request for request in requests if request.status is not None and request.status < 400]
    for request in (well or requests)[-_MOST_ANSWERS:]:
        is_read, document = _json_of(request.received, reader)
        if is_read:
            yield document


def _json_of(body: MessageBody | None, reader: SessionReader) -> tuple[bool, Any]:
    if body is None:
        return False, None
    text = body.text if body.text is not None or not body.blob else reader.text(body.blob)
    if not text or not ("json" in body.mime or text.lstrip()[:1] in ("{", "[")):
        return False, None
    try:
        return True, msgspec.json.decode(text.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return False, None
