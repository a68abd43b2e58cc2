"""`testwright heal golden`: which golden screens of a Go program only moved or were restyled."""

import argparse
import sys
from typing import Any

from testwright.faces.cli.standard_output import print_json, print_table
from testwright.heal.golden.golden_heals import GoldenHeal
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.healing.golden_pass import GoldenAnswer, heal_golden
from testwright.settings import load_settings
from testwright.wiring import open_review


def carry_out(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    open_queue = (lambda: open_review(root, load_settings(root))) if options.propose else None
    answer = heal_golden(root, options.report, open_queue)
    if options.json:
        print_json({"golden": [_shape(heal, answer.proposals.get(heal.file, "")) for heal in answer.heals]})
    else:
        _show(answer)
    return int(bool(answer.heals))


def _shape(heal: GoldenHeal, proposal: str) -> dict[str, Any]:
    return {
        "package": heal.package,
        "test": heal.test,
        "file": heal.file,
        "decision": str(heal.outcome),
        "reason": heal.reason,
        "explanation": heal.explanation,
        "proposal": proposal,
    }


def _show(answer: GoldenAnswer) -> None:
    if not answer.heals:
        sys.stdout.write("No golden file differs.\n")
        return
    print_table(
        ("test", "decision", "reason", "file", "why"),
        [(heal.test, str(heal.outcome), heal.reason, heal.file or "-", heal.explanation) for heal in answer.heals],
    )
    for file, proposal in answer.proposals.items():
        sys.stdout.write(f"{visible_line(file)} waits for you: testwright review show {proposal}\n")
