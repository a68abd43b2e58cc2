"""Stack frames of any runner, and whose code they are."""

import re

from testwright.model.failure import CodeOwner, StackFrame

_FILE = r"(?P<file>[^()\n]{1,400}?)"
_AT = r":(?P<line>\d{1,7})(?::\d{1,7})?"
_FORMS = (
    # JavaScript: at name (file:1:2), at file:1:2; Vitest: ❯ file:1:2, ❯ name file:1:2
    re.compile(rf"\s*at (?P<function>[^()\n]{{1,200}}?) \({_FILE}{_AT}\)"),
    re.compile(rf"\s*(?:at |❯ )(?:async )?(?P<file>[^\s()][^()\n]{{0,400}}?){_AT}\s*(?:\{{|$)"),
    re.compile(rf"\s*❯ (?P<function>\S{{1,200}}) (?P<file>[^\s()]{{1,400}}?){_AT}"),
    # node:test, as TAP: name (file:1:2)
    re.compile(
        rf"\s*(?:(?P<function>\S[^()\n]{{0,200}}?) \()?(?P<file>(?:file:///|node:|/)[^()\n]{{1,300}}?){_AT}\)?$"
    ),
    # Python: File "file", line 1, in name; pytest: file:1: in name, file:1: Error
    re.compile(r'\s*File "(?P<file>[^"\n]{1,400})", line (?P<line>\d{1,7})(?:, in (?P<function>\S{1,200}))?'),
    re.compile(
        r"\s*(?P<file>[A-Za-z]:[^:\n]{1,400}|[^\s:][^:\n]{0,400}):(?P<line>\d{1,7}): "
        r"(?:in (?P<function>\S{1,200})|[A-Z])"
    ),
    # Dart: package:name/file.dart 1:2  name, #1  name (file:1:2)
    re.compile(
        r"\s*(?P<file>(?:package:|dart:|test/|lib/|integration_test/)\S{1,300}) "
        r"(?P<line>\d{1,7}):\d{1,7}(?:\s+(?P<function>\S.{0,200}))?"
    ),
    re.compile(rf"\s*#\d{{1,4}}\s+(?P<function>\S.{{0,200}}?) \((?P<file>[^()\n]{{1,300}}?){_AT}\)"),
)
_LIBRARY = re.compile(
    r"node_modules[/\\]|\.pnpm|(?:site|dist)-packages[/\\]|[/\\]lib(?:64)?[/\\]python\d|[/\\]unittest[/\\]mock\.py"
    r"|^node:|^dart:|^internal/|^<"
    # Node's own files, in its older versions: a name without a folder
    r"|^(?:module|assert|events|timers|net|fs|vm|util|stream|domain|bootstrap_node|_http_\w+|_stream_\w+)\.js$"
)
_RUNNER = re.compile(
    r"node_modules[/\\](?:@?playwright|@vitest|vitest|jest|@jest|mocha|tinypool|chai|expect)"
    r"|site-packages[/\\](?:_?pytest|pluggy|playwright)"
    r"|^package:(?:flutter_test|test_api|matcher|flutter_tools|stream_channel)"
)
_TEST = re.compile(
    r"(?:^|[/\\])(?:tests?|__tests__|e2e|specs?|integration_test|cypress|fixtures?)[/\\]"
    r"|\.(?:spec|test|vitest|cy)\.[cm]?[jt]sx?$"
    r"|(?:^|[/\\])(?:test_[^/\\]*|[^/\\]*_test|conftest)\.(?:py|dart|go)$",
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


def owner_of(file: str, package: str = "") -> CodeOwner:
    if _RUNNER.search(file):
        return CodeOwner.RUNNER
    if file.startswith("package:"):
        return CodeOwner.PRODUCT if package and file.startswith(f"package:{package}/") else CodeOwner.LIBRARY
    if _LIBRARY.search(file):
        return CodeOwner.LIBRARY
    return CodeOwner.TEST if _TEST.search(file) else CodeOwner.PRODUCT
