"""A diff for a person: coloured in a terminal, and unable to give orders to a CI log."""

import sys
from collections.abc import Iterator

from testwright.model.untrusted_text import harmless_in_ci_log

_COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}


def diff_lines(diff: str) -> Iterator[str]:
    """The lines of `diff`, as they are to be shown."""
    is_terminal = sys.stdout.isatty()
    for line in map(harmless_in_ci_log, diff.splitlines()):
        colour = _COLOURS.get(line[:1], "") if is_terminal else ""
        yield f"{colour}{line}\x1b[0m" if colour else line
