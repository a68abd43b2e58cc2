"""The version of the code that a run tests: its commit, and whether anything has been changed since."""

import os
from pathlib import Path

from testwright.isolate.child import run_child
from testwright.isolate.command import Command
from testwright.isolate.limits import Limits
from testwright.model.errors import SpawnFailed

_PATIENCE = Limits(seconds=2.0)


def commit_of(folder: Path) -> tuple[str, bool]:
    """The commit `folder` is at and whether its files differ from it; ("", False) where git does not say."""
    if not any((place / ".git").exists() for place in (folder, *folder.parents)):
        return "", False
    lines = _git(folder, "status", "--porcelain=v2", "--branch", "--untracked-files=no").splitlines()
    commit = next((line.split()[-1] for line in lines if line.startswith("# branch.oid ")), "")
    is_born = commit not in ("", "(initial)")
    return (commit if is_born else ""), is_born and any(not line.startswith("#") for line in lines)


def _git(folder: Path, *arguments: str) -> str:
    # Neither locks nor a file monitor: looking at a project must leave no trace in it and start nothing.
    argv = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", *arguments]
    try:
        report = run_child(Command(argv, folder, os.environ), limits=_PATIENCE)
    except SpawnFailed:  # no git here
        return ""
    return report.stdout.text if report.exit_code == 0 else ""
