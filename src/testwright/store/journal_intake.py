"""Take journals into the store: the one just finished, and those that earlier commands left behind."""

from dataclasses import dataclass
from pathlib import Path

from testwright.model.errors import MalformedReport
from testwright.model.result import RunId, RunResult
from testwright.store.file_errors import named_file_errors
from testwright.store.journal import pending, read_journal, taken
from testwright.store.run_store import RunStore


@dataclass(frozen=True, slots=True)
class Intake:
    """What became of the journals that were waiting."""

    runs: tuple[RunId, ...] = ()
    unreadable: tuple[Path, ...] = ()  # put aside under these names


def take_in(journal: Path, store: RunStore) -> RunResult | None:
    """Store the run of a journal and remove the journal; None when it is still written or already taken in.

    The journal goes only after the store has committed. Dying in between costs nothing: the same run is
    then taken in again, and a run is stored once however often it comes.
    """
    with taken(journal) as ours:
        if not ours:
            return None
        run = read_journal(journal)
        store.save_run(run)
        with named_file_errors(journal):
            journal.unlink(missing_ok=True)
        return run


def take_in_pending(folder: Path, store: RunStore) -> Intake:
    """Take in every journal that is not written any more. One that cannot be read is put aside, not thrown away."""
    runs: list[RunId] = []
    unreadable: list[Path] = []
    for journal in pending(folder):
        try:
            run = take_in(journal, store)
        except MalformedReport:
            aside = journal.with_name(f"{journal.name}.unreadable")
            with named_file_errors(journal):
                journal.rename(aside)
            unreadable.append(aside)
        else:
            if run is not None:
                runs.append(run.id)
    return Intake(tuple(runs), tuple(unreadable))
