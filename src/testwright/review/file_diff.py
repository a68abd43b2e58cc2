"""What a change does to a file, as a unified diff that `git apply` takes, or an honest sentence where there is none."""

import difflib
import itertools
from collections.abc import Iterator
from typing import Literal

MAX_BYTES = 1024 * 1024
MAX_COMPARISONS = 4_000_000  # lines times lines; beyond this, finding the smallest diff takes seconds and more
CONTEXT = 3
Change = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]
_NO_NEWLINE = "\\ No newline at end of file\n"


def unified_diff(old: bytes | None, new: bytes, file: str) -> str:
    """The diff from `old` (None: no such file) to `new`. Nothing in it is escaped: who shows it does that."""
    if len(new) > MAX_BYTES or len(old or b"") > MAX_BYTES:
        return _in_words(old, new, file, "too large to show")
    try:
        old_lines, new_lines = _lines(old or b""), _lines(new)
    except UnicodeDecodeError:
        return _in_words(old, new, file, "not UTF-8 text")
    if old is not None and old_lines == new_lines:
        return ""
    before = "/dev/null" if old is None else _header_name(f"a/{file}")
    hunks = "".join(itertools.chain.from_iterable(_hunks(old_lines, new_lines)))
    return f"--- {before}\n+++ {_header_name(f'b/{file}')}\n{hunks}"


def _lines(content: bytes) -> list[str]:
    """Lines as a patch knows them: ended by a line feed and nothing else, carriage returns and form feeds kept."""
    lines = content.decode("utf-8").split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _header_name(name: str) -> str:
    return f"{name}\t" if " " in name else name  # the tab says where a name with spaces ends


def _hunks(old: list[str], new: list[str]) -> Iterator[Iterator[str]]:
    for group in _changes(old, new).get_grouped_opcodes(CONTEXT):
        first, last = group[0], group[-1]
        old_span, new_span = _span(first[1], last[2]), _span(first[3], last[4])
        yield iter([f"@@ -{old_span} +{new_span} @@\n"])
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                yield (_line(" ", line) for line in old[old_from:old_to])
            else:
                yield (_line("-", line) for line in old[old_from:old_to])
                yield (_line("+", line) for line in new[new_from:new_to])


class _Changes(difflib.SequenceMatcher[str]):
    """Changes that are known already, to be grouped with their context."""

    def __init__(self, known: list[Change]) -> None:
        super().__init__()
        self._known = known

    def get_opcodes(self) -> list[Change]:
        return self._known


def _changes(old: list[str], new: list[str]) -> _Changes:
    """What became of which lines. Most changes are small, so equal ends are set aside before comparing."""
    head = _equal_at_start(old, new)
    tail = _equal_at_start(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    middle = _compared(old[head:old_end], new[head:new_end])
    known: list[Change] = [
        ("equal", 0, head, 0, head),
        *((tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in middle),
        ("equal", old_end, len(old), new_end, len(new)),
    ]
    return _Changes([change for change in known if change[1] != change[2] or change[3] != change[4]])


def _compared(old: list[str], new: list[str]) -> list[Change]:
    if len(old) * len(new) > MAX_COMPARISONS:
        return [("replace", 0, len(old), 0, len(new))]  # longer than need be, and true
    return difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def _equal_at_start(old: list[str], new: list[str]) -> int:
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _span(start: int, end: int) -> str:
    count = end - start
    first = start + 1 if count else start  # an empty span is named by the line before it
    return str(first) if count == 1 else f"{first},{count}"


def _line(mark: str, line: str) -> str:
    return f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n{_NO_NEWLINE}"


def _in_words(old: bytes | None, new: bytes, file: str, why: str) -> str:
    before = "does not exist yet" if old is None else f"has {len(old):,} bytes"
    return f"The content of {file} is {why}: the file {before}, and would have {len(new):,} bytes.\n"
