"""A second look at tests that lost an element: run once more and traced, to see the page they lost it on.

To trace every test of every run would cost a green suite a tenth of its time; this costs only tests that failed.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from testwright.model.case import TestCase, TestId
from testwright.model.events import AttemptFinished
from testwright.model.result import Attempt
from testwright.run.driver import Driver
from testwright.run.overlay import second_look
from testwright.run.planning import Planned

SECOND_LOOK = "second_look"  # the reason of an attempt that was made only to see the page


@contextmanager
def looked_again(
    groups: Sequence[tuple[Planned, Sequence[TestCase]]], driver: Driver
) -> Iterator[dict[TestId, Attempt]]:
    """The last attempt of each test. What it left behind, the trace above all, is there until the block ends."""
    with tempfile.TemporaryDirectory(prefix="testwright-", ignore_cleanup_errors=True) as folder:
        found: dict[TestId, Attempt] = {}
        for number, (item, cases) in enumerate(groups):
            planned = second_look(item, cases, Path(folder, str(number)))
            for event in driver.run(planned.adapter, planned.suite, planned.request):
                if isinstance(event, AttemptFinished):
                    found[event.case.id] = event.attempt
        yield found
