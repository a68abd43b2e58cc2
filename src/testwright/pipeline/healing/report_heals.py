"""`heal flutter` and `heal golden`: heals made from the report of a test run, and the changes they lead to.

The lost widgets of Flutter tests are found again in what the tests printed of their pages. Of the golden screens of a
Go program those are healed that only moved or were restyled.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from testwright.heal.flutter.dump_snapshot import snapshot_from_dumps
from testwright.heal.flutter.flutter_heals import FlutterHeal, flutter_heals, pages_of, remembered_from
from testwright.heal.golden.golden_heals import GoldenHeal, golden_heals
from testwright.model.errors import PathNotFound
from testwright.model.heal import HealOutcome
from testwright.model.proposal import Evidence, ProposalKind
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue
from testwright.run.importers.report_file import ReportFile
from testwright.run.project import Project

_NOT_TRIED = Evidence("The test has not been run with this change.")
OpenQueue = Callable[[], AbstractContextManager[ReviewQueue]]
"""Opens the project's review queue. It is opened only where something is to be put into it."""


class FileChange(NamedTuple):
    kind: ProposalKind
    title: str
    file: str
    before: bytes
    after: bytes
    evidence: tuple[Evidence, ...]
    confidence: float | None = None


def queue_changes(
    open_queue: OpenQueue, confined: ConfinedRoot, changes: Iterable[FileChange], origin: str
) -> dict[str, str]:
    """The ids they wait under, by file. Of several for one file only the first: the others were made without it."""
    made: dict[str, str] = {}
    with open_queue() as queue:
        for change in changes:
            if change.file in made:
                continue
            proposal = make_proposal(
                confined,
                change.kind,
                change.title,
                change.file,
                change.after,
                origin,
                change.evidence,
                change.confidence,
                made_from=change.before,
            )
            made[change.file] = queue.submit(proposal).id
    return made


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
        changes = [_flutter_change(heal) for heal in heals if heal.heal.outcome is HealOutcome.HEAL]
        proposals = queue_changes(open_queue, confined, changes, "heal flutter") if open_queue and changes else {}
    return FlutterAnswer(heals, proposals)


def _flutter_change(made: FlutterHeal) -> FileChange:
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
        changes = [_golden_change(heal) for heal in heals if heal.outcome is HealOutcome.HEAL]
        proposals = queue_changes(open_queue, confined, changes, "heal golden") if open_queue and changes else {}
    return GoldenAnswer(heals, proposals)


def _golden_change(heal: GoldenHeal) -> FileChange:
    return FileChange(ProposalKind.GOLDEN_UPDATE, heal.title, heal.file, heal.before, heal.after, heal.evidence)
