"""Heals with which the test passed become patches and proposals; a person decides about both."""

from collections.abc import Sequence
from datetime import UTC, datetime

from testwright.heal.selector_draft import patch_of
from testwright.model.errors import TestwrightError
from testwright.model.proposal import Evidence, ProposalKind
from testwright.model.result import RunId
from testwright.pipeline.healing.combined_heals import by_file, combined
from testwright.pipeline.healing.heal_candidate import HealCandidate
from testwright.pipeline.healing.heal_report import HealEntry, HealReport
from testwright.pipeline.healing.patch_files import PatchFolder
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue

ORIGIN = "engine"


class Proposer:
    """Writes down what was healed in one run."""

    def __init__(self, root: ConfinedRoot, queue: ReviewQueue, run: RunId, report: HealReport) -> None:
        self._root, self._queue, self._run, self._report = root, queue, run, report

    def propose(self, healed: Sequence[HealCandidate]) -> list[HealEntry]:
        """One proposal for each file: two for one file could not both be accepted, as each is made for one exact
        state of it. And one patch for each test."""
        entries: list[HealEntry] = []
        for file, candidates in by_file(healed).items():
            proposal = self._proposal(file, candidates)
            entries += [self._written(candidate, proposal) for candidate in candidates]
        return entries

    def _proposal(self, file: str, candidates: Sequence[HealCandidate]) -> str:
        """The id of the proposal, or nothing where the file is not one that we may write."""
        places = {candidate.draft.key: candidate for candidate in candidates}
        title = (
            f"Heal {candidates[0].draft.old_text} in {file}"
            if len(places) == 1
            else f"Heal {len(places)} selectors in {file}"
        )
        try:
            proposal = make_proposal(
                self._root,
                ProposalKind.SELECTOR_PATCH,
                title,
                file,
                combined(candidates),
                ORIGIN,
                [seen for candidate in candidates for seen in self._evidence(candidate)],
                min(_probability(candidate) for candidate in candidates),
                made_from=candidates[0].draft.before,
            )
            return self._queue.submit(proposal).id
        except TestwrightError as error:
            self._report.troubles.append(f"No change of {file} could be proposed: {error.message}")
            return ""

    def _evidence(self, candidate: HealCandidate) -> list[Evidence]:
        heal, site = candidate.heal, candidate.draft.site
        passed = Evidence(
            f"{heal.old} -> {heal.new} by {heal.found_by}: {candidate.case.id} passes with it",
            f"{site.file}:{site.line}, confidence {_probability(candidate):.3f}",
            f"run {self._run}",
        )
        return [passed, *heal.evidence]

    def _written(self, candidate: HealCandidate, proposal: str) -> HealEntry:
        now = datetime.now(UTC)
        extra = {
            "test": candidate.case.id,
            "confidence": f"{_probability(candidate):.3f}",
            "created": f"{now:%Y-%m-%dT%H:%M:%SZ}",
            "run": self._run,
            "proposal": proposal or "none",
        }
        folder = PatchFolder(self._root.path, candidate.module)
        name = folder.name_of(candidate.case.id, now)
        entry = candidate.healed(patch=name, proposal=proposal)
        try:
            folder.write(candidate.case.id, now, patch_of(candidate.draft, candidate.strategy, extra), entry.line())
        except TestwrightError as error:
            self._report.troubles.append(error.message)
            return candidate.healed(proposal=proposal)
        return entry


def _probability(candidate: HealCandidate) -> float:
    """A heal that is tried has one: the engine was asked."""
    assert candidate.heal.probability is not None
    return candidate.heal.probability
