"""Code that broke: whose it is, by the innermost frame that is anybody's own, and by what was misused."""

import re
from collections.abc import Iterator

from testwright.classify.rules.checks import is_check
from testwright.classify.rules.finding import Finding
from testwright.model.failure import FailureDetail, Line, Owner
from testwright.model.verdict import Label

# Errors of the language itself: something is used in a way it cannot be used.
_MISUSE = frozenset(
    "TypeError ReferenceError NameError AttributeError SyntaxError IndentationError UnboundLocalError ImportError RangeError KeyError"
    " IndexError ValueError NotImplementedError RuntimeError LookupError ZeroDivisionError NoSuchMethodError FormatException StateError ArgumentError"
    " RecursionError StopIteration UnicodeDecodeError UnicodeEncodeError FileNotFoundError".split()
)
_MOCK_MISUSE = re.compile(
    r"\.mock\w+ is not a function|export is defined on the .{1,120} mock|MissingStubError|No stub was found|thenReturn|vi\.mock|jest\.mock"
    r"|mockImplementation|is not a (?:spy|mock)|Cannot spy|[Mm]ock(?:ito|tail)?\b.{0,60}(?:not|should|must|misus)|fixture .{1,80} called directly|[Uu]se of fixture",
)
_NETWORK_MOCK = re.compile(
    r"\bMSW\b|\[msw\]|without a matching request handler|onUnhandledRequest|Nock: No match|[Nn]o match for request|Route is already handled|NoMockAddress"
    r"|No response can be found for|Connection refused by Responses|unmocked request|[Uu]nhandled request|Add \"(?:GET|POST|PUT|PATCH|DELETE)\" request handler|WireMock|page\.route|route\.(?:fulfill|continue|abort)"
)
_REAL_REQUEST = re.compile(
    r"^TypeError: (?:Network request failed|Failed to fetch|fetch failed)|Only absolute URLs are supported|net(?:work)? access (?:is )?(?:not allowed|disabled)|SocketBlockedError|A test tried to use socket"
)
_UNIT = frozenset({"jest", "vitest", "node", "node-other", "pytest"})
_WRONG_CALL = re.compile(
    r"is not a function|is not callable|object is not callable|unexpected keyword argument|invalid keyword argument|missing \d+ required|expected (?:float|string|number|object|boolean|array), got|takes \d+ positional|Invalid (?:argument|character)|is not a subtype of|Invalid hook call|is not a constructor|is not iterable|Invalid Chai property|Unknown option|Matcher error|must be called"
)
_COMPILE = re.compile(r"Compilation failed|: Error: |Failed to compile|TS\d{4}:|SyntaxError")
_DOES_NOT_EXIST = re.compile(
    r"Failed to load \".{1,300}\": Does not exist|No such file or directory: ['\"].{0,200}test|ENOENT.{0,200}(?:test|spec|fixture)"
)
_NOT_INITIALISED = re.compile(
    r"No Firebase App|has not been initialized|not been initialised|call \w[\w.]{0,60}initialize|uninitialized state|Binding has not yet been|before (?:calling )?\w{0,40}init|ServicesBinding|must be initialized|No (?:Material|Directionality|MediaQuery) widget|could not find .{1,60} context|No ProviderScope|Invalid hook call",
    re.IGNORECASE,
)
_PRODUCT_LOOP = re.compile(r"Maximum update depth exceeded|Maximum call stack size exceeded|Too many re-renders")
_NESTED = re.compile(
    r"but '(?:Error|TypeError|\w+Error): (?P<inner>.{1,200})' was thrown|Received: .{0,40}\"?Error: (?P<other>.{1,200})"
)


def code_findings(detail: FailureDetail) -> Iterator[Finding]:
    yield from _mocks(detail)
    yield from _set_up(detail)
    yield from _not_loaded(detail)
    if is_check(detail) and not _is_language_error(detail):
        yield from _thrown_inside(detail)
        if _WRONG_CALL.search(detail.headline.text):
            yield Finding(Label.TEST_BUG, 0.88, "wrong_call", "test", detail.headline, "fix_call")
        return
    yield from _owner(detail)


def _is_language_error(detail: FailureDetail) -> bool:
    return detail.error_class in _MISUSE


def _mocks(detail: FailureDetail) -> Iterator[Finding]:
    everything = (*detail.said, *detail.noise)
    line = next((each for each in everything if _NETWORK_MOCK.search(each.text)), None)
    if line is not None:
        yield Finding(Label.NETWORK_MOCK_FAIL, 0.92, "request_not_mocked", "test", line, "mock_network", Label.TEST_BUG)
    real = next((each for each in detail.said if _REAL_REQUEST.search(each.text)), None)
    if real is not None and (detail.framework in _UNIT or any("jsdom" in frame.file for frame in detail.frames)):
        yield Finding(Label.NETWORK_MOCK_FAIL, 0.84, "real_request", "test", real, "mock_network", Label.NETWORK_FLAKY)
    misuse = next((each for each in detail.said if _MOCK_MISUSE.search(each.text)), None)
    if misuse is not None or any("mockito" in frame.file or "mocktail" in frame.file for frame in detail.frames[:3]):
        yield Finding(Label.TEST_BUG, 0.93, "mock_misused", "test", misuse or detail.headline, "fix_mock")


def _set_up(detail: FailureDetail) -> Iterator[Finding]:
    line = next((each for each in detail.said if _NOT_INITIALISED.search(each.text)), None)
    if line is not None:
        yield Finding(Label.TEST_BUG, 0.82, "not_set_up", "test", line, "set_up_first", Label.ENVIRONMENT)


def _not_loaded(detail: FailureDetail) -> Iterator[Finding]:
    missing = next((each for each in detail.said if _DOES_NOT_EXIST.search(each.text)), None)
    if missing is not None:
        yield Finding(Label.TEST_BUG, 0.84, "test_file_missing", "test", missing, "fix_path", Label.ENVIRONMENT)
        return
    if not detail.did_not_load and detail.error_class not in ("SyntaxError", "IndentationError"):
        return
    broken = next((each for each in detail.said if _COMPILE.search(each.text) and _place(each.text)), None)
    if broken is not None:
        in_test = _place(broken.text) == "test"
        label, other = (Label.TEST_BUG, None) if in_test else (Label.REAL_BUG, Label.ENVIRONMENT)
        yield Finding(label, 0.87, "does_not_compile", "test" if in_test else "product", broken, "fix_code", other)


def _place(text: str) -> str:
    """Whose file a compiler's message is about."""
    if re.search(
        r"\.(?:spec|test)\.[cm]?[jt]sx?\b|(?:^|[\s/\\])tests?[/\\][\w./\\-]{1,200}\.\w{1,5}:\d|_test\.dart:\d|test_\w+\.py",
        text,
    ):
        return "test"
    return (
        "product"
        if re.search(r"(?:^|[\s/\\:])(?:lib|src|app|packages?)[/\\][\w./\\-]{1,200}\.\w{1,5}:\d", text)
        else ""
    )


def _thrown_inside(detail: FailureDetail) -> Iterator[Finding]:
    """A check that nothing is thrown says no: what was thrown is the finding."""
    for line in detail.said:
        if _PRODUCT_LOOP.search(line.text):
            yield Finding(Label.REAL_BUG, 0.87, "endless_update", "product", line, "fix_product", Label.TEST_BUG)
            return


def _owner(detail: FailureDetail) -> Iterator[Finding]:
    innermost = detail.innermost
    loop = next((each for each in detail.said if _PRODUCT_LOOP.search(each.text)), None)
    if loop is not None:
        yield Finding(Label.REAL_BUG, 0.86, "endless_update", "product", loop, "fix_product", Label.TEST_BUG)
    wrong_call = next((each for each in detail.said if _WRONG_CALL.search(each.text)), None)
    if wrong_call is not None and (innermost is None or innermost.owner is Owner.TEST):
        yield Finding(Label.TEST_BUG, 0.86, "wrong_call", "test", wrong_call, "fix_call", Label.REAL_BUG)
    elif innermost is not None and innermost.owner is Owner.TEST and _is_language_error(detail):
        yield Finding(Label.TEST_BUG, 0.82, "test_code_broke", "test", detail.headline, "fix_test", Label.REAL_BUG)
    elif innermost is not None and innermost.owner is Owner.PRODUCT and detail.error_class and not detail.api:
        yield Finding(
            Label.REAL_BUG, 0.74, "product_code_broke", "product", detail.headline, "fix_product", Label.TEST_BUG
        )
    elif _is_language_error(detail):
        yield Finding(Label.TEST_BUG, 0.5, "code_broke", "", detail.headline, "fix_test", Label.REAL_BUG)
    elif detail.error_class and not detail.api and detail.error_class != "Error":
        yield Finding(Label.REAL_BUG, 0.4, "code_broke", "", detail.headline, "look", Label.TEST_BUG)
