"""What to run, as data: an argument list, never a shell string."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Command:
    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str]  # all of it: what is not here, the child does not see
