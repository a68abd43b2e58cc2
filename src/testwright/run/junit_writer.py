"""Write a run as JUnit XML, the form every CI service reads.

The elements and attributes are those of Surefire's schema, which Jenkins checks strictly: a test that
passed after failures has <flakyFailure>s, one that failed several times has <rerunFailure>s.
"""

import re
from collections import Counter
from collections.abc import Iterable

from lxml import etree

from testwright.isolate.limits import Limits
from testwright.isolate.output import OutputKeeper
from testwright.model.case import TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, Problem, RunResult, SuiteResult, TestResult
from testwright.model.untrusted_text import visible

_KEPT_BYTES = Limits().keep_output_bytes
_LONGEST_ATTRIBUTE = 8000  # CI pages show the message in a table
_NONCHARACTER = re.compile("[\ufffe\uffff]")  # the two that XML forbids and `visible` lets pass


def junit_xml(run: RunResult) -> bytes:
    """`run` as a UTF-8 XML document."""
    root = etree.Element("testsuites", name="testwright")
    for suite in run.suites:
        _write_suite(root, suite, run)
    if run.interrupted and not any(result.outcome is Outcome.INTERRUPTED for result in run.results):
        _write_interruption(root, run)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", _seconds(run.duration_ms))
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)


def _write_suite(root: etree._Element, suite: SuiteResult, run: RunResult) -> None:
    name = f"{suite.framework} {suite.root}".strip()
    element = _suite_element(root, name, suite.duration_ms, run)
    for result in suite.results:
        _write_case(element, result)
    for problem in suite.problems:
        _write_problem(element, problem, name)
    _count(element)


def _write_interruption(root: etree._Element, run: RunResult) -> None:
    """Without this, a run that was stopped while all was well would look like one that passed."""
    element = _suite_element(root, "testwright", 0.0, run)
    message = "The run was stopped before all tests had run."
    _write_problem(element, Problem("interrupted", message), "testwright")
    _count(element)


def _suite_element(root: etree._Element, name: str, duration_ms: float, run: RunResult) -> etree._Element:
    element = etree.SubElement(root, "testsuite", name=_attribute(name))
    element.set("time", _seconds(duration_ms))
    element.set("timestamp", run.started_at.isoformat(timespec="seconds"))
    return element


def _count(suite: etree._Element) -> None:
    """Count what was written, so that the numbers and the elements cannot disagree."""
    kinds: Counter[str] = Counter()
    for case in suite:
        # A test counts once, by its final verdict.
        kinds.update({str(child.tag) for child in case} & {"failure", "error", "skipped"})
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(kinds["failure"]))
    suite.set("errors", str(kinds["error"]))
    suite.set("skipped", str(kinds["skipped"]))


# --- one test ------------------------------------------------------------------------------------


def _write_case(suite: etree._Element, result: TestResult) -> None:
    element = etree.SubElement(suite, "testcase", name=_attribute(_name(result.case)))
    element.set("classname", _attribute(result.case.file))
    element.set("time", _seconds(result.duration_ms))
    last = result.last
    failed = [attempt for attempt in result.attempts if not attempt.outcome.is_success]
    if last.outcome is Outcome.SKIPPED:
        skipped = etree.SubElement(element, "skipped")
        if last.message:
            skipped.set("message", _attribute(last.message))
    elif last.outcome.is_success:
        _write_repetitions(element, "flaky", failed)
    else:
        _write_failure(element, failed[0])
        _write_repetitions(element, "rerun", failed[1:])
        last = failed[0]  # each repetition carries its own output
    _write_output(element, last)


def _name(case: TestCase) -> str:
    variant = f" [{case.variant}]" if case.variant else ""
    occurrence = f" #{case.occurrence}" if case.occurrence > 1 else ""
    return f"{case.name}{variant}{occurrence}"


def _write_failure(element: etree._Element, attempt: Attempt) -> None:
    tag = "failure" if attempt.outcome is Outcome.FAILED else "error"
    failure = etree.SubElement(element, tag, type=attempt.outcome.value)
    failure.set("message", _attribute(_message(attempt)))
    failure.text = _text(attempt.stack or attempt.message)


def _write_repetitions(element: etree._Element, kind: str, attempts: Iterable[Attempt]) -> None:
    for attempt in attempts:
        tag = f"{kind}Failure" if attempt.outcome is Outcome.FAILED else f"{kind}Error"
        repetition = etree.SubElement(element, tag, type=attempt.outcome.value)
        repetition.set("message", _attribute(_message(attempt)))
        etree.SubElement(repetition, "stackTrace").text = _text(attempt.stack or attempt.message)
        _write_output(repetition, attempt)


def _message(attempt: Attempt) -> str:
    return attempt.message or attempt.reason or attempt.outcome.value


def _write_output(element: etree._Element, attempt: Attempt) -> None:
    for tag, output in (("system-out", attempt.stdout), ("system-err", attempt.stderr)):
        if output:
            etree.SubElement(element, tag).text = _text(output)


def _write_problem(suite: etree._Element, problem: Problem, suite_name: str) -> None:
    """What kept tests from running must turn a CI build red, so it is written as a test that could not run."""
    element = etree.SubElement(suite, "testcase", name=_attribute(f"problem: {problem.code}"))
    element.set("classname", _attribute(problem.file or suite_name))
    element.set("time", _seconds(0.0))
    error = etree.SubElement(element, "error", type=_attribute(problem.code), message=_attribute(problem.message))
    error.text = _text("\n".join(part for part in (problem.message, problem.next_step) if part))


# --- text and numbers ----------------------------------------------------------------------------


def _seconds(duration_ms: float) -> str:
    return f"{duration_ms / 1000:.3f}"


def _attribute(text: str) -> str:
    return _spelled(text if len(text) <= _LONGEST_ATTRIBUTE else f"{text[: _LONGEST_ATTRIBUTE - 1]}…")


def _text(text: str) -> str:
    """The start and the end of a text that is too long, readable in any XML."""
    keeper = OutputKeeper(_KEPT_BYTES)
    keeper.add(text.encode(errors="replace"))
    return _spelled(keeper.output().text)


def _spelled(text: str) -> str:
    return _NONCHARACTER.sub(lambda found: f"\\u{{{ord(found[0]):04x}}}", visible(text))
