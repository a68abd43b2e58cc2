"""`testwright heal flutter`: where the lost widgets of Flutter tests went, from their machine reports."""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testwright.faces.cli.common_options import add_json, add_project

if TYPE_CHECKING:
    from testwright.heal.flutter.flutter_heals import FlutterHeal
    from testwright.review.confined_root import ConfinedRoot

_ORIGIN = "heal flutter"


def configure_flutter(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", type=Path, metavar="REPORT", help="what `flutter test --machine` printed")
    parser.add_argument(
        "--passed", type=Path, required=True, metavar="REPORT", help="the same of a run that passed: what is remembered"
    )
    parser.add_argument("--widgets", type=Path, metavar="FILE", help="a debugDumpApp(), where the report has none")
    parser.add_argument("--semantics", type=Path, metavar="FILE", help="a debugDumpSemanticsTree()")
    parser.add_argument("--propose", action="store_true", help="queue the change for `testwright review`")
    add_json(parser)
    add_project(parser)


def execute_flutter(options: argparse.Namespace) -> int:
    from testwright.faces.cli.standard_output import print_json
    from testwright.heal.flutter.dump_snapshot import snapshot_from_dumps
    from testwright.heal.flutter.flutter_heals import flutter_heals, pages_of, remembered_from
    from testwright.model.heal import HealOutcome
    from testwright.review.confined_root import ConfinedRoot

    root = options.project.absolute()
    widgets, semantics = _text(options.widgets), _text(options.semantics)
    dumps = snapshot_from_dumps(widgets, semantics) if widgets or semantics else None
    remembered = remembered_from(pages_of(_text(options.passed).splitlines()))
    with ConfinedRoot(root) as confined:
        heals = flutter_heals(_text(options.report).splitlines(), _DartFiles(root, confined), remembered, dumps)
        healed = [heal for heal in heals if heal.outcome is HealOutcome.HEAL]
        proposals = _proposed(healed, root, confined) if options.propose and healed else {}
    if options.json:
        print_json({"heals": [_shape(heal, proposals.get(heal.file, "")) for heal in heals]})
    else:
        _show(heals, proposals)
    return int(bool(heals))


class _DartFiles(Mapping[str, bytes]):
    """The project's Dart files, each read when it is asked for."""

    def __init__(self, root: Path, confined: "ConfinedRoot") -> None:
        from testwright.run.project import Project

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


def _text(file: Path | None) -> str:
    from testwright.run.importers.report_file import ReportFile

    return "" if file is None else ReportFile.at(file).text


def _proposed(healed: "list[FlutterHeal]", root: Path, confined: "ConfinedRoot") -> dict[str, str]:
    from testwright.faces.cli.heal_queue import FileChange, queue_changes
    from testwright.model.proposal import Evidence, ProposalKind

    not_tried = Evidence("The test has not been run with this change.")
    changes = [
        FileChange(
            ProposalKind.SELECTOR_PATCH,
            f"Heal {heal.old} in {heal.file}",
            heal.file,
            heal.before,
            heal.after,
            (*heal.evidence, not_tried),
            heal.confidence,
        )
        for heal in healed
    ]
    return queue_changes(root, confined, changes, _ORIGIN)


def _shape(heal: "FlutterHeal", proposal: str) -> dict[str, Any]:
    return {
        "test": heal.test,
        "decision": str(heal.outcome),
        "reason": heal.reason,
        "explanation": heal.explanation,
        "old": heal.old,
        "new": heal.new,
        "strategy": str(heal.strategy or ""),
        "confidence": heal.confidence,
        "file": heal.file,
        "patch": heal.patch.decode("utf-8", errors="replace"),
        "proposal": proposal,
    }


def _show(heals: "list[FlutterHeal]", proposals: dict[str, str]) -> None:
    from testwright.model.untrusted_text import visible_line

    if not heals:
        sys.stdout.write("No test failed.\n")
    for heal in heals:
        # Nobody has run it again, so this is no SELF_HEAL_APPLIED.
        told = f"{heal.test}: {heal.old} → {heal.new} ({heal.strategy})" if heal.new else heal.row
        sys.stdout.write(visible_line(told) + "\n")
    for file, proposal in proposals.items():
        sys.stdout.write(f"{visible_line(file)} waits for you: testwright review show {proposal}\n")
