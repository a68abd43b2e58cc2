"""`testwright generate`: write pytest tests for Python modules, and show them to a person before they go anywhere."""

import argparse
import getpass
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.faces.cli.common_options import add_json, add_project, count, seconds, whole_number

if TYPE_CHECKING:
    from testwright.generate.target_files import ModuleTargets
    from testwright.isolate.guard import IsolationLevel
    from testwright.pipeline.generating.generated_files import Keeper, KeptFile
    from testwright.pipeline.generating.generation_work import Stops
    from testwright.pipeline.generating.module_outcome import ModuleOutcome
    from testwright.pipeline.generating.module_plan import Wish
    from testwright.settings import Settings

DESCRIPTION = """\
Explore Python modules in isolation, on the project's own interpreter, and write pytest tests that
pin down what the code does. Every file has run twice before you see it, green, in fresh interpreters.

Without --output or --accept nothing is written: the tests wait in `testwright review`.
The same code, seed and budget give the same tests.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "targets", nargs="+", metavar="TARGET", help="a file, a folder, or file.py::function, file.py::Class.method"
    )
    where = parser.add_argument_group("where the tests go")
    where.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="write them here at once; what Testwright wrote here before is replaced",
    )
    where.add_argument("--accept", action="store_true", help="accept every proposal at once, a conftest.py too")
    where.add_argument(
        "--bugs", action="store_true", help="also a failing test and a note for each broken promise found"
    )
    how = parser.add_argument_group("how they are made")
    how.add_argument(
        "--budget", type=seconds, default=None, metavar="S", help="work for each module, in CPU seconds (default: 10)"
    )
    how.add_argument("--seed", type=count, default=None, metavar="N", help="another seed tries other inputs")
    how.add_argument("--python", type=Path, metavar="PATH", help="the interpreter or environment of the project")
    how.add_argument("-j", "--parallel", type=whole_number, metavar="N", help="modules at a time (default: processors)")
    how.add_argument(
        "--isolation",
        choices=["R0", "R1", "R2", "R3", "best"],
        default="best",
        help="how the code is shut off from files and network (default: best)",
    )
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    from testwright.generate.target_files import find_targets
    from testwright.model.errors import UsageError
    from testwright.run.project import Project
    from testwright.settings import load_settings

    if options.output is not None and options.accept:
        raise UsageError("--accept and --output exclude each other.", next_step="Leave one of them out.")
    settings = load_settings(options.project)
    root = Project.at(options.project).root
    targets = find_targets(options.targets, Path.cwd())
    return _carry_out(options, settings, _wish(options, settings, root), targets)


def _wish(options: argparse.Namespace, settings: "Settings", root: Path) -> "Wish":
    from testwright.generate.module_request import DEFAULT_BUDGET_SECONDS, DEFAULT_SEED, Budget
    from testwright.pipeline.generating.module_plan import Wish

    return Wish(
        root=root,
        output=options.output.absolute() if options.output is not None else None,
        python=_python(options, settings, root),
        seed=DEFAULT_SEED if options.seed is None else options.seed,
        budget=Budget.of(options.budget or DEFAULT_BUDGET_SECONDS),
        level=_level(options.isolation),
    )


def _python(options: argparse.Namespace, settings: "Settings", root: Path) -> Path | None:
    if options.python is not None:
        return Path(options.python)
    if "/" in settings.python:
        return root / settings.python
    return Path(settings.python) if settings.python else None


def _level(isolation: str) -> "IsolationLevel":
    from testwright.isolate.available_levels import choose_level, probe_levels
    from testwright.isolate.guard import IsolationLevel

    if isolation == IsolationLevel.R0.label:
        return IsolationLevel.R0
    return choose_level(None if isolation == "best" else IsolationLevel[isolation], probe_levels())


def _carry_out(options: argparse.Namespace, settings: "Settings", wish: "Wish", targets: "ModuleTargets") -> int:
    from testwright.faces.cli.generate_view import generation_listener, present
    from testwright.generate.engine import generate_module
    from testwright.model.errors import ExitCode
    from testwright.pipeline.generating.generation_work import GenerationWork, Stops
    from testwright.pipeline.generating.journey import generate_modules
    from testwright.pipeline.generating.module_outcome import cpu_seconds, exit_code_of, unusable
    from testwright.pipeline.generating.module_plan import plan_modules

    started, earlier = time.monotonic(), os.times()  # what children used before now was for another command
    stops = Stops()
    _stop_on_signals(stops)
    outcomes = [unusable(skipped) for skipped in targets.unusable]
    kept: list[list[KeptFile]] = [[] for _ in outcomes]
    plans = plan_modules(targets.files, wish)
    parallel = min(options.parallel or len(os.sched_getaffinity(0)), max(len(plans), 1))
    with _keeper(options, settings, wish) as keeper, generation_listener(quiet=options.json, total=len(plans)) as watch:
        work = GenerationWork(generate_module, stops, watch, with_bugs=options.bugs)
        for outcome in generate_modules(plans, work, parallel=parallel):
            outcomes.append(outcome)
            kept.append(keeper.keep(outcome))
        cpu_s = cpu_seconds() - earlier.children_user - earlier.children_system
        figures = {"cpu_s": round(cpu_s, 3), "wall_s": round(time.monotonic() - started, 3)}
        _write_figures(keeper, figures, outcomes)
    code = exit_code_of(outcomes)
    if code is ExitCode.OK and any(each.state == "failed" for files in kept for each in files):
        code = ExitCode.FAILURES
    present(
        list(zip(outcomes, kept, strict=True)), figures, code, as_json=options.json, interrupted=stops.enough.raised
    )
    return code


def _write_figures(keeper: "Keeper", figures: dict[str, float], outcomes: "list[ModuleOutcome]") -> None:
    from testwright.pipeline.generating.generated_files import OutputFolder
    from testwright.pipeline.generating.module_outcome import outcome_shape

    if isinstance(keeper, OutputFolder):
        keeper.write_figures({**figures, "modules": [outcome_shape(outcome) for outcome in outcomes]})


@contextmanager
def _keeper(options: argparse.Namespace, settings: "Settings", wish: "Wish") -> "Iterator[Keeper]":
    from testwright.pipeline.generating.generated_files import OutputFolder, Proposals

    if wish.output is not None:
        yield OutputFolder(wish.output)
        return
    from testwright.review.confined_root import ConfinedRoot
    from testwright.wiring import open_review

    with open_review(wish.root, settings) as queue, ConfinedRoot(wish.root) as root:
        yield Proposals(queue, root, accepted_by=_who() if options.accept else "")


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in some containers
        return f"user {os.getuid()}"


def _stop_on_signals(stops: "Stops") -> None:
    """The first Ctrl-C ends the exploring and keeps the best so far; a second one ends us there and then."""

    def stop(*_: object) -> None:
        if stops.enough.raised:
            stops.now()
            raise KeyboardInterrupt
        stops.enough()
        with suppress(OSError):  # whoever read it may be gone, which is no reason to lose what was found
            sys.stderr.write("\ntestwright: finishing with what was found so far. Once more to stop at once.\n")

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
