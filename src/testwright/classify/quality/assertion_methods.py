"""Which check of a test said no: `toHaveURL`, `toBeVisible`, ..., read from the message of a failure."""

import re

from testwright.model.untrusted_text import without_colours

_MOST = 16 * 1024  # characters of a message that are looked at
# A code frame shows the checks around the one that failed, too: `> 12 | await expect(...)`.
_CODE_FRAME = re.compile(r"^\s*(?:>\s*)?\d+\s*\|.*$", re.MULTILINE)
_METHOD = re.compile(
    r"""(?:\bexpect(?:\.\w+)?\([^()\n]{0,200}\)(?:\.(?:not|resolves|rejects))*\.  # expect(locator).not.
        |\b(?:Locator|Page|APIResponse)Assertions\.                               # Playwright's names in Python
        |\bExpect\s")                                                             # Expect "to_be_visible"
        (?:not_)?(to[A-Z]\w{0,60}|to_\w{1,60})""",
    re.VERBOSE,
)
_ALONE = re.compile(
    r"\.(toHaveURL|toHaveTitle|toBeVisible|toContainText|toHaveText|toHaveValue|toBeEnabled|toBeDisabled|toHaveCount"
    r"|toBeChecked)\b",
    re.IGNORECASE,
)
_UPPER_CASE = {"url": "URL", "css": "CSS", "id": "Id", "js": "JS", "ok": "OK"}


def assertion_method(message: str) -> str | None:
    """The method in the spelling of JavaScript, for any language of the test; None: the message names none."""
    text = _CODE_FRAME.sub("", without_colours(message[:_MOST]))
    found = _METHOD.search(text) or _ALONE.search(text)
    return _camel_case(found[1]) if found else None


def _camel_case(name: str) -> str:
    if not name.startswith("to_"):
        return name
    first, *words = name.rstrip("_").split("_")
    return first + "".join(_UPPER_CASE.get(word, word.capitalize()) for word in words)
