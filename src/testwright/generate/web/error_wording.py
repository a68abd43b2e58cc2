"""What both languages share: how long a test waits for an error, what it says when it came, how moments are written."""

import re
from datetime import UTC, datetime

from testwright.generate.web.web_plan import ExpectedError
from testwright.model.session import ErrorSource
from testwright.model.untrusted_text import visible_line

GUARD_FAILED = "the recorded error is back"
REPRO_FAILED = "the recorded error did not come"
_SHORTEST, _LONGEST, _LONGEST_OF_ALL = 1_000, 4_000, 20_000
_OF_A_PROMISE = "Uncaught (in promise) "  # what a browser puts before the name where there is no stack
_SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|]")


def patience(error: ExpectedError, *, waits: bool = False) -> int:
    """Milliseconds. A guard waits a few times as long as the error took; a repro has all the time it may need."""
    least = min(error.delay * 3 // 2 // 100 * 100, _LONGEST_OF_ALL)  # an error may take its time
    return max(least, _LONGEST if waits else max(_SHORTEST, min(_LONGEST, error.delay * 4 // 100 * 100)))


def told_as(error: ExpectedError) -> str:
    """An expression for `TypeError: message`, as both languages tell of an error. A browser may put words before it."""
    if error.source is ErrorSource.CONSOLE or not error.name:
        return error.pattern
    name = _escaped(error.name.removeprefix(_OF_A_PROMISE))
    return (
        name if error.pattern.startswith("^") else f"{name}: {error.pattern}"
    )  # no message at all: the name is enough


def address_of(path: str) -> str:
    """An expression for any address with this path."""
    return f"^[^/]*//[^/]+{_escaped(path)}(?:[?#]|$)"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def moment(milliseconds: int) -> str:
    """Since 1970, as a date that both languages read."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def one_line(note: str) -> str:
    """Fit for a comment: nothing ends the line, and nothing in it is unseen."""
    return visible_line(" ".join(note.split()))
