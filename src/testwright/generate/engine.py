"""Generate tests for one module: have it explored in the project's interpreter, see it all again, write it down."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from testwright.generate.inside.generated_case import case_from_json, checks_from_json
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.measured_results import Covered, Generated, Mutants, Skipped, SuiteWorth, Survivor
from testwright.generate.module_request import ModuleRequest, Progress
from testwright.generate.writing.pytest_file import ChosenCase, WrittenSuite, compose_suite
from testwright.generate.writing.style import style_of
from testwright.isolate.channel_listener import Record
from testwright.isolate.child import Cancel, Child, ChildReport, Ending
from testwright.isolate.command import Command
from testwright.isolate.limits import GUARDED_LIMITS
from testwright.isolate.sandbox import open_sandbox

_EXPLORER = Path(__file__).parent / "inside" / "explorer.py"
_LOAD_SECONDS = 60.0
_MEMORY_BYTES = 2 << 30
_PROCESSES = 128  # threads included: enough for any function worth a test, too few to bring the machine to its knees
_STOPPED = "stopped before it was imported"
_ELSEWHERE = {"PYTHONHASHSEED": "20259", "TZ": "XYZ-11:30"}  # what must not matter is different the second time


@dataclass
class ExplorerAnswers:
    """What the explorer said so far; the newest choice replaces the ones before."""

    loaded: bool = False
    unloadable: str = ""
    cases: list[dict[str, Any]] = field(default_factory=list)
    done: dict[str, Any] = field(default_factory=dict)
    confirmed: list[dict[str, Any] | None] | None = None
    notes: list[str] = field(default_factory=list)


def generate_module(request: ModuleRequest, on_progress: Callable[[Progress], None], cancel: Cancel) -> Generated:
    """Tests for the module, or the reason why there are none. Raising `cancel` gives the best so far."""
    if cancel.raised:
        return Generated(suite_text=None, skipped=(Skipped(request.import_map.module_name, _STOPPED),))
    started, cpu_started = time.monotonic(), time.thread_time()
    heard, report = _explored(request, on_progress, cancel)
    cpu_s = report.usage.cpu_ms / 1000
    cases = [_written(told) for told in heard.cases]
    if cases:
        on_progress(Progress("checking"))
        cases, confirm_cpu_s = _confirmed(request, cases, heard.cases, cancel)
        cpu_s += confirm_cpu_s
    suite = WrittenSuite("", ())
    if cases:
        on_progress(Progress("writing"))
        imported = request.import_map
        suite = compose_suite(imported.target_import, imported.module_name, cases, style=style_of(request.root))
    return Generated(
        suite_text=suite.text or None,
        cases=len(cases),
        tests=len(suite.tests),
        covered=Covered.from_record(heard.done["covered"]) if heard.done else Covered(),
        mutants=_mutants(heard.done),
        skipped=tuple(_skipped(heard, report, request)),
        notes=(*heard.notes, *suite.notes),
        cpu_s=cpu_s + time.thread_time() - cpu_started,
        wall_s=time.monotonic() - started,
        broken_promises=tuple(
            named_from_root(Breach.from_json(told), request.root) for told in heard.done.get("broken", ())
        ),
        time_cap_hit=bool(heard.done.get("cap_hit")) or report.ending is Ending.TIMEOUT,
    )


# --- talking to the explorer ------------------------------------------------------------------------


def _explored(
    request: ModuleRequest, on_progress: Callable[[Progress], None], cancel: Cancel
) -> tuple[ExplorerAnswers, ChildReport]:
    task = {
        "qualnames": list(request.qualnames),
        "harvested": {name: list(calls) for name, calls in request.harvested.items()},
        "budget_seconds": request.budget.seconds,
        "cap_seconds": request.budget.cap_seconds,
        "baseline": _known_before(request.baseline),
    }
    return _talked(request, task, {"PYTHONHASHSEED": "0"}, on_progress, cancel)


def _known_before(baseline: SuiteWorth | None) -> dict[str, Any] | None:
    if baseline is None:
        return None
    return {"hits": baseline.hits, "probes": baseline.probes, "killed": baseline.killed, "survived": baseline.survived}


def _talked(
    request: ModuleRequest,
    task: Mapping[str, Any],
    variables: Mapping[str, str],
    on_progress: Callable[[Progress], None],
    cancel: Cancel,
) -> tuple[ExplorerAnswers, ChildReport]:
    greeting = {
        "module": request.import_map.module_name,
        "file": str(request.file),
        "sys_path": list(request.import_map.sys_path_roots),
        "seed": str(request.seed),
        # Modules that no import path leads to are found by what a conftest does for them.
        "bootstrap": request.import_map.render_bootstrap() if request.import_map.by_file else "",
        **task,
    }
    limits = replace(GUARDED_LIMITS, memory_bytes=_MEMORY_BYTES, seconds=_LOAD_SECONDS, processes=_PROCESSES)
    heard = ExplorerAnswers()
    with open_sandbox(request.root, request.level, readable=_readable(request)) as room:
        env = {**room.env(os.environ), **variables}
        env.pop("PYTHONPATH", None)
        command = Command([str(request.python), "-P", str(_EXPLORER)], room.temp, env)
        with Child(command, limits=limits, guard=room.guard, channel=greeting, cancel=cancel) as child:
            for record in child.records():
                _note(record, heard, on_progress)
                child.deadline = time.monotonic() + request.budget.cap_seconds + _LOAD_SECONDS
            return heard, child.report


def _readable(request: ModuleRequest) -> list[Path]:
    """What the explorer reads besides the project: itself, the interpreter and its packages, the module."""
    prefixes = [request.python.parent.parent, request.python.resolve().parent.parent]
    roots = [Path(root) for root in request.import_map.sys_path_roots]
    return [Path(__file__).parent.parent, *prefixes, *roots, request.file.parent]


def _note(record: Record, heard: ExplorerAnswers, on_progress: Callable[[Progress], None]) -> None:
    match record["kind"]:
        case "loaded":
            heard.loaded = True
            heard.notes += record["notes"]
        case "unloadable":
            heard.unloadable = record["reason"]
        case "progress":
            on_progress(Progress(record["stage"], record["share"], cases=record["cases"]))
        case "chosen":
            heard.cases = record["cases"]
        case "confirmed":
            heard.confirmed = record["seen"]
        case "done":
            heard.done = record
            heard.notes += record["notes"]


# --- what it said -------------------------------------------------------------------------------------


def _written(told: Mapping[str, Any]) -> ChosenCase:
    return ChosenCase(
        case=case_from_json(told["case"]),
        checks=checks_from_json(told["checks"]),
        imports=tuple(told["imports"]),
        kind=told["kind"],
        unit_kind=told["unit_kind"],
        parameters=tuple(told["parameters"]),
        proves=tuple(told["proves"]),
        condition=told["condition"],
    )


def _confirmed(
    request: ModuleRequest, cases: list[ChosenCase], told: list[dict[str, Any]], cancel: Cancel
) -> tuple[list[ChosenCase], float]:
    """The cases with only those checks that hold in another interpreter, with other hashes, elsewhere in the world."""
    task = {"confirm": [each["case"] for each in told]}
    heard, report = _talked(request, task, _ELSEWHERE, _unheard, cancel)
    cpu_s = report.usage.cpu_ms / 1000
    if heard.confirmed is None:
        return cases, cpu_s  # cut short: the gates, which run everything, decide
    kept = []
    for case, seen in zip(cases, heard.confirmed, strict=True):
        if seen is None or seen["kind"] != case.kind:
            continue
        again = set(checks_from_json(seen["checks"]))
        checks = tuple(check for check in case.checks if check in again)
        if checks:
            kept.append(replace(case, checks=checks))
    return kept, cpu_s


def _unheard(progress: Progress) -> None:
    """The second look is quick: its progress is not worth showing."""


def named_from_root(breach: Breach, root: Path) -> Breach:
    """The same, with its places named from the project's root where they lie in it."""
    return replace(breach, promised_at=_place(breach.promised_at, root), where=_place(breach.where, root))


def _place(place: str, root: Path) -> str:
    file, _, line = place.rpartition(":")
    path = Path(file)
    return f"{(path.relative_to(root) if path.is_relative_to(root) else path).as_posix()}:{line}"


def _mutants(done: Mapping[str, Any]) -> Mutants:
    if not done:
        return Mutants()
    told = done["mutants"]
    return Mutants(told["killed"], told["total"], tuple(Survivor(*each) for each in told["survivors"]), told["before"])


def _skipped(heard: ExplorerAnswers, report: ChildReport, request: ModuleRequest) -> list[Skipped]:
    name = request.import_map.module_name
    if heard.unloadable:
        return [Skipped(name, heard.unloadable)]
    if not heard.loaded:
        return [Skipped(name, _why_it_did_not_load(report))]
    if not heard.done and report.ending is not Ending.CANCELLED:
        return [Skipped(name, f"the explorer ended early: {_last_words(report)}")]
    return [Skipped(*each) for each in heard.done.get("skipped", [])]


def _last_words(report: ChildReport) -> str:
    said = report.stderr.text.strip().splitlines()
    return said[-1] if said else report.ending.value


def _why_it_did_not_load(report: ChildReport) -> str:
    match report.ending:
        case Ending.TIMEOUT:
            return f"its import took longer than {_LOAD_SECONDS:g} s"
        case Ending.SIGNALLED:
            return f"its import crashed the interpreter (signal {report.signal})"
        case Ending.OUTPUT_LIMIT:
            return "its import printed without end"
        case Ending.CANCELLED:
            return _STOPPED
        case Ending.EXITED:
            return f"its import ended the interpreter (exit {report.exit_code}): {_last_words(report)}"
