"""Stand-ins: requests that no mock answered, mocks that do not fit, things used before they were set up."""

import re
from collections.abc import Iterator

from testwright.classify.advice import Advice
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.model.failure import FailureDetail
from testwright.model.failure_labels import FailureLabel as Label

_UNIT = frozenset({"jest", "vitest", "node", "node-other", "pytest"})
_REQUEST_NOT_MOCKED = any_of(
    # Mock Service Worker
    r"\bMSW\b",
    r"\[msw\]",
    r"without a matching request handler",
    r"onUnhandledRequest",
    r"Add \"(?:GET|POST|PUT|PATCH|DELETE)\" request handler",
    # nock, WireMock
    r"\bNock: (?:No match|Not allow|Disallowed)",
    r"[Nn]o match for request",
    r"WireMock",
    # Playwright
    r"Route is already handled",
    r"page\.route",
    r"route\.(?:fulfill|continue|abort)",
    # pytest plugins: requests-mock, responses, pytest-httpx
    r"NoMockAddress",
    r"Connection refused by Responses",
    r"No response can be found for",
    # anybody
    r"unmocked request",
    r"[Uu]nhandled request",
)
_REAL_REQUEST = any_of(
    # fetch, in jsdom, Node and React Native
    r"^TypeError: Network request failed",
    r"^TypeError: Failed to fetch",
    r"^TypeError: fetch failed",
    r"Only absolute URLs are supported",
    # pytest-socket
    r"SocketBlockedError",
    r"A test tried to use socket",
    # anybody
    r"net(?:work)? access (?:is )?(?:not allowed|disabled)",
)
_MOCK_MISUSED = any_of(
    # Vitest, Jest
    r"\.mock\w+ is not a function",
    r"export is defined on the .{1,120} mock",
    r"vi\.mock",
    r"jest\.mock",
    r"mockImplementation",
    r"is not a (?:spy|mock)",
    r"Cannot spy",
    # Mockito, mocktail
    r"MissingStubError",
    r"No stub was found",
    r"thenReturn",
    # pytest
    r"fixture .{1,80} called directly",
    r"[Uu]se of fixture",
    # anybody
    r"\b[Mm]ock(?:ito|tail)?\b.{0,60}(?:not|should|must|misus)",
)
# Frames of a library of mocks, or of a class that calls itself one.
_STAND_IN = re.compile(r"package:(?:mockito|mocktail)/| _?(?:Mock|Fake)[A-Z]\w{0,60}\.")
_NOT_SET_UP = any_of(
    # Flutter and its packages
    r"No Firebase App",
    r"Binding has not yet been",
    r"ServicesBinding",
    r"No (?:Material|Directionality|MediaQuery) widget",
    r"No ProviderScope",
    r"MissingPluginException",
    # React
    r"Invalid hook call",
    r"could not find .{1,60} context",
    # anybody
    r"has not been initialized",
    r"not been initialised",
    r"must be initialized",
    r"uninitialized state",
    r"call \w[\w.]{0,60}initialize",
    r"before (?:calling )?\w{0,40}init",
    ignore_case=True,
)


def mock_findings(detail: FailureDetail) -> Iterator[RuleFinding]:
    line = _REQUEST_NOT_MOCKED.first((*detail.said, *detail.noise))
    if line is not None:
        yield RuleFinding(
            Label.NETWORK_MOCK_FAIL, 0.92, "request_not_mocked", "test", line, Advice.MOCK_NETWORK, Label.TEST_BUG
        )
    real = _REAL_REQUEST.first(detail.said)
    if real is not None and (detail.framework in _UNIT or any("jsdom" in frame.file for frame in detail.frames)):
        yield RuleFinding(
            Label.NETWORK_MOCK_FAIL, 0.84, "real_request", "test", real, Advice.MOCK_NETWORK, Label.NETWORK_FLAKY
        )
    misused = _MOCK_MISUSED.first(detail.said)
    if misused is None and any(_STAND_IN.search(f"{frame.file} {frame.function}") for frame in detail.frames[:3]):
        misused = detail.headline
    if misused is not None:
        yield RuleFinding(Label.TEST_BUG, 0.93, "mock_misused", "test", misused, Advice.FIX_MOCK)
    bare = _NOT_SET_UP.first(detail.said)
    if bare is not None:
        yield RuleFinding(Label.TEST_BUG, 0.82, "not_set_up", "test", bare, Advice.SET_UP_FIRST, Label.ENVIRONMENT)
