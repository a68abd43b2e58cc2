"""How a test speaks of an error: how long it waits, what it looks for, and what it says when it is red."""

from testwright.generate.web.code_literals import regex_escaped
from testwright.generate.web.web_plan import ExpectedError
from testwright.model.session import ErrorSource

GUARD_FAILED = "the recorded error is back"
REPRO_FAILED = "the recorded error did not come"
_SHORTEST, _LONGEST, _LONGEST_OF_ALL = 1_000, 4_000, 20_000
_OF_A_PROMISE = "Uncaught (in promise) "  # what a browser puts before the name where there is no stack


def patience(error: ExpectedError, *, waits: bool = False) -> int:
    """Milliseconds. A guard waits a few times as long as the error took; a repro has all the time it may need."""
    least = min(error.delay * 3 // 2 // 100 * 100, _LONGEST_OF_ALL)  # an error may take its time
    return max(least, _LONGEST if waits else max(_SHORTEST, min(_LONGEST, error.delay * 4 // 100 * 100)))


def error_pattern(error: ExpectedError) -> str:
    """An expression for `TypeError: message`, wherever it stands: a browser may put words before it."""
    if error.source is ErrorSource.CONSOLE or not error.name:
        return error.pattern
    name = regex_escaped(error.name.removeprefix(_OF_A_PROMISE))
    # A pattern from the start of the message is one for no message at all: the name is enough.
    return name if error.pattern.startswith("^") else f"{name}: {error.pattern}"


def error_line_pattern(error: ExpectedError) -> str:
    """The same, for a line that begins with the name."""
    if error.source is ErrorSource.CONSOLE or not error.name:
        return error.pattern
    name = regex_escaped(error.name, with_slash=True)
    if error.pattern.startswith("^"):
        return f"^{name}: {error.pattern[1:]}"
    return f"^{name}: .*{error.pattern}"
