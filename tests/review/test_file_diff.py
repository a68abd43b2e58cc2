"""A diff is one that `git apply` turns into the proposed bytes, or it says plainly that there is none to show."""

import random
import subprocess
from pathlib import Path

import pytest

from testwright.review import file_diff
from testwright.review.file_diff import unified_diff

PAIRS = {
    "a line in the middle": (b"a\nb\nc\nd\ne\nf\ng\nh\ni\n", b"a\nb\nc\nd\nE\nf\ng\nh\ni\n"),
    "two far places": (b"".join(b"%d\n" % n for n in range(40)), b"".join(b"%d\n" % (n % 35 or 99) for n in range(40))),
    "the first line": (b"a\nb\n", b"x\nb\n"),
    "the last line": (b"a\nb\n", b"a\nx\n"),
    "an end of line gained": (b"a\nb", b"a\nb\n"),
    "an end of line lost": (b"a\nb\n", b"a\nb"),
    "no end of line on either side": (b"a\nb", b"a\nc"),
    "carriage returns": (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
    "from one line end to the other": (b"a\r\nb\r\n", b"a\nb\n"),
    "a byte order mark": (b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\nc\n"),
    "separators that end no line": ("a\x0cb\u2028c\x85\nd\n".encode(), "a\x0cb\u2028C\x85\nd\n".encode()),
    "a file made empty": (b"a\nb\n", b""),
    "an empty file filled": (b"", b"a\n"),
    "a new file": (None, b"a\nb\n"),
    "a new file without an end of line": (None, b"a"),
    "repeated lines": (b"x\n" * 50, b"x\n" * 20 + b"y\n" + b"x\n" * 31),
}


def _git_applied(folder: Path, old: bytes | None, diff: str) -> bytes:
    file = folder / "tests" / "a test.py"
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    if old is not None:
        file.write_bytes(old)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)  # or a repository around us would decide
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    done = subprocess.run(command, cwd=folder, input=diff.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode() + diff
    return file.read_bytes()


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("comparisons", [file_diff.MAX_COMPARISONS, 0])
def test_git_makes_the_proposed_bytes_of_a_diff(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, comparisons: int
) -> None:
    monkeypatch.setattr(file_diff, "MAX_COMPARISONS", comparisons)
    old, new = PAIRS[name]
    assert _git_applied(tmp_path, old, unified_diff(old, new, "tests/a test.py")) == new


def test_git_makes_the_proposed_bytes_of_random_changes(tmp_path: Path) -> None:
    chance = random.Random(20240229)
    for _ in range(40):
        old, new = (
            b"".join(chance.choice([b"a\n", b"b\n", b"c\r\n"]) for _ in range(chance.randint(1, 30))) for _ in "ab"
        )
        if old != new:
            assert _git_applied(tmp_path, old, unified_diff(old, new, "tests/a test.py")) == new


def test_a_diff_shows_the_change_with_three_lines_around_it() -> None:
    old = b"".join(b"line %d\n" % n for n in range(1, 11))
    diff = unified_diff(old, old.replace(b"line 5", b"line five"), "tests/test_a.py")
    assert diff == (
        "--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -2,7 +2,7 @@\n"
        " line 2\n line 3\n line 4\n-line 5\n+line five\n line 6\n line 7\n line 8\n"
    )


def test_no_change_has_no_diff() -> None:
    assert unified_diff(b"a\n", b"a\n", "tests/test_a.py") == ""


def test_what_is_not_text_is_described_in_words() -> None:
    diff = unified_diff(b"\xff\xfe", b"caf\xe9", "tests/page.png")
    assert diff == "The content of tests/page.png is not UTF-8 text: the file has 2 bytes, and would have 4 bytes.\n"


def test_what_is_too_large_is_described_in_words() -> None:
    diff = unified_diff(None, b"x" * (file_diff.MAX_BYTES + 1), "tests/big.golden")
    assert "too large to show" in diff
    assert "does not exist yet" in diff
    assert len(diff) < 200


def test_a_change_of_everything_in_a_long_file_is_shown_whole_without_comparing_every_pair() -> None:
    old = b"".join(b"old %d\n" % n for n in range(20_000))
    new = b"".join(b"new %d\n" % n for n in range(20_000))
    lines = unified_diff(old, new, "tests/test_long.py").splitlines()
    assert sum(line.startswith("-old") for line in lines) == 20_000
    assert sum(line.startswith("+new") for line in lines) == 20_000
