"""Draw the README's picture: a real terminal, in which the example shop changes and a test is healed.

Nothing in it is written by hand: the commands run in a pseudo-terminal, and what they print is drawn as SVG.
"""

import contextlib
import io
import itertools
import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pyte
from rich.console import Console
from rich.style import Style
from rich.text import Text

from testwright.run.external_programs import CHROMIUM_VARIABLE, find_chromium

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "healing.svg"
TESTWRIGHT = Path(sys.executable).with_name("testwright")
COLUMNS, LINES = 104, 80
HEX = re.compile("[0-9a-f]{6}")
TEST = "web-shop/tests/checkout.spec.ts::places an order"
ENV = {
    **os.environ,
    "COLUMNS": str(COLUMNS),
    "LINES": str(LINES),
    "TERM": "xterm-256color",
    CHROMIUM_VARIABLE: str(find_chromium(os.environ)),
}
# Without a font from another host: every reader has a monospaced one.
FORMAT = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        font-size: {char_height}px; line-height: {line_height}px; }}
    .{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: arial, sans-serif; }}
    {styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
    <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="testwright-picture-") as folder:
        project = Path(folder) / "shop"
        copy_examples(project)
        run_unseen(project, "run", TEST)  # a passing run, in which the elements are remembered
        rename_the_button(project)
        lines = typed(f"sed -i s/btn-primary/button-primary/ web-shop/shop/checkout.*    {remark('the shop changes')}")
        lines += told(project, "run", TEST)
        [proposal] = [waiting["id"] for waiting in json.loads(run_unseen(project, "review", "list", "--json"))]
        lines += told(project, "review", "show", proposal)
        lines += told(project, "review", "accept", proposal)
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(drawn(lines), encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: {len(lines)} lines")
    return 0


def copy_examples(project: Path) -> None:
    left_out = shutil.ignore_patterns(
        "node_modules", ".testwright", "test-results", "__pycache__", ".*_cache", "python"
    )
    for name in ("web-shop",):
        shutil.copytree(ROOT / "examples" / name, project / name, ignore=left_out)
        (project / name / "node_modules").symlink_to(ROOT / "examples" / name / "node_modules")


def rename_the_button(project: Path) -> None:
    for file in (project / "web-shop" / "shop").glob("checkout.*"):
        file.write_text(file.read_text().replace("btn-primary", "button-primary"))


def run_unseen(project: Path, *arguments: str) -> str:
    return subprocess.run([TESTWRIGHT, *arguments], cwd=project, env=ENV, capture_output=True, text=True).stdout


def remark(text: str) -> str:
    return f"\x1b[2m# {text}\x1b[0m"


def typed(command: str) -> list[Text]:
    return screen_lines(f"\x1b[1;32m$\x1b[0m {command}\r\n".encode())


def told(project: Path, *arguments: str) -> list[Text]:
    """The command, and everything that it shows a person at a terminal."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen([TESTWRIGHT, *arguments], cwd=project, env=ENV, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal, contextlib.suppress(OSError):  # it ends when the command does
        while data := terminal.read(1 << 16):
            shown += data
    child.wait()
    return [*typed(f"testwright {shlex.join(arguments)}"), *screen_lines(shown), Text()]


def screen_lines(output: bytes) -> list[Text]:
    """What stands on the screen in the end, line by line, in its colours."""
    screen = pyte.Screen(COLUMNS, LINES)
    pyte.ByteStream(screen).feed(output)
    lines = [line_of(screen.buffer[row]) for row in range(LINES)]
    while lines and not lines[-1].plain.strip():
        lines.pop()
    return [line for line in lines if line.plain.strip()]


def line_of(cells: "dict[int, pyte.screens.Char]") -> Text:
    line = Text()
    for look, run in itertools.groupby((cells[column] for column in range(COLUMNS)), key=look_of):
        line.append("".join(cell.data for cell in run), look)
    line.rstrip()
    return line


def look_of(cell: "pyte.screens.Char") -> Style:
    colour = {"default": None, "brown": "yellow"}.get(cell.fg, cell.fg)
    return Style(
        color=f"#{colour}" if colour and HEX.fullmatch(colour) else colour, bold=cell.bold, italic=cell.italics
    )


def drawn(lines: list[Text]) -> str:
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    for line in lines:
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True)
    return console.export_svg(title="testwright", code_format=FORMAT, unique_id="testwright")


if __name__ == "__main__":
    sys.exit(main())
