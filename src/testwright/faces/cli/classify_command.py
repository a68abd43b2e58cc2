"""`testwright classify`: why a test failed, from its text."""
import argparse
import json
import sys
DESCRIPTION = "Say why tests failed."
def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jsonl", action="store_true")
def execute(options: argparse.Namespace) -> int:
    from testwright.classify.classifying import classify_text
    for line in sys.stdin:
        row = json.loads(line)
        verdict = classify_text(row["text"], row.get("framework", ""))
        sys.stdout.write(json.dumps({"id": row.get("id"), "category": str(verdict.label), "confidence": round(verdict.confidence, 3), "second": str(verdict.second) if verdict.second else None, "symptom": verdict.symptom, "advice": verdict.advice}) + "\n")
    return 0
