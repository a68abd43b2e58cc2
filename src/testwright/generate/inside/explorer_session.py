"""The explorer's side of the conversation with our own process."""

import ast
import gc
import os
import resource
import sys
import time
from typing import Any

from testwright.generate.inside.case_replay import CaseReplay
from testwright.generate.inside.corpus import KeptCase, union
from testwright.generate.inside.fork_runner import adopt_orphans
from testwright.generate.inside.generated_case import MESSAGES, case_as_json, case_from_json, checks_as_json
from testwright.generate.inside.module_exploration import (
    Exploration,
    ExplorationResult,
    MutantsTriedBefore,
    work_budget,
)
from testwright.generate.inside.module_loader import CannotLoad, load
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.process_setup import (
    forbid_waiting,
    forgive_refused_changes,
    owned_folder,
    ring_when_too_slow,
)
from testwright.generate.inside.unit_finder import list_units
from testwright.generate.inside.units import Unit
from testwright.generate.inside.values.input_source import InputSource
from testwright.instrument.probe_hits import bit_of, coverage, hits_of
from testwright.isolate.inside.channel import Channel


def run_session() -> None:
    channel = Channel()
    here, mask = owned_folder("explorer-"), os.umask(0o022)
    forbid_waiting()
    forgive_refused_changes()
    adopt_orphans()
    config = channel.config
    sys.argv = [config["file"]]
    try:
        under_test, at_import, notes = load(config["module"], config["file"], config["sys_path"], config["bootstrap"])
    except CannotLoad as error:
        channel.send("unloadable", reason=str(error))
        return
    os.chdir(here)  # the import may have gone elsewhere
    os.umask(mask)
    ring_when_too_slow()
    channel.send("loaded", notes=notes)
    session = ExplorerSession(channel, under_test, at_import)
    if "confirm" in config:
        session.confirm(config["confirm"])
    else:
        session.explore(config)


class ExplorerSession:
    def __init__(self, channel: Channel, under_test: ModuleUnderTest, at_import: int) -> None:
        self._channel, self._under_test, self._at_import = channel, under_test, at_import
        self._units: dict[str, Unit] = {}

    def explore(self, config: dict[str, Any]) -> None:
        unit_list = list_units(self._under_test.module, self._under_test.tree)
        wanted = [unit for unit in unit_list.units if _is_wanted(unit.qualname, config["qualnames"])]
        self._units = {unit.qualname: unit for unit in unit_list.units}
        inputs = InputSource(
            self._under_test.module, self._under_test.tree, unit_list.units, config["harvested"], seed=config["seed"]
        )
        before = self._before(config.get("baseline"))
        exploration = Exploration(
            self._under_test,
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
        gc.freeze()  # so that forks share it all; not sooner, because frozen objects are not found by `gc.get_objects`
        explored = exploration.run()
        skipped = [[each.qualname, each.reason] for each in [*unit_list.skipped, *explored.skipped]]
        self._channel.send("chosen", cases=self._chosen_cases(explored))
        self._channel.send(
            "done",
            skipped=skipped,
            notes=explored.notes,
            tried=explored.tried,
            cap_hit=explored.cap_hit,
            broken=[breach.to_json() for breach in explored.broken],
            covered=coverage(
                self._under_test.twin.probes, union(each.hits for each in explored.chosen) | self._at_import
            ),
            mutants=self._mutants(explored),
            cpu_s=_cpu_seconds(),
        )

    def _before(self, measured: dict[str, Any] | None) -> MutantsTriedBefore | None:
        """Count what existing tests hit like what the import hits: neither is new. None: there are no such tests."""
        if measured is None or measured["probes"] != len(self._under_test.twin.probes):  # of another source
            return None
        self._at_import |= hits_of(self._under_test.twin.probes, set(measured["hits"]))
        return MutantsTriedBefore(frozenset(measured["killed"]), frozenset(measured["survived"]))

    def confirm(self, cases: list[dict[str, Any]]) -> None:
        """Run cases again that another interpreter saw."""
        replay = CaseReplay(self._under_test, self._channel.close)
        gc.freeze()
        again = replay.see_again([case_from_json(case) for case in cases])
        seen = [
            None if each is None else {"kind": each.observation.kind, "checks": checks_as_json(each.observation.checks)}
            for each in again
        ]
        self._channel.send("confirmed", seen=seen, cpu_s=_cpu_seconds())

    def _report(self, stage: str, share: float, explored: ExplorationResult) -> None:
        self._channel.send("progress", stage=stage, share=share, cases=explored.tried)
        if stage in ("found", "mutated"):  # enough for a file, if nothing better comes
            self._channel.send("chosen", cases=self._chosen_cases(explored))

    def _chosen_cases(self, explored: ExplorationResult) -> list[dict[str, Any]]:
        order = {qualname: number for number, qualname in enumerate(self._units)}
        in_order = sorted(explored.chosen, key=lambda kept: order[kept.case.unit])
        return [self._case_record(kept, explored) for kept in in_order]

    def _case_record(self, kept: KeptCase, explored: ExplorationResult) -> dict[str, Any]:
        case, checks = kept.case, kept.observation.checks
        expressions = [argument.value for call in case.calls for argument in call.arguments]
        expressions += [call.callee for call in case.calls if not call.callee.startswith("subject.")]
        expressions += [check.expected for check in checks if check.relation not in MESSAGES]
        imports = {name for each in expressions for name in self._under_test.namespace.imports(each)}
        unit = self._units[case.unit]
        others = union(each.hits for each in explored.chosen if each is not kept)
        own = kept.hits & ~others & ~self._at_import
        probes = [probe for probe in self._under_test.twin.probes if own & bit_of(probe)]
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
        for node in ast.walk(self._under_test.tree):
            if isinstance(node, ast.If | ast.While | ast.IfExp) and node.lineno in lines[:1]:
                return ast.unparse(node.test)
        return ""

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
