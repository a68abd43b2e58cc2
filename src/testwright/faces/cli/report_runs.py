"""What `testwright report` shows and does with runs: list them, show one, forget old ones, write them out."""

import argparse
import sys
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from testwright.faces.cli.output_file import write_report
from testwright.faces.cli.run_summary import print_summary
from testwright.faces.cli.standard_output import duration_text, print_json, print_table, when
from testwright.faces.cli.stored_run import chosen_run
from testwright.model.errors import UsageError
from testwright.model.result_json import run_shape
from testwright.store.project_store import Store
from testwright.store.run_lines import export_run


def show_runs(store: Store, options: argparse.Namespace) -> None:
    before = store.runs.find_run(options.before) if options.before else None
    found = store.runs.list_runs(limit=options.limit, before=before)
    if options.json:
        print_json([asdict(run) for run in found])
        return
    print_table(
        ("run", "started", "took", "tests", "passed", "failed", "skipped", "ended"),
        [
            (
                run.id,
                when(run.started_at),
                duration_text(run.duration_ms),
                str(run.total),
                str(run.passed),
                str(run.failed),
                str(run.skipped),
                "interrupted" if run.interrupted else "passed" if run.success else "failed",
            )
            for run in found
        ],
    )


def show_run(store: Store, options: argparse.Namespace) -> None:
    run = chosen_run(store, options.id)
    if options.json:
        print_json(run_shape(run))
        return
    commit = f" at {run.commit[:12]}{' with changes' if run.dirty else ''}" if run.commit else ""
    sys.stdout.write(f"Run {run.id}, {when(run.started_at)}{commit}\n")
    print_summary(run, kept=False, trouble=None)


def prune_runs(store: Store, options: argparse.Namespace) -> None:
    if options.keep is None and options.days is None:
        raise UsageError("Nothing says what to forget.", next_step="Give --keep N, --days N, or both.")
    older_than = datetime.now(UTC) - timedelta(days=options.days) if options.days else None
    pruned = store.runs.prune(keep=options.keep, older_than=older_than)
    store.fingerprints.prune()
    if options.json:
        print_json(asdict(pruned))
        return
    sys.stdout.write(f"Forgot {len(pruned.runs)} run(s) with {pruned.results} result(s) and {pruned.tests} test(s).\n")


def export_runs(store: Store, options: argparse.Namespace) -> None:
    ids = options.ids or [run.id for run in reversed(store.runs.list_runs(limit=1_000_000))]
    if options.output is None:
        for run_id in ids:
            sys.stdout.buffer.writelines(export_run(store.runs.get_run(run_id)))
        return
    write_report(options.output, b"".join(line for run_id in ids for line in export_run(store.runs.get_run(run_id))))
    sys.stdout.write(f"{len(ids)} run(s) written to {options.output}.\n")
