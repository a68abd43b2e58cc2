"""One `test_heal` at a time in a project, whichever process it runs in."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testwright.model.errors import HealBusy
from testwright.model.state_folder import heal_lock
from testwright.store.private_files import prepare_folder, refuse_unless_regular, wait_for_lock

WAIT_SECONDS = 30.0


@contextmanager
def one_at_a_time(root: Path, *, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """No other heal in this project until the block ends, in this process or another. Raises HealBusy."""
    file = heal_lock(root)
    prepare_folder(file.parent)
    refuse_unless_regular(file)
    with wait_for_lock(file, wait_seconds=seconds) as ours:
        if not ours:
            raise HealBusy("Another test_heal is at work in this project.", next_step="Let it finish, and try again.")
        yield
