"""Sentences on what failures have in common; each names the tests it rests on."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from testwright.classify.quality.run_analysis import Improvement
from testwright.model.case import TestId
from testwright.model.verdict import FailureLabel

_NAMED = 5

# What the tests did, and what to look at. In the order of what to see to first: while the machine is not right,
# nothing else that is said of the tests counts for much.
_ON_LABEL = {
    FailureLabel.ENVIRONMENT: (
        "failed for the machine or its set-up",
        "Mend that first, and run again: it says nothing of the tests or the product.",
    ),
    FailureLabel.REAL_BUG: (
        "found the product wrong",
        "Show the failure to whoever works on it, with the test as the way to see it again.",
    ),
    FailureLabel.ASSERTION_MISMATCH: (
        "saw another value than expected",
        "Take it for a bug in the product until somebody has seen which side is wrong.",
    ),
    FailureLabel.API_ASSERTION_FAIL: (
        "got another response than expected",
        "Compare the response with what the interface promises; take it for a bug in the product until then.",
    ),
    FailureLabel.URL_MISMATCH: (
        "ended at another address than expected",
        "See where the page led (a login, a consent page, a redirect) and whether it should have.",
    ),
    FailureLabel.SNAPSHOT_MISMATCH: (
        "did not match a stored picture or snapshot",
        "Look at both; a stored one is made anew only after a person has agreed to what changed.",
    ),
    FailureLabel.SELECTOR_BROKEN: (
        "lost an element, or found several",
        "`testwright heal` looks for where it went; a role, a label or a test id outlives a change of layout.",
    ),
    FailureLabel.FRAME_FAIL: (
        "did not get into a frame",
        "Reach the frame by its title or name, and find elements within it.",
    ),
    FailureLabel.NETWORK_MOCK_FAIL: (
        "met a request that no mock answers as needed",
        "Compare the mock with what the application asks for now.",
    ),
    FailureLabel.TIMING_FLAKY: (
        "waited for something that came too late",
        "Wait for the state that the step needs, not for a time or a quiet network; see if the page got slower.",
    ),
    FailureLabel.NETWORK_FLAKY: (
        "lost a connection",
        "See whether the test needs that service at all: while it does, it fails with it.",
    ),
    FailureLabel.NAVIGATION_FAIL: (
        "did not reach the page",
        "See whether the application was up and the address is right.",
    ),
    FailureLabel.TEST_BUG: (
        "failed in the test's own code",
        "Mend the test, its fixture or its mock; what it checks stays as it is.",
    ),
    FailureLabel.UNKNOWN: (
        "failed and did not say why",
        "Keep a trace of the next run, and look at that.",
    ),
}


def insights_on(failures: Sequence[Improvement], *, flaky: Collection[TestId] = ()) -> Iterator[str]:
    """One sentence or two on each kind of failure, on the check that fails most, and on flaky tests among them."""
    for label, (what, advice) in _ON_LABEL.items():
        tests = _tests(failure for failure in failures if failure.label is label)
        if tests:
            yield f"{_how_many(tests)} {what}: {named(tests)}. {advice}"
    yield from _on_methods(failures)
    shaky = frozenset(flaky)
    tests = _tests(failure for failure in failures if failure.test in shaky)
    if tests:
        yield (
            f"{_how_many(tests)} of these {'is' if len(tests) == 1 else 'are'} known to be flaky: {named(tests)}. "
            "A failure may be a real one all the same: run again on the same code to know."
        )


def _on_methods(failures: Sequence[Improvement]) -> Iterator[str]:
    counts = Counter(failure.assertion_method for failure in failures if failure.assertion_method)
    if not counts:
        return
    most = max(counts.values())
    methods = sorted(method for method, count in counts.items() if count == most)
    if most < 2 or len(methods) > 1:
        return  # nothing stands out
    [method] = methods
    tests = _tests(failure for failure in failures if failure.assertion_method == method)
    yield f"`{method}` is the check that fails most often, {most} times: {named(tests)}. Look at these together."


def _tests(failures: Iterable[Improvement]) -> list[TestId]:
    return sorted({failure.test for failure in failures})


def _how_many(tests: Sequence[TestId]) -> str:
    return "1 test" if len(tests) == 1 else f"{len(tests)} tests"


def named(tests: Sequence[str]) -> str:
    """The tests, so many of them as a reader takes in."""
    rest = len(tests) - _NAMED
    return ", ".join(tests[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
