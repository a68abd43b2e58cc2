"""Run many skill test files in as few processes as will do: one worker for each runtime, never our own process.

A worker runs one file after another. Python files each get a forked copy of it, so that they share nothing. In Node
each file is imported again, but what it imports itself is loaded once for all: a module that keeps state shows it to
the next file. A worker is replaced after a file that left anything else changed (globals, environment, listeners,
replaced functions) or still running (timers, servers, sockets), and after a file that ended or hung its process.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from testwright.isolate.child import Cancel
from testwright.run.skills import DEFAULT_TIMEOUT_MS
from testwright.run.skills.file_runner import (
    FileResult,
    absolute,
    attempt_without_report,
    listen_to_end,
    missing_file_result,
    result_of,
    seconds_of,
)
from testwright.run.skills.runner_launch import LaunchSettings, by_runtime, launch_of


def run_test_file_warm(file: Path | str) -> FileResult:
    """Run one file as `run_test_files_warm` does."""
    return run_test_files_warm([file])[0]


def run_test_files_warm(
    files: Sequence[Path | str],
    *,
    timeout: float = DEFAULT_TIMEOUT_MS,
    env: Mapping[str, str] | None = None,
    python: Path | None = None,
    cancel: Cancel | None = None,
) -> list[FileResult]:
    """A result for each of `files`, in their order. `timeout` is in milliseconds, for each file."""
    seconds = seconds_of(timeout)
    settings = LaunchSettings(os.environ if env is None else env, python)
    paths = [absolute(file) for file in files]
    results = {path: missing_file_result(path) for path in paths if not path.is_file()}
    for group in by_runtime(path for path in dict.fromkeys(paths) if path not in results):
        results |= _run_group(group, settings, seconds, cancel)
    return [results[path] for path in paths]


def _run_group(
    files: Sequence[Path], settings: LaunchSettings, seconds: float, cancel: Cancel | None
) -> dict[Path, FileResult]:
    results: dict[Path, FileResult] = {}
    alone: list[Path] = []
    waiting = list(files)
    while waiting:
        runner = listen_to_end(launch_of(waiting, settings), waiting[0].parent, seconds=seconds, cancel=cancel)
        # A worker that got nowhere must not be started for the same file without end.
        attempts = runner.attempts or {waiting[0]: attempt_without_report(runner)}
        if runner.problems and len(waiting) > 1:
            # This worker's report is wrong somewhere, and it is unknown which file caused that.
            alone.extend(file for file in waiting if file in attempts)
        else:
            results |= {file: result_of(file, attempt, runner.problems) for file, attempt in attempts.items()}
        waiting = [file for file in waiting if file not in attempts]
    for file in alone:
        runner = listen_to_end(launch_of([file], settings), file.parent, seconds=seconds, cancel=cancel)
        results[file] = result_of(file, runner.attempts.get(file) or attempt_without_report(runner), runner.problems)
    return results
