"""Durations as people write them, and in seconds."""

import re

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def seconds(text: str) -> int:
    """The seconds in `text`, such as "1h 30m". Raises ValueError for anything else."""
    parts = text.split()
    found = [re.fullmatch(r"(\d+)([dhms])", part) for part in parts]
    if not parts or None in found:
        raise ValueError(f"not a duration: {text!r}")
    return sum(int(part[1]) * UNITS[part[2]] for part in found if part is not None)


def words(total: int) -> str:
    """`total` seconds as text that `seconds` reads."""
    parts = []
    for unit, size in UNITS.items():
        count, total = divmod(total, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
