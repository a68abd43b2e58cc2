"""What a report's reader hands over, made safe to keep: bounded texts, sane durations, distinct cases."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from testwright.isolate.limits import Limits
from testwright.isolate.output import OutputKeeper
from testwright.model.case import TestCase, TestId
from testwright.model.result import Attempt, Problem, TestResult
from testwright.model.untrusted_text import storable

REPLACED_CHARACTERS = "replaced_characters"  # the reason of an attempt whose text was not valid UTF-8
_KEPT_BYTES = Limits().keep_output_bytes
_LONGEST_MS = 1e12  # thirty years: a longer duration is a mistake, and would drown every statistic


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """Everything a report says about one run."""

    results: tuple[TestResult, ...]
    problems: tuple[Problem, ...] = ()
    started_at: datetime | None = None
    duration_ms: float = 0.0
    interrupted: bool = False


class ResultCollector:
    """Collects results in the order of the report and tells apart tests that share a name."""

    def __init__(self, *, has_replacements: bool) -> None:
        self._has_replacements = has_replacements
        self._seen: Counter[TestId] = Counter()
        self._results: list[TestResult] = []

    def add(self, case: TestCase, attempts: Iterable[Attempt]) -> None:
        case = replace(
            case,
            file=storable(case.file),
            title=tuple(storable(part) for part in case.title),
            variant=storable(case.variant),
            native_id=storable(case.native_id),
        )
        self._seen[case.id] += 1
        case = replace(case, occurrence=self._seen[case.id])
        numbered = (replace(attempt, number=number) for number, attempt in enumerate(attempts, start=1))
        self._results.append(TestResult(case, tuple(self._safe(attempt, case) for attempt in numbered)))

    def _safe(self, attempt: Attempt, case: TestCase) -> Attempt:
        attempt = replace(
            attempt,
            duration_ms=milliseconds(attempt.duration_ms),
            message=bounded(attempt.message),
            stack=bounded(attempt.stack),
            stdout=bounded(attempt.stdout),
            stderr=bounded(attempt.stderr),
            errors=tuple(bounded(error) for error in attempt.errors),
            artifacts=tuple(
                replace(artifact, name=storable(artifact.name), path=storable(artifact.path))
                for artifact in attempt.artifacts
            ),
        )
        if self._has_replacements and not attempt.reason and _shows_replacement(attempt, case):
            return replace(attempt, reason=REPLACED_CHARACTERS)
        return attempt

    @property
    def all(self) -> tuple[TestResult, ...]:
        return tuple(self._results)

    @property
    def has_failure(self) -> bool:
        return any(not result.outcome.is_success for result in self._results)


def unexplained_failure(who: str) -> Problem:
    """For a report that says the run failed while every test in it is fine."""
    return Problem(
        "unexplained_failure",
        f"{who} says that the run failed, but no test in it did.",
        next_step="Look at what the runner printed: something outside the tests went wrong.",
    )


def bounded(text: str) -> str:
    """`text` as it came; of a very long one the start and the end."""
    text = storable(text)
    if len(text) <= _KEPT_BYTES // 2:  # it cannot be longer than that in UTF-8, four bytes a character at most
        return text
    keeper = OutputKeeper(_KEPT_BYTES)
    keeper.add(text.encode())
    return keeper.output().text


def milliseconds(value: float | None) -> float:
    """A duration that can be added up: what is negative, absurd or no number at all counts as 0."""
    if value is None or not math.isfinite(value) or not 0 < value <= _LONGEST_MS:
        return 0.0
    return float(value)


def moment(text: str | None) -> datetime | None:
    """An ISO 8601 time in UTC; one without a zone is taken for UTC. None for what is not a time."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def moment_of_epoch(epoch_ms: float | None) -> datetime | None:
    """Milliseconds since 1970 as a time. None for what cannot be one."""
    if epoch_ms is None or not math.isfinite(epoch_ms) or epoch_ms <= 0:
        return None
    try:
        return datetime.fromtimestamp(epoch_ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _shows_replacement(attempt: Attempt, case: TestCase) -> bool:
    texts = (attempt.message, attempt.stack, attempt.stdout, attempt.stderr, case.file, *case.title)
    return any("\ufffd" in text for text in texts)
