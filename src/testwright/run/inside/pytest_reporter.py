"""pytest plugins of ours: narrow the collection down to what was asked for, keep the session alive, report."""

import os
import signal
import sys
import time
import traceback
from typing import Any, Dict, Generator, List, Optional, Tuple

import pytest

from .channel import Channel, clipped
from .pytest_choice import Choice, split, title_of
from .pytest_verdict import (
    MESSAGE_LIMIT,
    RaisedInTest,
    complaints,
    duration_ms,
    last_line,
    message,
    reason,
    verdict,
    why_unreadable,
)

Wrapper = Generator[None, Any, None]


def plugins(channel: Channel, is_measuring: bool) -> List[Any]:
    """The reporter, and what else this run needs."""
    config = channel.config
    watch = EnvironmentWatch() if config.get("check_environment") else None
    reporter = Reporter(channel, watch, is_measuring)
    left_out = [LeftOut(config["left_out"])] if config.get("left_out") else []
    return [reporter, *left_out, *([watch] if watch is not None else [])]


class Interruption:
    """Tells a Ctrl-C that was passed on to us from a KeyboardInterrupt that a test raised itself."""

    def __init__(self) -> None:
        self.came = False
        signal.signal(signal.SIGINT, self._note)

    def _note(self, *_: Any) -> None:
        self.came = True
        raise KeyboardInterrupt


class Reporter:
    def __init__(self, channel: Channel, watch: "Optional[EnvironmentWatch]", is_measuring: bool) -> None:
        self._channel, self._watch, self._is_measuring = channel, watch, is_measuring
        self._choice = Choice(channel.config)
        self._interruption = Interruption()
        self._keys: Dict[str, List[int]] = {}  # node id -> the keys of the tests of that name, the next one first
        self._announced = 0
        self._reports: Dict[str, List[Any]] = {}  # node id -> those of the attempt that is going on
        self._started: Dict[str, float] = {}
        self._clock = time.time  # kept from now: tests stop the clock
        self._root = ""
        self._has_next = False  # whether another test follows the one that is running
        self._config: Any = None
        self._browser: Any = None  # watches pages, once a browser may be there
        self.stopped = False

    # --- how the session starts --------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> Wrapper:
        options = early_config.known_args_namespace
        if self._is_measuring and hasattr(options, "no_cov"):
            options.no_cov = True  # two at once measure nothing: pytest-cov gives way
        outcome = yield
        raised = outcome.excinfo[1] if outcome.excinfo else None
        if type(raised).__name__ == "ConftestImportFailure":
            self._tell_of_conftest(raised)

    def _tell_of_conftest(self, failure: Any) -> None:
        cause = getattr(failure, "cause", None) or failure.excinfo[1]
        path = str(failure.path)
        self._channel.send(
            "problem",
            code="conftest_failed",
            message="%s could not be loaded: %s: %s" % (path, type(cause).__name__, clipped(str(cause), MESSAGE_LIMIT)),
            file=path,
            next_step="No test below its folder can run before that is mended.",
        )

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_cmdline_main(self, config: Any) -> Wrapper:
        if hasattr(config.option, "numprocesses") and (self._choice.is_narrow or self._watch or self._is_measuring):
            # Our part of the work is done in this process, and pytest-xdist would take the tests out of it.
            config.option.numprocesses, config.option.tx, config.option.dist = None, [], "no"
        yield

    def pytest_configure(self, config: Any) -> None:
        self._root, self._config = str(config.rootpath), config

    # --- which tests -------------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector: Any) -> Wrapper:
        is_file = isinstance(collector, pytest.File)
        if is_file:  # should it take the whole process with it, it is known which file did
            self._channel.send("loading", file=str(collector.path))
        outcome = yield
        if is_file:
            self._channel.send("loading", file=None)
        raised = outcome.excinfo[1] if outcome.excinfo else None
        if isinstance(raised, SystemExit) or (isinstance(raised, KeyboardInterrupt) and not self._interruption.came):
            told = "".join(traceback.format_exception(type(raised), raised, raised.__traceback__))
            outcome.force_result(pytest.CollectReport(collector.nodeid, "failed", told, []))

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
        """Tests without a browser pay nothing for those that have one: nobody has loaded Playwright for them."""
        if self._browser is None and "pages" in self._channel.config and "playwright.sync_api" in sys.modules:
            from .pytest_browser import BrowserWatch

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

    # --- how the session ends ----------------------------------------------------------------

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        if not isinstance(excinfo.value, pytest.exit.Exception):
            return
        self.stopped = True
        text = "pytest.exit() was called: %s" % excinfo.value
        for nodeid in list(self._reports):
            self._channel.send(
                "finished", test=self._test(nodeid), outcome="error", message=clipped(text, MESSAGE_LIMIT)
            )
        self._channel.send(
            "problem",
            code="runner_stopped",
            message=clipped(text, MESSAGE_LIMIT) + "\nNo test after that was run.",
            next_step="A test that cannot go on should fail or be skipped; pytest.exit() ends the whole session.",
        )

    def pytest_internalerror(self, excrepr: Any) -> None:
        text = "pytest failed inside: " + clipped(str(excrepr), MESSAGE_LIMIT)
        self._channel.send("problem", code="runner_failed", message=text)

    def pytest_sessionfinish(self, session: Any) -> None:
        why = str(session.shouldstop or session.shouldfail or self._config.option.collectonly or "")
        distributed = self._config.pluginmanager.get_plugin("dsession")
        why = why or str(getattr(distributed, "shouldstop", "") or "")
        # A limit on lost workers is no wish of the user's: what they have not run is still to be run.
        self.stopped = self.stopped or bool(why and "crashed workers" not in why)

    # --- around each test --------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, nextitem: Any) -> None:
        self._has_next = nextitem is not None
        self._watch_browser()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Wrapper:
        self._contain((yield))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Wrapper:
        self._contain((yield))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Wrapper:
        self._contain((yield))

    def _contain(self, outcome: Any) -> None:
        """A KeyboardInterrupt that nobody sent fails its test, not the session."""
        if not outcome.excinfo or self._interruption.came:
            return
        kind, _, trace = outcome.excinfo
        if issubclass(kind, KeyboardInterrupt):
            instead = RaisedInTest("the test raised " + kind.__name__).with_traceback(trace)
            if hasattr(outcome, "force_exception"):
                outcome.force_exception(instead)
            else:  # pluggy before 1.1
                outcome._excinfo = (RaisedInTest, instead, trace)  # noqa: SLF001  it had no public way


class LeftOut:
    """Keeps pytest from loading files that have ended its process before."""

    def __init__(self, files: List[str]) -> None:
        self._files = {os.path.realpath(file) for file in files}

    @pytest.hookimpl(tryfirst=True)
    def pytest_make_collect_report(self, collector: Any) -> Any:
        if isinstance(collector, pytest.File) and os.path.realpath(str(collector.path)) in self._files:
            return pytest.CollectReport(collector.nodeid, "passed", None, [])
        return None


class EnvironmentWatch:
    """Notices what a test has changed about its process and not changed back."""

    def __init__(self) -> None:
        self.changes: Tuple[str, ...] = ()
        self._before: Dict[str, Any] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self.changes, self._before = (), _surroundings()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "teardown":
            after = _surroundings()
            self.changes = tuple(sorted(name for name, value in self._before.items() if value != after[name]))


def _surroundings() -> Dict[str, Any]:
    """What a test should leave as it found it."""
    return {
        "environment variables": {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"},
        "the working directory": _working_directory(),
        "sys.path": list(sys.path),
        "the umask": _umask(),
    }


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
