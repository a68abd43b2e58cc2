"""The labels of failures: one row for each, with everything that is said of it elsewhere."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class FailureCategory(StrEnum):
    """The label in coarser words that other tools use. The set is closed: a new label falls into one of these."""

    ENVIRONMENT = "environment"
    NETWORK_FLAKY = "network_flaky"
    SELECTOR_BROKEN = "selector_broken"
    TIMING_FLAKY = "timing_flaky"
    TEST_BUG = "test_bug"
    REAL_BUG = "real_bug"
    UNKNOWN = "unknown"


class FailureSignature(StrEnum):
    """The label in the words of feedback loops. The set is closed too."""

    NAVIGATION_FAIL = "NAVIGATION_FAIL"
    URL_MISMATCH = "URL_MISMATCH"
    FRAME_FAIL = "FRAME_FAIL"
    NETWORK_MOCK_FAIL = "NETWORK_MOCK_FAIL"
    API_ASSERTION_FAIL = "API_ASSERTION_FAIL"
    ASSERTION_FAIL = "ASSERTION_FAIL"
    SELECTOR_ISSUE = "SELECTOR_ISSUE"
    TIMEOUT = "TIMEOUT"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class LabelTraits:
    """What follows from a label alone."""

    label: str
    means: str
    category: FailureCategory
    signature: FailureSignature
    action: str  # what to do: heal, fix_test, fix_product, fix_environment, rerun, look, ...
    tests: str  # what tests with it did, to go on after "3 tests"
    insight: str  # what to look at when a run has such failures
    is_flaky: bool = False  # may pass when it is run again
    page_may_explain: bool = False  # a sign-in or error page would turn it into something else


class FailureLabel(StrEnum):
    """What kind of failure it is, in one word.

    In the order of what to look at first: while the machine is not right, other failures say little.
    """

    traits: LabelTraits

    def __new__(cls, traits: LabelTraits) -> Self:
        label = str.__new__(cls, traits.label)
        label._value_ = traits.label
        label.traits = traits
        return label

    ENVIRONMENT = LabelTraits(
        "environment",
        "machine, runner, dependency, setting, or a service that is not running",
        FailureCategory.ENVIRONMENT,
        FailureSignature.UNKNOWN,
        action="fix_environment",
        tests="failed for the machine or its set-up",
        insight="Mend that first, and run again: it says nothing of the tests or the product.",
    )

    REAL_BUG = LabelTraits(
        "real_bug",
        "the product is wrong",
        FailureCategory.REAL_BUG,
        FailureSignature.ASSERTION_FAIL,
        action="fix_product",
        tests="found the product wrong",
        insight="Show the failure to the people who work on it, with the test as the way to see it again.",
    )

    ASSERTION_MISMATCH = LabelTraits(
        "assertion_mismatch",
        "a value differs, and nothing says which side is wrong",
        FailureCategory.REAL_BUG,
        FailureSignature.ASSERTION_FAIL,
        action="look",
        tests="saw another value than expected",
        insight="Take it for a bug in the product until somebody has seen which side is wrong.",
        page_may_explain=True,
    )

    API_ASSERTION_FAIL = LabelTraits(
        "api_assertion_fail",
        "an HTTP response is not what was expected",
        FailureCategory.REAL_BUG,
        FailureSignature.API_ASSERTION_FAIL,
        action="fix_product",
        tests="got another response than expected",
        insight=("Compare the response with what the interface promises; take it for a bug in the product until then."),
    )

    URL_MISMATCH = LabelTraits(
        "url_mismatch",
        "a page was reached, at another address",
        FailureCategory.REAL_BUG,
        FailureSignature.URL_MISMATCH,
        action="look",
        tests="ended at another address than expected",
        insight="See where the page led (a login, a consent page, a redirect) and whether it should have.",
        page_may_explain=True,
    )

    SNAPSHOT_MISMATCH = LabelTraits(
        "snapshot_mismatch",
        "a stored snapshot, golden or screenshot differs",
        FailureCategory.REAL_BUG,
        FailureSignature.ASSERTION_FAIL,
        action="look",
        tests="did not match a stored picture or snapshot",
        insight="Look at both; a stored one is replaced only after a person has agreed to what changed.",
    )

    SELECTOR_BROKEN = LabelTraits(
        "selector_broken",
        "a locator finds nothing, or too much",
        FailureCategory.SELECTOR_BROKEN,
        FailureSignature.SELECTOR_ISSUE,
        action="heal",
        tests="lost an element, or found several",
        insight=(
            "`testwright heal` looks for where it went; a role, a label or a test id outlives a change of layout."
        ),
        page_may_explain=True,
    )

    FRAME_FAIL = LabelTraits(
        "frame_fail",
        "the step goes into an iframe, and could not",
        FailureCategory.SELECTOR_BROKEN,
        FailureSignature.FRAME_FAIL,
        action="fix_test",
        tests="did not get into a frame",
        insight="Reach the frame by its title or name, and find elements within it.",
        page_may_explain=True,
    )

    NETWORK_MOCK_FAIL = LabelTraits(
        "network_mock_fail",
        "a request mock is missing, or does not match",
        FailureCategory.TEST_BUG,
        FailureSignature.NETWORK_MOCK_FAIL,
        action="fix_test",
        tests="met a request that no mock answers as needed",
        insight="Compare the mock with what the application asks for now.",
    )

    TIMING_FLAKY = LabelTraits(
        "timing_flaky",
        "the state would have come: a race, or too little time",
        FailureCategory.TIMING_FLAKY,
        FailureSignature.TIMEOUT,
        action="stabilise",
        tests="waited for something that came too late",
        insight=(
            "Wait for the state that the step needs, not for a time or a quiet network; see if the page got slower."
        ),
        is_flaky=True,
        page_may_explain=True,
    )

    NETWORK_FLAKY = LabelTraits(
        "network_flaky",
        "a connection or a remote service that failed for a while",
        FailureCategory.NETWORK_FLAKY,
        FailureSignature.NAVIGATION_FAIL,
        action="rerun",
        tests="lost a connection",
        insight="See whether the test needs that service at all: while it does, it fails with it.",
        is_flaky=True,
    )

    NAVIGATION_FAIL = LabelTraits(
        "navigation_fail",
        "the page itself was not reached",
        FailureCategory.NETWORK_FLAKY,
        FailureSignature.NAVIGATION_FAIL,
        action="check_server",
        tests="did not reach the page",
        insight="See whether the application was up and the address is right.",
    )

    TEST_BUG = LabelTraits(
        "test_bug",
        "the test's own code, fixture, mock or expectation",
        FailureCategory.TEST_BUG,
        FailureSignature.UNKNOWN,
        action="fix_test",
        tests="failed in the test's own code",
        insight="Mend the test, its fixture or its mock; what it checks stays as it is.",
    )

    UNKNOWN = LabelTraits(
        "unknown",
        "the text carries no reason",
        FailureCategory.UNKNOWN,
        FailureSignature.UNKNOWN,
        action="look",
        tests="failed and did not say why",
        insight="Keep a trace of the next run, and look at that.",
    )
