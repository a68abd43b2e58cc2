"""Progress on stderr for a person who watches there; stdout is for the answer."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.status import Status


class Bar(Protocol):
    def __call__(self, done: int, total: int | None, description: str = ...) -> None: ...


@contextmanager
def progress_bar(description: str) -> Iterator[Bar | None]:
    """A bar to call with the progress of the work; None where no person would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    # late: only for a person at a terminal: rich
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(description, total=None)

        def show(done: int, total: int | None, description: str = description) -> None:
            bars.update(task, completed=done, total=total, description=description)

        yield show


@contextmanager
def status_line(first: str) -> Iterator["Status | None"]:
    """One line that changes; None where it could not change."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    from rich.console import Console  # late: only for a person at a terminal: rich

    with Console(stderr=True, highlight=False).status(first) as status:
        yield status
