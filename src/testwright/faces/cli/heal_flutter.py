"""`testwright heal flutter`: where the lost widgets of Flutter tests went, from their machine reports."""

import argparse
import sys
from typing import Any

from testwright.faces.cli.standard_output import print_json
from testwright.heal.flutter.flutter_heals import FlutterHeal
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.healing.flutter_pass import FlutterAnswer, FlutterReports, heal_flutter
from testwright.settings import load_settings
from testwright.wiring import open_review


def carry_out(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    reports = FlutterReports(options.report, options.passed, options.widgets, options.semantics)
    answer = heal_flutter(root, reports, (lambda: open_review(root, load_settings(root))) if options.propose else None)
    if options.json:
        print_json({"heals": [_shape(heal, answer.proposals.get(heal.file, "")) for heal in answer.heals]})
    else:
        _show(answer)
    return int(bool(answer.heals))


def _shape(made: FlutterHeal, proposal: str) -> dict[str, Any]:
    heal = made.heal
    return {
        "test": made.test,
        "decision": str(heal.outcome),
        "reason": heal.reason,
        "explanation": heal.explanation,
        "old": heal.old,
        "new": heal.new,
        "strategy": heal.found_by,
        "confidence": heal.probability,
        "file": made.file,
        "patch": made.patch.decode("utf-8", errors="replace"),
        "proposal": proposal,
    }


def _show(answer: FlutterAnswer) -> None:
    if not answer.heals:
        sys.stdout.write("No test failed.\n")
    for made in answer.heals:
        heal = made.heal
        # It has not been run again, so this is not a SELF_HEAL_APPLIED.
        told = f"{made.test}: {heal.old} → {heal.new} ({heal.found_by})" if heal.new else made.row
        sys.stdout.write(visible_line(told) + "\n")
    for file, proposal in answer.proposals.items():
        sys.stdout.write(f"{visible_line(file)} waits for you: testwright review show {proposal}\n")
