"""Who takes a failure from here."""

from enum import StrEnum

from testwright.model.failure_labels import FailureCategory, FailureLabel
from testwright.model.verdict import Verdict


class Route(StrEnum):
    """Who takes a failure from here."""

    HEAL = "heal"  # the element is looked for
    REFINE = "refine"  # the test was generated: it can be generated again
    REWRITE = "rewrite"  # a person or a model rewrites the test
    BUG_NOTE = "bug_note"  # the product is wrong until somebody has looked
    ENVIRONMENT = "environment"  # the machine, the network, a service
    LOOK = "look"  # a person


_ROUTES = {
    FailureCategory.ENVIRONMENT: Route.ENVIRONMENT,
    FailureCategory.NETWORK_FLAKY: Route.ENVIRONMENT,
    FailureCategory.SELECTOR_BROKEN: Route.HEAL,
    FailureCategory.REAL_BUG: Route.BUG_NOTE,
    FailureCategory.TEST_BUG: Route.REWRITE,
    FailureCategory.TIMING_FLAKY: Route.REWRITE,
    FailureCategory.UNKNOWN: Route.LOOK,
}


def route_of(verdict: Verdict | None, *, was_generated: bool, did_not_load: bool) -> Route:
    if verdict is None:
        return Route.LOOK
    # Its imports worked when it was generated. Where they do not now, the code has moved.
    if was_generated and (did_not_load or verdict.label is FailureLabel.TEST_BUG):
        return Route.REFINE
    return _ROUTES[verdict.category]
