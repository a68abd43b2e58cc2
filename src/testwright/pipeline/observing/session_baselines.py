"""Baselines of sessions: what pages, answers and errors were like while all was well, and what differs since."""

import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec

from testwright.model.session import Action, HttpRequest, MessageBody, PageError, Session
from testwright.model.session_baseline import (
    ApiShape,
    Difference,
    DifferenceKind,
    ElementShape,
    JsonField,
    KnownError,
    PageShape,
    SessionBaseline,
    Severity,
    element_shapes,
    path_shape,
    shape_of,
)
from testwright.store.sessions import SessionReader

_MOST_ANSWERS = 50  # of one kind of request: more of the same teach nothing
_NOT_MODIFIED = 304  # says the same as the answer that the browser had kept
_BAD = 400


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


def differences(was: SessionBaseline, now: SessionBaseline) -> tuple[Difference, ...]:
    """Regressions first. What the newer session cannot show is left out."""
    found = [*_of_pages(was, now), *_of_apis(was, now)]
    return tuple(sorted(found, key=lambda one: one.severity is not Severity.REGRESSION))


def _of_pages(was: SessionBaseline, now: SessionBaseline) -> Iterator[Difference]:
    known = {error.fingerprint for page in was.pages for error in page.errors}
    newer = {page.path: page for page in now.pages}
    for page in now.pages:
        for error in page.errors:
            if error.fingerprint not in known:
                text = f"{error.name}: {error.message}" if error.name else error.message
                yield Difference(DifferenceKind.NEW_ERROR, page.path, now=text)
    for page in was.pages:
        if page.path not in newer:
            yield Difference(DifferenceKind.PAGE_MISSING, page.path, was="visited", now="not visited")
        else:
            yield from _of_elements(page, newer[page.path])


def _of_elements(was: PageShape, now: PageShape) -> Iterator[Difference]:
    if was.elements is None or now.elements is None:
        return
    for element in was.elements:
        if element not in now.elements:
            yield Difference(DifferenceKind.ELEMENT_MISSING, was.path, was=_in_words(element))
    for element in now.elements:
        if element not in was.elements:
            yield Difference(DifferenceKind.ELEMENT_ADDED, was.path, now=_in_words(element), severity=Severity.INFO)


def _in_words(element: ElementShape) -> str:
    return f'{element.role} "{element.name}"' if element.name else element.role


def _of_apis(was: SessionBaseline, now: SessionBaseline) -> Iterator[Difference]:
    newer = {api.key: api for api in now.apis}
    for api in was.apis:
        other = newer.get(api.key)
        if other is None:
            yield Difference(
                DifferenceKind.REQUEST_MISSING, api.key, was="asked for", now="not asked for", severity=Severity.INFO
            )
            continue
        yield from _of_status(api, other)
        yield from _of_fields(api, other)


def _of_status(was: ApiShape, now: ApiShape) -> Iterator[Difference]:
    other = [status for status in now.statuses if status not in was.statuses]
    if not other:
        return
    is_worse = any(status == 0 or status >= _BAD for status in other)
    yield Difference(
        DifferenceKind.STATUS_CHANGED,
        was.key,
        _statuses(was.statuses),
        _statuses(now.statuses),
        Severity.REGRESSION if is_worse else Severity.INFO,
    )


def _statuses(statuses: tuple[int, ...]) -> str:
    return ", ".join(str(status) if status else "no answer" for status in statuses)


def _of_fields(was: ApiShape, now: ApiShape) -> Iterator[Difference]:
    if was.shape is None or now.shape is None or not _went_equally_well(was, now):
        return
    older = {field.path: field for field in was.shape.fields}
    newer = {field.path: field for field in now.shape.fields}
    for path, field in older.items():
        where = f"{was.key} {path}"
        if path in newer:
            yield from _of_field(where, field, newer[path])
        elif now.shape.is_whole and not field.optional and _could_be_there(field, newer):
            yield Difference(DifferenceKind.FIELD_MISSING, where, " or ".join(field.types), "missing")
    for path, field in newer.items():
        if path not in older and was.shape.is_whole and _could_be_there(field, older):
            yield Difference(
                DifferenceKind.NEW_FIELD, f"{was.key} {path}", now=" or ".join(field.types), severity=Severity.INFO
            )


def _went_equally_well(was: ApiShape, now: ApiShape) -> bool:
    """The words of a failure have another shape than those of a success: that is reported as another status."""
    return any(0 < status < _BAD for status in was.statuses) == any(0 < status < _BAD for status in now.statuses)


def _could_be_there(field: JsonField, others: dict[str, JsonField]) -> bool:
    """Whether what the field is in was there: an empty array or a null says nothing of what would be in it."""
    parent = others.get(field.parent)
    return parent is not None and "object" in parent.types and not field.path.endswith("[]")


def _of_field(where: str, was: JsonField, now: JsonField) -> Iterator[Difference]:
    if set(now.types) - set(was.types):
        # Where nothing but null was known, anything is new and nothing is wrong.
        severity = Severity.INFO if was.types == ("null",) else Severity.REGRESSION
        yield Difference(DifferenceKind.TYPE_CHANGED, where, " or ".join(was.types), " or ".join(now.types), severity)
    if now.optional and not was.optional:
        yield Difference(DifferenceKind.FIELD_MISSING, where, " or ".join(was.types), "missing in some")
