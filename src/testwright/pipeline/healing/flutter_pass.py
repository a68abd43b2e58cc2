"""`heal flutter`: the lost widgets of a machine report, found again in what the tests printed of their pages."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from testwright.heal.flutter.dump_snapshot import snapshot_from_dumps
from testwright.heal.flutter.flutter_heals import FlutterHeal, flutter_heals, pages_of, remembered_from
from testwright.model.heal import HealOutcome
from testwright.model.proposal import Evidence, ProposalKind
from testwright.pipeline.healing.queued_changes import FileChange, OpenQueue, queue_changes
from testwright.review.confined_root import ConfinedRoot
from testwright.run.importers.report_file import ReportFile
from testwright.run.project import Project

_ORIGIN = "heal flutter"
_NOT_TRIED = Evidence("The test has not been run with this change.")


class FlutterReports(NamedTuple):
    """The files that are read, wherever they lie."""

    failed: Path  # what `flutter test --machine` printed
    passed: Path  # the same of a run that passed: what is remembered
    widgets: Path | None = None  # a page for tests that printed none
    semantics: Path | None = None


class FlutterAnswer(NamedTuple):
    heals: list[FlutterHeal]
    proposals: dict[str, str]  # the ids that changes wait under, by file


def heal_flutter(root: Path, reports: FlutterReports, open_queue: OpenQueue | None = None) -> FlutterAnswer:
    """Every failed test of the report, judged once. `open_queue`: where to propose the heals; None: nowhere."""
    widgets, semantics = _text(reports.widgets), _text(reports.semantics)
    page = snapshot_from_dumps(widgets, semantics) if widgets or semantics else None
    remembered = remembered_from(pages_of(_text(reports.passed).splitlines()))
    with ConfinedRoot(root) as confined:
        heals = flutter_heals(_text(reports.failed).splitlines(), _DartFiles(root, confined), remembered, page)
        changes = [_change(heal) for heal in heals if heal.heal.outcome is HealOutcome.HEAL]
        proposals = queue_changes(open_queue, confined, changes, _ORIGIN) if open_queue and changes else {}
    return FlutterAnswer(heals, proposals)


def _change(made: FlutterHeal) -> FileChange:
    heal = made.heal
    evidence = (*heal.evidence, _NOT_TRIED)
    title = f"Heal {heal.old} in {made.file}"
    return FileChange(
        ProposalKind.SELECTOR_PATCH, title, made.file, made.before, made.after, evidence, heal.probability
    )


def _text(file: Path | None) -> str:
    return "" if file is None else ReportFile.at(file).text


class _DartFiles(Mapping[str, bytes]):
    """The project's Dart files, each read when it is asked for."""

    def __init__(self, root: Path, confined: ConfinedRoot) -> None:
        self._names = frozenset(name for name in Project.at(root).names if name.endswith(".dart"))
        self._confined = confined

    def __getitem__(self, name: str) -> bytes:
        if name not in self._names:
            raise KeyError(name)
        return self._confined.read(name)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._names))

    def __len__(self) -> int:
        return len(self._names)
