"""What the store and git add to a verdict: when the test last passed, and whether its files have changed since."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.isolate.child import run_child
from testwright.isolate.command import Command
from testwright.isolate.limits import Limits
from testwright.model.case import TestCase
from testwright.model.errors import NotFound, SpawnFailed
from testwright.model.result import RunResult
from testwright.model.verdict import OUTSIDE_THE_TEXT, Quote

if TYPE_CHECKING:
    from testwright.store.project_store import Store
    from testwright.store.summaries import HistoryEntry

_LOOKED_BACK = 50  # runs
_MOST_COMMITS = 5  # that git is asked about for one run
_PATIENCE = Limits(seconds=2.0)
_COMMIT = re.compile(r"[0-9a-f]{7,64}")  # what is kept may have come from elsewhere: nothing else is handed to git


def past_of(run: RunResult, root: Path, store: "Store") -> Callable[[TestCase, Sequence[str]], Sequence[Quote]]:
    """A test's past, as evidence beside what its failure says."""
    changes: dict[str, frozenset[str] | None] = {}

    def changed_since(commit: str) -> frozenset[str] | None:
        if commit not in changes and len(changes) < _MOST_COMMITS:
            changes[commit] = changed_files(root, commit, run.commit)
        return changes.get(commit)

    def background(case: TestCase, files: Sequence[str]) -> Sequence[Quote]:
        try:
            entries = store.runs.get_test(case.id, limit=_LOOKED_BACK).entries
        except NotFound:
            return ()
        passed = _last_pass(run, entries)
        if passed is None:
            return ()
        when = f"It last passed in run {passed.run}"
        if not (passed.commit and run.commit) or passed.dirty or run.dirty:
            return (Quote(f"{when}.", OUTSIDE_THE_TEXT, "last_passed"),)
        if passed.commit == run.commit:
            return (Quote(f"{when}, at this very commit.", OUTSIDE_THE_TEXT, "passed_at_this_commit"),)
        return _since(when, passed.commit, files, changed_since(passed.commit))

    return background


def _since(when: str, commit: str, files: Sequence[str], changed: frozenset[str] | None) -> Sequence[Quote]:
    when = f"{when}, at commit {commit[:12]}"
    if changed is None:
        return (Quote(f"{when}.", OUTSIDE_THE_TEXT, "last_passed"),)
    touched = [file for file in files if file in changed]
    if touched:
        return (Quote(f"{when}; changed since: {', '.join(touched[:3])}.", OUTSIDE_THE_TEXT, "changed_since"),)
    said = f"{when}; neither the test nor a file that its stack names has changed since."
    return (Quote(said, OUTSIDE_THE_TEXT, "unchanged_since"),)


def _last_pass(run: RunResult, entries: "Iterable[HistoryEntry]") -> "HistoryEntry | None":
    earlier = (entry for entry in entries if entry.started_at < run.started_at)
    return next((entry for entry in earlier if entry.outcome.is_pass), None)


def changed_files(root: Path, since: str, until: str) -> frozenset[str] | None:
    """The files that differ between two commits, from the project's root; None where git does not say."""
    if not (_COMMIT.fullmatch(since) and _COMMIT.fullmatch(until)):
        return None
    argv = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotepath=false"]
    argv += ["diff", "--name-only", "--no-ext-diff", "--no-textconv", "--relative", "-z", since, until, "--"]
    try:
        report = run_child(Command(argv, root, os.environ), limits=_PATIENCE)
    except SpawnFailed:  # no git here
        return None
    return frozenset(report.stdout.text.split("\0")) - {""} if report.exit_code == 0 else None
