"""JUnit XML, in the dialects of pytest, Surefire and Gradle, Playwright, jest-junit, Vitest, gotestsum and Mocha."""

import codecs
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt
from testwright.run.importers.imported_results import (
    ImportedRun,
    ResultCollector,
    milliseconds,
    moment,
    unexplained_failure,
)
from testwright.run.importers.project_paths import ProjectPaths
from testwright.run.importers.report_file import ReportFile

# --- Where a JUnit test lies: JUnit names classes, and each reporter puts something else there ----------------------

_SOURCE_FILE = re.compile(r"[^\s]+\.(?:py|[cm]?[jt]sx?|dart|go|java|kts?|scala|groovy|rb|php|cs|rs|feature)")
_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+)+|[\w$]+")
# Where build tools look for a class, and what its file is called there.
_LAYOUTS = (
    ("", ".py"),
    ("src/test/java/", ".java"),
    ("src/test/kotlin/", ".kt"),
    ("src/test/groovy/", ".groovy"),
    ("src/test/scala/", ".scala"),
)
_DEEPEST = 20  # each part costs a look at the disk


@dataclass(frozen=True, slots=True)
class CaseLocation:
    file: str
    groups: tuple[str, ...]  # what of the class name is not the file: a class inside a module


def place_of(classname: str, name: str, file: str, paths: ProjectPaths) -> CaseLocation:
    """The file and the groups of the test `name`: from `file` where the report gives one, else from its class name."""
    if file:
        return _in_file(paths.name_of(file), classname, name)
    if "/" in classname or "\\" in classname or _SOURCE_FILE.fullmatch(classname):
        return CaseLocation(paths.name_of(classname), ())
    return _in_project(classname, paths) or CaseLocation(classname, ())


def _in_file(file: str, classname: str, name: str) -> CaseLocation:
    """The file is known; the class name may repeat it, repeat the test's name, or tell the group."""
    module = posixpath.splitext(file)[0].replace("/", ".")
    if classname == module or classname.startswith(f"{module}."):
        return CaseLocation(file, tuple(classname[len(module) + 1 :].split(".")))
    repeats = not classname or classname in name or posixpath.basename(file) in classname
    return CaseLocation(file, () if repeats else (classname,))


def _in_project(classname: str, paths: ProjectPaths) -> CaseLocation | None:
    """A dotted name whose longest beginning is a file of the project: `tests.test_cart.TestTotal`."""
    parts = classname.split(".")
    if not _DOTTED.fullmatch(classname) or len(parts) > _DEEPEST:
        return None
    layouts = [(folder, suffix) for folder, suffix in _LAYOUTS if paths.has_folder(folder)]
    for length in range(len(parts), 0, -1):
        stem = "/".join(parts[:length])
        for folder, suffix in layouts:
            outer, *inner = stem.split("$") if suffix != ".py" else [stem]
            if paths.has_file(f"{folder}{outer}{suffix}"):
                return CaseLocation(f"{folder}{outer}{suffix}", (*inner, *parts[length:]))
    return None


NAME = "junit"

_ROOTS = ("testsuites", "testsuite")
_PROLOG = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*", re.DOTALL)
_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
# Colours and other control characters: XML has no way to hold them, yet some reporters write them raw.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_COLLECTION_FAILED = "collection failure"  # pytest's word for a file that would not load
# An outcome that has no element of its own in JUnit; our own writer puts its name in `type`.
_BY_TYPE = {outcome.value: outcome for outcome in Outcome if not outcome.is_success}


def misfit(report: ReportFile) -> str:
    """Why this is not JUnit XML; empty when it may be."""
    return "" if report.is_xml else "it does not start with '<'"


def read(report: ReportFile, paths: ProjectPaths) -> ImportedRun:
    root, has_replacements = _parse(report)
    results = ResultCollector(has_replacements=has_replacements)
    for around, case in _cases(root):
        _add(results, around, case, paths)
    suites = [root, *root.iter("testsuite")]
    is_unexplained = not results.has_failure and any(map(_declared_failures, suites))
    return ImportedRun(
        results=results.all,
        problems=(unexplained_failure("The JUnit report"),) if is_unexplained else (),
        started_at=min(filter(None, (moment(suite.get("timestamp")) for suite in suites)), default=None),
        duration_ms=_duration(root, results),
    )


# --- the XML itself ------------------------------------------------------------------------------


def _parse(report: ReportFile) -> tuple[etree._Element, bool]:
    """The root element, and whether characters had to be replaced to get at it."""
    data, has_replacements = _parsable(report)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise report.malformed(f"it is not well-formed XML: {error.msg}.") from error
    except (ValueError, LookupError) as error:  # an unknown encoding
        raise report.malformed(f"it is not readable XML: {error}.") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise _doctype(report)
    if root.tag not in _ROOTS:
        raise report.malformed(f"its root element is <{root.tag}>; JUnit XML has <testsuites> or <testsuite>.")
    return root, has_replacements


def _parsable(report: ReportFile) -> tuple[bytes, bool]:
    declared = _ENCODING.match(report.raw)
    is_utf16 = report.raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if declared is not None and declared[1].lower() not in (b"utf-8", b"utf8") and not is_utf16:
        _refuse_doctype(report, report.raw.decode("latin-1"))
        return report.raw, False
    text = report.text
    _refuse_doctype(report, text)
    cleaned = _FORBIDDEN.sub("\ufffd", text)
    # The declaration may name another encoding than the one we write now.
    body = re.sub(r"^\s*<\?xml\s.*?\?>", "", cleaned, count=1, flags=re.DOTALL)
    # A blank line for each line that went, so that errors name the line of the file.
    removed = cleaned[: len(cleaned) - len(body)].count("\n")
    return ("\n" * removed + body).encode(), report.has_replacements or cleaned != text


def _refuse_doctype(report: ReportFile, text: str) -> None:
    """Look before anything is parsed: a document type can define entities that grow without end."""
    prolog = _PROLOG.match(text)
    assert prolog is not None  # it matches the empty string
    if text[prolog.end() : prolog.end() + 9].upper() == "<!DOCTYPE":
        raise _doctype(report)


def _doctype(report: ReportFile) -> Exception:
    return report.malformed("it has a document type (<!DOCTYPE>), which no JUnit report needs and we do not follow.")


# --- the tests -----------------------------------------------------------------------------------


def _cases(root: etree._Element) -> Iterator[tuple[tuple[etree._Element, ...], etree._Element]]:
    """Every test with the suites around it, outermost first."""
    for case in root.iter("testcase"):
        around = [element for element in case.iterancestors() if element.tag == "testsuite"]
        yield tuple(reversed(around)), case


def _add(
    results: ResultCollector, suites: tuple[etree._Element, ...], element: etree._Element, paths: ProjectPaths
) -> None:
    attempts = _attempts(element)
    name, classname = element.get("name") or "", element.get("classname") or ""
    if not classname and attempts[0].message == _COLLECTION_FAILED:
        place, titles = place_of(name, "", "", paths), []  # the file is all there is to name
    else:
        files = (element.get("file"), *(suite.get("file") or suite.get("filepath") for suite in reversed(suites)))
        suite_name = (suites[-1].get("name") or "") if suites else ""
        place = place_of(classname or suite_name, name, next((file for file in files if file), ""), paths)
        titles = [] if name == place.file else [*place.groups, *name.split(" › ")]
    case = TestCase(
        Framework.JUNIT,
        file=place.file,
        title=tuple(part for part in titles if part),
        variant=_variant(suites, classname),
        line=_whole_number(element.get("line")),
        native_id=f"{classname}.{name}" if classname else name,
    )
    results.add(case, attempts)


def _variant(suites: tuple[etree._Element, ...], classname: str) -> str:
    """Playwright puts the name of the browser project where others put the machine's; its root has an `id`."""
    root = suites[0].getparent() if suites else None
    if root is None or "id" not in root.attrib or suites[-1].get("name") != classname:
        return ""
    return suites[-1].get("hostname") or ""


def _attempts(case: etree._Element) -> list[Attempt]:
    """The final attempt and those that Surefire keeps beside it.

    A test that failed for good has its first failure in <failure> and the repetitions in <rerunFailure>;
    one that passed in the end has each failure before that in <flakyFailure>.
    """
    verdict = _verdict(case)
    flaky = [_repetition(child) for child in case.iterchildren("flakyFailure", "flakyError")]
    rerun = [_repetition(child) for child in case.iterchildren("rerunFailure", "rerunError")]
    return [*flaky, verdict, *rerun]


def _verdict(case: etree._Element) -> Attempt:
    failures = list(case.iterchildren("failure", "error"))
    skipped = next(case.iterchildren("skipped"), None)
    attempt = Attempt(
        _outcome_without_failure(case),
        duration_ms=_seconds(case.get("time")) * 1000,
        started_at=moment(case.get("timestamp")),
        stdout=_output(case, "system-out"),
        stderr=_output(case, "system-err"),
    )
    if failures:
        return _with_failures(attempt, failures)
    if skipped is None:
        return attempt
    reason = "xfail" if skipped.get("type") == "pytest.xfail" else ""
    return replace(attempt, outcome=Outcome.SKIPPED, message=skipped.get("message") or _text(skipped), reason=reason)


def _outcome_without_failure(case: etree._Element) -> Outcome:
    """GoogleTest has no <skipped> for tests it did not run, only an attribute."""
    said = {(case.get("status") or "").lower(), (case.get("result") or "").lower()}
    return Outcome.SKIPPED if said & {"notrun", "skipped", "disabled", "suppressed"} else Outcome.PASSED


def _with_failures(attempt: Attempt, failures: list[etree._Element]) -> Attempt:
    # pytest writes both when a test failed and its tear-down too: the test's own check comes first.
    first = next((failure for failure in failures if failure.tag == "failure"), failures[0])
    messages = tuple(_message(failure) for failure in failures)
    return replace(
        attempt,
        outcome=_outcome(first, Outcome.FAILED if first.tag == "failure" else Outcome.ERROR),
        message=_message(first),
        stack=_text(first),
        errors=messages if len(messages) > 1 else (),
    )


def _repetition(element: etree._Element) -> Attempt:
    trace = element.find("stackTrace")
    default = Outcome.ERROR if str(element.tag).endswith("Error") else Outcome.FAILED
    return Attempt(
        _outcome(element, default),
        duration_ms=_seconds(element.get("time")) * 1000,
        message=_message(element if trace is None else trace, element.get("message")),
        stack=_text(element if trace is None else trace),
        stdout=_output(element, "system-out"),
        stderr=_output(element, "system-err"),
    )


def _outcome(element: etree._Element, default: Outcome) -> Outcome:
    return _BY_TYPE.get(element.get("type") or "", default)


def _message(element: etree._Element, given: str | None = None) -> str:
    """The message, or the first line of the text where there is none, or at least the kind of error."""
    message = given or element.get("message")
    if message:
        return message
    first_line = _text(element).strip().partition("\n")[0]
    return first_line or element.get("type") or ""


def _text(element: etree._Element) -> str:
    return (element.text or "").strip("\n")


def _output(element: etree._Element, name: str) -> str:
    return "\n".join(child.text for child in element.iterchildren(name) if child.text)


# --- numbers and times ---------------------------------------------------------------------------


def _seconds(text: str | None) -> float:
    """`1.5`, `1,234.5` (thousands) or `0,5` (a decimal comma) as seconds; 0 for what is none of these."""
    plain = (text or "").strip().removesuffix("s")
    if "." in plain or plain.count(",") > 1:
        plain = plain.replace(",", "")
    try:
        return float(plain.replace(",", "."))
    except ValueError:
        return 0.0


def _whole_number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def _declared_failures(suite: etree._Element) -> int:
    return (_whole_number(suite.get("failures")) or 0) + (_whole_number(suite.get("errors")) or 0)


def _duration(root: etree._Element, results: ResultCollector) -> float:
    """What the root says, else its suites together, else the tests together."""
    suites = [suite.get("time") for suite in root.iterchildren("testsuite")]
    if root.get("time"):
        return milliseconds(_seconds(root.get("time")) * 1000)
    if any(suites):
        return milliseconds(sum(_seconds(time) for time in suites) * 1000)
    return milliseconds(sum(result.duration_ms for result in results.all))
