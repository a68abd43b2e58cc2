"""Sessions of a browser on disk: a folder for each, that its writer's sudden death leaves readable.

`session.json` is the head, written first; `end.json` the last word. Each kind of event has files of its own, one line
for each event, in generations (`console.3.jsonl`): when the newest is full, the one before it gives way to the next.
So a flood of one kind drives out nothing of another. `pages/` and `texts/` hold what is too long for a line.

Every line has the number of its arrival. Events stand in the order of their arrival, which is not that of `seq`: a
request is written down once it is over. So a reader that comes back for more asks for what arrived after a number.
"""

from testwright.store.sessions.session_reader import (
    EventPage,
    SessionReader,
    SessionSummary,
    list_sessions,
    open_session,
)
from testwright.store.sessions.session_writer import SessionWriter, new_session, prune_sessions

__all__ = [
    "EventPage",
    "SessionReader",
    "SessionSummary",
    "SessionWriter",
    "list_sessions",
    "new_session",
    "open_session",
    "prune_sessions",
]
