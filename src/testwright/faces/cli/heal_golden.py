"""`testwright heal golden`: which golden screens of a Go program only moved or were restyled."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testwright.faces.cli.common_options import add_json, add_project
from testwright.faces.cli.standard_output import print_json, print_table
from testwright.model.untrusted_text import visible_line

if TYPE_CHECKING:
    from testwright.heal.golden.golden_heals import GoldenHeal
    from testwright.pipeline.healing.golden_pass import GoldenAnswer


def configure_golden(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", type=Path, metavar="REPORT", help="what `go test -json` printed")
    parser.add_argument("--propose", action="store_true", help="queue the new golden files for `testwright review`")
    add_json(parser)
    add_project(parser)


def execute_golden(options: argparse.Namespace) -> int:
    # late: start-up: msgspec, pyte, pydantic
    from testwright.pipeline.healing.golden_pass import heal_golden
    from testwright.settings import load_settings
    from testwright.wiring import open_review

    root = options.project.absolute()
    open_queue = (lambda: open_review(root, load_settings(root))) if options.propose else None
    answer = heal_golden(root, options.report, open_queue)
    if options.json:
        print_json({"golden": [_shape(heal, answer.proposals.get(heal.file, "")) for heal in answer.heals]})
    else:
        _show(answer)
    return int(bool(answer.heals))


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


def _show(answer: "GoldenAnswer") -> None:
    if not answer.heals:
        sys.stdout.write("No golden file differs.\n")
        return
    print_table(
        ("test", "decision", "reason", "file", "why"),
        [(heal.test, str(heal.outcome), heal.reason, heal.file or "-", heal.explanation) for heal in answer.heals],
    )
    for file, proposal in answer.proposals.items():
        sys.stdout.write(f"{visible_line(file)} waits for you: testwright review show {proposal}\n")
