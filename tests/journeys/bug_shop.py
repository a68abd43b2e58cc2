"""The example shop with ten bugs, as a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "web-bugs"


@contextmanager
def open_shop(*options: str) -> Iterator[str]:
    """Its address, while it is open."""
    command = [sys.executable, "-B", str(EXAMPLE / "server.py"), "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as shop:
        assert shop.stdout is not None
        try:
            yield shop.stdout.readline().rpartition(" ")[2].strip()
        finally:
            shop.terminate()
