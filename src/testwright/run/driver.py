"""Drive a runner from start to certain end, whatever its tests do to it.

One driver for all frameworks. It keeps the time limit of each test, starts a runner again for the
tests that a crash, a hang or an early exit has cut off, and repeats failures when asked to.
"""

import queue
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Protocol

from testwright.isolate.child import Cancel, Child
from testwright.isolate.guard import UNGUARDED, Guard
from testwright.isolate.limits import Limits
from testwright.model.case import TestCase, TestId
from testwright.model.errors import TestwrightError
from testwright.model.events import AttemptFinished, Event, ProblemFound, RunnerStarted, SuiteEnded, SuiteStarted
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, Problem, Usage, total_usage
from testwright.run.conversation import Conversation
from testwright.run.framework import Adapter, Launch, Request, Suite
from testwright.run.project import Project

QUIET_SECONDS = 300.0  # how long a runner may say nothing while no test runs: it imports and collects
CRASH_LOOP = 4  # runners in a row, for each worker, that died on their first test


class Surroundings(Protocol):
    """What a child may see and touch while it runs."""

    @property
    def env(self) -> Mapping[str, str]: ...
    @property
    def guard(self) -> Guard: ...


@dataclass(frozen=True)
class AsTheUser:
    """A user's own tests run with the user's environment and rights."""

    env: Mapping[str, str]
    guard: Guard = UNGUARDED


@dataclass
class Driver:
    project: Project
    env: Mapping[str, str]
    limits: Limits = field(default_factory=Limits)
    cancel: Cancel = field(default_factory=Cancel)
    surroundings: Callable[[Suite], AbstractContextManager[Surroundings]] | None = None

    def run(self, adapter: Adapter, suite: Suite, request: Request, *, retries: int = 0, parallel: int = 1) -> Iterator[Event]:
        """Everything that happens while the suite's tests run, each attempt numbered."""
        started = time.monotonic()
        with self._surroundings(suite) as around:
            yield SuiteStarted(suite.framework, self.project.name_of(suite.root), around.guard.rung.label)
            turn = _Turn(self, adapter, suite, around)
            yield from turn.run(request, retries=retries, parallel=parallel)
        duration = (time.monotonic() - started) * 1000
        yield SuiteEnded(
            suite.framework, self.project.name_of(suite.root), duration, total_usage(turn.usages), turn.left_processes
        )

    def _surroundings(self, suite: Suite) -> AbstractContextManager[Surroundings]:
        return self.surroundings(suite) if self.surroundings is not None else nullcontext(AsTheUser(self.env))


class _Turn:
    """One suite's time on the stage."""

    def __init__(self, driver: Driver, adapter: Adapter, suite: Suite, around: Surroundings) -> None:
        self._driver, self._adapter, self._suite, self._around = driver, adapter, suite, around
        self._attempts: Counter[TestId] = Counter()
        self._last: dict[TestId, AttemptFinished] = {}
        self.usages: list[Usage] = []
        self.left_processes = 0

    def run(self, request: Request, *, retries: int, parallel: int) -> Iterator[Event]:
        yield from self._round(request, parallel)
        for _ in range(retries):
            failed = tuple(event.case for event in self._last.values() if _deserves_retry(event.attempt))
            if not failed or self._driver.cancel.raised:
                break
            # A fresh process, and nothing but what failed. The shard was chosen in the first round.
            again = replace(request, only=failed, shard=None, select=(), paths=())
            yield from self._round(again, parallel)

    def _round(self, request: Request, parallel: int) -> Iterator[Event]:
        try:
            launches = self._adapter.launches(self._suite, request, self._around.env)
        except TestwrightError as error:
            yield ProblemFound(Problem(error.code, error.message, error.next_step))
            return
        for event in _merged([self._to_the_end(launch) for launch in launches], parallel):
            yield self._numbered(event)

    def _numbered(self, event: Event) -> Event:
        """Attempts count on over restarts and retries."""
        if not isinstance(event, AttemptFinished):
            return event
        self._attempts[event.case.id] += 1
        numbered = AttemptFinished(event.case, replace(event.attempt, number=self._attempts[event.case.id]))
        self._last[event.case.id] = numbered
        return numbered

    def _to_the_end(self, first: Launch) -> Iterator[Event]:
        """Run a launch, and again what its end cut off, until every announced test has a verdict."""
        waiting, fruitless = deque([first]), 0
        while waiting:
            launch = waiting.popleft()
            conversation = Conversation(self._suite.framework, self._driver.project)
            finished = 0
            for event in self._talk(launch, conversation):
                finished += isinstance(event, AttemptFinished)
                yield event
            rest = conversation.unfinished()
            if not rest or self._driver.cancel.raised:
                continue
            fruitless = fruitless + 1 if finished <= 1 else 0
            if fruitless >= CRASH_LOOP * (launch.request.workers or 1):
                yield from _given_up(rest)
                continue
            again = replace(launch.request, only=rest, shard=None, select=(), paths=())
            waiting.extend(self._adapter.launches(self._suite, again, self._around.env))

    def _talk(self, launch: Launch, conversation: Conversation) -> Iterator[Event]:
        driver = self._driver
        limits = replace(driver.limits, seconds=None)
        try:
            with Child(
                launch.command, limits=limits, guard=self._around.guard, channel=launch.config, cancel=driver.cancel
            ) as child:
                yield RunnerStarted()
                child.deadline = time.monotonic() + self._quiet_seconds(launch)
                for record in child.records():
                    yield from conversation.hear(record)
                    child.deadline = self._deadline(launch, conversation)
                report = child.report
        except TestwrightError as error:
            yield ProblemFound(Problem(error.code, error.message, error.next_step))
            return
        self.usages.append(report.usage)
        self.left_processes += report.survivors
        yield from conversation.conclude(report)

    def _deadline(self, launch: Launch, conversation: Conversation) -> float | None:
        since = conversation.longest_running_since()
        if since is None:
            return time.monotonic() + self._quiet_seconds(launch)
        seconds = launch.request.test_seconds
        return None if seconds is None else since + seconds + launch.slack_seconds

    @staticmethod
    def _quiet_seconds(launch: Launch) -> float:
        return max(QUIET_SECONDS, launch.request.test_seconds or 0.0)


def _deserves_retry(attempt: Attempt) -> bool:
    return not attempt.outcome.is_success and attempt.outcome is not Outcome.INTERRUPTED


def _given_up(cases: Sequence[TestCase]) -> Iterator[Event]:
    for case in cases:
        message = "Not run: the runner kept dying on its first test."
        yield AttemptFinished(case, Attempt(Outcome.NO_VERDICT, message=message, reason="crash_loop"))


def _merged(sources: Sequence[Iterator[Event]], parallel: int) -> Iterator[Event]:
    """The events of all sources, at most `parallel` of them at work at a time."""
    if parallel <= 1 or len(sources) <= 1:
        for source in sources:
            yield from source
        return
    waiting: queue.SimpleQueue[Iterator[Event]] = queue.SimpleQueue()
    for source in sources:
        waiting.put(source)
    events: queue.SimpleQueue[Event | BaseException | None] = queue.SimpleQueue()
    threads = [
        threading.Thread(target=_work_off, args=(waiting, events), daemon=True)
        for _ in range(min(parallel, len(sources)))
    ]
    for thread in threads:
        thread.start()
    still_working = len(threads)
    while still_working:
        event = events.get()
        if event is None:
            still_working -= 1
        elif isinstance(event, BaseException):
            raise event
        else:
            yield event


def _work_off(
    waiting: "queue.SimpleQueue[Iterator[Event]]", events: "queue.SimpleQueue[Event | BaseException | None]"
) -> None:
    try:
        while True:
            for event in waiting.get_nowait():
                events.put(event)
    except queue.Empty:
        events.put(None)
    except BaseException as error:  # noqa: BLE001  raised again in the thread that reads the events
        events.put(error)
