"""Builds `null-profile/bundle.js` and its source map, for both builds: modules joined, comments and indents gone."""

import json
import re
from pathlib import Path

HERE = Path(__file__).parent
MODULES = ("profile.js", "main.js")  # what others need comes first
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def build(folder: Path) -> tuple[str, str]:
    """The bundle of the sources in a folder, and its source map. A source that is not there is taken from the shop."""
    lines: list[str] = ["(() => {"]
    mappings: list[str] = [""]
    before = [0, 0, 0]  # source, line and column of the last segment: each is written as the step from there
    sources = [_source(folder, name) for name in MODULES]
    for number, source in enumerate(sources):
        for line_number, line in enumerate(source.splitlines()):
            kept = line.strip()
            if not kept or kept.startswith(("//", "import ")):
                continue
            skipped = line.index(kept)
            if kept.startswith("export "):
                skipped += len("export ")
                kept = kept.removeprefix("export ")
            lines.append(kept)
            mappings.append(_segments(kept, skipped, (number, line_number), before))
    lines += ["})();", "//# sourceMappingURL=bundle.js.map", ""]
    names = [f"src/{name}" for name in MODULES]
    described = {"version": 3, "file": "bundle.js", "sources": names, "sourcesContent": sources, "names": []}
    return "\n".join(lines), json.dumps({**described, "mappings": ";".join(mappings)}, indent=1) + "\n"


def _source(folder: Path, name: str) -> str:
    own = folder / "src" / name
    return (own if own.is_file() else HERE / "shop" / "null-profile" / "src" / name).read_text(encoding="utf-8")


def _segments(line: str, skipped: int, place: tuple[int, int], before: list[int]) -> str:
    """One segment for each word and sign of a line."""
    segments, last = [], 0
    for found in re.finditer(r"[\w$]+|[^\w\s]", line):
        column = found.start()
        here = [*place, column + skipped]
        steps = [column - last, *(new - old for new, old in zip(here, before, strict=True))]
        segments.append("".join(map(_digits, steps)))
        last, before[:] = column, here
    return ",".join(segments)


def _digits(number: int) -> str:
    """A number as source maps write it: base 64, lowest digits first, the lowest bit for the sign."""
    rest = (-number << 1) | 1 if number < 0 else number << 1
    text = ""
    while True:
        digit, rest = rest & 31, rest >> 5
        text += _DIGITS[digit | 32 if rest else digit]
        if not rest:
            return text


if __name__ == "__main__":
    for folder in (HERE / "shop" / "null-profile", HERE / "fixed" / "null-profile"):
        code, source_map = build(folder)
        (folder / "bundle.js").write_text(code, encoding="utf-8")
        (folder / "bundle.js.map").write_text(source_map, encoding="utf-8")
