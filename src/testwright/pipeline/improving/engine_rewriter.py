"""Generated tests generated again: the engine as the rewriter of a test that cannot be loaded any more."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from testwright.generate.engine import generate_module
from testwright.generate.target_files import ModuleTarget
from testwright.model.proposal import ENGINE, Proposal, ProposalKind
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.generating.generation_work import GenerationWork, Stops
from testwright.pipeline.generating.journey import generate_modules
from testwright.pipeline.generating.module_outcome import ModuleOutcome
from testwright.pipeline.generating.module_plan import Wish, plan_modules
from testwright.pipeline.improving.rewritten_tests import NotRewritten, RewriteRequest

Generate = Callable[[ModuleTarget, Wish], ModuleOutcome]


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
