"""`testwright heal match --jsonl`: cases of lost elements on stdin, one answer for each on stdout."""

import argparse
import json
import sys
import time
from typing import Any

from testwright.faces.cli.json_lines import Answer, LineAnswers, answer_lines
from testwright.heal.lost_element_cases import answer_case
from testwright.model.errors import MalformedReport, TestwrightError

_MOST_BYTES = 256 << 20  # a line: it holds a whole page


def carry_out(_options: argparse.Namespace) -> int:
    lines = LineAnswers(_answer, lambda reason: _refused(None, MalformedReport(reason)), _MOST_BYTES, ascii_only=False)
    return answer_lines(sys.stdin.buffer, sys.stdout, lines)


def _answer(line: bytes) -> Answer:
    started = time.perf_counter()
    case: Any = None
    try:
        case = json.loads(line)
        answer = answer_case(case).shape()
    except (ValueError, RecursionError) as error:
        return _refused(None, MalformedReport(f"A line is not JSON: {error}"))
    except TestwrightError as error:
        return _refused(case.get("id") if isinstance(case, dict) else None, error)
    return {**answer, "ms": round((time.perf_counter() - started) * 1000, 2)}


def _refused(case_id: Any, error: TestwrightError) -> Answer:
    return {"id": case_id, "decision": "abstain", "index": None, "confidence": 0.0, "error": error.as_dict()}
