"""Explore one module of a folder as the explorer does, look for broken promises and print them as JSON.

Started as a program, with a folder and the name of a module in it: the import hook and the alarms that exploring needs
are not for the process that runs the tests.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from testwright.generate.inside.exploring import Exploration, work_for
from testwright.generate.inside.forking import Fork, in_fork
from testwright.generate.inside.ground import forbid_waiting, owned_folder, ring_when_too_slow
from testwright.generate.inside.listing import list_units
from testwright.generate.inside.loading import load
from testwright.generate.inside.promises.finding import look_for_broken
from testwright.generate.inside.values.source import InputSource

_CPU_SECONDS = 1


def look(folder: Path, name: str) -> dict[str, Any]:
    ground, at_import, _ = load(name, str(folder / f"{name}.py"), [str(folder)])
    ring_when_too_slow()
    units = list_units(ground.module, ground.tree).units
    inputs = InputSource(ground.module, ground.tree, units, {}, seed="1")
    exploration = Exploration(
        ground,
        units,
        inputs,
        work_for(_CPU_SECONDS),
        seed="1",
        deadline=time.monotonic() + 120,
        at_import=at_import,
        report=lambda *_: None,
        leave_behind=lambda: None,
    )
    exploration.run()
    heard: list[dict[str, Any]] = []

    def work(fork: Fork) -> None:
        fork.begin(0)
        found = look_for_broken(ground, units, exploration.corpus.kept, inputs, seed="1")
        fork.send({"breaches": [each.to_json() for each in found.breaches], "oddities": found.oddities})

    ended = in_fork(work, heard.append, patience_seconds=60)
    return heard[0] if heard else {"failed": ended.reason}


if __name__ == "__main__":
    folder, name = Path(sys.argv[1]), sys.argv[2]
    owned_folder("looking-")
    forbid_waiting()
    print(json.dumps(look(folder, name)))  # noqa: T201 - that is how it answers
