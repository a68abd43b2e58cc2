"""`testwright heal flutter` and `heal golden`: lost widgets and changed screens, from the reports of test runs."""

import argparse
import sys
from typing import Any

from testwright.faces.cli.standard_output import print_json, print_table
from testwright.heal.flutter.flutter_heals import FlutterHeal
from testwright.heal.golden.golden_heals import GoldenHeal
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.healing.report_heals import (
    FlutterAnswer,
    FlutterReports,
    GoldenAnswer,
    heal_flutter,
    heal_golden,
)
from testwright.settings import load_settings
from testwright.wiring import open_review


def show_flutter_heals(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    reports = FlutterReports(options.report, options.passed, options.widgets, options.semantics)
    answer = heal_flutter(root, reports, (lambda: open_review(root, load_settings(root))) if options.propose else None)
    if options.json:
        print_json({"heals": [_flutter_shape(heal, answer.proposals.get(heal.file, "")) for heal in answer.heals]})
    else:
        _show_flutter(answer)
    return int(bool(answer.heals))


def _flutter_shape(made: FlutterHeal, proposal: str) -> dict[str, Any]:
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


def _show_flutter(answer: FlutterAnswer) -> None:
    if not answer.heals:
        sys.stdout.write("No test failed.\n")
    for made in answer.heals:
        heal = made.heal
        # It has not been run again, so this is not a SELF_HEAL_APPLIED.
        told = f"{made.test}: {heal.old} → {heal.new} ({heal.found_by})" if heal.new else made.row
        sys.stdout.write(visible_line(told) + "\n")
    for file, proposal in answer.proposals.items():
        sys.stdout.write(f"{visible_line(file)} waits for you: testwright review show {proposal}\n")


def show_golden_heals(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    open_queue = (lambda: open_review(root, load_settings(root))) if options.propose else None
    answer = heal_golden(root, options.report, open_queue)
    if options.json:
        print_json({"golden": [_golden_shape(heal, answer.proposals.get(heal.file, "")) for heal in answer.heals]})
    else:
        _show_golden(answer)
    return int(bool(answer.heals))


def _golden_shape(heal: GoldenHeal, proposal: str) -> dict[str, Any]:
    return {
        "package": heal.package,
        "test": heal.test,
        "file": heal.file,
        "decision": str(heal.outcome),
        "reason": heal.reason,
        "explanation": heal.explanation,
        "proposal": proposal,
    }


def _show_golden(answer: GoldenAnswer) -> None:
    if not answer.heals:
        sys.stdout.write("No golden file differs.\n")
        return
    print_table(
        ("test", "decision", "reason", "file", "why"),
        [(heal.test, str(heal.outcome), heal.reason, heal.file or "-", heal.explanation) for heal in answer.heals],
    )
    for file, proposal in answer.proposals.items():
        sys.stdout.write(f"{visible_line(file)} waits for you: testwright review show {proposal}\n")
