"""How much a child may use up."""

import re
from dataclasses import dataclass

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_FACTOR = {"": 1, "k": KIB, "m": MIB, "g": GIB, "t": 1 << 40}


@dataclass(frozen=True, slots=True)
class Limits:
    """None means no limit of ours. Memory, CPU and file size hold for each process of the tree."""

    seconds: float | None = None  # of wall time, for the whole child
    cpu_seconds: int | None = None
    # Private writable memory: reserving address space, as V8 and Chromium do, is free.
    memory_bytes: int | None = 4 * GIB
    output_bytes: int = 256 * MIB  # printed in all; beyond it the child is stopped
    file_bytes: int | None = None
    processes: int | None = None  # at once, threads included; kept from R2 on, where the child's are counted apart
    keep_output_bytes: int = 64 * KIB  # of the start, and as much again of the end
    grace_seconds: float = 0.5  # between asking a child to stop and making it


GUARDED_LIMITS = Limits(cpu_seconds=600, file_bytes=GIB, processes=2000)  # for code that was not read yet


def parse_size(text: str) -> int:
    """`"512M"`, `"4 GiB"` or `"1000"` in bytes. Raises ValueError for anything else."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not a size; write a number with K, M or G, such as 512M")
    return int(float(found[1]) * _FACTOR[found[2].lower()])


def size_text(size: int) -> str:
    """A size as a person would say it: `4 GiB`, `1.5 MiB`."""
    for factor, unit in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"
