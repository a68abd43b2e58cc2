"""Code that broke: whose it is, by the innermost frame that is anybody's own, and by what was misused."""

import re
from collections.abc import Iterator

from testwright.classify.advice import Advice
from testwright.classify.rules.failed_checks import is_check
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.classify.word_lists import words
from testwright.model.failure import CodeOwner, FailureDetail
from testwright.model.failure_labels import FailureLabel as Label

# Errors of the language itself: something is used in a way it cannot be used.
_LANGUAGE_ERRORS = words(
    "ArgumentError AttributeError FileNotFoundError FormatException ImportError IndentationError IndexError KeyError",
    "LookupError NameError NoSuchMethodError NotImplementedError RangeError RecursionError ReferenceError RuntimeError",
    "StateError StopIteration SyntaxError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError ValueError",
    "ZeroDivisionError",
)
_WRONG_CALL = any_of(
    # JavaScript
    r"is not a function",
    r"is not a constructor",
    r"is not iterable",
    # Python
    r"is not callable",
    r"(?:unexpected|invalid) keyword argument",
    r"missing \d+ required",
    r"takes \d+ positional",
    # Dart
    r"is not a subtype of",
    # Playwright, Jest, Chai, React
    r"expected (?:float|string|number|object|boolean|array), got",
    r"Matcher error",
    r"Invalid Chai property",
    r"Invalid hook call",
    # anybody
    r"Invalid (?:argument|character)",
    r"Unknown option",
    r"must be called",
)
_DOES_NOT_COMPILE = any_of(r"Compilation failed", r": Error: ", r"Failed to compile", r"TS\d{4}:", r"SyntaxError")
_NO_TESTS = any_of(
    # Vitest, Jest
    r"No test suite found in file",
    r"Your test suite must contain at least one test",
)
_TEST_FILE_MISSING = any_of(
    # Flutter
    r"Failed to load \".{1,300}\": Does not exist",
    # Python, Node
    r"No such file or directory: ['\"].{0,200}test",
    r"ENOENT.{0,200}(?:test|spec|fixture)",
)
_ENDLESS = any_of(r"Maximum update depth exceeded", r"Maximum call stack size exceeded", r"Too many re-renders")
_INSTALLED_FILE = re.compile(r"[/\\](?:flutter[/\\]packages|\.pub-cache|node_modules|site-packages)[/\\]")
_TEST_FILE = re.compile(
    r"\.(?:spec|test)\.[cm]?[jt]sx?\b|(?:^|[\s/\\])tests?[/\\][\w./\\-]{1,200}\.\w{1,5}:\d|_test\.dart:\d|test_\w+\.py"
)
_PRODUCT_FILE = re.compile(r"(?:^|[\s/\\:])(?:lib|src|app|packages?)[/\\][\w./\\-]{1,200}\.\w{1,5}:\d")


def code_findings(detail: FailureDetail) -> Iterator[RuleFinding]:
    yield from _not_loaded(detail)
    endless = _ENDLESS.first(detail.said)
    if endless is not None:
        yield RuleFinding(
            Label.REAL_BUG, 0.87, "endless_update", "product", endless, Advice.FIX_PRODUCT, Label.TEST_BUG
        )
    if not is_check(detail) or detail.error_class in _LANGUAGE_ERRORS:
        yield from _by_owner(detail)
    elif _WRONG_CALL.search(detail.headline.text):
        yield RuleFinding(Label.TEST_BUG, 0.88, "wrong_call", "test", detail.headline, Advice.FIX_CALL)


def _not_loaded(detail: FailureDetail) -> Iterator[RuleFinding]:
    no_tests = _NO_TESTS.first(detail.said)
    if no_tests is not None:
        yield RuleFinding(Label.TEST_BUG, 0.8, "no_tests", "test", no_tests, Advice.FIX_PATH, Label.ENVIRONMENT)
    missing = _TEST_FILE_MISSING.first(detail.said)
    if missing is not None:
        yield RuleFinding(
            Label.TEST_BUG, 0.84, "test_file_missing", "test", missing, Advice.FIX_PATH, Label.ENVIRONMENT
        )
        return
    if not detail.did_not_load and detail.error_class not in ("SyntaxError", "IndentationError"):
        return
    broken = tuple(_DOES_NOT_COMPILE.all(detail.said))
    for line in broken:
        if _INSTALLED_FILE.search(line.text):
            yield RuleFinding(
                Label.ENVIRONMENT,
                0.8,
                "dependency_mismatch",
                "environment",
                line,
                Advice.INSTALL_DEPENDENCIES,
                Label.TEST_BUG,
            )
            return
        if _TEST_FILE.search(line.text):
            yield RuleFinding(Label.TEST_BUG, 0.87, "does_not_compile", "test", line, Advice.FIX_CODE)
            return
        if _PRODUCT_FILE.search(line.text):
            yield RuleFinding(
                Label.REAL_BUG, 0.87, "does_not_compile", "product", line, Advice.FIX_CODE, Label.ENVIRONMENT
            )
            return
    if broken:
        yield RuleFinding(Label.TEST_BUG, 0.7, "does_not_compile", "", broken[0], Advice.FIX_CODE, Label.ENVIRONMENT)


def _by_owner(detail: FailureDetail) -> Iterator[RuleFinding]:
    owner = detail.innermost.owner if detail.innermost is not None else None
    of_language = detail.error_class in _LANGUAGE_ERRORS
    wrong_call = _WRONG_CALL.first(detail.said)
    headline = detail.headline
    if wrong_call is not None and owner is not CodeOwner.PRODUCT:
        yield RuleFinding(Label.TEST_BUG, 0.86, "wrong_call", "test", wrong_call, Advice.FIX_CALL, Label.REAL_BUG)
    elif of_language and owner is CodeOwner.TEST:
        yield RuleFinding(Label.TEST_BUG, 0.82, "test_code_broke", "test", headline, Advice.FIX_TEST, Label.REAL_BUG)
    elif owner is CodeOwner.PRODUCT and (detail.error_class or wrong_call is not None) and not detail.api:
        yield RuleFinding(
            Label.REAL_BUG, 0.74, "product_code_broke", "product", headline, Advice.FIX_PRODUCT, Label.TEST_BUG
        )
    elif of_language:
        yield RuleFinding(Label.TEST_BUG, 0.5, "code_broke", "", headline, Advice.FIX_TEST, Label.REAL_BUG)
    elif detail.error_class and not detail.api and detail.error_class != "Error":
        yield RuleFinding(Label.REAL_BUG, 0.4, "code_broke", "", headline, Advice.LOOK, Label.TEST_BUG)
