"""The explorer's side of the conversation with our own process."""

import ast
import gc
import os
import resource
import sys
import time
from typing import Any

from testwright.generate.inside.case_json import case_as_json, case_from_json, checks_as_json
from testwright.generate.inside.case_replay import CaseReplay
from testwright.generate.inside.corpus import KeptCase, union
from testwright.generate.inside.fork_runner import adopt_orphans
from testwright.generate.inside.generated_case import MESSAGES
from testwright.generate.inside.module_exploration import (
    Exploration,
    ExplorationResult,
    MutantsTriedBefore,
    work_budget,
)
from testwright.generate.inside.module_loader import CannotLoad, load
from testwright.generate.inside.module_under_test import (
    ModuleUnderTest,
    forbid_waiting,
    owned_folder,
    ring_when_too_slow,
)
from testwright.generate.inside.sandbox_refusals import forgive_refused_changes
from testwright.generate.inside.unit_finder import list_units
from testwright.generate.inside.units import Unit
from testwright.generate.inside.values.input_source import InputSource
from testwright.isolate.inside.channel import Channel


def explore_as_told() -> None:
    channel = Channel()
    here, mask = owned_folder("explorer-"), os.umask(0o022)
    forbid_waiting()
    forgive_refused_changes()
    adopt_orphans()
    config = channel.config
    sys.argv = [config["file"]]
    try:
        ground, at_import, notes = load(config["module"], config["file"], config["sys_path"], config["bootstrap"])
    except CannotLoad as error:
        channel.send("unloadable", reason=str(error))
        return
    os.chdir(here)  # the import may have gone elsewhere
    os.umask(mask)
    ring_when_too_slow()
    channel.send("loaded", notes=notes)
    teller = ExplorerSession(channel, ground, at_import)
    if "confirm" in config:
        teller.confirm(config["confirm"])
    else:
        teller.explore(config)


class ExplorerSession:
    def __init__(self, channel: Channel, ground: ModuleUnderTest, at_import: int) -> None:
        self._channel, self._ground, self._at_import = channel, ground, at_import
        self._units: dict[str, Unit] = {}

    def explore(self, config: dict[str, Any]) -> None:
        listing = list_units(self._ground.module, self._ground.tree)
        wanted = [unit for unit in listing.units if _is_wanted(unit.qualname, config["qualnames"])]
        self._units = {unit.qualname: unit for unit in listing.units}
        inputs = InputSource(
            self._ground.module, self._ground.tree, listing.units, config["harvested"], seed=config["seed"]
        )
        before = self._before(config.get("baseline"))
        exploration = Exploration(
            self._ground,
            wanted,
            inputs,
            work_budget(config["budget_seconds"]),
            seed=config["seed"],
            deadline=time.monotonic() + config["cap_seconds"],
            at_import=self._at_import,
            report=self._report,
            leave_behind=self._channel.close,
            before=before,
        )
        gc.collect()
        gc.freeze()  # so that forks share it all; not sooner, what is frozen is not found by those who look for it
        explored = exploration.run()
        skipped = [[each.qualname, each.reason] for each in [*listing.skipped, *explored.skipped]]
        self._channel.send("chosen", cases=self._told(explored))
        self._channel.send(
            "done",
            skipped=skipped,
            notes=explored.notes,
            tried=explored.tried,
            cap_hit=explored.cap_hit,
            broken=[breach.to_json() for breach in explored.broken],
            covered=self._covered(explored),
            mutants=self._mutants(explored),
            cpu_s=_cpu_seconds(),
        )

    def _before(self, told: dict[str, Any] | None) -> MutantsTriedBefore | None:
        """Take what existing tests hit for what the import hits: both are no news. None: there are no such tests."""
        if told is None or told["probes"] != len(self._ground.twin.probes):  # it was seen of another text
            return None
        self._at_import |= union(1 << (8 * index) for index in told["hits"])
        return MutantsTriedBefore(frozenset(told["killed"]), frozenset(told["survived"]))

    def confirm(self, cases: list[dict[str, Any]]) -> None:
        """See cases again that another interpreter saw."""
        replay = CaseReplay(self._ground, self._channel.close)
        gc.freeze()
        again = replay.see_again([case_from_json(case) for case in cases])
        seen = [
            None if each is None else {"kind": each.observation.kind, "checks": checks_as_json(each.observation.checks)}
            for each in again
        ]
        self._channel.send("confirmed", seen=seen, cpu_s=_cpu_seconds())

    def _report(self, stage: str, share: float, explored: ExplorationResult) -> None:
        self._channel.send("progress", stage=stage, share=share, cases=explored.tried)
        if stage in ("found", "mutated"):  # enough for a file, should nothing better come
            self._channel.send("chosen", cases=self._told(explored))

    def _told(self, explored: ExplorationResult) -> list[dict[str, Any]]:
        order = {qualname: number for number, qualname in enumerate(self._units)}
        in_order = sorted(explored.chosen, key=lambda kept: order[kept.case.unit])
        return [self._told_case(kept, explored) for kept in in_order]

    def _told_case(self, kept: KeptCase, explored: ExplorationResult) -> dict[str, Any]:
        case, checks = kept.case, kept.observation.checks
        calls = [case.action, *case.before, *([case.subject] if case.subject else [])]
        expressions = [argument.value for call in calls for argument in call.arguments]
        expressions += [call.callee for call in calls if not call.callee.startswith("subject.")]
        expressions += [check.expected for check in checks if check.relation not in MESSAGES]
        imports = {name for each in expressions for name in self._ground.namespace.imports(each)}
        unit = self._units[case.unit]
        others = union(each.hits for each in explored.chosen if each is not kept)
        own = kept.hits & ~others & ~self._at_import
        probes = [probe for probe in self._ground.twin.probes if own >> (8 * probe.index) & 1]
        return {
            "case": case_as_json(case),
            "checks": checks_as_json(checks),
            "kind": kept.observation.kind,
            "imports": sorted(imports),
            "unit_kind": unit.kind.value,
            "parameters": [parameter.name for parameter in unit.parameters],
            "proves": [probe.label for probe in probes],
            "condition": self._condition([probe.line for probe in probes if probe.kind == "branch"]),
        }

    def _condition(self, lines: list[int]) -> str:
        """The source of the one condition that only this case shows a side of."""
        for node in ast.walk(self._ground.tree):
            if isinstance(node, ast.If | ast.While | ast.IfExp) and node.lineno in lines[:1]:
                return ast.unparse(node.test)
        return ""

    def _covered(self, explored: ExplorationResult) -> dict[str, Any]:
        hits = union(each.hits for each in explored.chosen) | self._at_import
        lines: dict[int, bool] = {}
        branches: list[tuple[str, bool]] = []
        for probe in self._ground.twin.probes:
            is_hit = bool(hits >> (8 * probe.index) & 1)
            if probe.kind == "statement":
                lines[probe.line] = lines.get(probe.line, False) or is_hit
            elif probe.kind == "branch":
                branches.append((probe.label, is_hit))
        return {
            "lines_covered": sum(lines.values()),
            "lines_total": len(lines),
            "branches_covered": sum(is_hit for _, is_hit in branches),
            "branches_total": len(branches),
            "uncovered_lines": sorted(line for line, is_hit in lines.items() if not is_hit),
            "missing_branches": [label for label, is_hit in branches if not is_hit],
        }

    def _mutants(self, explored: ExplorationResult) -> dict[str, Any]:
        noticed = {*explored.kills.by_mutant, *explored.noticed_before}
        alive = [mutant for mutant in explored.mutants if mutant.number not in noticed]
        return {
            "total": len(explored.mutants),
            "killed": len(explored.mutants) - len(alive),
            "before": len(explored.noticed_before),
            "survivors": [[mutant.operator, mutant.line, mutant.description] for mutant in alive],
        }


def _is_wanted(qualname: str, wanted: list[str]) -> bool:
    return not wanted or any(qualname == each or qualname.startswith(f"{each}.") for each in wanted)


def _cpu_seconds() -> float:
    times = os.times()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.user + times.system + used.ru_utime + used.ru_stime
