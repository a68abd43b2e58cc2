"""What was checked: the matcher, the expression, the two values, the locator."""

import re
from collections.abc import Sequence

from testwright.classify.failure_text.headlines import timeout_of
from testwright.classify.failure_text.line_kinds import KnownLine, LineKind, failing_code
from testwright.model.failure import FailureLine

_EXPECT = re.compile(
    r"expect(?:\.soft|\.poll)?\([^()]{0,80}\)(?P<chain>(?:\.\w{1,20}){0,3})\.(?P<matcher>to\w{1,50})\("
)
_EXPECT_API = re.compile(r"expect\.(?P<matcher>to\w{1,50})$")
_EXPECT_LOGGED = re.compile(
    r"(?:Expect \"|expect\.|Assertions\.)(?P<not>not[._])?(?P<matcher>to\w{1,50})\"? with timeout"
)
_EXPECT_PYTHON = re.compile(
    r"(?:AssertionError: )?(?:Locator|Page|APIResponse) expected (?P<not>not )?to "
    r"(?P<what>[a-z ]{2,40}?)(?:\s*['\"].*|:.*)?$"
)
_CHAIN = r"(?:\.not|\.resolves|\.rejects){0,2}"
_EXPECT_CODE = re.compile(rf"\)(?P<chain>{_CHAIN})\.(?P<matcher>to[A-Z]\w{{1,50}}|to_\w{{1,50}})\(")
_SUBJECTS = (
    re.compile(rf"expect(?:\.soft|\.poll)?\((?P<subject>.{{1,300}}?)\){_CHAIN}\.to"),
    re.compile(r"assert\s+(?P<subject>.{1,400})$"),
    re.compile(r"self\.assert\w{1,40}\((?P<subject>.{1,400})\)$"),
    re.compile(r"expect\((?P<subject>.{1,200})\)\.to\w+\($"),
)
_SIDE = re.compile(r"(?P<side>Expected|Received|Actual)(?: [a-z][a-z ]{0,40})?\s{0,3}:\s{0,8}(?P<value>.{0,600})$")
_NODE_SIDE = re.compile(r"\s{1,8}(?P<side>expected|actual): (?P<value>.{1,600}?),?$")
_COMPARED = (
    # Chai, Vitest, Jasmine: expected <received> to <do something with> <expected>
    re.compile(
        r"[Ee]xpected (?P<received>.{1,300}?) to (?:not )?"
        r"(?:(?:deeply |strictly )?equal|be|match|contain|include|have|throw)\b(?P<expected>.{0,300})"
    ),
    # pytest, unittest: the value is on the left
    re.compile(r"(?:assert )?(?P<received>\S.{0,300}?) [=!]= (?P<expected>.{1,300})$"),
)
_LOCATOR = re.compile(r"Locator:\s{1,4}(?P<locator>.{1,600})$")
_WAITING = re.compile(
    r"waiting for (?P<locator>(?:locator|getBy|get_by_|frameLocator|frame_locator|internal:)\S.{0,500}"
    r"|(?:selector|frame) \S.{0,500})"
)


def matcher_of(
    headline: FailureLine, said: Sequence[FailureLine], lines: Sequence[KnownLine], api: str
) -> tuple[str, bool]:
    """The matcher, and whether it is negated: from what is said, then from the call log, then from the code."""
    for line in (headline, *said):
        found = _EXPECT.search(line.text)
        if found is not None:
            return found["matcher"], ".not" in found["chain"]
        python = _EXPECT_PYTHON.match(line.text)
        if python is not None:
            return f"to_{python['what'].strip().replace(' ', '_')}", bool(python["not"])
    direct = _EXPECT_API.match(api)
    if direct is not None:
        return direct["matcher"], False
    for each in lines:
        logged = _EXPECT_LOGGED.search(each.line.text) if each.kind in (LineKind.LOG, LineKind.SAID) else None
        if logged is not None:
            return logged["matcher"], bool(logged["not"])
    if api or timeout_of(said):
        return "", False  # the step before the check failed, or the time was up
    for each in lines:
        code = _EXPECT_CODE.search(failing_code(each.line.text)) if each.kind is LineKind.FAILING_CODE else None
        if code is not None:
            return code["matcher"], ".not" in code["chain"]
    return "", False


def subject_of(lines: Sequence[KnownLine]) -> str:
    """The expression a check was about, from the line of code that failed."""
    for each in lines:
        if each.kind is LineKind.FAILING_CODE:
            code = failing_code(each.line.text)
            found = next((found for form in _SUBJECTS if (found := form.search(code))), None)
            if found is not None:
                return found["subject"]
    return ""


def values_of(lines: Sequence[KnownLine], rest: str) -> tuple[str, str]:
    """What was expected and what was received, as far as the text shows them."""
    sides: dict[str, str] = {}
    for at, each in enumerate(lines):
        if each.kind is LineKind.SAID:
            found = _SIDE.match(each.line.text.strip())
        else:
            found = _NODE_SIDE.match(each.line.text) if each.kind is LineKind.VALUE else None
        if found is not None:
            below = lines[at + 1] if at + 1 < len(lines) else None
            value = found["value"].strip()
            if not value and below is not None and below.kind is LineKind.VALUE:
                value = below.line.text.strip()
            sides.setdefault(found["side"].lower(), value)
    expected, received = sides.get("expected", ""), sides.get("received", "") or sides.get("actual", "")
    return (expected, received) if expected or received else _compared(rest)


def _compared(rest: str) -> tuple[str, str]:
    for form in _COMPARED:
        found = form.match(rest)
        if found is not None:
            return found["expected"].strip().removesuffix("// Object.is equality").strip(" ."), found["received"]
    return "", ""


def locator_of(said: Sequence[FailureLine], log: Sequence[FailureLine]) -> str:
    for line in said:
        found = _LOCATOR.match(line.text)
        if found is not None:
            return found["locator"].strip()
    for line in (*log, *said):
        waiting = _WAITING.search(line.text)
        if waiting is not None:
            return waiting["locator"].strip()
    return ""
