"""Rewritten tests: no matter who wrote it, the new text must not be easier to pass, must run, and is a draft.

What the engine had generated it generates again; for other tests no one is there to write them yet.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Protocol

from testwright.generate.engine import generate_module
from testwright.generate.target_files import ModuleTarget
from testwright.heal.source.languages import BY_ENDING
from testwright.heal.source.weakening_guard import never_looser
from testwright.model.case import TestCase
from testwright.model.errors import TestwrightError
from testwright.model.proposal import ENGINE, Evidence, Proposal, ProposalKind
from testwright.model.untrusted_text import visible_line
from testwright.model.verdict import Verdict
from testwright.pipeline.generating.journey import generate_modules
from testwright.pipeline.generating.module_outcome import GenerationWork, ModuleOutcome, Stops
from testwright.pipeline.generating.module_plan import Wish, plan_modules
from testwright.pipeline.healing.on_request.file_proposals import Rerunner
from testwright.pipeline.improving.loop_report import LoopReport, LoopStep, Route
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue

_COMPLAINTS_SHOWN = 3
Generate = Callable[[ModuleTarget, Wish], ModuleOutcome]


@dataclass(frozen=True, slots=True)
class RewriteRequest:
    """What a rewriter is given: the file with the test as it is, and why it failed."""

    case: TestCase
    source: bytes
    message: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class NotRewritten:
    """No new text, and the reason as a sentence."""

    why: str


class SuiteRewriter(Protocol):
    """Rewrites a file of tests. What it returns is checked, tried and reviewed."""

    @property
    def origin(self) -> str:
        """As a proposal names its author: the engine, or a model and its prompt's version."""

    def rewrite(self, asked: RewriteRequest) -> bytes | NotRewritten: ...


class NoModel:
    """No one who could rewrite tests."""

    origin = "nobody"

    def rewrite(self, asked: RewriteRequest) -> bytes | NotRewritten:  # noqa: ARG002  the answer is always the same
        return NotRewritten("No model is configured that could rewrite the test: a person has to.")


@dataclass(frozen=True, slots=True)
class RewriteDrafter:
    """Turns rewritten tests into drafts for review."""

    root: ConfinedRoot
    queue: ReviewQueue
    rewriters: Mapping[Route, SuiteRewriter]
    rerun: Rerunner

    def drafted(self, report: LoopReport) -> LoopReport:
        """The same report, with a draft for each test that could be rewritten. A file is rewritten once."""
        by_file: dict[str, LoopStep] = {}
        steps: list[LoopStep] = []
        for step in report.steps:
            file = step.improvement.case.file
            if step.route in self.rewriters and step.verdict is not None:
                done = by_file.get(file) or self._drafted(step, step.verdict, self.rewriters[step.route], report.run.id)
                by_file[file] = done
                step = replace(step, said=done.said, proposal=done.proposal)  # noqa: PLW2901  the same step, with more to say
            steps.append(step)
        return replace(report, steps=tuple(steps))

    def _drafted(self, step: LoopStep, verdict: Verdict, rewriter: SuiteRewriter, run: str) -> LoopStep:
        case = step.improvement.case
        try:
            before = self.root.read(case.file)
            after = rewriter.rewrite(RewriteRequest(case, before, step.improvement.message, verdict))
            if isinstance(after, NotRewritten):
                return _with_reason(step, after.why)
            refusal = looser(before, after, case.file)
            if refusal:
                return _with_reason(
                    step, f"It was rewritten, and that was refused: {' '.join(refusal[:_COMPLAINTS_SHOWN])}"
                )
            tried = self.rerun(case.file, after)
            if not tried.passed:
                return _with_reason(step, f"It was rewritten, and does not pass: {visible_line(tried.told)}.")
            proposal = make_proposal(
                self.root,
                ProposalKind.REWRITTEN_TEST,
                f"Rewrite {case.file} ({verdict.label})",
                case.file,
                after,
                rewriter.origin,
                (
                    Evidence(f"{case.id} failed: {verdict.label}", step.improvement.message[:2000], f"run {run}"),
                    Evidence(f"The tests of the file pass with this text: {tried.told}.", source=tried.run),
                ),
                made_from=before,
            )
            self.queue.submit(proposal)
        except TestwrightError as error:
            return _with_reason(step, f"It could not be rewritten: {error.message}")
        return replace(step, said=f"A draft waits: testwright review show {proposal.id}", proposal=proposal.id)


def looser(before: bytes, after: bytes, file: str) -> tuple[str, ...]:
    """Why a rewritten file may not be proposed: it checks less, swallows errors, skips, waits longer. Empty: it may."""
    language = BY_ENDING.get(PurePosixPath(file).suffix)
    if language is None:
        return ("It is unknown whether it checks less: the language of the file is not known.",)
    return never_looser(before, after, language)


def _with_reason(step: LoopStep, why: str) -> LoopStep:
    return replace(step, said=f"{why} {step.said}".strip())


def generated(target: ModuleTarget, wish: Wish) -> ModuleOutcome:
    """The module's tests: explored, written, and judged by the gates."""
    work = GenerationWork(generate_module, Stops(), lambda _: None)
    [outcome] = generate_modules(plan_modules([target], wish), work)
    return outcome


@dataclass(frozen=True)
class EngineRewriter:
    """Knows, from the proposals that were applied, which module a generated file is about."""

    wish: Wish
    modules: dict[str, str] = field(default_factory=dict)
    generate: Generate = generated
    origin: str = ENGINE

    def rewrite(self, asked: RewriteRequest) -> bytes | NotRewritten:
        module = self.modules.get(asked.case.file, "")
        file = self.wish.root / module
        if not module or not file.is_file():
            gone = f"{visible_line(module)} is gone" if module else "it is not known which module it is about"
            return NotRewritten(
                f"It cannot be generated again: {gone}. `testwright generate MODULE` writes tests for another."
            )
        outcome = self.generate(ModuleTarget(file), self.wish)
        if outcome.suite is None:
            return NotRewritten(
                f"The engine wrote no tests for {visible_line(module)}: {visible_line(outcome.reason.rstrip('.'))}."
            )
        if outcome.suite.path != self.wish.root / asked.case.file:
            return NotRewritten(f"The engine would write the tests of {visible_line(module)} to another file.")
        return outcome.suite.text.encode("utf-8")


def modules_of(applied: Iterable[Proposal]) -> dict[str, str]:
    """By generated file, the module it tests: the evidence of a proposal names it. The newest counts."""
    found: dict[str, str] = {}
    for proposal in applied:
        source = next((seen.source for seen in proposal.evidence if seen.source.endswith(".py")), "")
        inside = source and not Path(source).is_absolute() and ".." not in Path(source).parts
        if proposal.kind is ProposalKind.NEW_TEST and proposal.origin == ENGINE and inside:
            found.setdefault(proposal.file, source)
    return found
