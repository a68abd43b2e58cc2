"""The seam between us and a test framework.

An adapter finds the suites of its framework in a project and says how to start its runner for some
of their tests. Everything else (limits, the conversation with the runner, retries, restarts after a
crash) is the same for all of them and lives in `driver`.

A value of which only the fields are needed is a named tuple here: to make such a class takes a tenth of the
time, and the first runner of a run is not started before all of these are made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

from testwright.isolate.command import Command
from testwright.model.case import Framework, TestCase
from testwright.run.project import Project


class Suite(NamedTuple):
    """Tests of one framework that one runner runs together."""

    framework: Framework
    root: Path  # where the runner is started
    files: tuple[Path, ...] = ()  # the test files, where they are known without asking the runner
    config: Path | None = None


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `index` (from 1) of `count`."""

    index: int
    count: int


class PageWatch(NamedTuple):
    """pytest with a browser: keep the pages of tests that lose an element, and what locators find in others."""

    folder: Path  # where the pages go; of the run, not of the project
    record: bool = False  # also what locators find
    known: tuple[str, ...] = ()  # call sites, as `file:line`, whose elements need not be recorded again
    share: float = 0.25  # of the session's time that recording may take; runs that record are few


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Which tests of a suite to run, and how. Empty `paths` and `named`, and `only` None: all of them."""

    paths: tuple[Path, ...] = ()  # files or folders, absolute; `file::name` is split off before
    only: tuple[TestCase, ...] | None = None  # exactly these: a retry, a restart after a crash, the last failed
    select: tuple[str, ...] = ()  # globs on a test's id or name, any of which may match
    shard: Shard | None = None
    workers: int | None = None  # None: what the runner itself would use
    fail_fast: bool = False
    test_seconds: float | None = None
    coverage_file: Path | None = None  # where to leave coverage data, when it is wanted
    check_environment: bool = False
    extra: tuple[str, ...] = ()  # the user's own options for the runner, after `--`
    named: tuple[tuple[Path, str], ...] = ()  # pytest: tests by file and name, besides `paths`
    share: Shard | None = None  # pytest: the part that one of several processes of this run takes
    left_out: tuple[Path, ...] = ()  # files not to load, since they end the runner that does
    trace: str | None = None  # Playwright: `on` traces every test; None: as its configuration says
    aside: Path | None = None  # Playwright: where a second look of ours leaves its files; the user's reports stay
    pages: PageWatch | None = None  # pytest: None: nothing is kept of pages

    def for_cases(self, cases: tuple[TestCase, ...]) -> "RunRequest":
        """The same, for exactly these tests, however they were chosen."""
        return replace(self, only=cases, paths=(), named=(), select=(), shard=None, share=None)


class RunnerLaunch(NamedTuple):
    """One runner process to start. `config` reaches our reporter inside it over the channel."""

    command: Command
    config: Mapping[str, object] = MappingProxyType({})
    request: RunRequest = RunRequest()
    # A runner that ends an overlong test by itself is given this much longer before we end it all.
    slack_seconds: float = 0.0


class FrameworkAdapter(Protocol):
    """What a framework has to tell us."""

    framework: Framework

    def suites(self, project: Project) -> Sequence[Suite]:
        """The suites of this framework in the project; empty when it does not use it."""

    def launches(self, suite: Suite, request: RunRequest, env: Mapping[str, str]) -> Sequence[RunnerLaunch]:
        """The processes that together run what is asked, each test in exactly one. Raises RunnerMissing."""
