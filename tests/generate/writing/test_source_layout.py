"""The layout of what is written is what black and ruff would give it."""

import subprocess
import sys
from pathlib import Path

from tests.generate.writing.making import EVERY_KIND, arguments, composed, of_function, returned
from testwright.generate.writing.source_layout import formatted
from testwright.generate.writing.style import ProjectStyle


def test_a_written_suite_is_left_alone_by_formatters_and_linters(tmp_path: Path) -> None:
    long_texts = [
        of_function(
            "same", arguments(repr("line one\nline two of it\n" * 6)), returned("line one\nline two of it\n" * 6)
        ),
        of_function("same", arguments(repr(list(range(300)))), returned(list(range(300)))),
        of_function("same", arguments(repr("word " * 50)), returned("word " * 50)),
    ]
    file = tmp_path / "test_written.py"
    file.write_text(composed(*EVERY_KIND, *long_texts).text, encoding="utf-8")

    ruff = [sys.executable, "-m", "ruff"]
    options = ["--isolated", "--line-length", "100", str(file)]
    laid_out = subprocess.run([*ruff, "format", "--diff", *options], capture_output=True, text=True, check=False)
    checked = subprocess.run(
        [*ruff, "check", "--no-cache", "--select", "E,F,W,B,C4,PT,SIM,RET,ISC,UP", "--ignore", "PT011", *options],
        capture_output=True,
        text=True,
        check=False,
    )

    assert laid_out.returncode == 0, laid_out.stdout
    assert checked.returncode == 0, checked.stdout


def test_a_string_is_split_only_where_the_line_has_no_room_for_it() -> None:
    style = ProjectStyle(line_length=60)

    assert formatted("x = 'short\\ntext\\n'", style) == 'x = "short\\ntext\\n"\n'
    text = formatted(f"x = {'one two ' * 20!r}", style)

    assert max(map(len, text.splitlines())) <= 60
    assert text.startswith('x = (\n    "one two one two')


def test_long_lists_of_numbers_are_packed() -> None:
    text = formatted(f"assert f() == {list(range(200, 300))}", ProjectStyle(line_length=80))

    assert len(text.splitlines()) < 12
    assert text.rstrip().endswith("]  # fmt: skip")
    assert eval(text.partition("==")[2].replace("# fmt: skip", "")) == list(range(200, 300))
