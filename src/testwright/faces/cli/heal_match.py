"""`testwright heal match --jsonl`: cases of lost elements on stdin, one answer for each on stdout."""

import argparse
import json
import sys
import time
from typing import Any

_MOST_BYTES = 256 << 20  # a line


def configure_match(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read one case per line on stdin (an element as it was, and a page as it is) and answer each with a line: "
        "heal, suggest or abstain, the element, how sure, and why. docs/healing.md describes both."
    )
    parser.add_argument("--jsonl", action="store_true", required=True, help="JSON lines in, JSON lines out")


def execute_match(_options: argparse.Namespace) -> int:
    """1 where a line could not be understood: it is answered with an error, and the next one is read."""
    misread = 0
    while line := sys.stdin.buffer.readline(_MOST_BYTES + 1):
        if not line.strip():
            continue
        answer = _answer(line)
        misread += "error" in answer
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return int(misread > 0)


def _answer(line: bytes) -> dict[str, Any]:
    from testwright.heal.lost_element_cases import answer_case
    from testwright.model.errors import MalformedReport, TestwrightError

    started = time.perf_counter()
    case: Any = None
    try:
        if len(line) > _MOST_BYTES:
            raise MalformedReport(f"A line is longer than {_MOST_BYTES >> 20} MiB.")
        case = json.loads(line)
        answer = answer_case(case).shape()
    except (ValueError, RecursionError) as error:
        return _refused(None, MalformedReport(f"A line is not JSON: {error}"))
    except TestwrightError as error:
        return _refused(case.get("id") if isinstance(case, dict) else None, error)
    return {**answer, "ms": round((time.perf_counter() - started) * 1000, 2)}


def _refused(case_id: Any, error: Any) -> dict[str, Any]:
    return {"id": case_id, "decision": "abstain", "index": None, "confidence": 0.0, "error": error.as_dict()}
