"""The record of a failure means the same for every framework."""

import pytest

from testwright.classify.failure_text.failure_parser import parse_failure_text
from testwright.model.failure import CodeOwner


def test_a_failure_of_playwright() -> None:
    detail = parse_failure_text(
        "  1) [chromium] › cart.spec.ts:12:3 › adds\n\n"
        "    Error: expect(locator).not.toHaveText(expected) failed\n\n"
        "    Locator:  getByRole('status')\n    Expected: not \"Paid\"\n    Received: \"Paid\"\n\n"
        "    Call log:\n      - Expect \"not toHaveText\" with timeout 5000ms\n"
        "      - waiting for getByRole('status')\n\n"
        "    > 14 |   await expect(page.getByRole('status')).not.toHaveText('Paid');\n         |   ^\n"
        "        at /home/dev/shop/tests/cart.spec.ts:14:3"
    )  # fmt: skip

    assert detail.matcher == "toHaveText"
    assert detail.is_negated
    assert detail.locator == "getByRole('status')"
    assert (detail.expected, detail.received) == ('not "Paid"', '"Paid"')
    assert detail.subject == "page.getByRole('status')"
    assert len(detail.log) == 2
    assert [(frame.line, frame.owner) for frame in detail.frames] == [(14, CodeOwner.TEST)]


def test_a_failure_of_playwright_for_python() -> None:
    detail = parse_failure_text(
        "E       AssertionError: Locator expected to be visible\nE       Actual value: hidden\n"
        "E       Call log:\nE         - LocatorAssertions.to_be_visible with timeout 5000ms\n"
        "E         - waiting for get_by_text(\"Paid\")"
    )  # fmt: skip

    assert detail.matcher == "to_be_visible"
    assert detail.received == "hidden"
    assert detail.locator == 'get_by_text("Paid")'
    assert detail.error_class == "AssertionError"


def test_a_failure_of_pytest_has_its_innermost_frame_first() -> None:
    detail = parse_failure_text(
        "tests/test_cart.py:4: in test_total\n    total(None)\nsrc/shop/cart.py:9: in total\n    return sum(lines)\n"
        "E   TypeError: 'NoneType' object is not iterable"
    )

    assert detail.framework == "pytest"
    assert [(frame.file, frame.owner) for frame in detail.frames] == [
        ("src/shop/cart.py", CodeOwner.PRODUCT),
        ("tests/test_cart.py", CodeOwner.TEST),
    ]


def test_a_failure_of_jest() -> None:
    detail = parse_failure_text(
        "  ● cart › adds\n\n    expect(received).toEqual(expected) // deep equality\n\n"
        "    Expected: 4\n    Received: 3\n"
    )

    assert (detail.framework, detail.matcher) == ("jest", "toEqual")
    assert (detail.expected, detail.received) == ("4", "3")


def test_values_of_every_spelling() -> None:
    spellings = {
        "AssertionError: expected 3 to be 4 // Object.is equality": ("4", "3"),
        "Expected '3' to equal '4'.": ("'4'", "'3'"),
        "E       assert 3 == 4": ("4", "3"),
        "AssertionError: 'a' != 'b'": ("'b'", "'a'"),
        "Expected value to equal:\n  4\nReceived:\n  3": ("4", "3"),
        "  Expected: <4>\n    Actual: <3>": ("<4>", "<3>"),
        "AssertionError [ERR_ASSERTION]: no\n  actual: 3,\n  expected: 4,": ("4", "3"),
    }

    for text, values in spellings.items():
        detail = parse_failure_text(text)
        assert (detail.expected, detail.received) == values, text


@pytest.mark.parametrize(
    ("text", "error_class"),
    [
        ("jwt.exceptions.KeyConnectionError: late", "KeyConnectionError"),
        ("AssertionError [ERR_ASSERTION]: no", "AssertionError"),
        ("TypeError [Error]: no", "TypeError"),
        ("TillException(late)", "TillException"),
        ("The following TillError was thrown running a test:\nlate", "TillError"),
        ("The following assertion was thrown running a test:\nlate", ""),
        ("FAILED tests/test_a.py::test_a - ValueError: late", "ValueError"),
        ("  ---\n  error: 'late'\n  name: 'RangeError'", "RangeError"),
        ("- Error: late", "Error"),
        ("late", ""),
    ],
)
def test_the_class_of_an_error(text: str, error_class: str) -> None:
    assert parse_failure_text(text).error_class == error_class


@pytest.mark.parametrize(
    ("file", "owner"),
    [
        ("at a (/home/dev/shop/src/cart.js:1:2)", CodeOwner.PRODUCT),
        ("at a (/home/dev/shop/tests/cart.js:1:2)", CodeOwner.TEST),
        ("at a (/home/dev/shop/src/cart.test.js:1:2)", CodeOwner.TEST),
        ("at a (/home/dev/shop/node_modules/left-pad/index.js:1:2)", CodeOwner.LIBRARY),
        ("at a (/home/dev/shop/node_modules/vitest/dist/a.js:1:2)", CodeOwner.RUNNER),
        ("at a (node:internal/process:1:2)", CodeOwner.LIBRARY),
        ("at a (module.js:1:2)", CodeOwner.LIBRARY),
        ('  File "/usr/lib/python3.11/asyncio/a.py", line 3, in a', CodeOwner.LIBRARY),
        ('  File "/home/dev/shop/cart.py", line 3, in a', CodeOwner.PRODUCT),
        ("#1      main.<anonymous closure> (file:///home/dev/shop/test/cart_test.dart:21:5)", CodeOwner.TEST),
    ],
)
def test_whose_code_a_frame_is(file: str, owner: CodeOwner) -> None:
    (frame,) = parse_failure_text(f"Error: no\n    {file}").frames

    assert frame.owner is owner


def test_a_hook_and_a_file_that_did_not_load_are_told() -> None:
    assert parse_failure_text("____ ERROR at setup of test_a ____\nE   ValueError: late").hook == "setup"
    assert parse_failure_text('"beforeEach" hook failed').hook == "beforeEach"
    assert parse_failure_text("  ● Test suite failed to run").did_not_load
    assert parse_failure_text("lib/a.dart:1:2: Error: no").did_not_load
    assert not parse_failure_text("Error: no").did_not_load


def test_nothing_is_nothing() -> None:
    assert parse_failure_text("").is_empty
    assert parse_failure_text(" \n\t\n").is_empty
    assert not parse_failure_text("# Page snapshot\n- text: hello").is_empty
