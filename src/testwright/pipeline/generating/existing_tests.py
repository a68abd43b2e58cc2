"""Where a module has tests already: find out what they show of it, so that only what goes beyond it is proposed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from testwright.generate.measured_results import Generated, SuiteWorth
from testwright.generate.module_request import ModuleRequest
from testwright.generate.quality_gates.all_gates import GateResult
from testwright.generate.quality_gates.single_run import SuiteFile, WatchedModule
from testwright.generate.quality_gates.suite_worth import WorthBudget, measure_worth
from testwright.isolate.child import Cancel

_NAMED = 3


@dataclass(frozen=True)
class Refined:
    """The request with what is known of existing tests, and what a person should know about them."""

    request: ModuleRequest
    notes: tuple[str, ...] = ()
    cpu_s: float = 0.0


def refined(request: ModuleRequest, suite: SuiteFile, cancel: Cancel) -> Refined:
    """Run the tests that exist under the conditions of `suite`, without its own file. Nothing of theirs changes."""
    if not request.existing_tests:
        return Refined(request)
    baseline = measure_worth(
        replace(suite, name="", text=""),
        request.existing_tests,
        WatchedModule(request.import_map.module_name, request.file),
        WorthBudget.of(request.budget),
        cancel,
        seed=request.seed,
        import_path=request.import_map.sys_path_roots,
    )
    if baseline is None:
        return Refined(request, ("the existing tests could not be run: what is proposed may be tested already",))
    useful = baseline if baseline.tests else None
    return Refined(replace(request, baseline=useful), tuple(_notes(baseline)), baseline.cpu_s)


def _notes(baseline: SuiteWorth) -> Iterator[str]:
    failed = baseline.failed
    if failed:
        named = "; ".join(f"{each.name} ({each.reason})" for each in failed[:_NAMED])
        more = f"; and {len(failed) - _NAMED} more" if len(failed) > _NAMED else ""
        yield f"{len(failed)} of the existing tests do not pass here and count for nothing: {named}{more}"
    if not baseline.tests:
        yield "no existing test that passes reaches the module"
    if baseline.time_cap_hit:
        yield "the existing tests took too long to try all mutants on them: another machine may propose other tests"


def is_refined_to_nothing(request: ModuleRequest, generated: Generated) -> bool:
    """Whether the module was explored to the end, and everything found is tested already."""
    return request.baseline is not None and generated.suite_text is None and generated.covered.lines_total > 0


def already_covered(baseline: SuiteWorth) -> str:
    covered, mutants = baseline.covered, baseline.mutants
    said = f"existing tests already cover this: {covered.done} of {covered.total} lines and branches"
    return f"{said}, {mutants.killed} of {mutants.total} mutants noticed" if mutants.total else said


def growth(baseline: SuiteWorth | None, gated: GateResult) -> tuple[str, ...]:
    """What the new tests add to those that exist, in a sentence."""
    if baseline is None:
        return ()
    covered, mutants = gated.covered, gated.mutants
    said = f"with the existing tests: {covered.done} of {covered.total} lines and branches"
    said += f", {baseline.covered.done} before"
    if mutants.total:
        said += f"; {mutants.killed} of {mutants.total} mutants, {mutants.before} before"
    return (said,)
