"""What is still to be run after a runner has ended, and when starting another is of no use."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from testwright.model.case import TestCase, TestId
from testwright.model.events import AttemptFinished, Collected, ProblemFound, RunEvent
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, Problem
from testwright.run.conversation import Conversation
from testwright.run.framework_adapter import RunnerLaunch, RunRequest
from testwright.run.project import Project

CRASH_LOOP = 4  # runners in a row, for each worker, that died on their first test
MOST_LOST_FILES = 20  # that end the runner which loads them; each costs a start of its own


class RoundState:
    """What one round of processes has reported so far."""

    def __init__(self, request: RunRequest) -> None:
        self._request = request
        self._files: set[TestId] = set()
        self._seen: set[str] = set()  # files with tests that were announced
        self.wholes: set[str] = set()  # digests of what the processes share; more than one if they disagree
        self.is_over = False  # by fail-fast

    def note_whole(self, digest: str) -> None:
        if digest:
            self.wholes.add(digest)

    def is_news(self, event: RunEvent) -> bool:
        """False for what other processes of the round have reported already, or what fail-fast leaves undone."""
        if isinstance(event, Collected):
            self._seen.update(case.file for case in event.cases)
        if not isinstance(event, AttemptFinished):
            return True
        if self.is_over and event.attempt.outcome is Outcome.INTERRUPTED:
            return False
        self.is_over = self.is_over or (self._request.fail_fast and not event.attempt.outcome.is_success)
        if event.case.title:
            return True
        is_first = event.case.id not in self._files
        self._files.add(event.case.id)
        return is_first

    def files_that_load_now(self) -> list[TestCase]:
        """Of the files that were to be tried again because they would not load, those that did."""
        tried = [case for case in self._request.only or () if not case.title]
        return [case for case in tried if case.file in self._seen and case.id not in self._files]


class LostRunners:
    """Keeps count of runners that died, to know when starting another is of no use."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._fruitless = self._lost_files = 0

    def next_request(
        self, launch: RunnerLaunch, conversation: Conversation, finished: int, *, is_first: bool
    ) -> Generator[RunEvent, None, RunRequest | None]:
        """What is still to be run after a process has ended; `finished` tests have a verdict from it."""
        if not is_first:
            yield from _missing_tests(launch, conversation)
        request, lost, rest = launch.request, conversation.lost_file, conversation.unfinished()
        if lost is not None:
            self._lost_files += 1
            if self._lost_files < MOST_LOST_FILES:
                return _without(request, lost, self._project.path(lost.file))
            yield ProblemFound(_TOO_MANY_LOST_FILES)
            return None
        if not rest:
            return None
        self._fruitless = self._fruitless + 1 if finished <= 1 or rest == request.only else 0
        if self._fruitless >= CRASH_LOOP * (request.workers or 1):
            message = "Not run: the runner kept dying on its first test."
            yield from attempts_with_outcome(rest, Outcome.NO_VERDICT, message, reason="crash_loop")
            return None
        return request.for_cases(rest)


def _without(request: RunRequest, lost: TestCase, path: Path) -> RunRequest | None:
    left_out = (*request.left_out, path)
    if request.only is None:
        return replace(request, left_out=left_out)
    rest = tuple(case for case in request.only if case.file != lost.file)
    return replace(request, only=rest, left_out=left_out) if rest else None


def _missing_tests(launch: RunnerLaunch, conversation: Conversation) -> Iterator[RunEvent]:
    """Tests that were asked for once more, and that the runner does not know of any more."""
    missing = [case for case in launch.request.only or () if case.title and not conversation.knows(case)]
    lost = conversation.lost_file
    if lost is None:
        yield from attempts_with_outcome(
            missing, Outcome.NO_VERDICT, "It was announced, but the runner did not find it again."
        )
        return
    inside = [case for case in missing if case.file == lost.file]  # the others are tried again
    yield from attempts_with_outcome(inside, Outcome.NO_VERDICT, "Its file ended the runner while it was loading.")


def attempts_with_outcome(
    cases: Sequence[TestCase], outcome: Outcome, message: str, *, reason: str = ""
) -> Iterator[RunEvent]:
    for case in cases:
        yield AttemptFinished(case, Attempt(outcome, message=message, reason=reason))


_TOO_MANY_LOST_FILES = Problem(
    "crash_loop",
    f"{MOST_LOST_FILES} files have ended the runner while they were loading. The tests of the others were not run.",
    next_step="Mend those files, or leave them out with the `exclude` setting.",
)
