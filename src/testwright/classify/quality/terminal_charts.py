"""Charts in a terminal: bars and lines of blocks, or of plain ASCII where the terminal has nothing else."""

from collections.abc import Mapping, Sequence

from testwright.classify.quality.failure_counts import FailureCounts
from testwright.classify.quality.trends import Trends
from testwright.model.untrusted_text import visible_line

_EIGHTHS = " ▏▎▍▌▋▊▉"
_LEVELS = "▁▂▃▄▅▆▇█"
_PLAIN_LEVELS = "_.:-=+*#"
_LONGEST_NAME = 40


def can_draw_blocks(encoding: str | None) -> bool:
    """Whether a stream with this encoding takes the characters that charts are drawn with."""
    try:
        (_EIGHTHS + _LEVELS).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def bar_chart(counts: Mapping[str, int], *, width: int = 40, plain: bool = False) -> str:
    """A line for each name: the name, a bar, the number."""
    if not counts:
        return ""
    names = [visible_line(name, limit=_LONGEST_NAME) for name in counts]
    most = max(1, *counts.values())
    room = max(map(len, names))
    numbers = len(str(most))
    return "\n".join(
        f"{name.ljust(room)}  {str(count).rjust(numbers)} {_bar(count / most * width, plain=plain)}".rstrip()
        for name, count in zip(names, counts.values(), strict=True)
    )


def _bar(length: float, *, plain: bool) -> str:
    if plain:
        return "#" * max(round(length), int(length > 0))
    eighths = max(round(length * 8), int(length > 0))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def sparkline(values: Sequence[float], *, plain: bool = False, most: float | None = None) -> str:
    """A mark for each value: the lowest for zero, the highest for `most`, or for the largest of them."""
    levels = _PLAIN_LEVELS if plain else _LEVELS
    top = most if most is not None else max(values, default=0)
    if top <= 0:
        return levels[0] * len(values)
    steps = len(levels) - 1
    # What is not zero is never drawn as if it were.
    return "".join(levels[min(steps, max(round(value / top * steps), int(value > 0)))] for value in values)


def quality_text(found: FailureCounts, *, over_time: Trends | None = None, width: int = 40, plain: bool = False) -> str:
    """All of it for a terminal: counts, the line of time, and what to look at."""
    parts = [
        f"{title}\n{bar_chart(counts, width=width, plain=plain)}"
        for title, counts in (
            ("Failures by category", found.by_category),
            ("By kind of test", found.by_type),
            ("By who wrote the test", found.by_origin),
            ("Checks that failed", found.failed_assertion_methods),
        )
        if counts
    ]
    if over_time is not None and over_time.labels:
        parts.append(_trend_text(over_time, plain=plain))
    if found.insights:
        mark = "-" if plain else "•"
        parts.append("\n".join(f"{mark} {visible_line(insight, limit=2000)}" for insight in found.insights))
    return "\n\n".join(parts) if parts else "No failures."


def _trend_text(over_time: Trends, *, plain: bool) -> str:
    labels = over_time.labels
    room = max(len("all"), *map(len, labels))
    lines = [f"Failures in the newest {len(over_time.points)} runs, oldest first"]
    for label in (None, *labels):
        values = over_time.failures(label)
        change = over_time.change(label)
        told = "" if change is None else f"  {change:+.1f} a run"
        lines.append(f"{(label or 'all').ljust(room)}  {sparkline(values, plain=plain)}  {values[-1]} now{told}")
    return "\n".join(lines)
