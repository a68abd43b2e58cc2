"""The first runner of a run, started while the rest of Testwright is still being loaded.

A runner takes longer to come up than we do. What has to be known to start it (the plan) is loaded
first; what listens to it, and everything behind that, while it loads its own packages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from testwright.isolate.child import Child
from testwright.isolate.limits import Limits
from testwright.model.errors import TestwrightError
from testwright.run.framework_adapter import RunnerLaunch, RunRequest, Suite
from testwright.run.suite_plan import PlannedSuite


class HeadStart:
    """Holds the runner until the driver takes it over; leaving the block ends one that was not taken."""

    def __init__(self, planned: PlannedSuite, env: Mapping[str, str], limits: Limits) -> None:
        self._planned = planned
        self._launches: Sequence[RunnerLaunch] = ()
        self._child: Child | None = None
        try:
            self._launches = planned.adapter.launches(planned.suite, planned.request, env)
        except TestwrightError:  # the driver meets the same trouble, and has somebody to tell
            return
        if self._launches:
            first = self._launches[0]
            self._child = Child(first.command, limits=replace(limits, seconds=None), channel=first.config)
            self._child.start()

    def launches(self, suite: Suite, request: RunRequest) -> Sequence[RunnerLaunch]:
        """What was made for just this suite and request; empty for any other."""
        is_ours = suite is self._planned.suite and request is self._planned.request
        return self._launches if is_ours else ()

    def take(self, launch: RunnerLaunch) -> Child | None:
        """The child that was started for `launch`; from now on it is the caller's."""
        if self._child is None or launch is not self._launches[0]:
            return None
        child, self._child = self._child, None
        return child

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._child is not None:
            with self._child:
                self._child = None
