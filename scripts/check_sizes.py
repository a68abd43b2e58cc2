"""No module above 500 lines: one that has grown past it wants to be two."""

import sys
from pathlib import Path

MOST_LINES = 500

ROOT = Path(__file__).resolve().parents[1]
too_long = [
    f"{path.relative_to(ROOT)} has {lines} lines"
    for folder in ("src", "tests", "scripts", "bench")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "node_modules" not in path.parts and (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
]
sys.exit("\n".join(too_long) if too_long else 0)
