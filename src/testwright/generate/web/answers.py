"""The server's answers as entries of a literal, in either language."""

from testwright.generate.web.plan import Answer
from testwright.generate.web.values import json_literal, parsed_json, text
from testwright.model.selector import Dialect
from testwright.selectors.spelling import snake


def answer_literal(answer: Answer, dialect: Dialect) -> str:
    """`{ status: 200, json: { profile: null } }`, or the same as a dict."""
    entries = _entries(answer, dialect)
    if dialect is Dialect.PYTHON:
        return "{" + ", ".join(f'"{snake(name)}": {value}' for name, value in entries.items()) + "}"
    return "{ " + ", ".join(f"{name}: {value}" for name, value in entries.items()) + " }"


def _entries(answer: Answer, dialect: Dialect) -> dict[str, str]:
    if answer.is_pending:
        return {"pending": json_literal(True, dialect)}
    entries: dict[str, str] = {}
    if answer.failure:
        entries["fails"] = text(answer.failure, dialect)
    else:
        entries["status"] = str(answer.status)
        entries |= _said(answer, dialect)
        if answer.headers:
            entries["headers"] = json_literal(dict(answer.headers), dialect, 8)
    if answer.waits_for:
        entries["after"] = text(answer.waits_for, dialect)
    if answer.after_steps:
        entries["afterSteps"] = str(answer.after_steps)
    return entries


def _said(answer: Answer, dialect: Dialect) -> dict[str, str]:
    is_json, value = parsed_json(answer.text) if "json" in answer.content_type else (False, None)
    if is_json and answer.content_type.partition(";")[0] == "application/json":
        return {"json": json_literal(value, dialect, 6)}
    kind = {"contentType": text(answer.content_type, dialect)} if answer.content_type else {}
    return {**kind, **({"body": text(answer.text, dialect)} if answer.text else {})}
