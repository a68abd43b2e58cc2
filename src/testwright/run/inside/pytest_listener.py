"""Listens to a pytest session, and reports each test over a channel."""

import os
import sys
import time
from typing import Any, Dict, List, Optional, Tuple

import pytest

from .channel import Channel, clipped
from .pytest_selection import Selection, split, title_of
from .pytest_verdict import MESSAGE_LIMIT, complaints, duration_ms, last_line, message, reason, verdict, why_unreadable


class ChangeWatch:
    """Notices what a test changes beside its results."""

    changes: Tuple[str, ...] = ()


class Listener:
    """Describes the tests of a session and what came of them, and changes nothing about it."""

    def __init__(self, channel: Channel, watch: "Optional[ChangeWatch]" = None) -> None:
        self._channel, self._watch = channel, watch
        self._choice = Selection(channel.config)
        self._keys: Dict[str, List[int]] = {}  # node id -> the keys of the tests of that name, the next one first
        self._announced = 0
        self._reports: Dict[str, List[Any]] = {}  # node id -> those of the attempt that is going on
        self._started: Dict[str, float] = {}
        self._clock = time.time  # kept from now: tests stop the clock
        self._root = ""
        self._has_next = False  # whether another test follows the one that is running
        self._config: Any = None
        self._browser: Any = None  # watches pages, once a browser may be there

    def pytest_configure(self, config: Any) -> None:
        self._root, self._config = str(config.rootpath), config

    # --- which tests -------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: Any, items: List[Any]) -> None:
        kept = self._choice.of(items)
        if len(kept) != len(items):
            stay = set(map(id, kept))
            config.hook.pytest_deselected(items=[item for item in items if id(item) not in stay])
            items[:] = kept

    def pytest_collection_finish(self, session: Any) -> None:
        self._watch_browser()
        tests = [self._with_key(self._describe(item.nodeid, item)) for item in session.items]
        if tests or self._choice.fingerprint:
            self._channel.send("collected", tests=tests, whole=self._choice.fingerprint)

    def _watch_browser(self) -> None:
        """Tests without a browser pay nothing for those that have one: Playwright is not loaded for them."""
        if self._browser is None and "pages" in self._channel.config and "playwright.sync_api" in sys.modules:
            from .pytest_browser import BrowserWatch  # late: start-up: only for tests that have a browser

            self._browser = BrowserWatch(self._channel.config["pages"])
            self._config.pluginmanager.register(self._browser)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: List[str]) -> None:
        if not self._announced:  # every worker collects the same
            tests = [self._with_key(self._describe(nodeid)) for nodeid in ids]
            self._channel.send("collected", tests=tests)

    def _with_key(self, test: Dict[str, Any]) -> Dict[str, Any]:
        self._announced += 1
        test["key"] = self._announced
        self._keys.setdefault(test["native_id"], []).append(self._announced)
        return test

    def _describe(self, nodeid: str, item: Any = None) -> Dict[str, Any]:
        file, title = split(nodeid)
        test: Dict[str, Any] = {"file": os.path.join(self._root, file), "title": title, "native_id": nodeid}
        if item is not None:
            line = item.location[1]
            test.update(file=str(item.path), title=title_of(item), line=None if line is None else line + 1)
            test["occurrence"] = self._choice.occurrences.get(id(item), 1)
        return test

    def _test(self, nodeid: str) -> Any:
        return self._keys[nodeid][0] if nodeid in self._keys else self._describe(nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if not report.failed:
            return
        file, title = split(report.nodeid)
        path = os.path.join(self._root, file)
        code, where = why_unreadable(path)
        text = report.longreprtext
        self._channel.send(
            "finished",
            test={"file": path, "title": title, "native_id": report.nodeid},
            outcome="error",
            duration_ms=0.0,
            message=clipped(where or last_line(text), MESSAGE_LIMIT),
            reason=code,
            stack=clipped(text),
        )

    # --- what came of them -------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, nextitem: Any) -> None:
        self._has_next = nextitem is not None
        self._watch_browser()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        keys = self._keys.get(nodeid, ())
        if nodeid in self._started and len(keys) > 1:
            del self._keys[nodeid][0]  # the next test of that name
        self._start(nodeid)

    def _start(self, nodeid: str) -> None:
        self._reports[nodeid] = []
        self._started[nodeid] = self._clock()
        self._channel.send("started", test=self._test(nodeid))

    def pytest_runtest_logreport(self, report: Any) -> None:
        reports = self._reports.setdefault(report.nodeid, [])
        reports.append(report)
        if report.outcome == "rerun":
            self._finish(report.nodeid, reports)
            self._start(report.nodeid)
        elif report.when not in ("setup", "call"):
            self._finish(report.nodeid, reports)
            del self._reports[report.nodeid]

    def _finish(self, nodeid: str, reports: List[Any]) -> None:
        outcome, told = verdict(reports)
        text = message(told)
        changes = self._watch.changes if self._watch is not None else ()
        if outcome == "passed" and changes:
            outcome, text = "environment_changed", "It changed " + ", ".join(changes) + " and did not change it back."
        fields: Dict[str, Any] = {"message": clipped(text, MESSAGE_LIMIT)}
        if outcome not in ("passed", "skipped"):
            fields.update(stack=clipped(told.longreprtext), reason=reason(told), errors=complaints(reports))
        if self._browser is not None:
            fields["artifacts"] = self._browser.artifacts()
        # The next test starts at once. Before the end of the session, which may take long, nothing is held back.
        tell = self._channel.hold if self._has_next else self._channel.send
        tell(
            "finished",
            test=self._test(nodeid),
            outcome=outcome,
            duration_ms=duration_ms(reports),
            started_at=self._started.get(nodeid),
            stdout=clipped(reports[-1].capstdout),
            stderr=clipped(reports[-1].capstderr),
            **fields,
        )
