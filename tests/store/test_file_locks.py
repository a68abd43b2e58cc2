"""Writers take turns, and a turn ends with the process that had it."""

import subprocess
import sys
from pathlib import Path

from testwright.store.private_files import wait_for_lock

HOLD = (
    "import sys; from pathlib import Path; from testwright.store.private_files import wait_for_lock\n"
    "with wait_for_lock(Path(sys.argv[1]), wait_seconds=0) as ours: print(ours, flush=True); sys.stdin.read()"
)


def test_one_has_the_turn_and_others_wait_as_long_as_they_want(tmp_path: Path) -> None:
    with (
        wait_for_lock(tmp_path / "turn", wait_seconds=0) as first,
        wait_for_lock(tmp_path / "turn", wait_seconds=0.01) as second,
    ):
        assert (first, second) == (True, False)


def test_a_turn_that_is_over_can_be_had_at_once(tmp_path: Path) -> None:
    for _ in range(3):
        with wait_for_lock(tmp_path / "turn", wait_seconds=0) as ours:
            assert ours


def test_the_turn_of_a_process_that_was_killed_is_over(tmp_path: Path) -> None:
    file = tmp_path / "turn"
    with subprocess.Popen([sys.executable, "-c", HOLD, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        with wait_for_lock(file, wait_seconds=0) as while_it_lives:
            assert not while_it_lives
        holder.kill()
        holder.wait()

    with wait_for_lock(file, wait_seconds=0) as ours:
        assert ours
