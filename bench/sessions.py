"""What it takes to keep a session of 50,000 events, and to look at the end of it."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.measure import Figure, wall
from testwright.model.session import (
    Action,
    ActionTarget,
    ActionType,
    AnySessionEvent,
    ConsoleLine,
    ErrorId,
    ErrorSource,
    HttpRequest,
    MessageBody,
    Navigation,
    PageError,
    SelectorCandidate,
    SessionHead,
    SessionSource,
)

EVENTS = 50_000
ROUNDS = 7  # of which the median counts
_BODY = '{"items":[' + ",".join(f'{{"id":{n},"name":"thing {n}","price":{n}.5}}' for n in range(5)) + "]}"


def figures(folder: Path) -> Iterator[Figure]:
    from testwright.pipeline.observing.event_listing import list_events
    from testwright.store.sessions import new_session, open_session

    started = time.perf_counter()
    with new_session(folder) as writer:
        writer.begin(SessionHead(writer.id, SessionSource.LAUNCH, "http://shop.test/", 1_700_000_000_000))
        for seq in range(1, EVENTS + 1):
            writer.add(_event(seq))
        writer.finish(ended=EVENTS, gaps=())
    kept = (time.perf_counter() - started) * 1e6 / EVENTS
    assert sum(open_session(folder).counts().values()) == EVENTS

    called = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        listing = list_events(open_session(folder), "timeline")
        called.append((time.perf_counter() - started) * 1000)
        assert len(listing.events) == 100
    command = [sys.executable, "-m", "testwright.faces.cli.main", "observe", "timeline", "--json"]
    commanded = [wall(command, folder) * 1000 for _ in range(ROUNDS)]
    begun = [wall([*command, "--since", "start"], folder) * 1000 for _ in range(ROUNDS)]
    searching = [*command[:4], "network", "--status", "5xx", "--json"]
    searched = [wall(searching, folder) * 1000 for _ in range(ROUNDS)]
    yield Figure("an event kept", kept, 200, " us")
    yield Figure("the end of 50,000 events, by a call", median(called), 50, " ms")
    yield Figure("the end of 50,000 events, by the command", median(commanded), 300, " ms")
    yield Figure("their beginning, by the command", median(begun), 300, " ms")
    yield Figure("all requests searched for a few, by the command", median(searched), 600, " ms")


def _event(seq: int) -> AnySessionEvent:
    """An event of a busy hour: much console and network, few actions and errors."""
    t, after = seq * 7, seq - seq % 100 or None
    if seq % 1000 == 1:
        return Navigation(seq=seq, t=t, url=f"http://shop.test/page/{seq}", status=200)
    if seq % 100 == 0:
        target = ActionTarget(
            (SelectorCandidate("role", f'internal:role=button[name="Buy {seq}"i]', 1),), tag="button", role="button"
        )
        return Action(seq=seq, t=t, type=ActionType.CLICK, target=target, url="http://shop.test/")
    if seq % 500 == 7:
        made = ErrorId(f"err_{1_700_000_000_000 + t}_{seq:08x}")
        return PageError(
            seq=seq, t=t, after=after, error_id=made, source=ErrorSource.PAGE_ERROR, name="Error", message=f"no {seq}"
        )
    if seq % 3 == 0:
        return ConsoleLine(seq=seq, t=t, after=after, level="log", text=f"rendered {seq} in {seq % 17} ms")
    return HttpRequest(
        seq=seq,
        t=t,
        after=after,
        method="GET",
        url=f"http://shop.test/api/things?page={seq}",
        resource="fetch",
        headers={"accept": "application/json", "user-agent": "Mozilla/5.0"},
        status=500 if seq % 9_973 == 0 else 200,
        answer_headers={"content-type": "application/json", "cache-control": "no-store"},
        received=MessageBody(_BODY, "application/json", len(_BODY)),
        ended=t + 12,
    )
