"""What `testwright --help` costs beside an interpreter that does nothing."""

import sys
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure, compared, cpu


def figures(folder: Path) -> Iterator[Figure]:
    testwright = Path(sys.executable).with_name("testwright")
    seen = compared(
        lambda: cpu([sys.executable, "-c", "pass"], folder), lambda: cpu([testwright, "--help"], folder), rounds=15
    )
    yield Figure(
        "testwright --help over python -c pass",
        seen.ratio,
        10,
        "x",
        detail=f"({seen.second * 1e3:.0f} ms CPU / {seen.first * 1e3:.0f} ms)",
    )
