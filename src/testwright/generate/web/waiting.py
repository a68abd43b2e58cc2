"""What both languages share: how long a test waits for an error, what it says when it came, how moments are written."""

from datetime import UTC, datetime

from testwright.generate.web.plan import ExpectedError

GUARD_FAILED = "the recorded error is back"
REPRO_FAILED = "the recorded error did not come"
_SHORTEST, _LONGEST = 500, 5_000


def patience(error: ExpectedError, *, waits: bool = False) -> int:
    """Milliseconds. A guard waits a few times as long as the error took; a repro has all the time it may need."""
    return _LONGEST if waits else max(_SHORTEST, min(_LONGEST, error.delay * 4 // 100 * 100))


def moment(milliseconds: int) -> str:
    """Since 1970, as a date that both languages read."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def one_line(note: str) -> str:
    return " ".join(note.split())
