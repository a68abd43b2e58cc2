"""What `test_classify` can be asked: why one failure happened, or each of a batch of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from testwright.model.errors import BatchTooLarge, TooLarge, UsageError
from testwright.pipeline.request_fields import check_fields, check_tool, one_of

MOST_FAILURES = 50  # of one batch
MOST_TEXT = 500 * 1024  # characters of one failure
MOST_BATCH = 5 * 1024 * 1024  # characters of all of them, or of an output


class ClassifyAction(StrEnum):
    FAILURE = "failure"
    BATCH = "batch"


@dataclass(frozen=True, slots=True)
class TestFailure:
    __test__ = False  # pytest would take the class for a group of tests

    test_name: str = ""
    error: str = ""
    screenshot: str = ""  # base64; taken and not looked at
    trace: str = ""  # the stack
    duration_ms: int = 0

    @property
    def text(self) -> str:
        """What was said, once: a stack often begins with the error."""
        first = self.error.strip().split("\n", 1)[0]
        if not self.trace.strip() or (first and first in self.trace):
            return self.trace if self.trace.strip() else self.error
        return f"{self.error}\n{self.trace}"


@dataclass(frozen=True, slots=True)
class TestClassifyRequest:
    """One call of `test_classify`. Make it with `classify_request`, which checks it."""

    __test__ = False

    action: ClassifyAction
    failure: TestFailure | None = None
    failures: tuple[TestFailure, ...] = ()
    test_output: str = ""


_FIELDS: dict[str, type] = {"type": str, "action": str, "failure": dict, "failures": list, "test_output": str}
_FAILURE_FIELDS: dict[str, type] = {"test_name": str, "error": str, "screenshot": str, "trace": str, "duration_ms": int}
_CALLED = {"failures": "a list of objects", "screenshot": "a text in base64"}


def classify_request(given: Mapping[str, object]) -> TestClassifyRequest:
    """A checked request. Raises UsageError, TooLarge and BatchTooLarge, each naming what is wrong."""
    check_fields(given, _FIELDS, called=_CALLED)
    check_tool(given, "test_classify")
    action = one_of(ClassifyAction, "action", given.get("action"))
    failure, failures = given.get("failure"), given.get("failures")
    request = TestClassifyRequest(
        action,
        _failure(failure, "failure") if isinstance(failure, dict) else None,
        _failures(failures) if isinstance(failures, list) else (),
        str(given.get("test_output", "")),
    )
    _check_together(request, given)
    _check_sizes(request)
    return request


def _failures(given: list[object]) -> tuple[TestFailure, ...]:
    if len(given) > MOST_FAILURES:
        raise BatchTooLarge(
            f"{len(given)} failures are more than {MOST_FAILURES} at a time (failures).",
            next_step="Ask in several calls.",
        )
    return tuple(_failure(each, f"failures[{number}]") for number, each in enumerate(given))


def _failure(given: object, name: str) -> TestFailure:
    if not isinstance(given, dict):
        raise UsageError(f"`{name}` must be an object.", next_step="Correct the value.")
    check_fields(given, _FAILURE_FIELDS, inside=f"{name}.", called=_CALLED)
    failure = TestFailure(**given)
    if failure.duration_ms < 0:
        raise UsageError(f"`{name}.duration_ms` is below 0.", next_step="Correct the value.")
    if max(len(failure.error), len(failure.trace)) > MOST_TEXT:
        raise TooLarge(
            f"The text of `{name}` is longer than {MOST_TEXT // 1024} KB.",
            next_step="Give the part that is about the failure.",
        )
    return failure


def _check_together(request: TestClassifyRequest, given: Mapping[str, object]) -> None:
    is_batch = request.action is ClassifyAction.BATCH
    wanted, other = ("failures", "failure") if is_batch else ("failure", "failures")
    if other in given:
        raise UsageError(f"`{request.action}` takes no `{other}`.", next_step=f"Leave out `{other}`.")
    if (wanted in given) == ("test_output" in given):
        raise UsageError(
            f"`{request.action}` needs `{wanted}` or `test_output`, and only one of them.",
            next_step=f"Give `{wanted}`, or what the runner printed as `test_output`.",
        )


def _check_sizes(request: TestClassifyRequest) -> None:
    each = request.failures or ((request.failure,) if request.failure is not None else ())
    total = len(request.test_output) + sum(len(one.error) + len(one.trace) + len(one.screenshot) for one in each)
    if total > MOST_BATCH:
        raise BatchTooLarge(
            f"The request has {total / 1024 / 1024:.1f} MB; it may have 5 MB (total size).",
            next_step="Ask in several calls, and leave screenshots out.",
        )
