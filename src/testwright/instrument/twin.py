"""A module's twin: the same code with probes in it that tell which statements and branches ran, and how much work."""

from dataclasses import dataclass
from types import CodeType

from .probe_planter import plant
from .probes import Probe
from .quiet_compiler import compiled, parse


@dataclass(frozen=True)
class Twin:
    """`code` is to be executed in globals that a `ProbeRecorder` is attached to."""

    code: CodeType
    probes: tuple[Probe, ...]


def make_twin(source: str, filename: str, *, capture: bool = False) -> Twin:
    """The twin of a module. With `capture` it also shows the operands of comparisons, and is slower for it.

    Raises SyntaxError where `source` is not Python.
    """
    tree = parse(source, filename)
    probes = plant(tree, source, capture=capture)
    return Twin(compiled(tree, filename), probes)
