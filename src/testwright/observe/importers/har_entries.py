"""One entry of a HAR log, and of the network part of a Playwright trace, which has the same form."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from testwright.masking.masker import Masker
from testwright.model.session import Cookie, HttpRequest, NavigationCause, StorageState
from testwright.model.strict_json import JsonObject
from testwright.observe.importers.har_bodies import BodyReader
from testwright.observe.importers.json_fields import WrongTypeError, number_of, object_of, objects_of, text_of
from testwright.observe.importers.session_timeline import Stamp
from testwright.observe.noise_rules import host_in

_BY_DESTINATION = {
    "document": "document",
    "iframe": "document",
    "frame": "document",
    "script": "script",
    "style": "stylesheet",
    "image": "image",
    "font": "font",
    "video": "media",
    "audio": "media",
    "empty": "fetch",
    "manifest": "manifest",
    "worker": "script",
}
_BY_MIME = (
    ("json", "fetch"),
    ("html", "document"),
    ("javascript", "script"),
    ("css", "stylesheet"),
    ("image/", "image"),
    ("font", "font"),
    ("video/", "media"),
    ("audio/", "media"),
)
_EMBEDDED = frozenset({"iframe", "frame", "embed", "object"})
_REDIRECTS = range(300, 400)
_NOT_MODIFIED = 304


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry that has been checked. Nothing in it is masked yet."""

    raw: JsonObject
    request: JsonObject
    response: JsonObject
    at: float | None  # milliseconds since 1970; None: it does not say
    took: float
    method: str
    url: str
    page: str  # what the file calls the page it belongs to
    frame: str
    headers: Mapping[str, str]
    answer_headers: Mapping[str, str]
    set_cookies: tuple[str, ...]
    status: int | None
    failure: str
    resource: str

    @property
    def is_socket(self) -> bool:
        return self.resource == "websocket" or self.url.startswith(("ws:", "wss:"))

    @property
    def is_document(self) -> bool:
        """Whether a whole page was asked for, not what is in an iframe."""
        return self.resource == "document" and self.headers.get("sec-fetch-dest", "document") not in _EMBEDDED

    @property
    def shows_a_page(self) -> bool:
        redirected = self.status in _REDIRECTS and self.status != _NOT_MODIFIED
        return self.is_document and self.status is not None and not redirected

    def cause(self, *, is_first: bool, before: str) -> NavigationCause:
        """`before`: the address that its tab had."""
        if "max-age=0" in self.headers.get("cache-control", "") and self.url == before:
            return NavigationCause.RELOAD
        site = self.headers.get("sec-fetch-site")
        if is_first or site == "none":
            return NavigationCause.GOTO
        return NavigationCause.PAGE


def read_entry(raw: JsonObject) -> Entry:
    """Raises WrongTypeError for what no reader could use."""
    request, response = object_of(raw, "request"), object_of(raw, "response")
    headers, answer_headers = _headers(request), _headers(response)
    url = text_of(request, "url")
    status = int(number_of(response, "status"))
    failure = text_of(response, "_failureText") or text_of(response, "_error")
    return Entry(
        raw,
        request,
        response,
        at=_moment(text_of(raw, "startedDateTime")),
        took=max(0.0, number_of(raw, "time")),
        method=text_of(request, "method").upper() or "GET",
        url=url,
        page=text_of(raw, "pageref"),
        frame=text_of(raw, "_frameref"),
        headers=headers,
        answer_headers=answer_headers,
        set_cookies=tuple(answer_headers.get("set-cookie", "").split("\n")) if "set-cookie" in answer_headers else (),
        status=status if status > 0 else None,
        failure=failure or ("" if status > 0 else "no answer"),
        resource=_resource(raw, url, headers, object_of(response, "content")),
    )


def as_request(entry: Entry, masker: Masker, bodies: BodyReader, stamp: Stamp) -> HttpRequest:
    _learn(entry, masker)
    return HttpRequest(
        seq=stamp.seq,
        t=stamp.t,
        tab=stamp.tab,
        after=stamp.after,
        method=entry.method,
        url=masker.url(entry.url),
        resource=entry.resource,
        headers=_masked(entry.headers, masker),
        sent=bodies.sent(entry.request),
        status=entry.status,
        answer_headers=_masked(entry.answer_headers, masker),
        received=bodies.received(entry.response, entry.resource) if entry.status is not None else None,
        failure=masker.text(entry.failure),
        ended=stamp.t + round(entry.took),
        is_navigation=entry.is_document,
    )


def cookies_sent(entry: Entry, masker: Masker) -> StorageState:
    """The cookies that went with a request: what the browser had for that site, as far as a file can tell."""
    host = host_in(entry.url)
    found = {text_of(one, "name"): text_of(one, "value") for one in objects_of(entry.request, "cookies")}
    for pair in entry.headers.get("cookie", "").split(";"):
        name, equals, value = pair.strip().partition("=")
        if equals:
            found.setdefault(name, value)
    cookies = (Cookie(name, value, domain=host) for name, value in found.items() if name)
    return StorageState(tuple(masker.cookie(cookie) for cookie in cookies))


def _learn(entry: Entry, masker: Masker) -> None:
    """Values that an entry has in places we do not keep, so that they are masked where they turn up."""
    for holder in (entry.request, entry.response):
        for one in objects_of(holder, "cookies"):
            name, value = text_of(one, "name"), text_of(one, "value")
            if name and value:
                masker.cookie(Cookie(name, value, http_only=one.get("httpOnly") is True))


def _masked(headers: Mapping[str, str], masker: Masker) -> dict[str, str]:
    """One that was sent several times stands on several lines, each masked by itself."""
    return {name: "\n".join(masker.header(name, line) for line in value.split("\n")) for name, value in headers.items()}


def _headers(holder: JsonObject) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for one in objects_of(holder, "headers"):
        name = text_of(one, "name").lower()
        if name and not name.startswith(":"):  # :authority and its like belong to the protocol
            found.setdefault(name, []).append(text_of(one, "value"))
    return {name: ("\n" if name == "set-cookie" else ", ").join(values) for name, values in found.items()}


def _resource(raw: JsonObject, url: str, headers: Mapping[str, str], content: JsonObject) -> str:
    """What the browser asked for it as; only some say so."""
    said = text_of(raw, "_resourceType").lower()
    if said:
        return said
    if url.startswith(("ws:", "wss:")) or "_webSocketMessages" in raw:
        return "websocket"
    destination = headers.get("sec-fetch-dest")
    if destination is not None:
        return _BY_DESTINATION.get(destination, "other")
    if "x-requested-with" in headers:
        return "xhr"
    mime = text_of(content, "mimeType").lower()
    return next((resource for part, resource in _BY_MIME if part in mime), "other")


def _moment(text: str) -> float | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        found = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000
    except (ValueError, OverflowError) as error:
        raise WrongTypeError("startedDateTime") from error
    if not math.isfinite(found) or found < 0:
        raise WrongTypeError("startedDateTime")
    return found
