"""Who takes a failure from here."""

from enum import StrEnum

from testwright.model.verdict import FailureLabel, Verdict


class Route(StrEnum):
    """Who takes a failure from here."""

    HEAL = "heal"  # the element is looked for
    REFINE = "refine"  # the test was generated: it can be generated again
    REWRITE = "rewrite"  # a person or a model rewrites the test
    BUG_NOTE = "bug_note"  # the product is wrong until somebody has looked
    ENVIRONMENT = "environment"  # the machine, the network, a service
    LOOK = "look"  # a person


def route_of(verdict: Verdict | None, *, was_generated: bool, did_not_load: bool) -> Route:
    if verdict is None:
        return Route.LOOK
    # Its imports worked when it was generated. Where they do not now, the code has moved.
    if was_generated and (did_not_load or verdict.label is FailureLabel.TEST_BUG):
        return Route.REFINE
    if verdict.is_environment or verdict.label in (FailureLabel.NETWORK_FLAKY, FailureLabel.NAVIGATION_FAIL):
        return Route.ENVIRONMENT
    if verdict.label in (FailureLabel.SELECTOR_BROKEN, FailureLabel.FRAME_FAIL):
        return Route.HEAL
    if verdict.is_real_bug:
        return Route.BUG_NOTE
    if verdict.label in (FailureLabel.TEST_BUG, FailureLabel.NETWORK_MOCK_FAIL, FailureLabel.TIMING_FLAKY):
        return Route.REWRITE
    return Route.LOOK
