"""The check that failed is read from the message, and from nothing around it."""

import pytest

from testwright.classify.quality.run_analysis import assertion_method


@pytest.mark.parametrize(
    ("message", "method"),
    [
        ("Error: expect(locator).toHaveText(expected) failed", "toHaveText"),
        ("Error: expect(page).not.toHaveURL(expected)", "toHaveURL"),
        ("Timed out 5000ms waiting for expect(locator).toBeVisible()", "toBeVisible"),
        ("\x1b[2mexpect(\x1b[22m\x1b[31mreceived\x1b[39m\x1b[2m).\x1b[22mtoBe\x1b[2m(\x1b[22mexpected)", "toBe"),
        ("Error: expect.soft(locator).toHaveCount(expected)", "toHaveCount"),
        ('Locator expected to be visible\nCall log:\n  - Expect "to_be_visible" with timeout 5000ms', "toBeVisible"),
        ("LocatorAssertions.to_have_text with timeout 5000ms", "toHaveText"),
        ("PageAssertions.to_have_url with timeout 5000ms", "toHaveURL"),
        ("PageAssertions.not_to_have_url with timeout 5000ms", "toHaveURL"),
        ("something.toHaveTitle failed", "toHaveTitle"),
        ("assert 3 == 2", None),
        ("", None),
        ("Timeout\n  11 | await expect(page).toHaveURL(x);\n> 12 | await page.click('a');", None),
    ],
)
def test_the_method_is_found_in_every_language_and_not_in_a_code_frame(message: str, method: str | None) -> None:
    assert assertion_method(message) == method


def test_a_huge_message_is_read_only_so_far() -> None:
    assert assertion_method("expect(" * 200_000 + "expect(page).toHaveURL(") is None
