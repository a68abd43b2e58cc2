"""Testwright is killed in the middle of a run: what it had shown is still there afterwards."""

import random
import re
import signal
import subprocess
from pathlib import Path

from tests.campaigns import campaign, repetitions
from tests.conftest import TESTWRIGHT, CommandLine
from testwright.model.outcome import Outcome
from testwright.store.project_store import open_store

KILLS = repetitions(full=50, usual=8)
TESTS = 60


@campaign
def test_no_result_that_was_shown_is_lost(testwright: CommandLine, tmp_path: Path) -> None:
    names = "\n".join(f"def test_{number}(): pass" for number in range(TESTS))
    (tmp_path / "test_many.py").write_text(names)
    chance = random.Random(7)
    shown = [_run_and_kill(tmp_path, after_lines=chance.randrange(1, TESTS)) for _ in range(KILLS)]

    runs = testwright("report", "runs", "--limit", KILLS + 1, "--json").json
    assert len(runs) == KILLS
    assert any(run["interrupted"] for run in runs)
    with open_store(tmp_path / ".testwright" / "testwright.db") as store:
        for run, acknowledged in zip(reversed(runs), shown, strict=True):
            results = store.runs.get_run(run["id"]).results
            assert acknowledged <= {result.case.id for result in results if result.outcome is Outcome.PASSED}


def _run_and_kill(project: Path, *, after_lines: int) -> set[str]:
    """The tests whose result was printed before the kill."""
    running = subprocess.Popen([TESTWRIGHT, "run", "-v"], cwd=project, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    seen: set[str] = set()
    for line in running.stdout:
        found = re.match(r"  ✓ (\S+)", line)
        if found is not None:
            seen.add(found[1])
        if len(seen) >= after_lines:
            break
    running.send_signal(signal.SIGKILL)
    rest, _ = running.communicate()
    return seen | set(re.findall(r"^  ✓ (\S+)", rest, re.MULTILINE))
