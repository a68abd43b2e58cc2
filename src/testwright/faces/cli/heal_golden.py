"""`testwright heal golden`: which golden screens of a Go program only moved or were restyled."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testwright.faces.cli.common_options import add_json, add_project

if TYPE_CHECKING:
    from testwright.heal.golden.golden_heals import GoldenHeal
    from testwright.review.confined_root import ConfinedRoot

_ORIGIN = "heal golden"


def configure_golden(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", type=Path, metavar="REPORT", help="what `go test -json` printed")
    parser.add_argument("--propose", action="store_true", help="queue the new golden files for `testwright review`")
    add_json(parser)
    add_project(parser)


def execute_golden(options: argparse.Namespace) -> int:
    from testwright.faces.cli.standard_output import print_json
    from testwright.heal.golden.golden_heals import golden_heals
    from testwright.model.errors import PathNotFound
    from testwright.model.heal import HealOutcome
    from testwright.review.confined_root import ConfinedRoot
    from testwright.run.importers.report_file import ReportFile

    root = options.project.absolute()
    report = ReportFile.at(options.report)
    with ConfinedRoot(root) as confined:

        def read(file: str) -> bytes | None:
            try:
                return confined.read(file)
            except PathNotFound:
                return None

        heals = golden_heals(report.text.splitlines(), read)
        healed = [heal for heal in heals if heal.outcome is HealOutcome.HEAL]
        proposals = _proposed(healed, root, confined) if options.propose and healed else {}
    if options.json:
        print_json({"golden": [_shape(heal, proposals.get(heal.file, "")) for heal in heals]})
    else:
        _show(heals, proposals)
    return int(bool(heals))


def _proposed(heals: "list[GoldenHeal]", root: Path, confined: "ConfinedRoot") -> dict[str, str]:
    from testwright.faces.cli.heal_queue import FileChange, queue_changes
    from testwright.model.proposal import ProposalKind

    changes = [
        FileChange(ProposalKind.GOLDEN_UPDATE, heal.title, heal.file, heal.before, heal.after, heal.evidence)
        for heal in heals
    ]
    return queue_changes(root, confined, changes, _ORIGIN)


def _shape(heal: "GoldenHeal", proposal: str) -> dict[str, Any]:
    return {
        "package": heal.package,
        "test": heal.test,
        "file": heal.file,
        "decision": str(heal.outcome),
        "reason": heal.reason,
        "explanation": heal.explanation,
        "proposal": proposal,
    }


def _show(heals: "list[GoldenHeal]", proposals: dict[str, str]) -> None:
    from testwright.faces.cli.standard_output import print_table
    from testwright.model.untrusted_text import visible_line

    if not heals:
        sys.stdout.write("No golden file differs.\n")
        return
    print_table(
        ("test", "decision", "reason", "file", "why"),
        [(heal.test, str(heal.outcome), heal.reason, heal.file or "-", heal.explanation) for heal in heals],
    )
    for file, proposal in proposals.items():
        sys.stdout.write(f"{visible_line(file)} waits for you: testwright review show {proposal}\n")
