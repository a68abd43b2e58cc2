"""Carry out `testwright generate`: explore the modules, keep what was written, report how it went."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from testwright.faces.cli.generate_view import generation_listener, present
from testwright.faces.cli.user_name import user_name
from testwright.generate.engine import generate_module
from testwright.generate.module_request import DEFAULT_BUDGET_SECONDS, DEFAULT_SEED, Budget
from testwright.generate.target_files import ModuleTargets, find_targets
from testwright.isolate.available_levels import choose_level, probe_levels
from testwright.isolate.guard import IsolationLevel
from testwright.model.errors import ExitCode, UsageError
from testwright.pipeline.generating.generated_files import Keeper, KeptFile, OutputFolder, Proposals
from testwright.pipeline.generating.journey import generate_modules
from testwright.pipeline.generating.module_outcome import (
    GenerationWork,
    ModuleOutcome,
    Stops,
    cpu_seconds,
    exit_code_of,
    outcome_shape,
    unusable,
)
from testwright.pipeline.generating.module_plan import Wish, plan_modules
from testwright.review.confined_root import ConfinedRoot
from testwright.run.project import Project
from testwright.settings import Settings, load_settings
from testwright.wiring import open_review


def carry_out(options: argparse.Namespace) -> int:
    if options.output is not None and options.accept:
        raise UsageError("--accept and --output exclude each other.", next_step="Leave one of them out.")
    settings = load_settings(options.project)
    root = Project.at(options.project).root
    targets = find_targets(options.targets, Path.cwd())
    return _carry_out(options, settings, _wish(options, settings, root), targets)


def _wish(options: argparse.Namespace, settings: Settings, root: Path) -> Wish:
    return Wish(
        root=root,
        output=options.output.absolute() if options.output is not None else None,
        python=options.python or settings.python_at(root),
        seed=DEFAULT_SEED if options.seed is None else options.seed,
        budget=Budget.of(options.budget or DEFAULT_BUDGET_SECONDS),
        level=_isolation_level(options.isolation),
    )


def _isolation_level(isolation: str) -> IsolationLevel:
    if isolation == IsolationLevel.R0.label:
        return IsolationLevel.R0
    return choose_level(None if isolation == "best" else IsolationLevel[isolation], probe_levels())


def _carry_out(options: argparse.Namespace, settings: Settings, wish: Wish, targets: ModuleTargets) -> int:
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


def _write_figures(keeper: Keeper, figures: dict[str, float], outcomes: list[ModuleOutcome]) -> None:
    if isinstance(keeper, OutputFolder):
        keeper.write_figures({**figures, "modules": [outcome_shape(outcome) for outcome in outcomes]})


@contextmanager
def _keeper(options: argparse.Namespace, settings: Settings, wish: Wish) -> Iterator[Keeper]:
    if wish.output is not None:
        yield OutputFolder(wish.output)
        return
    with open_review(wish.root, settings) as queue, ConfinedRoot(wish.root) as root:
        yield Proposals(queue, root, accepted_by=user_name() if options.accept else "")


def _stop_on_signals(stops: Stops) -> None:
    """The first Ctrl-C ends the exploring and keeps the best so far; a second one ends us at once."""

    def stop(*_: object) -> None:
        if stops.enough.raised:
            stops.now()
            raise KeyboardInterrupt
        stops.enough()
        with suppress(OSError):  # the reader may be gone, which is not a reason to lose what was found
            sys.stderr.write("\ntestwright: finishing with what was found so far. Once more to stop at once.\n")

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
