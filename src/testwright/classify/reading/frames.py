"""Stack frames of any runner, and whose code they are."""

import re

from testwright.model.failure import Owner, StackFrame

_FORMS = (
    re.compile(r"^\s*at (?P<function>[^()\n]{1,200}?) \((?P<file>[^()\n]{1,400}?):(?P<line>\d{1,7})(?::\d{1,7})?\)"),
    re.compile(r"^\s*(?:at |❯ )(?:async )?(?P<file>[^\s()][^()\n]{0,400}?):(?P<line>\d{1,7})(?::\d{1,7})?\s*$"),
    re.compile(r"^\s*❯ (?P<function>\S{1,200}) (?P<file>[^\s()]{1,400}?):(?P<line>\d{1,7}):\d{1,7}"),
    re.compile(r'^\s*File "(?P<file>[^"\n]{1,400})", line (?P<line>\d{1,7})(?:, in (?P<function>\S{1,200}))?'),
    re.compile(
        r"^\s*(?P<file>[^\s:][^:\n]{0,400}?|[A-Za-z]:[^:\n]{1,400}?):(?P<line>\d{1,7}): (?:in (?P<function>\S{1,200})|[A-Z])"
    ),
    re.compile(
        r"^\s*(?P<file>(?:package:|dart:|test/|lib/|integration_test/)\S{1,300}) (?P<line>\d{1,7}):\d{1,7}\s+(?P<function>\S.{0,200})"
    ),
    re.compile(r"^\s*#\d{1,4}\s+(?P<function>\S.{0,200}?) \((?P<file>[^()\n]{1,300}?):(?P<line>\d{1,7}):\d{1,7}\)"),
)
_LIBRARY = re.compile(
    r"node_modules[/\\]|site-packages[/\\]|dist-packages[/\\]|[/\\]lib[/\\]python\d|^node:|^dart:|^internal/|^<|\.pnpm|[/\\]unittest[/\\]mock\.py"
)
_RUNNER = re.compile(
    r"node_modules[/\\](?:@?playwright|@vitest|vitest|jest|@jest|mocha|tinypool|chai|expect)"
    r"|site-packages[/\\](?:_?pytest|pluggy|playwright)|^package:(?:flutter_test|test_api|matcher|flutter_tools|stream_channel)"
)
_TEST = re.compile(
    r"(?:^|[/\\])(?:tests?|__tests__|e2e|spec|specs|integration_test|cypress|fixtures?)[/\\]"
    r"|\.(?:spec|test|vitest|cy)\.[cm]?[jt]sx?$|(?:^|[/\\])(?:test_[^/\\]*|[^/\\]*_test|conftest)\.(?:py|dart|go)$",
    re.IGNORECASE,
)


def frame_of(text: str, *, package: str = "") -> StackFrame | None:
    """The frame on a line; `package` is the Dart package under test."""
    for form in _FORMS:
        found = form.match(text)
        if found is not None:
            parts = found.groupdict()
            file = parts["file"].removeprefix("file:///").strip()
            return StackFrame(file, int(parts["line"]), (parts.get("function") or "").strip(), owner_of(file, package))
    return None


def owner_of(file: str, package: str = "") -> Owner:
    if _RUNNER.search(file):
        return Owner.RUNNER
    if file.startswith("package:"):
        return Owner.PRODUCT if package and file.startswith(f"package:{package}/") else Owner.LIBRARY
    if _LIBRARY.search(file):
        return Owner.LIBRARY
    return Owner.TEST if _TEST.search(file) else Owner.PRODUCT
