"""How answers reach their reader: tables, JSON and diffs on standard output, reports in a file."""

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from testwright.model.errors import DiskFull, PathUnreadable
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line

_COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}


def print_json(document: Any) -> None:
    sys.stdout.write(json.dumps(document, default=_plain) + "\n")


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Columns that fit a terminal where there is one; one line for each row everywhere else."""
    shown = [[visible_line(cell, limit=300) for cell in row] for row in rows]
    if sys.stdout.isatty():
        # late: only for a person at a terminal: rich
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(*heads, box=None, header_style="bold", pad_edge=False)
        for row in shown:
            table.add_row(*(Text(cell, style=_style(cell)) for cell in row))
        Console(highlight=False).print(table)
        return
    widths = [max(map(len, column)) for column in zip(heads, *shown, strict=True)]
    for row in (list(heads), *shown):
        sys.stdout.write("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n")


def _style(cell: str) -> str:
    if cell in ("passed", "applied"):
        return "green"
    return "red" if cell in ("failed", "error", "timeout", "crashed", "no_verdict", "output_limit") else ""


def when(moment: datetime) -> str:
    """A moment as the reader's own clock shows it."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def duration_text(milliseconds: float) -> str:
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    minutes, seconds = divmod(milliseconds / 1000, 60)
    return f"{minutes:.0f} min {seconds:.0f} s" if minutes else f"{seconds:.1f} s"


def markup_text(text: str) -> str:
    """One line of `text`, as rich shows it literally: marks in it have no meaning."""
    from rich.markup import escape  # late: only for a person at a terminal: rich

    return escape(visible_line(text))


def diff_lines(diff: str) -> Iterator[str]:
    """The lines of `diff`, as they are to be shown."""
    is_terminal = sys.stdout.isatty()
    for line in map(harmless_in_ci_log, diff.splitlines()):
        colour = _COLOURS.get(line[:1], "") if is_terminal else ""
        yield f"{colour}{line}\x1b[0m" if colour else line


def write_report(file: Path, content: bytes) -> None:
    """Write `content`, whole or not at all. The place is the user's own choice, so any folder will do."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(file)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(
                f"There is no room to write {file}.", next_step="Make room, or name another place."
            ) from error
        raise PathUnreadable(
            f"{file} could not be written: {error.strerror}.", next_step="Name a file in a folder you may write to."
        ) from error
