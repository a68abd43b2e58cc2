"""`testwright classify --jsonl`: failures on stdin, one JSON object a line; one answer for each on stdout."""

import json
from typing import IO, Any

from testwright.classify.classifier import classify_text
from testwright.faces.cli.json_lines import Answer, LineAnswers, answer_lines
from testwright.model.errors import MalformedReport

_MOST_BYTES = 8 << 20  # a line


def answer_failures(asked: IO[bytes], answers: IO[str]) -> int:
    return answer_lines(asked, answers, LineAnswers(_answer, lambda reason: _refused(None, reason), _MOST_BYTES))


def _answer(line: bytes) -> Answer:
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
