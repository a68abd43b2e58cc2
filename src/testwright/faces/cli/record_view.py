"""What a person sees while a browser is recorded, and when it is over."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from testwright.faces.cli.terminal_progress import status_line
from testwright.model.session import KINDS, AnySessionEvent, EventKind, PageError, SessionId
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line

if TYPE_CHECKING:
    from rich.status import Status

    from testwright.pipeline.observing.journey import RecordedSession

_SHOWN = {
    EventKind.ACTION: "actions",
    EventKind.REQUEST: "requests",
    EventKind.CONSOLE: "console lines",
    EventKind.ERROR: "errors",
}
_MOST_ERRORS_SHOWN = 20  # a page may throw without end


class RecordView:
    """Receives every event. Errors are shown as they happen; in a terminal, a line at the bottom counts the rest."""

    def __init__(self, how_to_end: str, status: "Status | None" = None) -> None:
        self.counts: Counter[EventKind] = Counter()
        self.errors: list[PageError] = []
        self._how_to_end = how_to_end
        self._status = status

    def begun(self, session: SessionId) -> None:
        _say(f"recording {session}; {self._how_to_end}")

    def __call__(self, event: AnySessionEvent) -> None:
        self.counts[KINDS[type(event)]] += 1
        if isinstance(event, PageError):
            self.errors.append(event)
            if len(self.errors) <= _MOST_ERRORS_SHOWN:
                _say(f"error {event.error_id}  {described(event)}")
            elif len(self.errors) == _MOST_ERRORS_SHOWN + 1:
                _say("more errors are kept, and not shown here")
        if self._status is not None:
            self._status.update(" · ".join(f"{self.counts[kind]} {word}" for kind, word in _SHOWN.items()))


@contextmanager
def record_view(how_to_end: str) -> Iterator[RecordView]:
    """Everything goes to stderr: stdout is for the answer."""
    with status_line("waiting for the browser") as status:
        yield RecordView(how_to_end, status)


def described(error: PageError) -> str:
    """An error in one line."""
    return visible_line(f"{error.name}: {error.message}" if error.name else error.message, limit=200)


def show_recorded(recorded: "RecordedSession", view: RecordView, failed_step: str = "") -> None:
    say = sys.stdout.write
    say(f"{recorded.summary}\n")
    for gap in recorded.ended.gaps:
        say(f"  note: {visible_line(gap, limit=300)}\n")
    if recorded.ended.reason == "browser_died":
        say("  The browser died. What happened before is kept.\n")
    if failed_step:
        say(f"  {visible_line(failed_step, limit=500)}\n")
    say(f"Next: {next_command(view)}\n")


def next_command(view: RecordView) -> str:
    """What most people want after such a recording."""
    if view.errors:
        return f"testwright generate web --from error --error-id {view.errors[-1].error_id}"
    return (
        "testwright generate web --from interaction" if view.counts[EventKind.ACTION] else "testwright observe timeline"
    )


def recorded_shape(recorded: "RecordedSession", view: RecordView, failed_step: str = "") -> dict[str, Any]:
    """The same for programs."""
    return {
        "summary": recorded.summary,
        "data": {
            "session": recorded.session,
            "reason": str(recorded.ended.reason),
            "counts": {str(kind): number for kind, number in sorted(view.counts.items())},
            "errors": [
                {"error_id": each.error_id, "name": each.name, "message": visible_line(each.message, limit=500)}
                for each in view.errors[-_MOST_ERRORS_SHOWN:]
            ],
            "gaps": list(recorded.ended.gaps),
            "failed_step": failed_step or None,
            "next": next_command(view),
        },
    }


def _say(line: str) -> None:
    sys.stderr.write(harmless_in_ci_log(line) + "\n")
    sys.stderr.flush()
