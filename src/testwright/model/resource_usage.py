"""What processes used up."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """What a child process and everything it started used up."""

    cpu_ms: float = 0.0
    max_rss_bytes: int = 0


def total_usage(usages: Iterable[ResourceUsage]) -> ResourceUsage:
    """CPU adds up; memory is the largest seen."""
    return reduce(
        lambda a, b: ResourceUsage(a.cpu_ms + b.cpu_ms, max(a.max_rss_bytes, b.max_rss_bytes)), usages, ResourceUsage()
    )
