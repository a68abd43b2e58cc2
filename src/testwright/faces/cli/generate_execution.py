"""Carry out `testwright generate`: explore the modules, keep what was written, report how it went."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from testwright.faces.cli.standard_output import diff_lines, markup_text, print_json, print_table
from testwright.faces.cli.user_name import user_name
from testwright.generate.engine import generate_module
from testwright.generate.module_request import DEFAULT_BUDGET_SECONDS, DEFAULT_SEED, Budget
from testwright.generate.target_files import ModuleTargets, find_targets
from testwright.isolate.available_levels import choose_level, probe_levels
from testwright.isolate.guard import IsolationLevel
from testwright.model.errors import ExitCode, UsageError
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.generating.generated_files import Keeper, KeptFile, OutputFolder, Proposals
from testwright.pipeline.generating.journey import generate_modules
from testwright.pipeline.generating.module_outcome import (
    Advanced,
    Begun,
    Ended,
    GenerationWork,
    Happening,
    Listener,
    ModuleOutcome,
    Status,
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

_DIFF_LINES_SHOWN = 120
_SKIPPED_SHOWN = 5
Results = Sequence[tuple[ModuleOutcome, Sequence[KeptFile]]]


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


@contextmanager
def generation_listener(*, quiet: bool, total: int) -> Iterator[Listener]:
    if quiet:
        yield lambda _: None
    elif sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        with _live() as listen:
            yield listen
    else:
        yield _plain(total)


def _plain(total: int) -> Listener:
    done = 0

    def listen(happening: Happening) -> None:
        nonlocal done
        if isinstance(happening, Ended):
            done += 1
            _say(f"[{done}/{total}] {visible_line(happening.outcome.shown)}: {_in_short(happening.outcome)}")

    return listen


@contextmanager
def _live() -> Iterator[Listener]:
    # late: only for a person at a terminal: rich
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[stage]}"), TimeElapsedColumn())
    with Progress(*columns, transient=True) as bars:
        tasks: dict[str, Any] = {}

        def listen(happening: Happening) -> None:
            match happening:
                case Begun(shown):
                    tasks[shown] = bars.add_task(markup_text(shown), total=1.0, stage="starting")
                case Advanced(shown, progress):
                    covered = f", {progress.covered:.0%} covered" if progress.covered is not None else ""
                    bars.update(tasks[shown], completed=progress.done, stage=f"{progress.stage}{covered}")
                case Ended(outcome):
                    bars.remove_task(tasks.pop(outcome.shown))
                    bars.console.print(
                        f"{markup_text(outcome.shown)}: {markup_text(_in_short(outcome))}", highlight=False
                    )

        yield listen


def _in_short(outcome: ModuleOutcome) -> str:
    if outcome.status is Status.TESTED:
        return f"{outcome.tests} tests, {outcome.covered.share:.0%} covered"
    return f"{'nothing to add' if outcome.status is Status.NOTHING else 'no tests'}: {outcome.reason}"


def present(
    results: Results, figures: dict[str, float], code: int, *, as_json: bool, interrupted: bool = False
) -> None:
    if as_json:
        modules = [{**outcome_shape(outcome), "files": [_shape(file) for file in files]} for outcome, files in results]
        print_json({**figures, "interrupted": interrupted, "modules": modules, "exitCode": int(code)})
        return
    for _, files in results:
        _show_diffs(files)
    _say("")
    rows = [_row(outcome) for outcome, _ in results]
    print_table(("module", "covered", "killed", "tests", "seconds", "bugs"), rows)
    for outcome, files in results:
        for line in _remarks(outcome, files):
            _say(line)
    _say(f"{figures['cpu_s']:.1f} CPU seconds, {figures['wall_s']:.1f} s in all.")
    if interrupted:
        _say("Interrupted: what had been found by then was kept.")
    for line in _next_steps(results):
        _say(line)


def _row(outcome: ModuleOutcome) -> tuple[str, ...]:
    is_tested = outcome.status is Status.TESTED
    killed = outcome.mutants.share
    return (
        outcome.shown,
        f"{outcome.covered.share:.0%}" if is_tested else "-",
        f"{killed:.0%}" if is_tested and killed is not None else "-",
        str(outcome.tests) if is_tested else "-",
        f"{outcome.wall_s:.1f}",
        str(len(outcome.promises)) if outcome.promises else "-",
    )


def _remarks(outcome: ModuleOutcome, files: Sequence[KeptFile]) -> Iterator[str]:
    name = visible_line(outcome.shown)
    if outcome.status is not Status.TESTED:
        yield f"{name}: {_in_short(outcome)}"
    for promise in outcome.promises:
        yield f"{name}: a broken promise: {visible_line(promise)}"
    for skipped in outcome.skipped[:_SKIPPED_SHOWN]:
        if outcome.status is Status.TESTED:
            yield f"{name}: {visible_line(skipped.name)} has no test: {visible_line(skipped.reason)}"
    if len(outcome.skipped) > _SKIPPED_SHOWN and outcome.status is Status.TESTED:
        yield f"{name}: … and {len(outcome.skipped) - _SKIPPED_SHOWN} more without a test (--json names them all)"
    for note in outcome.notes:
        yield f"{name}: {visible_line(note)}"
    for file in files:
        if file.state == "failed":
            yield f"{visible_line(file.path)} could not be kept: {visible_line(file.reason)}"


def _next_steps(results: Results) -> Iterator[str]:
    files = {file.path: file for _, kept in results for file in kept}.values()
    written = [file for file in files if file.state in ("written", "applied", "unchanged")]
    proposed = [file for file in files if file.proposal is not None and file.state == "proposed"]
    if written:
        _list = ", ".join(visible_line(file.path) for file in written[:3])
        more = f" and {len(written) - 3} more" if len(written) > 3 else ""
        yield f"In place: {_list}{more}."
    if proposed:
        yield "Nothing was written yet. To decide:"
    for file in proposed:
        assert file.proposal is not None
        extra = " --support-file" if file.proposal.kind == "support_file" else ""
        yield f"  testwright review accept {file.proposal.id}{extra}    {visible_line(file.path)}"
    if any(outcome.promises and not outcome.bugs for outcome, _ in results):
        yield "With --bugs you also get a failing test and a note for each broken promise."


def _show_diffs(files: Sequence[KeptFile]) -> None:
    for file in files:
        if file.proposal is None or file.state != "proposed":
            continue
        lines = list(diff_lines(file.proposal.diff))
        for line in lines[:_DIFF_LINES_SHOWN]:
            _say(line)
        if len(lines) > _DIFF_LINES_SHOWN:
            _say(f"… {len(lines) - _DIFF_LINES_SHOWN} more lines: testwright review show {file.proposal.id}")


def _shape(file: KeptFile) -> dict[str, Any]:
    return {
        "path": file.path,
        "state": file.state,
        "proposal": file.proposal.id if file.proposal is not None else None,
        "reason": file.reason,
    }


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
