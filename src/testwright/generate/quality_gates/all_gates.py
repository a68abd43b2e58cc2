"""The gates: what a generated test file must have shown, by really running, before a person is asked to read it.

Import, bootstrap, compile, determinism, coverage, mutation. The file runs in two fresh interpreters that differ in
hash seed, folder and order. A test that does not pass in both is cut out, and what is left runs again: what comes
through has been seen green twice, as it is.
"""

import ast
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from testwright.generate.measured_results import Covered, Mutants, SuiteWorth
from testwright.generate.module_request import Budget
from testwright.generate.quality_gates.gate_feedback import feedback_of
from testwright.generate.quality_gates.run_rounds import CutTest, Rounds, telling_line
from testwright.generate.quality_gates.single_run import SuiteFile, WatchedModule
from testwright.generate.quality_gates.suite_cutter import count_tests
from testwright.generate.quality_gates.suite_worth import WorthBudget, measure_worth
from testwright.isolate.child import Cancel
from testwright.model.execution_feedback import ExecutionFeedback, FeedbackResult


class Gate(StrEnum):
    IMPORT = "import"
    BOOTSTRAP = "bootstrap"
    COMPILE = "compile"
    DETERMINISM = "determinism"
    COVERAGE = "coverage"
    MUTATION = "mutation"


@dataclass(frozen=True, slots=True)
class GateVerdict:
    gate: Gate
    passed: bool | None  # None: it was not tried, because an earlier gate was shut, or there is nothing to try
    detail: str = ""


@dataclass(frozen=True, slots=True)
class GateCriteria:
    """What the gates measure a file by."""

    target_import: str
    module_name: str
    module_file: Path
    shown_file: str  # the module under test, as the reader calls it
    mutants: Mutants = field(default_factory=Mutants)
    """As the engine counted them; counted again where tests had to be cut out."""
    baseline: SuiteWorth | None = None
    """What existing tests show: only what goes beyond it is worth a reader's time."""
    effort: WorthBudget = field(default_factory=lambda: WorthBudget.of(Budget()))
    """What counting mutants again may cost."""
    needs_bootstrap: bool = False
    covered: Covered = field(default_factory=Covered)
    """As the engine measured it; used where the gates cannot measure for themselves."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """What came through, and how. No text: nothing did."""

    text: str | None
    feedback: ExecutionFeedback
    verdicts: tuple[GateVerdict, ...]
    tests: int = 0
    covered: Covered = field(default_factory=Covered)  # together with the tests that exist already
    mutants: Mutants = field(default_factory=Mutants)
    baseline: Covered | None = None
    cut: tuple[CutTest, ...] = ()
    cpu_s: float = 0.0

    @property
    def adds_nothing(self) -> bool:
        """Whether they are good tests that are not needed: all that they show is tested already."""
        return [each.gate for each in self.verdicts if each.passed is False] == [Gate.COVERAGE]

    @property
    def refusal(self) -> str:
        """The first gate that was shut, and why; empty where all were open."""
        return next((f"{each.gate} gate: {each.detail}" for each in self.verdicts if each.passed is False), "")


def pass_gates(trial: SuiteFile, expected: GateCriteria, cancel: Cancel, *, seed: int = 0) -> GateResult:
    """Take the file through all gates. Raises RunnerMissing where there is no pytest to run it with."""
    still = [_import_gate(trial.text, expected.target_import), _bootstrap_gate(trial, expected)]
    if any(verdict.passed is False for verdict in still):
        shut = next(verdict for verdict in still if verdict.passed is False)
        feedback = feedback_of(
            FeedbackResult.ERROR, expected.shown_file, expected.covered, expected.mutants, notes=(shut.detail,)
        )
        return GateResult(None, feedback, (*still, *_not_tried(Gate.COMPILE)))
    before = expected.baseline.hits if expected.baseline is not None else ()
    watched = WatchedModule(expected.module_name, expected.module_file, before)
    rounds = Rounds(trial, watched, cancel, seed)
    rounds.run()
    worth = None
    if rounds.is_green and rounds.cut and expected.mutants.total:
        trial = rounds.trial
        worth = measure_worth(
            trial, [trial.folder / trial.name], replace(watched, seen_before=()), expected.effort, cancel
        )
    if worth is None or not worth.tests:  # the import alone may show what they show, and it cannot be mutated here
        return _judged(rounds, expected, tuple(still))
    counted = replace(expected, mutants=_counted(worth, expected.baseline))
    return _judged(rounds, counted, tuple(still), counting_s=worth.cpu_s)


def _counted(worth: SuiteWorth, before: SuiteWorth | None) -> Mutants:
    """The mutants that a file notices as it is now, and those that existing tests notice."""
    if before is None:
        return replace(worth.mutants, before=0)
    noticed = set(worth.killed)
    pairs = zip(before.survived, before.survivors, strict=True)
    alive = tuple(survivor for number, survivor in pairs if number not in noticed)
    total = before.mutants.total
    return Mutants(total - len(alive), total, alive, before=len(before.killed))


# --- gates that need no run ------------------------------------------------------------------


def _import_gate(text: str, target_import: str) -> GateVerdict:
    """The first import is the canonical one, word for word of the syntax tree; nothing is imported from `src`."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return GateVerdict(Gate.IMPORT, False, f"the file is not valid Python: {error.msg}, line {error.lineno}")
    wanted = ast.parse(target_import).body
    body = tree.body[1:] if ast.get_docstring(tree, clean=False) is not None else tree.body
    first = next((index for index, node in enumerate(body) if _is_import(node) or _same(node, wanted[0])), len(body))
    found = body[first : first + len(wanted)]
    if len(found) < len(wanted) or not all(map(_same, found, wanted)):
        return GateVerdict(Gate.IMPORT, False, f"the first import is not `{target_import}`")
    from_src = next((node for node in ast.walk(tree) if _is_import(node) and "src" in _packages(node)), None)
    if from_src is not None and "src" not in {name for node in wanted for name in _packages(node)}:
        return GateVerdict(Gate.IMPORT, False, f"`{ast.unparse(from_src)}` imports from the folder `src`")
    return GateVerdict(Gate.IMPORT, True, target_import)


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _same(one: ast.stmt, other: ast.stmt) -> bool:
    return ast.dump(one) == ast.dump(other)


def _packages(node: ast.AST) -> set[str]:
    """The outermost packages that an import names."""
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").partition(".")[0]} if node.level == 0 else set()
    return {alias.name.partition(".")[0] for alias in node.names} if isinstance(node, ast.Import) else set()


def _bootstrap_gate(trial: SuiteFile, expected: GateCriteria) -> GateVerdict:
    """There is a conftest where one is needed. The run shows whether it works."""
    if not expected.needs_bootstrap:
        return GateVerdict(Gate.BOOTSTRAP, True, "none is needed")
    places = [trial.folder, *trial.folder.parents]
    if "conftest.py" in trial.support or any((place / "conftest.py").is_file() for place in places):
        return GateVerdict(Gate.BOOTSTRAP, True, "conftest.py")
    return GateVerdict(Gate.BOOTSTRAP, False, "no conftest.py adds the module's folder to the import path")


def _not_tried(first: Gate) -> list[GateVerdict]:
    gates = list(Gate)
    return [GateVerdict(gate, None) for gate in gates[gates.index(first) :]]


# --- judgement -------------------------------------------------------------------------------


def _judged(
    rounds: Rounds, expected: GateCriteria, still: tuple[GateVerdict, ...], *, counting_s: float | None = None
) -> GateResult:
    """`counting_s`: what it took to count the mutants again; None: they were not."""
    measured = rounds.measured
    covered = measured.covered if measured is not None and measured.covered is not None else expected.covered
    baseline = measured.imported if measured is not None else None
    if expected.baseline is not None:
        baseline = expected.baseline.covered
    verdicts = [*_after_bootstrap(rounds, still), *_shown_by_runs(rounds)]
    if rounds.is_green:
        verdicts += _gains(covered, baseline, expected)
    else:
        verdicts += _not_tried(Gate.COVERAGE)
    is_open = all(verdict.passed is not False for verdict in verdicts)
    notes = [f"{test.name} was cut out: {test.reason}" for test in rounds.cut]
    notes += [f"{verdict.gate} gate: {verdict.detail}" for verdict in verdicts if verdict.passed is False]
    if rounds.is_green and rounds.cut and counting_s is None:
        notes.append("the mutants were counted by the explorer, before tests were cut out")
    if rounds.is_green and measured is None:
        notes.append("the module was loaded before it could be watched: its coverage is what the explorer saw")
    feedback = feedback_of(
        _result(rounds), expected.shown_file, covered, expected.mutants, trace=rounds.trace, notes=tuple(notes)
    )
    return GateResult(
        text=rounds.trial.text if is_open and rounds.is_green else None,
        feedback=feedback,
        verdicts=tuple(verdicts),
        tests=count_tests(rounds.trial.text) if rounds.is_green else 0,
        covered=covered,
        mutants=expected.mutants,
        baseline=baseline,
        cut=tuple(rounds.cut),
        cpu_s=rounds.cpu_s + (counting_s or 0.0),
    )


def _result(rounds: Rounds) -> FeedbackResult:
    if rounds.is_green:
        return FeedbackResult.PASS
    if rounds.flaky:
        return FeedbackResult.FLAKE
    return FeedbackResult.FAIL if rounds.failing else FeedbackResult.ERROR


def _after_bootstrap(rounds: Rounds, still: tuple[GateVerdict, ...]) -> tuple[GateVerdict, ...]:
    """The bootstrap gate once more: the folders must really be on the import path."""
    missing = rounds.second.missing_roots
    if not missing:
        return still
    return (*still[:-1], GateVerdict(Gate.BOOTSTRAP, False, f"{', '.join(missing)} is not on the import path"))


def _shown_by_runs(rounds: Rounds) -> list[GateVerdict]:
    if not rounds.second.tests:
        said = "it was stopped" if rounds.second.cancelled else telling_line(rounds.second.trouble)
        return [GateVerdict(Gate.COMPILE, False, said), GateVerdict(Gate.DETERMINISM, None)]
    compiled = GateVerdict(Gate.COMPILE, True, f"{len(rounds.second.tests)} tests collected")
    if rounds.is_green:
        cut = f", {len(rounds.cut)} cut out before" if rounds.cut else ""
        return [compiled, GateVerdict(Gate.DETERMINISM, True, f"green in two interpreters{cut}")]
    if rounds.first.cancelled or rounds.second.cancelled:
        return [compiled, GateVerdict(Gate.DETERMINISM, False, "it was stopped")]
    return [compiled, GateVerdict(Gate.DETERMINISM, False, "no test was left that passes in every run")]


def _gains(covered: Covered, baseline: Covered | None, expected: GateCriteria) -> list[GateVerdict]:
    """The last two gates. Where tests exist already, one kind of news is enough: a line, a branch, or a mutant."""
    coverage, mutation = _coverage_gate(covered, baseline, expected), _mutation_gate(expected.mutants)
    if expected.baseline is not None:
        if mutation.passed and coverage.passed is False:
            coverage = replace(coverage, passed=None)
        elif mutation.passed is False:  # it does not count then: either there is other news, or the gate before is shut
            mutation = replace(mutation, passed=None)
    return [coverage, mutation]


def _coverage_gate(covered: Covered, baseline: Covered | None, expected: GateCriteria) -> GateVerdict:
    if baseline is None:
        return GateVerdict(Gate.COVERAGE, None, "it could not be measured")
    lines = set(baseline.uncovered_lines) - set(covered.uncovered_lines)
    branches = set(baseline.missing_branches) - set(covered.missing_branches)
    over = "the existing tests leave out" if expected.baseline is not None else "importing the module leaves out"
    if lines or branches:
        return GateVerdict(Gate.COVERAGE, True, f"{len(lines)} lines and {len(branches)} branches that {over}")
    if expected.baseline is None and not baseline.uncovered_lines:
        return GateVerdict(Gate.COVERAGE, True, "importing the module already runs every line of it")
    return GateVerdict(Gate.COVERAGE, False, f"they run no line and no branch that {over}")


def _mutation_gate(mutants: Mutants) -> GateVerdict:
    if not mutants.total:
        return GateVerdict(Gate.MUTATION, None, "no mutant was tried")
    detail = f"{mutants.killed} of {mutants.total} mutants noticed"
    if mutants.before:
        detail += f", {mutants.before} of them by the existing tests"
    return GateVerdict(Gate.MUTATION, mutants.gain > 0, detail)
