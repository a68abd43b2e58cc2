"""What a person sees of `testwright generate`: progress while it works, one table, and what to do next."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from testwright.faces.cli.standard_output import diff_lines, markup_text, print_json, print_table
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.generating.generated_files import KeptFile
from testwright.pipeline.generating.module_outcome import (
    Advanced,
    Begun,
    Ended,
    Happening,
    Listener,
    ModuleOutcome,
    Status,
    outcome_shape,
)

_DIFF_LINES_SHOWN = 120
_SKIPPED_SHOWN = 5

Results = Sequence[tuple[ModuleOutcome, Sequence[KeptFile]]]


# --- while it works --------------------------------------------------------------------------


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


# --- at the end ------------------------------------------------------------------------------


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
