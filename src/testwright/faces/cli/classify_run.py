"""`testwright classify --run`: why the tests of a run in the store failed."""

import argparse
import sys

from testwright.faces.cli.standard_output import print_json
from testwright.faces.cli.stored_run import LATEST, chosen_run
from testwright.faces.cli.verdict_view import print_causes
from testwright.model.verdict import verdict_shape
from testwright.pipeline.explaining.history_evidence import past_of
from testwright.pipeline.explaining.journey import explain_run
from testwright.pipeline.explaining.shared_causes import Explanation, cause_shape
from testwright.settings import load_settings
from testwright.wiring import keeping


def classify_stored_run(options: argparse.Namespace) -> int:
    run_id, explanation = _explained_run(options)
    if options.json:
        failures = [{"id": test, "verdict": verdict_shape(each)} for test, each in explanation.verdicts.items()]
        print_json({"run": run_id, "failures": failures, "causes": [cause_shape(each) for each in explanation.causes]})
    elif not explanation.causes:
        sys.stdout.write(f"No test failed in run {run_id}.\n")
    else:
        print_causes(explanation.causes)
    return int(any(cause.verdict.is_unknown for cause in explanation.causes))


def _explained_run(options: argparse.Namespace) -> tuple[str, Explanation]:
    root = options.project.absolute()
    with keeping(root, load_settings(options.project)).open() as store:
        run = chosen_run(store, LATEST if options.run == "last" else options.run)
        return run.id, explain_run(run, root, background=past_of(run, root, store))
