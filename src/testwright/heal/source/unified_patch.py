"""A patch as a file: what it is about, then a unified diff that `git apply` takes."""

import difflib
import re
from collections.abc import Mapping
from types import MappingProxyType

from testwright.model.errors import SelectorNotPatchable
from testwright.model.untrusted_text import visible_line

NOTHING: Mapping[str, str] = MappingProxyType({})
_CONTEXT = 3
_NO_NEWLINE = b"\\ No newline at end of file\n"
_NAME = re.compile(r"[^A-Za-z0-9 ._-]+")


def patch_bytes(
    file: str, before: bytes, after: bytes, *, strategy: str, old: str, new: str, extra: Mapping[str, str] = NOTHING
) -> bytes:
    """The patch in the file's own bytes. Every value of the header keeps to one line."""
    header = {"strategy": strategy, "old": old, "new": new, **extra}
    lines = [f"# {_NAME.sub('-', visible_line(name))}: {visible_line(value)}\n" for name, value in header.items()]
    return "".join(lines).encode() + _unified(file, before, after)


def _unified(file: str, before: bytes, after: bytes) -> bytes:
    if visible_line(file) != file or '"' in file or "\\" in file:
        raise SelectorNotPatchable(f"{visible_line(file)} has a name that a patch cannot hold.")
    tab = "\t" if " " in file else ""  # says where a name with spaces ends
    names = f"a/{file}{tab}".encode(), f"b/{file}{tab}".encode()
    rows = difflib.diff_bytes(difflib.unified_diff, _lines(before), _lines(after), *names, n=_CONTEXT, lineterm=b"\n")
    return b"".join(row if row.endswith(b"\n") else row + b"\n" + _NO_NEWLINE for row in rows)


def _lines(content: bytes) -> list[bytes]:
    """Ended by a line feed and nothing else, as git counts them."""
    lines = content.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])
