"""Patches that git applies, with a header that nothing in a selector can break out of."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from testwright.heal.source.unified_patch import patch_bytes
from testwright.model.errors import SelectorNotPatchable


def patch_text(*given: Any, **named: Any) -> str:
    return patch_bytes(*given, **named).decode()


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)


@pytest.mark.parametrize("file", ["a.spec.ts", "tests/deep/with space.spec.ts", "tests/é.spec.ts"])
@pytest.mark.parametrize(
    "before",
    [
        b"page.click('#x');\n",
        b"page.click('#x');",
        b"\xef\xbb\xbfone\r\n\r\npage.click('#x');\r\n\x0cend",
        b"1\n2\n3\n4\n5\n6\npage.click('#x');\n8\n9\n10\n11\n12\n",
        b"# coding: latin-1\n'\xe9'; page.click('#x')\n",
    ],
)
def test_git_applies_the_patch_to_the_very_bytes(tmp_path: Path, file: str, before: bytes) -> None:
    after = before.replace(b"#x", b"#y")
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_bytes(before)
    git(tmp_path, "init", "-q")
    (tmp_path / "heal.patch").write_bytes(patch_bytes(file, before, after, strategy="byText", old="#x", new="#y"))

    check = git(tmp_path, "-c", "core.autocrlf=false", "apply", "--check", "heal.patch")
    git(tmp_path, "-c", "core.autocrlf=false", "apply", "heal.patch")

    assert (check.returncode, check.stderr) == (0, b"")
    assert (tmp_path / file).read_bytes() == after


def test_the_header_says_what_was_changed_and_why() -> None:
    patch = patch_text(
        "a.spec.ts",
        b"page.click('#x');\n",
        b"page.click('#y');\n",
        strategy="byText",
        old="'#x'",
        new="'#y'",
        extra={"test": "a.spec.ts › pays", "confidence": "0.97", "created": "2026-01-02T03:04:05Z"},
    )

    assert patch.splitlines() == [
        "# strategy: byText",
        "# old: '#x'",
        "# new: '#y'",
        "# test: a.spec.ts › pays",
        "# confidence: 0.97",
        "# created: 2026-01-02T03:04:05Z",
        "--- a/a.spec.ts",
        "+++ b/a.spec.ts",
        "@@ -1 +1 @@",
        "-page.click('#x');",
        "+page.click('#y');",
    ]


@pytest.mark.parametrize(
    "hostile", ["x\n// @ts-nocheck\nprocess.exit(0)", "a\x1b[2J\x1b]0;pwn\x07", "a\r--- b", "\u2028+++"]
)
def test_no_value_of_the_header_leaves_its_line(hostile: str) -> None:
    patch = patch_text("a.ts", b"1\n", b"2\n", strategy="byText", old=hostile, new=hostile, extra={hostile: hostile})
    header = patch.partition("--- a/a.ts")[0]

    assert all(line.startswith("# ") for line in header.splitlines())
    assert not set(header) & set("\x1b\x07\r\u2028")


def test_escape_characters_of_a_selector_are_shown_as_such() -> None:
    patch = patch_text("a.ts", b"1\n", b"2\n", strategy="byText", old="a\x1b]0;pwn\x07", new="b")

    assert "# old: a\\x1b]0;pwn\\x07\n" in patch


def test_a_file_whose_name_would_break_the_patch_is_refused() -> None:
    with pytest.raises(SelectorNotPatchable):
        patch_text("a\nb.ts", b"1\n", b"2\n", strategy="byText", old="", new="")
