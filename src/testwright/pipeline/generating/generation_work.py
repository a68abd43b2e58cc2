"""What the work on every module has in common: the engine, how it is stopped, and who listens."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from testwright.generate.measured_results import Generated
from testwright.generate.module_request import ModuleRequest, Progress
from testwright.isolate.child import Cancel
from testwright.pipeline.generating.module_outcome import Happening, Listener

Engine = Callable[[ModuleRequest, Callable[[Progress], None], Cancel], Generated]


@dataclass(frozen=True)
class Stops:
    """`enough` ends the exploring: what was found is kept, and goes through the gates. `now` ends everything."""

    enough: Cancel = field(default_factory=Cancel)
    now: Cancel = field(default_factory=Cancel)


@dataclass(frozen=True)
class GenerationWork:
    engine: Engine
    stops: Stops
    listen: Listener
    with_bugs: bool = False
    """Whether broken promises become files; they are reported anyway."""

    def for_threads(self) -> "GenerationWork":
        """The same for modules that are worked on at the same time: the listener hears one thing after another."""
        lock, listen = threading.Lock(), self.listen

        def one_at_a_time(happening: Happening) -> None:
            with lock:
                listen(happening)

        return replace(self, listen=one_at_a_time)
