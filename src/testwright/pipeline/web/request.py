"""What `test_from_context` can be asked: a test from an error, from what a person did, or against a baseline."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from testwright.generate.web.targets.web_targets import target_of
from testwright.generate.web.web_plan import Polarity
from testwright.model.case import WebFramework
from testwright.model.errors import UsageError
from testwright.observe.recording.error_ids import checked_error_id
from testwright.observe.recording.url_rules import checked_url
from testwright.pipeline.request_fields import check_fields, check_tool, one_of


class TestContext(StrEnum):
    """What a test is made of."""

    __test__ = False  # pytest would take the class for a group of tests

    ERROR = "error"
    INTERACTION = "interaction"
    REGRESSION = "regression"


class OutputFormat(StrEnum):
    INLINE = "inline"  # the answer holds the test
    FILE = "file"  # the test also waits for review, under the name it would have in the project


@dataclass(frozen=True, slots=True)
class WebTestRequest:
    """One call of `test_from_context`. Make it with `web_test_request`, which checks it."""

    context: TestContext
    error_id: str = ""  # empty: the most recent one
    framework: WebFramework = WebFramework.PLAYWRIGHT
    output_format: OutputFormat = OutputFormat.INLINE
    base_url: str = ""
    include_mocks: bool | None = False  # None: where code has asked a server for something
    session: str = ""  # empty: the newest
    polarity: Polarity = Polarity.GUARD
    verify: bool | None = None  # None: where the application can be reached
    baseline: str = ""  # empty: the session itself is the baseline


_FIELDS: dict[str, type] = {
    "type": str,
    "context": str,
    "error_id": str,
    "framework": str,
    "output_format": str,
    "base_url": str,
    "include_mocks": bool,
    "session": str,
    "polarity": str,
    "verify": bool,
    "baseline": str,
}


def web_test_request(given: Mapping[str, object]) -> WebTestRequest:
    """A checked request. Raises UsageError and the like, each naming the field that is wrong."""
    check_fields(given, _FIELDS)
    check_tool(given, "test_from_context")
    error_id, base_url = str(given.get("error_id", "")), str(given.get("base_url", ""))
    if error_id:
        checked_error_id(error_id)
    if base_url:
        # A query or a fragment does not belong to a base, and may hold what must not be read in a test.
        base_url = urlsplit(checked_url(base_url))._replace(query="", fragment="").geturl()
    verify = given.get("verify")
    request = WebTestRequest(
        one_of(TestContext, "context", given.get("context")),
        error_id,
        one_of(WebFramework, "framework", given.get("framework", WebFramework.PLAYWRIGHT)),
        one_of(OutputFormat, "output_format", given.get("output_format", OutputFormat.INLINE)),
        base_url,
        given.get("include_mocks", False) is True,
        str(given.get("session", "")),
        one_of(Polarity, "polarity", given.get("polarity", Polarity.GUARD)),
        verify if isinstance(verify, bool) else None,
        str(given.get("baseline", "")),
    )
    _check_together(request)
    return request


def _check_together(request: WebTestRequest) -> None:
    is_error = request.context is TestContext.ERROR
    if request.error_id and not is_error:
        raise UsageError(f"`{request.context}` takes no `error_id`.", next_step="Ask for the context `error`.")
    if request.polarity is not Polarity.GUARD and not is_error:
        raise UsageError(f"`{request.context}` takes no `polarity`.", next_step="Ask for the context `error`.")
    if target_of(request.framework).is_unit and not is_error:
        raise UsageError(
            f"A test for {request.framework} is made from an error only: it has no browser to go through pages with.",
            next_step="Ask for the context `error`, or for Playwright.",
        )
    if request.baseline and request.context is not TestContext.REGRESSION:
        raise UsageError(f"`{request.context}` takes no `baseline`.", next_step="Ask for the context `regression`.")
