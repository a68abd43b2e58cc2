"""Which run of the store is meant: by its id, the start of it, or `latest`."""

from typing import TYPE_CHECKING

from testwright.model.errors import NotFound
from testwright.model.result import RunResult

if TYPE_CHECKING:
    from testwright.store.project_store import Store

LATEST = "latest"


def chosen_run(store: "Store", wanted: str) -> RunResult:
    if wanted != LATEST:
        return store.runs.get_run(wanted)
    newest = store.runs.list_runs(limit=1)
    if not newest:
        raise NotFound("There are no runs yet.", next_step="`testwright run` makes one.")
    return store.runs.get_run(newest[0].id)


def is_newest(store: "Store", run: RunResult) -> bool:
    return [each.id for each in store.runs.list_runs(limit=1)] == [run.id]
