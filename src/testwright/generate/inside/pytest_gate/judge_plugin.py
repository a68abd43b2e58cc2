"""A pytest plugin that runs only a generated file, reports each test and reads the probes in between.

What to do comes in the channel's greeting: `file` (the generated file), `order` (None: as written, or a text to shuffle
by) and `roots` (folders that must be on the import path, each with the places that count as it).
"""

import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from testwright.generate.inside.pytest_gate.plain_session import PlainSession

_TEXT_LIMIT = 8000


class Judge(PlainSession):
    """`measuring` (see `module_coverage`) watches the module under test; None: it is not watched."""

    def __init__(self, channel: Any, measuring: Any) -> None:
        self._channel, self._measuring = channel, measuring
        self._config = channel.config
        self._file = os.path.realpath(self._config["file"])
        self._own: set[str] = set()
        self._waiting: set[str] = set()
        self._outcomes: dict[str, tuple[str, str]] = {}  # node id -> what is known of its outcome so far
        self.has_started = False

    def pytest_sessionstart(self) -> None:
        self.has_started = True
        if self._measuring is not None:
            self._measuring.come_first()

    # --- which tests, in which order ----------------------------------------------------------

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            is_own = Path(self._file).name in report.nodeid
            self._channel.send("not_collected", own=is_own, text=_end_of(report.longreprtext))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        own = sorted((item for item in items if self._is_own(item)), key=_place)
        if self._config["order"] is not None:
            random.Random(self._config["order"]).shuffle(own)
        items[:] = own

    def _is_own(self, item: Any) -> bool:
        return bool(os.path.realpath(str(item.path)) == self._file)

    def pytest_collection_finish(self, session: Any) -> None:
        own = [item for item in session.items if self._is_own(item)]
        self._own = {item.nodeid for item in own}
        self._waiting = set(self._own)
        on_path = {os.path.realpath(place) for place in sys.path}
        self._channel.send(
            "collected",
            tests=[{"id": item.nodeid, "function": _function(item), "row": _row(item)} for item in own],
            missing_roots=[
                root
                for root, places in self._config["roots"].items()
                if on_path.isdisjoint(map(os.path.realpath, places))
            ],
        )
        if self._measuring is not None:
            self._channel.send("imported", **self._measuring.seen())

    # --- their outcomes -----------------------------------------------------------------------

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if nodeid in self._own:
            self._outcomes[nodeid] = ("passed", "")
            self._channel.send("started", id=nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.nodeid not in self._own:
            return
        if not report.passed and self._outcomes[report.nodeid][0] == "passed":
            # An expected failure counts as skipped to pytest. None of these says anything about the code.
            outcome = "skipped" if report.skipped else "failed" if report.when == "call" else "error"
            self._outcomes[report.nodeid] = (outcome, _end_of(report.longreprtext))
        if report.when == "teardown":
            outcome, text = self._outcomes[report.nodeid]
            self._channel.send("finished", id=report.nodeid, outcome=outcome, text=text)
            self._finish(report.nodeid)

    def _finish(self, nodeid: str) -> None:
        self._waiting.discard(nodeid)
        if self._measuring is not None and not self._waiting:
            self._channel.send("covered", **self._measuring.seen())

    def pytest_internalerror(self, excrepr: Any) -> None:
        self._channel.send("broken", text=_end_of(str(excrepr)))


def _place(item: Any) -> tuple[int, int]:
    """The place of a test in its file."""
    return (item.location[1] or 0, _row(item) or 0)


def _function(item: Any) -> str:
    name = getattr(item, "originalname", None) or item.name
    return f"{item.cls.__name__}.{name}" if getattr(item, "cls", None) is not None else str(name)


def _row(item: Any) -> int | None:
    """Which row of its parameters a test runs with; None where it has none, or rows of several tables at once."""
    callspec = getattr(item, "callspec", None)
    rows = set(callspec.indices.values()) if callspec is not None else set()
    return rows.pop() if len(rows) == 1 else None


def _end_of(text: str) -> str:
    """The end of a text that is too long: the error itself is there."""
    return text if len(text) <= _TEXT_LIMIT else "[…]\n" + text[-_TEXT_LIMIT:]
