"""Carry out `testwright classify`: why tests failed, from what a runner printed, a run in the store, or JSON lines.

With --jsonl failures come on stdin, one JSON object a line; one answer for each goes to stdout.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import IO, Any

from testwright.classify.classifier import classify_text
from testwright.faces.cli.json_lines import Answer, LineAnswers, answer_lines
from testwright.faces.cli.standard_output import print_json
from testwright.faces.cli.stored_run import LATEST, chosen_run
from testwright.faces.cli.verdict_view import print_causes
from testwright.model.errors import (
    ClassificationUncertain,
    MalformedReport,
    NotARegularFile,
    PathNotFound,
    PathUnreadable,
)
from testwright.model.untrusted_text import decoded, visible_line
from testwright.model.verdict import verdict_shape
from testwright.pipeline.explaining.history_evidence import past_of
from testwright.pipeline.explaining.journey import explain_run
from testwright.pipeline.explaining.printed_failures import causes_of, explain_output
from testwright.pipeline.explaining.shared_causes import Explanation, cause_shape
from testwright.settings import load_settings
from testwright.wiring import keeping

_MOST_BYTES = 4 << 20  # of a text that are read
_MOST_LINE_BYTES = 8 << 20  # of a line with --jsonl


def classify_output(options: argparse.Namespace) -> int:
    text, is_cut = _read(options.file)
    failures, left = explain_output(text, options.framework)
    if not failures:
        raise ClassificationUncertain(
            "The text is empty: there is no failure to explain.", next_step="Give what the runner printed."
        )
    if is_cut:
        sys.stderr.write(f"testwright: only the first {_MOST_BYTES >> 20} MiB of the text were read.\n")
    if left:
        sys.stderr.write(f"testwright: {left} more failures were not looked at.\n")
    causes = causes_of(failures)
    if options.json:
        shape = {"failures": [each.shape() for each in failures], "causes": [cause_shape(each) for each in causes]}
        print_json({**shape, "truncated": is_cut, "notReached": left})
    else:
        print_causes(causes)
    return int(any(each.verdict.is_unknown for each in failures))


def _read(name: str) -> tuple[str, bool]:
    """The beginning of the text, and whether there was more. Bytes that are not text become visible marks."""
    if name == "-":
        content = sys.stdin.buffer.read(_MOST_BYTES + 1)
    else:
        try:
            if Path(name).is_dir():
                raise NotARegularFile(f"'{visible_line(name)}' is a folder.", next_step="Name a file in it.")
            with Path(name).open("rb") as file:
                content = file.read(_MOST_BYTES + 1)
        except (FileNotFoundError, ValueError):
            raise PathNotFound(f"There is no file '{visible_line(name)}'.", next_step="Check the path.") from None
        except OSError as error:
            said = f"'{visible_line(name)}' cannot be read: {error.strerror}."
            raise PathUnreadable(said, next_step="Check its permissions.") from error
    return decoded(content[:_MOST_BYTES])[0], len(content) > _MOST_BYTES


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


def answer_failures(asked: IO[bytes], answers: IO[str]) -> int:
    return answer_lines(
        asked, answers, LineAnswers(_answered_line, lambda reason: _refused(None, reason), _MOST_LINE_BYTES)
    )


def _answered_line(line: bytes) -> Answer:
    try:
        row = json.loads(line.decode("utf-8", errors="replace"))
    except (ValueError, RecursionError) as error:
        return _refused(None, f"A line is not JSON: {error}")
    if not isinstance(row, dict):
        return _refused(None, "A line is not a JSON object.")
    text, framework = row.get("text"), row.get("framework")
    framework = "" if framework is None else framework
    if not isinstance(text, str) or not isinstance(framework, str):
        return _refused(row.get("id"), "`text`, and `framework` where it is given, must be texts.")
    verdict = classify_text(text, framework)
    return {
        "id": row.get("id"),
        "category": str(verdict.label),
        "confidence": round(verdict.confidence, 3),
        "second": str(verdict.second) if verdict.second is not None else None,
        "symptom": verdict.symptom,
        "cause": verdict.cause,
        "evidence": [{"text": quote.text, "start": quote.start} for quote in verdict.evidence],
        "recommended_action": verdict.recommended_action,
        "advice": verdict.advice,
    }


def _refused(row_id: Any, message: str) -> Answer:
    error = MalformedReport(message, next_step='Write one object a line: {"id", "text", "framework"}.')
    return {"id": row_id, "category": "unknown", "confidence": 0.0, "second": None, "error": error.as_dict()}
