"""What differs between two sessions: lost elements, changed answers, new errors."""

from collections.abc import Iterator

from testwright.model.session_baseline import (
    ApiShape,
    Difference,
    DifferenceKind,
    ElementShape,
    JsonField,
    PageShape,
    SessionBaseline,
    Severity,
)

_BAD = 400


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
