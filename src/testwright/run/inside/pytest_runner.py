"""Run pytest in the project's interpreter and report each test over the private channel.

Started as `python pytest_runner.py PYTEST-ARGUMENTS`. What to leave out of the collected tests comes
in the channel's greeting, so that thousands of names fit and none can be taken for an option.
"""

import fnmatch
import importlib.util
import os
import signal
import sys
import time


def _sibling(name):
    """Import a file that lies beside this one, whatever the import path is."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("_testwright_" + name, place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_channel = _sibling("channel")
clipped = _channel.clipped


class Interruption:
    """Tells a Ctrl-C that was passed on to us from a KeyboardInterrupt that a test raised itself."""

    def __init__(self):
        self.came = False
        signal.signal(signal.SIGINT, self._note)

    def _note(self, number, frame):
        self.came = True
        raise KeyboardInterrupt


class RaisedInTest(Exception):
    """A test raised what would have ended the whole session; only that test has failed."""


_ENDS_A_SESSION = ("SystemExit", "RaisedInTest", "_pytest_runner.RaisedInTest", "__main__.RaisedInTest")


class Reporter:
    """A pytest plugin: narrows the collection down to what was asked for, and reports."""

    def __init__(self, channel, interruption):
        self._channel = channel
        self._config = channel.config
        self._interruption = interruption
        self._known = {}  # node id -> key
        self._phases = {}  # node id -> the reports of the attempt that is going on
        self._started = {}
        self._changed = {}
        self.stopped = False

    # --- which tests -------------------------------------------------------------------------

    def pytest_collection_modifyitems(self, config, items):
        kept = self._wanted(items)
        if len(kept) != len(items):
            gone = set(map(id, items)) - set(map(id, kept))
            config.hook.pytest_deselected(items=[item for item in items if id(item) in gone])
            items[:] = kept

    pytest_collection_modifyitems.pytest_impl = {"trylast": True}

    def _wanted(self, items):
        only, select = self._config.get("only"), self._config.get("select")
        if only is not None:
            asked = set(only)
            items = [item for item in items if item.nodeid in asked]
        if select:
            items = [item for item in items if _is_selected(self._describe(item.nodeid, item), select)]
        for part in ("shard", "share"):
            if self._config.get(part):
                index, count = self._config[part]
                items = _part(items, index, count)
        return items

    def pytest_collection_finish(self, session):
        if session.items:
            self._channel.send("collected", tests=[self._announced(item) for item in session.items])

    def _announced(self, item):
        test = self._describe(item.nodeid, item)
        self._known[item.nodeid] = test["key"] = len(self._known) + 1
        return test

    def _describe(self, nodeid, item=None):
        file, title = _split(nodeid)
        line = None
        if item is not None:
            file, line = str(item.path), (item.location[1] or 0) + 1
        return {"file": os.path.join(self._root, file), "title": title, "line": line, "native_id": nodeid}

    def _test(self, nodeid):
        return self._known.get(nodeid) or self._describe(nodeid)

    # --- what came of them -------------------------------------------------------------------

    def pytest_configure(self, config):
        self._root = str(config.rootpath)
        self._pluginmanager = config.pluginmanager

    def pytest_runtest_logstart(self, nodeid, location):
        self._phases[nodeid] = []
        self._started[nodeid] = time.time()
        self._channel.send("started", test=self._test(nodeid))

    def pytest_runtest_logreport(self, report):
        phases = self._phases.setdefault(report.nodeid, [])
        phases.append(report)
        if report.when == "teardown" or report.outcome == "rerun":
            self._finish(report.nodeid, phases)
            self._phases[report.nodeid] = []

    def _finish(self, nodeid, phases):
        outcome, told = _verdict(phases)
        reason = _reason(told)
        changes = self._changed.pop(nodeid, None)
        message = _message(told)
        if outcome == "passed" and changes:
            outcome, message = "environment_changed", "It changed " + ", ".join(changes) + " and did not change it back."
        fields = {"message": clipped(message, 8192), "reason": reason}
        if outcome not in ("passed", "skipped"):
            fields["stack"] = clipped(told.longreprtext)
        self._channel.send(
            "finished",
            test=self._test(nodeid),
            outcome=outcome,
            duration_ms=sum(phase.duration for phase in phases) * 1000,
            started_at=self._started.get(nodeid),
            stdout=clipped(phases[-1].capstdout),
            stderr=clipped(phases[-1].capstderr),
            **fields,
        )

    def pytest_collectreport(self, report):
        if not report.failed:
            return
        file, title = _split(report.nodeid)
        path = os.path.join(self._root, file)
        reason, where = _why_unreadable(path)
        text = report.longreprtext
        self._channel.send(
            "finished",
            test={"file": path, "title": title, "native_id": report.nodeid},
            outcome="error",
            duration_ms=0.0,
            message=where or _last_line(text),
            reason=reason,
            stack=clipped(text),
        )

    def pytest_internalerror(self, excrepr):
        self._channel.send("problem", code="runner_failed", message="pytest failed inside: " + clipped(str(excrepr), 8192))

    def pytest_sessionfinish(self, session):
        self.stopped = bool(session.shouldstop or session.shouldfail)

    # --- around each test --------------------------------------------------------------------

    def pytest_runtest_protocol(self, item, nextitem):
        if not self._config.get("check_environment"):
            yield
            return
        before = _surroundings()
        yield
        after = _surroundings()
        self._changed[item.nodeid] = sorted(name for name in before if before[name] != after[name])

    pytest_runtest_protocol.pytest_impl = {"hookwrapper": True, "tryfirst": True}

    def pytest_runtest_call(self, item):
        outcome = yield
        raised = outcome.excinfo[1] if outcome.excinfo else None
        if isinstance(raised, KeyboardInterrupt) and not self._interruption.came:
            outcome.force_exception(RaisedInTest("the test raised KeyboardInterrupt").with_traceback(raised.__traceback__))

    pytest_runtest_call.pytest_impl = {"hookwrapper": True, "tryfirst": True}


def _verdict(phases):
    """The outcome of an attempt, and the report that tells most about it."""
    for report in phases:
        if report.outcome == "rerun":
            return "failed", report
        if report.failed:
            is_check = report.when == "call" and not _message(report).startswith(_ENDS_A_SESSION)
            return ("failed" if is_check else "error"), report
    for report in phases:
        if report.skipped:
            return "skipped", report
    called = [report for report in phases if report.when == "call"]
    if not called:
        return "no_verdict", phases[-1]
    return "passed", called[-1]


def _message(report):
    if hasattr(report, "wasxfail"):
        kind = "expected failure" if report.skipped else "passed though expected to fail"
        return "%s: %s" % (kind, report.wasxfail.replace("reason: ", "", 1)) if report.wasxfail else kind
    if isinstance(report.longrepr, tuple):  # a skip: (file, line, reason)
        return str(report.longrepr[2]).replace("Skipped: ", "", 1)
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return crash.message
    return _last_line(report.longreprtext)


def _reason(report):
    message = _message(report)
    if message.startswith("MemoryError"):
        return "memory_limit"
    if message.startswith("PermissionError: [Errno 13]") or message.startswith("OSError: [Errno 30]"):
        return "write_blocked"
    return ""


def _last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def _why_unreadable(path):
    """Why a test file cannot be compiled: a stable code and a sentence with the line; empty when it can."""
    if not os.path.isfile(path):
        return "", ""
    name = os.path.basename(path)
    try:
        with open(path, "rb") as file:
            compile(file.read(), path, "exec", dont_inherit=True)
    except SyntaxError as error:
        if "encoding" in str(error) or "codec" in str(error):
            return "invalid_test_encoding", "%s: %s" % (name, error.msg)
        return "invalid_test_syntax", "%s, line %s: %s" % (name, error.lineno, error.msg)
    except (ValueError, MemoryError, RecursionError) as error:
        return "invalid_test_syntax", "%s: %s" % (name, str(error) or type(error).__name__)
    return "", ""


def _surroundings():
    """What a test should leave as it found it."""
    return {
        "environment variables": {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"},
        "the working directory": os.getcwd(),
        "sys.path": list(sys.path),
        "the umask": _umask(),
    }


def _umask():
    current = os.umask(0)
    os.umask(current)
    return current


def _split(nodeid):
    """A node id's file and the parts of its title; a parameter may hold `::` itself."""
    file, _, rest = nodeid.partition("::")
    if not rest:
        return file, []
    plain, bracket, parameters = rest.partition("[")
    title = plain.split("::")
    title[-1] += bracket + parameters
    return file, title


def _is_selected(test, patterns):
    names = (test["native_id"], " › ".join(test["title"]), test["title"][-1] if test["title"] else "")
    return any(
        fnmatch.fnmatchcase(name, pattern) if any(mark in pattern for mark in "*?") else pattern in name
        for pattern in patterns
        for name in names
    )


def _part(items, index, count):
    """Part `index` (from 1) of `count`: whole files where there are enough of them, so that fixtures are shared."""
    files = {}
    for item in items:
        files.setdefault(str(item.path), []).append(item)
    if len(files) < count:
        return items[index - 1 :: count]
    loads = [0] * count
    mine = set()
    for name in sorted(files, key=lambda name: (-len(files[name]), name)):
        lightest = loads.index(min(loads))
        loads[lightest] += len(files[name])
        if lightest == index - 1:
            mine.add(name)
    return [item for item in items if str(item.path) in mine]


def _start_coverage(config):
    """coverage.py, when it was asked for; a problem is reported by the caller when it is not installed."""
    if not config.get("coverage_file"):
        return None
    import coverage

    measuring = coverage.Coverage(data_file=config["coverage_file"], branch=True)
    measuring.start()
    return measuring


def main():
    channel = _channel.Channel()
    sys.path.pop(0)  # this file's folder, which a plain `pytest` would not have there
    # A debugger or a plugin may read this: say what was really run.
    sys.argv[0] = "pytest"
    try:
        import pytest
    except ImportError:
        channel.send(
            "problem",
            code="runner_missing",
            message="pytest is not installed for " + sys.executable + ".",
            next_step="Install it there, or name another interpreter with --python.",
        )
        channel.send("end", exit_code=3, stopped=False)
        return 3
    try:
        measuring = _start_coverage(channel.config)
    except ImportError:
        measuring = None
        channel.send(
            "problem",
            code="coverage_missing",
            message="coverage is not installed for " + sys.executable + ".",
            next_step="Install coverage there, or run without --coverage.",
        )
    for hook in vars(Reporter).values():
        if hasattr(hook, "pytest_impl"):
            pytest.hookimpl(**hook.pytest_impl)(hook)
    reporter = Reporter(channel, Interruption())
    code = int(pytest.main(sys.argv[1:], plugins=[reporter]))
    if measuring is not None:
        measuring.stop()
        measuring.save()
    sys.stdout.flush()
    channel.send("end", exit_code=code, stopped=reporter.stopped)
    return code


if __name__ == "__main__":
    sys.exit(main())
