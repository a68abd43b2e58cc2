"""`testwright classify --jsonl`: failures on stdin, one JSON object a line; one answer for each on stdout."""

import json
from typing import IO, Any

_MOST_BYTES = 8 << 20  # a line


def answer_lines(asked: IO[bytes], answers: IO[str]) -> int:
    """Answer each line as it comes. 1 where one could not be understood: it is answered with an error."""
    misread = 0
    while line := asked.readline(_MOST_BYTES + 1):
        is_too_long = len(line) > _MOST_BYTES
        if is_too_long:
            _skip_rest(asked, line)
        if not line.strip():
            continue
        answer = _refused(None, f"A line is longer than {_MOST_BYTES >> 20} MiB.") if is_too_long else _answer(line)
        misread += "error" in answer
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return int(misread > 0)


def _skip_rest(asked: IO[bytes], line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = asked.readline(_MOST_BYTES)


def _answer(line: bytes) -> dict[str, Any]:
    from testwright.classify.classifier import classify_text

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


def _refused(row_id: Any, message: str) -> dict[str, Any]:
    from testwright.model.errors import MalformedReport

    error = MalformedReport(message, next_step='Write one object a line: {"id", "text", "framework"}.')
    return {"id": row_id, "category": "unknown", "confidence": 0.0, "second": None, "error": error.as_dict()}
