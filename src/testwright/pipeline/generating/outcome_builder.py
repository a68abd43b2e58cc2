"""The outcome of a module, from what was generated for it and what the gates said."""

from testwright.generate.measured_results import Generated
from testwright.generate.quality_gates.all_gates import GateResult
from testwright.model.errors import TestwrightError
from testwright.pipeline.generating.bug_files import sentence_of
from testwright.pipeline.generating.existing_tests import already_covered, growth, is_refined_to_nothing
from testwright.pipeline.generating.module_outcome import ModuleOutcome, NewFile, Status
from testwright.pipeline.generating.module_plan import ModulePlan


def outcome_of_error(shown: str, error: Exception) -> ModuleOutcome:
    if isinstance(error, TestwrightError):
        reason = f"{error.message} {error.next_step}".strip()
    else:
        reason = f"a fault of Testwright's own: {type(error).__name__}: {error}"
    return ModuleOutcome(shown, Status.FAILED, reason, error=error)


def outcome_without_suite(plan: ModulePlan, generated: Generated, *, stopped: bool) -> ModuleOutcome:
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


def outcome_after_gates(plan: ModulePlan, generated: Generated, gated: GateResult) -> ModuleOutcome:
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
