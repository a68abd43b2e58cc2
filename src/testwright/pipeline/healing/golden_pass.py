"""`heal golden`: the golden screens of a Go program that only moved or were restyled, from the report of its tests."""

from pathlib import Path
from typing import NamedTuple

from testwright.heal.golden.golden_heals import GoldenHeal, golden_heals
from testwright.model.errors import PathNotFound
from testwright.model.heal import HealOutcome
from testwright.model.proposal import ProposalKind
from testwright.pipeline.healing.queued_changes import FileChange, OpenQueue, queue_changes
from testwright.review.confined_root import ConfinedRoot
from testwright.run.importers.report_file import ReportFile

_ORIGIN = "heal golden"


class GoldenAnswer(NamedTuple):
    heals: list[GoldenHeal]
    proposals: dict[str, str]  # the ids that changes wait under, by file


def heal_golden(root: Path, report: Path, open_queue: OpenQueue | None = None) -> GoldenAnswer:
    """Every golden file of the report, judged once. `open_queue`: where to propose the heals; None: nowhere."""
    lines = ReportFile.at(report).text.splitlines()
    with ConfinedRoot(root) as confined:

        def read(file: str) -> bytes | None:
            try:
                return confined.read(file)
            except PathNotFound:
                return None

        heals = golden_heals(lines, read)
        changes = [_change(heal) for heal in heals if heal.outcome is HealOutcome.HEAL]
        proposals = queue_changes(open_queue, confined, changes, _ORIGIN) if open_queue and changes else {}
    return GoldenAnswer(heals, proposals)


def _change(heal: GoldenHeal) -> FileChange:
    return FileChange(ProposalKind.GOLDEN_UPDATE, heal.title, heal.file, heal.before, heal.after, heal.evidence)
