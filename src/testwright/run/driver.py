"""Drive a runner from its start to a certain end, even if its tests harm it.

One driver for all frameworks. It keeps the time limit of each test, starts a runner again for the
tests that a crash, a hang or an early exit has cut off, and repeats failures when asked to.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from testwright.isolate.child import Cancel, Child, Ending
from testwright.isolate.guard import UNGUARDED, Guard
from testwright.isolate.limits import Limits
from testwright.model.artifact_names import COVERAGE
from testwright.model.case import TestId
from testwright.model.errors import TestwrightError
from testwright.model.events import (
    AttemptFinished,
    CaughtUp,
    ProblemFound,
    RunEvent,
    RunnerStarted,
    SuiteEnded,
    SuiteStarted,
)
from testwright.model.outcome import Outcome
from testwright.model.resource_usage import ResourceUsage, total_usage
from testwright.model.result import Artifact, Attempt, Problem
from testwright.run.conversation import Conversation
from testwright.run.early_stop import LinkedCancel, OutputWatch
from testwright.run.event_merger import merged
from testwright.run.framework_adapter import FrameworkAdapter, RunnerLaunch, RunRequest, Suite
from testwright.run.head_start import HeadStart
from testwright.run.project import Project
from testwright.run.restarts import LostRunners, RoundState, attempts_with_outcome

QUIET_SECONDS = 300.0  # how long a runner may be silent while no test runs: it imports and collects
DEFAULT_TEST_SECONDS = 300.0  # for a test of a runner that has no limit of its own
EXIT_SECONDS = 30.0  # between a runner's last record and its exit


class ChildAccess(NamedTuple):
    """What a child may see and touch while it runs. Unguarded are a user's own tests, with the user's rights."""

    env: Mapping[str, str]
    guard: Guard = UNGUARDED


@dataclass
class Driver:
    project: Project
    env: Mapping[str, str]
    limits: Limits = field(default_factory=Limits)
    cancel: Cancel = field(default_factory=Cancel)
    child_access: Callable[[Suite], AbstractContextManager[ChildAccess]] | None = None
    quiet_seconds: float = QUIET_SECONDS
    head_start: HeadStart | None = None

    def run(
        self, adapter: FrameworkAdapter, suite: Suite, request: RunRequest, *, retries: int = 0, parallel: int = 1
    ) -> Iterator[RunEvent]:
        """Everything that happens while the suite's tests run, each attempt numbered."""
        started = time.monotonic()
        root = self.project.name_of(suite.root)
        with self._access(suite) as access:
            yield SuiteStarted(suite.framework, root, access.guard.level.label)
            suite_run = _SuiteRun(self, adapter, suite, access)
            yield from suite_run.run(request, retries=retries, parallel=parallel)
        duration = (time.monotonic() - started) * 1000
        yield SuiteEnded(
            suite.framework,
            root,
            duration,
            total_usage(suite_run.usages),
            suite_run.left_processes,
            self._artifacts(request),
        )

    def _access(self, suite: Suite) -> AbstractContextManager[ChildAccess]:
        return self.child_access(suite) if self.child_access is not None else nullcontext(ChildAccess(self.env))

    def _artifacts(self, request: RunRequest) -> tuple[Artifact, ...]:
        file = request.coverage_file
        if file is None or not file.is_file():
            return ()
        return (Artifact(COVERAGE, self.project.name_of(file), "application/vnd.sqlite3"),)


class _SuiteRun:
    """One suite, from its first runner to its last."""

    def __init__(self, driver: Driver, adapter: FrameworkAdapter, suite: Suite, access: ChildAccess) -> None:
        self._driver, self._adapter, self._suite, self._access = driver, adapter, suite, access
        self._attempts: Counter[TestId] = Counter()
        self._last: dict[TestId, AttemptFinished] = {}
        self._reported_problems: set[Problem] = set()
        self.usages: list[ResourceUsage] = []
        self.left_processes = 0

    def run(self, request: RunRequest, *, retries: int, parallel: int) -> Iterator[RunEvent]:
        yield from self._round(request, parallel)
        for _ in range(retries):
            failed = tuple(event.case for event in self._last.values() if _deserves_retry(event.attempt))
            if not failed or self._driver.cancel.raised:
                break
            # A fresh process, and nothing but what failed. The shard was chosen in the first round.
            yield from self._round(request.for_cases(failed), parallel)

    def _round(self, request: RunRequest, parallel: int) -> Iterator[RunEvent]:
        launches = yield from self._launches(request)
        state = RoundState(request)
        with closing(LinkedCancel(self._driver.cancel)) as cancel:
            sources = [self._to_the_end(launch, state, cancel) for launch in launches]
            with closing(merged(sources, parallel, cancel)) as events:
                for event in events:
                    if state.is_news(event) and self._is_news(event):
                        yield self._numbered(event)
                    if state.is_over and parallel > 1:
                        cancel()  # fail-fast reaches the processes beside the one that saw the failure
        for case in state.files_that_load_now():
            yield self._numbered(
                AttemptFinished(case, Attempt(Outcome.PASSED, message="It could be loaded this time."))
            )
        if len(state.wholes) > 1:
            yield ProblemFound(_COLLECTION_DIFFERS)

    def _launches(self, request: RunRequest) -> Generator[RunEvent, None, Sequence[RunnerLaunch]]:
        head_start = self._driver.head_start
        try:
            early = head_start.launches(self._suite, request) if head_start is not None else ()
            return early or self._adapter.launches(self._suite, request, self._access.env)
        except TestwrightError as error:
            yield ProblemFound(Problem(error.code, error.message, error.next_step))
            return ()

    def _is_news(self, event: RunEvent) -> bool:
        """Several processes of one suite meet the same problem; it is reported once."""
        if isinstance(event, ProblemFound):
            if event.problem in self._reported_problems:
                return False
            self._reported_problems.add(event.problem)
        return True

    def _numbered(self, event: RunEvent) -> RunEvent:
        """Attempts count on over restarts and retries."""
        if not isinstance(event, AttemptFinished):
            return event
        self._attempts[event.case.id] += 1
        number = self._attempts[event.case.id]
        if number != event.attempt.number:
            event = AttemptFinished(event.case, replace(event.attempt, number=number))
        self._last[event.case.id] = event
        return event

    # --- one process after another, until every announced test has a verdict -------------------

    def _to_the_end(self, first: RunnerLaunch, state: RoundState, cancel: Cancel) -> Iterator[RunEvent]:
        waiting, losses = deque([first]), LostRunners(self._driver.project)
        while waiting and not state.is_over:
            launch = waiting.popleft()
            if cancel.raised:
                yield from attempts_with_outcome(
                    launch.request.only or (), Outcome.INTERRUPTED, "Not started: the run was stopped."
                )
                continue
            conversation = Conversation(self._suite.framework, self._driver.project)
            finished = 0
            with closing(self._talk(launch, conversation, cancel)) as events:
                for event in events:
                    finished += isinstance(event, AttemptFinished)
                    yield event
            state.note_whole(conversation.whole)
            if not _is_raised(cancel):
                again = yield from losses.next_request(launch, conversation, finished, is_first=launch is first)
                waiting.extend((yield from self._launches(again)) if again is not None else ())

    def _talk(
        self, launch: RunnerLaunch, conversation: Conversation, cancel: Cancel
    ) -> Generator[RunEvent, None, None]:
        with closing(LinkedCancel(cancel)) as stop:
            watch = OutputWatch(self._driver.limits.output_bytes, stop)
            try:
                with watch, self._child(launch, stop) as child:
                    yield RunnerStarted()
                    child.deadline = time.monotonic() + self._quiet_seconds(launch)
                    for batch in child.batches():
                        for record in batch:
                            yield from conversation.receive(record, was_stopped=child.was_stopped)
                        yield CaughtUp()
                        child.deadline = self._deadline(launch, conversation)
                        if conversation.pid is not None and not self._access.guard.guarded:
                            watch.watch(conversation.pid)
                    report = child.report
            except TestwrightError as error:
                yield ProblemFound(Problem(error.code, error.message, error.next_step))
                return
        if watch.overflowed and not cancel.raised:
            report = replace(report, ending=Ending.OUTPUT_LIMIT)
        self.usages.append(report.usage)
        self.left_processes += report.survivors
        yield from conversation.conclude(report, test_seconds=launch.request.test_seconds)
        if launch.request.coverage_file is not None and not conversation.has_ended:
            yield ProblemFound(_COVERAGE_INCOMPLETE)
        yield CaughtUp()

    def _child(self, launch: RunnerLaunch, stop: Cancel) -> Child:
        head_start = self._driver.head_start
        early = head_start.take(launch) if head_start is not None else None
        if early is not None:
            early.heed(stop)
            return early
        limits = replace(self._driver.limits, seconds=None)
        return Child(launch.command, limits=limits, guard=self._access.guard, channel=launch.config, cancel=stop)

    def _deadline(self, launch: RunnerLaunch, conversation: Conversation) -> float:
        if conversation.has_ended:
            return time.monotonic() + EXIT_SECONDS
        since = conversation.longest_running_since()
        if since is None:
            return time.monotonic() + self._quiet_seconds(launch)
        seconds = launch.request.test_seconds or DEFAULT_TEST_SECONDS
        return since + seconds + launch.slack_seconds

    def _quiet_seconds(self, launch: RunnerLaunch) -> float:
        return max(self._driver.quiet_seconds, launch.request.test_seconds or 0.0)


def _is_raised(cancel: Cancel) -> bool:
    return cancel.raised  # asked again: it may have been raised since


def _deserves_retry(attempt: Attempt) -> bool:
    return not attempt.outcome.is_success and attempt.outcome is not Outcome.INTERRUPTED


_COLLECTION_DIFFERS = Problem(
    "collection_differs",
    "The processes that share these tests between them did not all find the same ones; some may not have run.",
    next_step="Names made from sets or random values do this. Set PYTHONHASHSEED, or run without --parallel.",
)
_COVERAGE_INCOMPLETE = Problem(
    "coverage_incomplete",
    "A test runner died before it could save its coverage: what its tests covered is missing from the data.",
    next_step="See which tests crashed, exited early or ran out of time.",
)
