"""Which check of a test said no: `toHaveURL`, `toBeVisible`, ..., read from the message of a failure."""

import re

from testwright.classify.failure_text.failure_parser import parse_failure_text

_MOST = 16 * 1024  # characters of a message that are looked at
# A message that only names a method of Playwright, as a wrapper around `expect` writes it.
_ALONE = re.compile(
    r"\.(toHaveURL|toHaveTitle|toBeVisible|toContainText|toHaveText|toHaveValue|toBeEnabled|toBeDisabled|toHaveCount"
    r"|toBeChecked)\b",
    re.IGNORECASE,
)
_UPPER_CASE = {"url": "URL", "css": "CSS", "id": "Id", "js": "JS", "ok": "OK"}


def assertion_method(message: str) -> str | None:
    """The method in the spelling of JavaScript, for any language of the test; None: the message names none."""
    detail = parse_failure_text(message[:_MOST])
    if detail.matcher:
        return _camel_case(detail.matcher)
    found = next((found for line in detail.said if (found := _ALONE.search(line.text))), None)
    return found[1] if found else None


def _camel_case(name: str) -> str:
    if not name.startswith("to_"):
        return name
    first, *words = name.rstrip("_").split("_")
    return first + "".join(_UPPER_CASE.get(word, word.capitalize()) for word in words)
