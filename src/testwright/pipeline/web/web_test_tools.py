"""What `test_from_context` needs of the project: its folders, its runners, its review queue."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from testwright.pipeline.web.answer import WebTestAnswer
from testwright.pipeline.web.proof import Trial

Progress = Callable[[str], None]
Propose = Callable[[WebTestAnswer], str]
"""Queues a test for review; the proposal's id."""


@dataclass(frozen=True)
class WebTestTools:
    root: Path
    folder: str = ""  # what the settings say; empty: found
    base_url: str = ""  # what the settings say
    trial: Callable[[str], Trial] | None = None  # runs tests that lie in the folder given; None: nothing is run
    is_reachable: Callable[[str], bool] = lambda _: False
    propose: Propose | None = None
    progress: Progress = lambda _: None
