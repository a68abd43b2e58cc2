"""A process that dies, or a disk that fails, at any moment of an apply: no torn file, no false status, no litter."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaigns import campaign, repetitions

pytestmark = campaign

KILLS = repetitions(full=200, usual=30)
ROUNDS = repetitions(full=12, usual=3)
EVERY = repetitions(full=1, usual=4)  # of so many steps one is tried
PROGRAM = Path(__file__).with_name("under_fire.py")


def _under_fire(project: Path, store_location: str, *arguments: str) -> dict[str, int]:
    command = [sys.executable, str(PROGRAM), str(project), store_location, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    counted: dict[str, int] = json.loads(done.stdout)
    return counted


def test_kills_at_random_moments_leave_whole_files_true_records_and_no_litter(
    project: Path, store_location: str
) -> None:
    counted = _under_fire(project, store_location, "kills", str(KILLS))
    assert counted["kills"] == KILLS
    assert counted["applied"] > 0
    # The kills were felt: some came in the middle of an apply.
    assert counted.get("settled as applied", 0) + counted.get("settled as failed", 0) > KILLS // 20


@pytest.mark.parametrize("change", ["replace", "create"])
@pytest.mark.parametrize("fault", ["kill", "kill-after", "eio", "enospc", "eio-for-good", "lost-answer"])
def test_a_fault_at_every_single_step_leaves_a_whole_file_and_a_true_record(
    project: Path, store_location: str, fault: str, change: str
) -> None:
    # Where not all steps are tried, the two changes and the two databases try different ones.
    first = 1 + (2 * (change == "create") + ("://" in store_location)) % EVERY
    counted = _under_fire(project, store_location, "steps", fault, change, str(first), str(EVERY))
    assert counted["steps"] > 15
    assert counted["faults"] > 15 // EVERY
    assert counted["applied"] >= 1  # the last round, which no fault reached
    endings = sum(counted.values()) - counted["steps"] - counted["faults"]
    assert endings == counted["faults"] + 1
    if fault.startswith("kill"):
        assert counted["killed"] > 15 // EVERY  # a call that fails by itself is not followed by a kill


def test_many_clients_some_of_them_killed_apply_a_proposal_at_most_once_and_only_after_a_yes(
    project: Path, store_location: str
) -> None:
    counted = _under_fire(project, store_location, "clients", str(ROUNDS))
    assert counted["operations"] > ROUNDS * 30
    assert min(counted[ending] for ending in ("applied", "rejected", "failed", "killed")) > 0
