"""The journey of generated tests: explore and write, pass the gates, hand on what came through.

One module's failure never stops the rest, and every module that got no tests is named with the reason.
"""

import ast
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from testwright.generate.measured_results import Generated
from testwright.generate.module_request import Progress
from testwright.generate.quality_gates.all_gates import pass_gates
from testwright.model.errors import TestwrightError
from testwright.pipeline.generating.bug_files import bug_files
from testwright.pipeline.generating.existing_tests import refined
from testwright.pipeline.generating.module_outcome import (
    Advanced,
    Begun,
    Ended,
    GenerationWork,
    ModuleOutcome,
    NewFile,
    Status,
)
from testwright.pipeline.generating.module_plan import ModulePlan, RefusedTarget, gate_criteria, suite_file
from testwright.pipeline.generating.outcome_builder import outcome_after_gates, outcome_of_error, outcome_without_suite
from testwright.repo.call_harvest import harvest


def generate_modules(
    plans: Sequence[ModulePlan | RefusedTarget], work: GenerationWork, *, parallel: int = 1
) -> Iterator[ModuleOutcome]:
    """The outcome of each plan, in their order. The work is done by child processes: threads only wait for them."""
    with ThreadPoolExecutor(max_workers=parallel, thread_name_prefix="generate") as executor:
        try:
            yield from _outcomes(plans, work.for_threads(), executor)
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
    started = time.monotonic()
    work.listen(Begun(plan.shown))
    try:
        if isinstance(plan, RefusedTarget):
            outcome = outcome_of_error(plan.shown, plan.error)
        elif work.stops.enough.raised:
            outcome = ModuleOutcome(plan.shown, Status.FAILED, "stopped before it was its turn")
        else:
            outcome = replace(_tested(plan, work), wall_s=time.monotonic() - started)
    except Exception as error:  # noqa: BLE001  a fault of ours with one module must not cost the others their tests
        outcome = outcome_of_error(plan.shown, error)
    work.listen(Ended(outcome))
    return outcome


def _tested(plan: ModulePlan, work: GenerationWork) -> ModuleOutcome:
    """One module: what is tested already, what can be called, a suite, and what the gates say of it."""
    if _is_empty(plan.request.file):
        return ModuleOutcome(plan.shown, Status.NOTHING, "it has no function and no class")

    def show(progress: Progress) -> None:
        work.listen(Advanced(plan.shown, progress))

    show(Progress("existing tests" if plan.request.existing_tests else "reading"))
    known = refined(plan.request, suite_file(plan, ""), work.stops.enough)
    plan = replace(plan, request=replace(known.request, harvested=_harvested(plan)))
    show(Progress("reading"))
    generated = work.engine(plan.request, show, work.stops.enough)
    generated = replace(generated, notes=(*known.notes, *generated.notes), cpu_s=known.cpu_s + generated.cpu_s)
    if generated.suite_text is None:
        return outcome_without_suite(plan, generated, stopped=work.stops.enough.raised)
    show(Progress("gates", covered=generated.covered.share, cases=generated.cases))
    return _judged(plan, generated, generated.suite_text, work)


def _judged(plan: ModulePlan, generated: Generated, text: str, work: GenerationWork) -> ModuleOutcome:
    suite = suite_file(plan, text)
    gated = pass_gates(suite, gate_criteria(plan, generated), work.stops.now, seed=plan.request.seed)
    outcome = outcome_after_gates(plan, generated, gated)
    if not (work.with_bugs and generated.broken_promises):
        return outcome
    shown = list(bug_files(plan, suite, generated.broken_promises, work.stops.now))
    return replace(
        outcome,
        bugs=tuple(each for each in shown if isinstance(each, NewFile)),
        notes=(*outcome.notes, *(each for each in shown if isinstance(each, str))),
    )


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
