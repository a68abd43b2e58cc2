"""A pytest session whose tests are run many times over, in copies of the process, to see who notices a mutant."""

import json
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

import pytest

Tell = Callable[[str], None]
_NO_LIMIT = 1 << 62
_MESSAGE_LIMIT = 500


class MutationSession:
    """The plugin. Once the tests are collected `then` decides what happens to them; pytest's own loop does not run."""

    def __init__(
        self, recorder: Any, then: "Callable[[MutationSession], None]", left_out: "frozenset[str]" = frozenset()
    ) -> None:
        self._recorder, self._then, self._left_out = recorder, then, left_out
        self.items: list[Any] = []
        self.has_run = False
        """Whether it came so far that there were tests, or that it was clear that there are none."""
        self.at_import = b""
        self.not_collected: list[tuple[str, str]] = []
        self._failed: str | None = None
        self._shared: dict[Any, int] = {}  # what the set-up of a shared fixture hits

    # --- what would take the tests out of our hands ------------------------------------------

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> Generator[None, Any, None]:
        options = early_config.known_args_namespace
        if hasattr(options, "no_cov"):
            options.no_cov = True  # measuring coverage slows every copy down, and its threshold is not our matter
        yield

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_cmdline_main(self, config: Any) -> Generator[None, Any, None]:
        if hasattr(config.option, "numprocesses"):  # pytest-xdist
            config.option.numprocesses, config.option.tx, config.option.dist = None, [], "no"
        if hasattr(config.option, "randomly_reorganize"):
            config.option.randomly_reorganize = False  # which test notices a mutant first must not be chance
        yield

    # --- collecting --------------------------------------------------------------------------

    def pytest_ignore_collect(self, collection_path: Any) -> "bool | None":
        return True if str(collection_path) in self._left_out else None

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.not_collected.append((report.nodeid, _short(report.longreprtext)))

    def pytest_collection_finish(self, session: Any) -> None:
        self.items = list(session.items)
        self.at_import = self._recorder.hits()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        terminal = session.config.pluginmanager.getplugin("terminalreporter")
        if terminal is not None:  # thousands of runs are nothing to print
            session.config.pluginmanager.unregister(terminal)
        self.has_run = True
        self._then(self)
        if terminal is not None:
            session.config.pluginmanager.register(terminal, "terminalreporter")
        return True

    # --- running -----------------------------------------------------------------------------

    def control(self, tell: Tell) -> None:
        """Run every test once and report of each: what it hits, how long it takes, whether it fails."""
        known: list[tuple[Any, int]] = []
        for item, following in _with_next(self.items):
            self._recorder.reset(_NO_LIMIT)
            began, cpu = time.perf_counter(), time.process_time()
            failure = self._run(item, following)
            seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
            known.append((item, int.from_bytes(self._recorder.hits(), "little")))
            report = {"seconds": seconds, "cpu": cpu, "work": self._recorder.used(), "failure": failure}
            tell(json.dumps(report))
        for item, own in known:  # only now is known what each fixture does that several tests share
            tell("%x" % (own | self._from_fixtures(item)))

    def first_to_fail(self, tests: Sequence[int], work: Callable[[int], int], tell: Tell) -> None:
        """Run these tests up to the first that fails, telling of each before it runs."""
        for number, (item, following) in zip(tests, _with_next([self.items[n] for n in tests]), strict=True):
            tell(json.dumps([number, item.nodeid]))
            self._recorder.reset(work(number))
            if self._run(item, following) is not None:
                tell("timeout" if self._recorder.exceeded else "failed")
                return
        tell("passed")

    def _run(self, item: Any, following: Any) -> "str | None":
        """What the test complained of; None where it did not."""
        self._failed = None
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        # A mutant may raise anything.
        except (Exception, pytest.exit.Exception, KeyboardInterrupt, SystemExit) as error:
            self._failed = "%s: %s" % (type(error).__name__, error)
        return self._failed

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and self._failed is None:
            crash = getattr(report.longrepr, "reprcrash", None)
            self._failed = _short(report.longreprtext if crash is None else str(crash.message))

    # --- fixtures that several tests share ---------------------------------------------------

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, None]:
        """The first test to ask for a shared fixture sets it up; what that hits counts for all who use it."""
        if fixturedef.scope == "function":
            yield
            return
        before = self._recorder.hits()
        self._recorder.clear_hits()
        yield
        self._shared[fixturedef] = self._shared.get(fixturedef, 0) | int.from_bytes(self._recorder.hits(), "little")
        self._recorder.add_hits(before)

    def _from_fixtures(self, item: Any) -> int:
        used = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
        hits = 0
        for definitions in used.values():
            for definition in definitions:
                hits |= self._shared.get(definition, 0)
        return hits


def _with_next(items: Sequence[Any]) -> "Iterable[tuple[Any, Any]]":
    return zip(items, [*items[1:], None], strict=False)


def _short(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return (lines[-1] if len(lines) > 3 else " ".join(lines))[:_MESSAGE_LIMIT]
