"""The journey of generated tests: explore and write, lead through the gates, hand on what came through.

One module's failure never stops the rest, and every module that got no tests is named with the reason.
"""

import ast
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from testwright.generate.module_request import Generated, ModuleRequest, Progress
from testwright.generate.quality_gates.all_gates import GateCriteria, GateResult, pass_gates
from testwright.generate.quality_gates.single_run import SuiteFile
from testwright.generate.quality_gates.suite_worth import WorthBudget
from testwright.isolate.child import Cancel
from testwright.model.errors import TestwrightError
from testwright.pipeline.generating.bug_files import bug_files, sentence_of
from testwright.pipeline.generating.existing_tests import already_covered, growth, is_refined_to_nothing, refined
from testwright.pipeline.generating.module_outcome import (
    Advanced,
    Begun,
    Ended,
    Happening,
    Listener,
    ModuleOutcome,
    NewFile,
    Status,
)
from testwright.pipeline.generating.module_plan import ModulePlan, RefusedTarget
from testwright.repo.call_harvest import harvest

Engine = Callable[[ModuleRequest, Callable[[Progress], None], Cancel], Generated]
_STOPPED = "stopped before it was its turn"


@dataclass(frozen=True)
class Stops:
    """`enough` ends the exploring: what was found is kept, and goes through the gates. `now` ends everything."""

    enough: Cancel = field(default_factory=Cancel)
    now: Cancel = field(default_factory=Cancel)


@dataclass(frozen=True)
class GenerationWork:
    """What every module's work has in common."""

    engine: Engine
    stops: Stops
    listen: Listener
    with_bugs: bool = False
    """Whether broken promises become files; they are told of anyway."""


def generate_modules(
    plans: Sequence[ModulePlan | RefusedTarget], work: GenerationWork, *, parallel: int = 1
) -> Iterator[ModuleOutcome]:
    """The outcome of each plan, in their order. The work is done by child processes: threads only wait for them."""
    work = replace(work, listen=_one_at_a_time(work.listen))
    with ThreadPoolExecutor(max_workers=parallel, thread_name_prefix="generate") as executor:
        try:
            yield from _outcomes(plans, work, executor)
        except BaseException:  # an interrupt as well: the threads that wait must not keep us
            work.stops.enough()
            work.stops.now()
            raise


def _outcomes(
    plans: Iterable[ModulePlan | RefusedTarget], work: GenerationWork, executor: Executor
) -> Iterator[ModuleOutcome]:
    waiting: list[Future[ModuleOutcome]] = [executor.submit(_outcome, plan, work) for plan in plans]
    for future in waiting:
        yield future.result()


def _outcome(plan: ModulePlan | RefusedTarget, work: GenerationWork) -> ModuleOutcome:
    started, listen = time.monotonic(), work.listen
    listen(Begun(plan.shown))
    try:
        if isinstance(plan, RefusedTarget):
            outcome = _failed(plan.shown, plan.error)
        elif work.stops.enough.raised:
            outcome = ModuleOutcome(plan.shown, Status.FAILED, _STOPPED)
        else:
            outcome = replace(_tested(plan, work), wall_s=time.monotonic() - started)
    except TestwrightError as error:
        outcome = _failed(plan.shown, error)
    except Exception as error:  # noqa: BLE001  a fault of ours with one module must not cost the others their tests
        reason = f"a fault of Testwright's own: {type(error).__name__}: {error}"
        outcome = ModuleOutcome(plan.shown, Status.FAILED, reason, error=error)
    listen(Ended(outcome))
    return outcome


def _failed(shown: str, error: TestwrightError) -> ModuleOutcome:
    reason = f"{error.message} {error.next_step}".strip()
    return ModuleOutcome(shown, Status.FAILED, reason, error=error)


def _tested(plan: ModulePlan, work: GenerationWork) -> ModuleOutcome:
    if _is_empty(plan.request.file):
        return ModuleOutcome(plan.shown, Status.NOTHING, "it has no function and no class")

    def tell(progress: Progress) -> None:
        work.listen(Advanced(plan.shown, progress))

    tell(Progress("existing tests" if plan.request.existing_tests else "reading"))
    known = refined(plan.request, _trial(plan, ""), work.stops.enough)
    plan = replace(plan, request=replace(known.request, harvested=_harvested(plan)))
    tell(Progress("reading"))
    generated = work.engine(plan.request, tell, work.stops.enough)
    generated = replace(generated, notes=(*known.notes, *generated.notes), cpu_s=known.cpu_s + generated.cpu_s)
    if generated.suite_text is None:
        return _without_suite(plan, generated, stopped=work.stops.enough.raised)
    tell(Progress("gates", covered=generated.covered.share, cases=generated.cases))
    trial = _trial(plan, generated.suite_text)
    gated = pass_gates(trial, _expected(plan, generated), work.stops.now, seed=plan.request.seed)
    outcome = _judged(plan, generated, gated)
    if work.with_bugs and generated.broken_promises:
        told = list(bug_files(plan, trial, generated.broken_promises, work.stops.now))
        outcome = replace(
            outcome,
            bugs=tuple(each for each in told if isinstance(each, NewFile)),
            notes=(*outcome.notes, *(each for each in told if isinstance(each, str))),
        )
    return outcome


def _is_empty(file: Path) -> bool:
    """Whether a module plainly has nothing to test. One that we cannot read is left to its own interpreter."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    return not any(isinstance(node, kinds) for node in ast.walk(tree))


def _harvested(plan: ModulePlan) -> dict[str, tuple[str, ...]]:
    try:
        return harvest(plan.layout, plan.request.file, module_name=plan.request.import_map.module_name)
    except TestwrightError:  # a file that cannot be read here: its own interpreter may, or say why not
        return {}


def _without_suite(plan: ModulePlan, generated: Generated, *, stopped: bool) -> ModuleOutcome:
    reasons = list(dict.fromkeys(each.reason for each in generated.skipped))
    if generated.time_cap_hit and not reasons:
        reasons = ["the time cap was reached before a test was found"]
    if stopped:
        reasons = ["stopped before a test was found"]
    status, reason = Status.FAILED if reasons else Status.NOTHING, "; ".join(reasons[:3])
    baseline = plan.request.baseline
    if baseline is not None and is_refined_to_nothing(plan.request, generated) and not stopped:
        status, reason = Status.NOTHING, already_covered(baseline)
    return ModuleOutcome(
        plan.shown,
        status,
        reason or "there is nothing in it that a test could call",
        skipped=generated.skipped,
        notes=generated.notes,
        promises=tuple(map(sentence_of, generated.broken_promises)),
        cpu_s=generated.cpu_s,
        time_cap_hit=generated.time_cap_hit,
    )


def _trial(plan: ModulePlan, text: str) -> SuiteFile:
    request = plan.request
    return SuiteFile(
        name=plan.name,
        text=text,
        folder=plan.folder,
        root=request.root,
        python=request.python,
        level=request.level,
        support={"conftest.py": plan.staged_conftest} if plan.staged_conftest is not None else {},
        roots=request.import_map.sys_path_roots if request.import_map.needs_bootstrap else (),
        readable=(request.file.parent, *map(Path, request.import_map.sys_path_roots)),
    )


def _expected(plan: ModulePlan, generated: Generated) -> GateCriteria:
    request = plan.request
    return GateCriteria(
        target_import=request.import_map.target_import,
        module_name=request.import_map.module_name,
        module_file=request.file,
        shown_file=plan.shown,
        mutants=generated.mutants,
        baseline=request.baseline,
        effort=WorthBudget.of(request.budget),
        needs_bootstrap=request.import_map.needs_bootstrap,
        covered=generated.covered,
    )


def _judged(plan: ModulePlan, generated: Generated, gated: GateResult) -> ModuleOutcome:
    name = plan.request.import_map.module_name
    conftest = None
    if gated.text is not None and plan.conftest is not None:
        conftest = NewFile(plan.folder / "conftest.py", plan.conftest, "Let the tests find the code")
    cap = ("the time cap was reached: another machine may find other tests",) if generated.time_cap_hit else ()
    status, reason = _status(gated), gated.refusal
    if status is Status.NOTHING and plan.request.baseline is not None:
        reason = already_covered(plan.request.baseline)
    return ModuleOutcome(
        plan.shown,
        status,
        reason,
        suite=NewFile(plan.folder / plan.name, gated.text, f"Tests for {name}") if gated.text is not None else None,
        conftest=conftest,
        feedback=gated.feedback,
        verdicts=gated.verdicts,
        covered=gated.covered,
        mutants=gated.mutants,
        tests=gated.tests,
        skipped=generated.skipped,
        notes=(*generated.notes, *cap, *(growth(plan.request.baseline, gated) if status is Status.TESTED else ())),
        promises=tuple(map(sentence_of, generated.broken_promises)),
        cpu_s=generated.cpu_s + gated.cpu_s,
        time_cap_hit=generated.time_cap_hit,
    )


def _status(gated: GateResult) -> Status:
    if gated.text is not None:
        return Status.TESTED
    return Status.NOTHING if gated.adds_nothing else Status.FAILED


def _one_at_a_time(listen: Listener) -> Listener:
    """Modules are worked on at the same time; whoever listens hears one thing after another."""
    lock = threading.Lock()

    def tell(happening: Happening) -> None:
        with lock:
            listen(happening)

    return tell
