"""The explorer as a program of its own: it gets its task over the channel, reports what it finds, and exits."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.generate.inside.loaded_modules import call
from testwright.generate.engine import _EXPLORER
from testwright.generate.inside.generated_case import case_as_json
from testwright.isolate.available_levels import probe_levels
from testwright.isolate.channel_listener import Record
from testwright.isolate.child import Child, ChildReport, Ending
from testwright.isolate.command import Command
from testwright.isolate.limits import Limits
from testwright.isolate.sandbox import open_sandbox

SOURCE = """
import threading

threading.Thread(target=threading.Event().wait).start()  # which would keep an interpreter alive forever


def sign(number: int) -> str:
    if number < 0:
        return "minus"
    return "plus"


def _unused(text):
    return text + "!"
"""
EXPLORE = {"qualnames": [], "harvested": {}, "budget_seconds": 0.1, "cap_seconds": 60.0}


def conversation(folder: Path, source: str, task: Mapping[str, Any]) -> tuple[list[Record], ChildReport]:
    """All that the explorer says about a module of this source, and how it ended."""
    (folder / "signs.py").write_text(source)
    greeting = {
        "module": "signs",
        "file": str(folder / "signs.py"),
        "sys_path": [str(folder)],
        "seed": "1",
        "bootstrap": "",
        **task,
    }
    with open_sandbox(folder, probe_levels().strongest, readable=[Path(sys.prefix), Path(sys.base_prefix)]) as room:
        command = Command([sys.executable, "-P", str(_EXPLORER)], room.temp, room.env(os.environ))
        with Child(command, limits=Limits(seconds=120.0), guard=room.guard, channel=greeting) as child:
            return list(child.records()), child.report


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Record], ChildReport]:
    return conversation(tmp_path_factory.mktemp("explored"), SOURCE, EXPLORE)


def of_kind(records: list[Record], kind: str) -> list[Record]:
    return [record for record in records if record["kind"] == kind]


def test_it_says_that_it_is_loaded_what_it_chose_and_that_it_is_done(
    explored: tuple[list[Record], ChildReport],
) -> None:
    records, _ = explored
    kinds = [record["kind"] for record in records]

    assert kinds[0] == "loaded"
    assert kinds[-1] == "done"
    assert len(of_kind(records, "chosen")) >= 2  # each is enough for a file, should nothing better come
    assert {each["case"]["unit"] for each in of_kind(records, "chosen")[-1]["cases"]} >= {"sign"}


def test_each_chosen_case_tells_what_it_checks_and_what_it_proves(explored: tuple[list[Record], ChildReport]) -> None:
    cases = of_kind(explored[0], "chosen")[-1]["cases"]

    assert all(each["checks"] for each in cases)
    assert all(each["unit_kind"] == "function" for each in cases)
    assert any(each["proves"] for each in cases)
    assert any(each["condition"] == "number < 0" for each in cases)


def test_the_end_tells_what_is_covered_and_noticed(explored: tuple[list[Record], ChildReport]) -> None:
    done = explored[0][-1]

    assert done["covered"]["lines_covered"] == done["covered"]["lines_total"]
    assert done["covered"]["missing_branches"] == []
    assert done["mutants"]["killed"] + len(done["mutants"]["survivors"]) == done["mutants"]["total"] > 0
    assert not done["cap_hit"]


def test_it_exits_when_it_is_done_even_if_the_module_still_runs_something(
    explored: tuple[list[Record], ChildReport],
) -> None:
    _, report = explored

    assert report.ending is Ending.EXITED, report.stderr.text
    assert report.exit_code == 0


def test_what_another_interpreter_saw_is_seen_again(tmp_path: Path) -> None:
    cases = [call("sign", "1"), call("sign", "-1"), call("sign")]

    records, _ = conversation(tmp_path, SOURCE, {"confirm": [case_as_json(case) for case in cases]})

    [confirmed] = of_kind(records, "confirmed")
    plus, minus, wrong = confirmed["seen"]
    assert any("plus" in check[-1] for check in plus["checks"])
    assert any("minus" in check[-1] for check in minus["checks"])
    assert wrong is None


def test_only_what_is_wanted_is_explored(tmp_path: Path) -> None:
    records, _ = conversation(tmp_path, SOURCE, {**EXPLORE, "qualnames": ["_unused"]})

    assert {each["case"]["unit"] for each in of_kind(records, "chosen")[-1]["cases"]} == {"_unused"}


def test_a_module_that_cannot_be_loaded_is_all_it_has_to_say(tmp_path: Path) -> None:
    records, report = conversation(tmp_path, "raise RuntimeError('not today')\n", EXPLORE)

    assert [record["kind"] for record in records] == ["unloadable"]
    assert "not today" in records[0]["reason"]
    assert report.exit_code == 0
