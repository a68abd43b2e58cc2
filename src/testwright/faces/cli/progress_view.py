"""What a person sees while tests run, or while other work goes on: live in a terminal, plain lines anywhere else."""

import contextlib
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, Self

from testwright.faces.cli.standard_output import duration_text, markup_text
from testwright.model.case import TestCase, TestId
from testwright.model.events import (
    AttemptFinished,
    Collected,
    ProblemFound,
    RunEvent,
    RunnerStarted,
    SuiteEnded,
    SuiteStarted,
    TestStarted,
)
from testwright.model.outcome import Outcome
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.status import Status

MARKS = {
    Outcome.PASSED: "✓",
    Outcome.PASSED_WITH_HEAL: "✚",
    Outcome.SKIPPED: "-",
    Outcome.INTERRUPTED: "■",
    Outcome.ENVIRONMENT_CHANGED: "!",
}
_RUNNING_SHOWN = 4


@contextlib.contextmanager
def progress_listener(*, quiet: bool, verbose: bool) -> Iterator[Callable[[RunEvent], None]]:
    """Something to tell events to."""
    if quiet:
        yield lambda _: None
    elif sys.stdout.isatty() and not verbose and os.environ.get("TERM") != "dumb":
        with LiveView() as view:
            yield view
    else:
        yield PlainLines(verbose=verbose)


class PlainLines:
    """A line for each suite and each failure; for every test when `verbose`."""

    def __init__(self, *, verbose: bool) -> None:
        self._verbose = verbose

    def __call__(self, event: RunEvent) -> None:
        match event:
            case SuiteStarted():
                self._say(f"{event.framework} in {event.root}")
            case AttemptFinished(_, attempt) if self._verbose or not attempt.outcome.is_success:
                self._say(attempt_line(event))
            case ProblemFound(problem):
                self._say(f"  ! {visible_line(problem.message)} [{problem.code}]")

    @staticmethod
    def _say(line: str) -> None:
        sys.stdout.write(harmless_in_ci_log(line) + "\n")
        sys.stdout.flush()


def attempt_line(event: AttemptFinished) -> str:
    attempt = event.attempt
    why = f"{attempt.reason.replace('_', ' ')}, " if attempt.is_repetition else ""
    again = f" ({why}attempt {attempt.number})" if attempt.number > 1 else ""
    mark = MARKS.get(attempt.outcome, "✗")
    outcome = "" if attempt.outcome in MARKS else f" {attempt.outcome}"
    return f"  {mark} {visible_line(event.case.id)}{outcome} {duration_text(attempt.duration_ms)}{again}"


class LiveView:
    """A progress bar, the tests that run now, and failures above it as they come."""

    def __init__(self) -> None:
        self._cases: set[TestId] = set()
        self._done: set[TestId] = set()
        self._counts: Counter[str] = Counter()
        self._running: dict[TestId, tuple[TestCase, float]] = {}
        self._suite = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    _live = None

    def __call__(self, event: RunEvent) -> None:
        match event:
            case SuiteStarted():
                self._suite = f"{event.framework} in {event.root}"
            case RunnerStarted():
                self._start()
            case Collected():
                self._cases.update(case.id for case in event.cases)
            case TestStarted():
                self._running[event.case.id] = (event.case, time.monotonic())
            case AttemptFinished():
                self._finished(event)
            case ProblemFound(problem):
                self._print(f"  [yellow]! {markup_text(problem.message)} \\[{problem.code}][/]")
            case SuiteEnded():
                self._running.clear()

    def _start(self) -> None:
        """Rich takes a while to load: only once a runner is busy starting up."""
        if self._live is None:
            from rich.live import Live  # late: only for a person at a terminal: rich

            self._live = Live(get_renderable=self._picture, refresh_per_second=8, transient=True)
            self._live.start()

    def _finished(self, event: AttemptFinished) -> None:
        self._running.pop(event.case.id, None)
        self._done.add(event.case.id)
        outcome = event.attempt.outcome
        if not event.attempt.is_repetition:
            self._counts["passed" if outcome.is_pass else "skipped" if outcome is Outcome.SKIPPED else "failed"] += 1
        if not outcome.is_success:
            self._print(f"[red]{markup_text(attempt_line(event))}[/]")

    def _print(self, text: str) -> None:
        if self._live is not None:
            self._live.console.print(text, highlight=False)

    def _picture(self) -> "RenderableType":
        # late: only for a person at a terminal: rich
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        total = max(len(self._cases | self._done), 1)
        head = Table.grid(padding=(0, 1))
        head.add_row(
            Text(self._suite, style="bold"),
            ProgressBar(total=total, completed=len(self._done), width=30),
            Text(f"{len(self._done)}/{total}"),
            Text(f"{self._counts['passed']} passed", style="green"),
            Text(f"{self._counts['failed']} failed", style="red" if self._counts["failed"] else "dim"),
        )
        now = time.monotonic()
        running = [
            Text(f"  … {visible_line(case.name, limit=100)} {now - since:.0f} s", style="dim")
            for case, since in list(self._running.values())[:_RUNNING_SHOWN]
        ]
        return Group(head, *running)


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
