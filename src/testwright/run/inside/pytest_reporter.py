"""pytest plugins of ours: narrow the collection down to what was asked for, keep the session alive, report."""

import os
import signal
import sys
import traceback
from typing import Any, Dict, Generator, List, Optional

import pytest

from .channel import Channel, clipped
from .pytest_listener import ChangeWatch, Listener
from .pytest_verdict import MESSAGE_LIMIT, RaisedInTest

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


class Reporter(Listener):
    """The same for a session of ours, which goes on after anything its tests do."""

    def __init__(self, channel: Channel, watch: "Optional[EnvironmentWatch]", is_measuring: bool) -> None:
        super().__init__(channel, watch)
        self._is_measuring = is_measuring
        self._interruption = Interruption()
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
        # A limit on lost workers is not a wish of the user's: what they have not run is still to be run.
        self.stopped = self.stopped or bool(why and "crashed workers" not in why)

    # --- around each test --------------------------------------------------------------------

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
        """A KeyboardInterrupt that was not sent to us fails its test, not the session."""
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


class EnvironmentWatch(ChangeWatch):
    """Notices what a test has changed about its process and not changed back."""

    def __init__(self) -> None:
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
