"""Errors of one session or of all, those with the same fingerprint together."""

from collections.abc import Iterable
from dataclasses import dataclass

from testwright.model.session import ErrorId, ErrorSource, EventKind, PageError, SessionId
from testwright.store.sessions import SessionReader


@dataclass(frozen=True, slots=True)
class ErrorCluster:
    """The same error, as often as it was seen. `first` and `last` in milliseconds since 1970."""

    fingerprint: str
    name: str
    message: str  # of the newest
    source: ErrorSource
    count: int
    first: int
    last: int
    sessions: tuple[SessionId, ...]  # the newest first
    sample: ErrorId  # the newest, in the first of the sessions
    urls: tuple[str, ...] = ()


def error_clusters(readers: Iterable[SessionReader]) -> list[ErrorCluster]:
    """The most frequent first. `readers`: the newest session first."""
    found: dict[str, list[tuple[SessionId, int, PageError]]] = {}
    for reader in readers:
        for error in reader.session([EventKind.ERROR]).errors:
            key = error.fingerprint or f"{error.name}\0{error.message}"
            found.setdefault(key, []).append((reader.id, reader.head.started + error.t, error))
    clusters = [_cluster(seen) for seen in found.values()]
    return sorted(clusters, key=lambda one: (-one.count, -one.last))


def _cluster(seen: list[tuple[SessionId, int, PageError]]) -> ErrorCluster:
    sessions = tuple(dict.fromkeys(session for session, _, _ in seen))
    newest = max((one for one in seen if one[0] == sessions[0]), key=lambda one: one[2].seq)[2]
    moments = [moment for _, moment, _ in seen]
    return ErrorCluster(
        fingerprint=newest.fingerprint,
        name=newest.name,
        message=newest.message,
        source=newest.source,
        count=len(seen),
        first=min(moments),
        last=max(moments),
        sessions=sessions,
        sample=newest.error_id,
        urls=tuple(dict.fromkeys(error.url for _, _, error in seen if error.url))[:5],
    )
