"""How what was seen is put into words."""

import re
from typing import Any

from testwright.generate.inside.case_run.case_runner import CaseRun
from testwright.generate.inside.generated_case import Call

_LONGEST_TEXT = 160


def outcome_in_words(seen: CaseRun) -> str:
    if seen.error is not None:
        return f"raised {error_in_words(seen.error)}"
    return f"returned {in_words(seen.result)}"


def error_in_words(error: BaseException) -> str:
    return in_one_line(f"{type(error).__name__}: {error}".rstrip(": "))


def in_words(value: Any) -> str:
    try:
        return in_one_line(repr(value))
    except Exception:  # noqa: BLE001 - a repr of the project's own may raise anything
        return f"a {type(value).__name__}"


def in_one_line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"


def spelled(call: Call) -> str:
    """The call as source."""
    arguments = ", ".join(f"{each.name}={each.value}" if each.name else each.value for each in call.arguments)
    return f"{call.callee}({arguments})"


def snake(name: str) -> str:
    """`ValueError` as `value_error`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
