"""What pytest's reports of one attempt at a test amount to."""

import os
import resource
import tokenize
from typing import Any, List, Sequence, Tuple

MESSAGE_LIMIT = 8192
_PHASES = ("setup", "call", "teardown")


class RaisedInTest(Exception):
    """A test raised what would have ended the whole session; only that test has failed."""


RaisedInTest.__module__ = "builtins"  # shown by its name alone: its module is of no interest
# What these begin with is not a check that said no, but a test that could not do its work.
_ENDS_A_SESSION = ("SystemExit", "RaisedInTest")


def verdict(reports: Sequence[Any]) -> Tuple[str, Any]:
    """The outcome of an attempt, and the report that tells most about it."""
    for report in reports:
        if report.when not in _PHASES:  # pytest-xdist lost the worker that ran it
            return "crashed", report
        if report.failed or report.outcome == "rerun":
            is_check = report.when == "call" and not message(report).startswith(_ENDS_A_SESSION)
            return ("failed" if is_check else "error"), report
    last = {report.when: report for report in reports}  # the reports of subtests come before that of their test
    for phase in _PHASES:
        if phase in last and last[phase].skipped:
            return "skipped", last[phase]
    if "call" not in last:
        return "no_verdict", reports[-1]
    return "passed", last["call"]


def complaints(reports: Sequence[Any]) -> List[str]:
    """What each failed part says, where there are several: a check, subtests, the tear-down."""
    failed = [message(report)[:MESSAGE_LIMIT] for report in reports if report.failed]
    return failed if len(failed) > 1 else []


def duration_ms(reports: Sequence[Any]) -> float:
    """A test's own time; that of its subtests is part of it."""
    return float(sum({report.when: report.duration for report in reports}.values()) * 1000)


def message(report: Any) -> str:
    if hasattr(report, "wasxfail"):
        kind = "expected failure" if report.skipped else "passed though expected to fail"
        return "%s: %s" % (kind, report.wasxfail.replace("reason: ", "", 1)) if report.wasxfail else kind
    if report.longrepr is None:
        return ""
    if isinstance(report.longrepr, tuple):  # a skip: (file, line, reason)
        return str(report.longrepr[2]).replace("Skipped: ", "", 1)
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return str(crash.message)
    return last_line(report.longreprtext)


def reason(report: Any) -> str:
    """A stable code that says more than the outcome does."""
    text = message(report)
    if text.startswith("MemoryError") and _memory_is_limited():
        return "memory_limit"
    if text.startswith(("PermissionError: [Errno 13]", "OSError: [Errno 30]")):
        return "write_blocked"
    return ""


def _memory_is_limited() -> bool:
    """Without a limit a MemoryError is the machine's, or a test's own."""
    kinds = (resource.RLIMIT_DATA, resource.RLIMIT_AS)
    return any(resource.getrlimit(kind)[0] != resource.RLIM_INFINITY for kind in kinds)


def last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def why_unreadable(path: str) -> Tuple[str, str]:
    """Why a test file cannot be compiled: a stable code and a sentence with the line; empty when it can."""
    if not os.path.isfile(path):
        return "", ""
    name = os.path.basename(path)
    try:
        with tokenize.open(path) as file:
            file.read()
    except (SyntaxError, UnicodeDecodeError) as error:
        return "invalid_test_encoding", "%s: %s" % (name, error)
    except OSError:
        return "", ""
    try:
        with open(path, "rb") as source:
            compile(source.read(), path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return "invalid_test_syntax", "%s, line %s: %s" % (name, error.lineno, error.msg)
    except (ValueError, MemoryError, RecursionError) as error:
        return "invalid_test_syntax", "%s: %s" % (name, str(error) or type(error).__name__)
    return "", ""
