"""What the gates are given: the suite as a file of its project, and what it is measured by."""

from pathlib import Path

from testwright.generate.measured_results import Generated
from testwright.generate.quality_gates.all_gates import GateCriteria
from testwright.generate.quality_gates.single_run import SuiteFile
from testwright.generate.quality_gates.suite_worth import WorthBudget
from testwright.pipeline.generating.module_plan import ModulePlan


def suite_file(plan: ModulePlan, text: str) -> SuiteFile:
    """`text` as the test file of a module, with all that it needs to run."""
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


def gate_criteria(plan: ModulePlan, generated: Generated) -> GateCriteria:
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
