"""`testwright run`: every test of a project, isolated and remembered."""

import argparse
import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from testwright.faces.cli.arguments import add_json, add_project, count, seconds, size, whole_number
from testwright.isolate.child import Cancel
from testwright.isolate.guard import Rung
from testwright.isolate.limits import Limits
from testwright.model.case import Framework
from testwright.pipeline.running import Finished, Habits, new_run, run_suites
from testwright.run.driver import Driver, Surroundings
from testwright.run.framework import Request, Shard, Suite
from testwright.run.planning import Planned, parse_target, plan
from testwright.run.project import Project
from testwright.settings import Settings, load_settings
from testwright.wiring import RUNNABLE, Keeping, adapters, guarded_surroundings

PASSES_OPTIONS_ON = True
DESCRIPTION = """\
Run tests of any supported framework: pytest, Playwright Test, Vitest, Jest, node:test, agent skills.

Each runner is the project's own (its interpreter, its node_modules), started in isolation. What
follows `--` is handed to the runner as it is:  testwright run tests/ -- -m "not slow"
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help="a file, a folder or file::test (default: everything)"
    )
    what = parser.add_argument_group("what to run")
    what.add_argument(
        "--framework", action="append", choices=list(RUNNABLE), help="only this framework; may be repeated"
    )
    what.add_argument(
        "-k", "--select", action="append", default=[], metavar="GLOB", help="only tests whose id or name matches"
    )
    what.add_argument("--last-failed", "--lf", action="store_true", help="only tests that failed when they last ran")
    what.add_argument("--shard", type=_shard, metavar="I/N", help="part I of N, for spreading a suite over machines")
    how = parser.add_argument_group("how to run it")
    how.add_argument("-j", "--parallel", type=whole_number, metavar="N", help="N tests at a time")
    how.add_argument("--timeout", type=seconds, metavar="SECONDS", help="for each test (default: 300, or the setting)")
    how.add_argument(
        "--memory", type=size, metavar="SIZE", help="for each process, such as 2G; 0: no limit (default: 4G)"
    )
    how.add_argument("--output-limit", type=size, metavar="SIZE", help="that a runner may print (default: 256M)")
    how.add_argument("--retries", type=count, metavar="N", help="run failures again; every attempt is kept")
    how.add_argument("-x", "--fail-fast", action="store_true", help="stop at the first failure")
    how.add_argument(
        "--isolation", choices=["R1", "R2", "R3", "best"], help="guard the tests: no network, no stray writes"
    )
    how.add_argument("--warm", action="store_true", help="agent skills: one process for all files of a runtime")
    how.add_argument(
        "--check-environment", action="store_true", help="pytest: notice tests that change the process around them"
    )
    how.add_argument("--python", type=Path, metavar="PATH", help="the interpreter or environment for Python tests")
    how.add_argument("--coverage", action="store_true", help="pytest: measure coverage, kept with the run")
    told = parser.add_argument_group("what to be told")
    add_json(told)  # type: ignore[arg-type]  # a group takes arguments as its parser does
    told.add_argument("--junit", type=Path, metavar="FILE", help="also write JUnit XML")
    told.add_argument("-v", "--verbose", action="store_true", help="a line for every test")
    told.add_argument("--no-store", action="store_true", help="do not remember this run")
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    settings = load_settings(options.project)
    project = Project.at(options.project, exclude=settings.exclude)
    keeping = None if options.no_store else Keeping(project.root, settings)
    planned = _planned(options, settings, project, keeping)
    cancel = Cancel()
    driver = Driver(
        project,
        os.environ,
        limits=_limits(options, settings),
        cancel=cancel,
        surroundings=_surroundings(options, settings, project),
    )
    _stop_on_signals(cancel)
    finished = _run(options, settings, planned, driver, keeping)
    return finished.exit_code


def _run(
    options: argparse.Namespace, settings: Settings, planned: list[Planned], driver: Driver, keeping: Keeping | None
) -> Finished:
    from testwright.faces.cli.watching import watcher
    from testwright.pipeline.provenance import commit_of

    header = new_run(sys.argv[1:])
    if options.coverage:
        planned = [
            _with_coverage(item, driver.project.root, header.id, number) for number, item in enumerate(planned, 1)
        ]
    with watcher(quiet=options.json, verbose=options.verbose) as watch:
        finished = run_suites(
            planned,
            driver,
            header,
            habits=Habits(
                retries=settings.retries if options.retries is None else options.retries,
                parallel=options.parallel or settings.parallel or 1,
                fail_fast=options.fail_fast,
            ),
            record=keeping.begin if keeping is not None else None,
            provenance=lambda: commit_of(driver.project.root),
            listen=watch,
        )
    not_stored = keeping.finish(finished.run) if keeping is not None else None
    _present(options, finished, not_stored or finished.not_recorded)
    return finished


def _present(options: argparse.Namespace, finished: Finished, trouble: Exception | None) -> None:
    if options.junit is not None:
        from testwright.faces.cli.files import write_report
        from testwright.run.junit_writer import junit_xml

        write_report(options.junit, junit_xml(finished.run))
    if options.json:
        import json

        from testwright.model.shapes import run_shape

        sys.stdout.write(json.dumps({**run_shape(finished.run), "exitCode": int(finished.exit_code)}) + "\n")
        return
    from testwright.faces.cli.summary import print_summary

    print_summary(finished.run, kept=not options.no_store, trouble=trouble)


def _planned(
    options: argparse.Namespace, settings: Settings, project: Project, keeping: Keeping | None
) -> list[Planned]:
    request = Request(
        select=tuple(_as_glob(text) for text in options.select),
        shard=options.shard,
        workers=options.parallel or settings.parallel or None,
        fail_fast=options.fail_fast,
        test_seconds=options.timeout or settings.timeout,
        check_environment=options.check_environment,
        extra=options.passed_on,
    )
    wanted = tuple(Framework(name) for name in options.framework or settings.frameworks)
    known = adapters(
        project, frameworks=wanted or RUNNABLE, python=_python(options, settings, project), warm=options.warm
    )
    targets = [parse_target(text, project) for text in options.targets]
    failed = keeping.last_failed() if options.last_failed and keeping is not None else None
    return plan(project, known, request, targets=targets, last_failed=failed)


def _with_coverage(item: Planned, root: Path, run_id: str, number: int) -> Planned:
    from dataclasses import replace

    from testwright.settings import FOLDER

    file = root / FOLDER / "coverage" / f"{run_id}-{number}.coverage"
    file.parent.mkdir(parents=True, exist_ok=True)
    return replace(item, request=replace(item.request, coverage_file=file))


def _limits(options: argparse.Namespace, settings: Settings) -> Limits:
    memory = settings.memory if options.memory is None else options.memory
    output = settings.output if options.output_limit is None else options.output_limit
    return Limits(memory_bytes=memory or None, output_bytes=output)


def _surroundings(
    options: argparse.Namespace, settings: Settings, project: Project
) -> Callable[[Suite], AbstractContextManager[Surroundings]] | None:
    """Guarded ground when it was asked for; a user's own tests run as the user otherwise."""
    if options.isolation is None:
        return None
    return guarded_surroundings(project, _rung(options.isolation), _python(options, settings, project))


def _python(options: argparse.Namespace, settings: Settings, project: Project) -> Path | None:
    if options.python is not None:
        return Path(options.python)
    return project.root / settings.python if settings.python else None


def _rung(text: str) -> Rung | None:
    """The rung that was asked for; None for the best there is."""
    return None if text == "best" else Rung[text]


def _as_glob(text: str) -> str:
    """What a person means by a pattern without wildcards: anywhere in the name."""
    return text if any(mark in text for mark in "*?[") else f"*{text}*"


def _shard(text: str) -> Shard:
    index, _, total = text.partition("/")
    if not (index.isdigit() and total.isdigit() and 1 <= int(index) <= int(total)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a shard; write 1/3 for the first of three")
    return Shard(int(index), int(total))


def _stop_on_signals(cancel: Cancel) -> None:
    """The first Ctrl-C stops the run and keeps what finished; a second one stops us there and then."""

    def stop(*_: object) -> None:
        if cancel.raised:
            raise KeyboardInterrupt
        cancel()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
