"""A pytest plugin that finds out what tests are worth: what of a module they reach, which of its mutants they notice.

Tests run in copies of the process that has collected them, so that a test that exits, crashes or hangs costs only
itself. What to do comes in the channel's greeting as `worth`: the `module` and its `file`, how many `mutants` to try
at most with how many `runs` of tests, after how many `seconds` to give up on a single test (`test_seconds`) and on it
all (`seconds`), and a `seed` to choose the mutants by.
"""

import contextlib
import functools
import gc
import importlib
import time
import tokenize
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from testwright.generate.inside.fork_runner import Fork, in_fork
from testwright.generate.inside.pytest_gate.module_coverage import NO_LIMIT
from testwright.generate.inside.pytest_gate.mutant_tester import MutantTester, PassingTest
from testwright.generate.inside.pytest_gate.plain_session import PlainSession
from testwright.instrument.import_hook import serve_file
from testwright.instrument.live_mutants import LiveMutants
from testwright.instrument.probe_hits import bit_of, coverage
from testwright.instrument.probes import ProbeRecorder
from testwright.instrument.twin import make_twin

_TEXT_LIMIT = 500


class Worth(PlainSession):
    def __init__(self, channel: Any) -> None:
        self._channel, self._task = channel, channel.config["worth"]
        file = self._task["file"]
        with tokenize.open(file) as opened:
            source = opened.read()
        twin = make_twin(source, file)
        self._probes = twin.probes
        self._recorder = ProbeRecorder(twin.probes)
        # By file: existing tests may import the module by another name than ours.
        serve_file(twin.code, file, self._recorder.attach)
        self._live_mutants = LiveMutants(source, file, twin=True)
        self._items: list[Any] = []
        self._failed: list[tuple[str, str]] = []
        self._outcome = ("passed", "")
        self._shared: dict[Any, bytes] = {}  # what the set-up of a fixture hits that several tests share
        self.has_started = False

    def pytest_sessionstart(self) -> None:
        self.has_started = True

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._failed.append((report.nodeid, _main_line(report.longreprtext)))

    def pytest_internalerror(self, excrepr: Any) -> None:
        self._channel.send("broken", text=_main_line(str(excrepr)))

    # --- the work -------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        terminal = session.config.pluginmanager.getplugin("terminalreporter")
        if terminal is not None:  # it would print thousands of runs
            session.config.pluginmanager.unregister(terminal)
        self._items = list(session.items)
        self._measure()
        if terminal is not None:
            session.config.pluginmanager.register(terminal, "terminalreporter")
        return True

    def _measure(self) -> None:
        deadline = time.monotonic() + self._task["seconds"]
        with contextlib.suppress(Exception):  # if the module cannot be imported, its tests have already failed for it
            importlib.import_module(self._task["module"])
        at_import = self._recorder.hits()
        self._live_mutants.look_again()
        gc.collect()
        gc.freeze()  # forks need not search what is alive now; not sooner: `look_again` must find it
        known, is_late = self._control(deadline)
        # A test that reaches nothing of a module does not test it; what the import runs, any test would run.
        reaching = {number: test for number, test in known.items() if test.mask}
        tester = MutantTester(self._live_mutants, self._probes, reaching, self._try, seed=self._task["seed"])
        results = tester.run(at_import, most=self._task["mutants"], runs=self._task["runs"], deadline=deadline)
        together = int.from_bytes(at_import, "little")
        for test in reaching.values():
            together |= test.mask
        self._channel.send(
            "worth",
            tests=len(self._items),
            reaching=len(reaching),
            failed=self._failed,
            hits=[probe.index for probe in self._probes if together & bit_of(probe)],
            probes=len(self._probes),
            covered=coverage(self._probes, together),
            killed=sorted(results.killed),
            survived=sorted(results.survived),
            survivors=[
                [mutant.operator, mutant.line, mutant.description]
                for mutant in self._live_mutants.mutants
                if mutant.number in results.survived
            ],
            mutants=len(self._live_mutants.mutants),
            is_late=is_late or results.is_late,
        )

    def _control(self, deadline: float) -> "tuple[dict[int, PassingTest], bool]":
        """Run each test once, unchanged, and note what the passing ones reach."""
        known: dict[int, PassingTest] = {}
        begin = 0
        while begin < len(self._items):
            received: list[tuple[int, str, str, bytes, int] | None] = []
            ended = in_fork(
                functools.partial(self._run_from, begin, deadline),
                functools.partial(self._receive, received),
                patience_seconds=self._task["test_seconds"],
                leave_behind=self._channel.close,
            )
            for number, outcome, text, hits, work in filter(None, received):
                if outcome == "passed":
                    known[number] = PassingTest(int.from_bytes(hits, "little"), work)
                elif outcome == "failed":
                    self._failed.append((self._items[number].nodeid, text))
            if received[-1:] == [None] or ended.step < begin:
                break
            reason = ended.reason or "exited with status 0"
            self._failed.append((self._items[ended.step].nodeid, f"its process {reason}"))
            begin = ended.step + 1
        return known, time.monotonic() > deadline

    def _receive(self, received: "list[Any]", message: Any) -> None:
        received.append(message)
        self._channel.send("going_on")

    def _run_from(self, begin: int, deadline: float, fork: Fork) -> None:
        """Report each test from `begin` on, and None at the end: a test may exit with status 0."""
        numbers = range(begin, len(self._items))
        for number, following in zip(numbers, [*self._items[begin + 1 :], None], strict=True):
            if time.monotonic() > deadline:
                break
            fork.begin(number)
            outcome, text = self._run(self._items[number], following, NO_LIMIT)
            fork.leave_if_copied()
            hits = self._recorder.hits()
            work = self._recorder.used()
            for shared in self._shared_by(self._items[number]):
                hits = bytes(map(max, hits, shared))
            fork.send((number, outcome, text, hits, work))
        fork.send(None)

    def _try(self, tests: Sequence[int], work: Sequence[int], mutant: Any) -> "int | None":
        """Which of these tests, run in turn in a copy of their own, is the first not to pass with the mutant alive."""
        received: list[int | None] = []  # the test, or None at the end

        def run(fork: Fork) -> None:
            for function, code in self._live_mutants.functions_of(mutant) if mutant is not None else ():
                function.__code__ = code
            following = [*(self._items[number] for number in tests[1:]), None]
            for number, limit, after in zip(tests, work, following, strict=True):
                fork.begin(number)
                outcome, _ = self._run(self._items[number], after, limit)
                fork.leave_if_copied()
                if outcome != "passed":
                    fork.send(number)
                    return
            fork.send(None)

        # With a mutant alive a test is given less time. One that needs more also fails without it, and is left out.
        patience = self._task["test_seconds"] / 4
        ended = in_fork(run, received.append, patience_seconds=patience, leave_behind=self._channel.close)
        self._channel.send("going_on")
        if received:
            return received[0]
        return ended.step if ended.step in tests else tests[0]

    def _run(self, item: Any, following: Any, work: int) -> "tuple[str, str]":
        self._outcome = ("passed", "")
        self._recorder.reset(work)
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        except (Exception, pytest.exit.Exception, KeyboardInterrupt, SystemExit) as error:  # noqa: BLE001  hooks may
            # raise anything; in every case the test did not pass.
            self._outcome = ("failed", f"{type(error).__name__}: {error}")
        return self._outcome

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.passed or self._outcome[0] != "passed":
            return
        crash = getattr(report.longrepr, "reprcrash", None)
        text = _main_line(report.longreprtext) if crash is None else str(crash.message).partition("\n")[0][:_TEXT_LIMIT]
        # An expected failure counts as skipped to pytest. None of these says anything about the code.
        self._outcome = ("skipped" if report.skipped else "failed", text)

    # --- fixtures that several tests share -------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, None]:
        """The first test to ask for a shared fixture sets it up; what that hits counts for all who use it."""
        if fixturedef.scope == "function":
            yield
            return
        before = self._recorder.hits()
        self._recorder.clear_hits()
        yield
        self._shared[fixturedef] = self._recorder.hits()
        self._recorder.add_hits(before)

    def _shared_by(self, item: Any) -> "list[bytes]":
        used = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
        return [self._shared[each] for definitions in used.values() for each in definitions if each in self._shared]


def _main_line(text: str) -> str:
    """The most telling line of a report: the one that pytest marks, otherwise the last."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    marked = [line.removeprefix("E").strip() for line in lines if line.startswith("E ")]
    return (marked[:1] or lines[-1:] or [""])[0][:_TEXT_LIMIT]
