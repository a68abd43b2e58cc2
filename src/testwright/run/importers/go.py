"""What `go test -json` prints: one JSON event a line, packages and tests intertwined."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from msgspec import Struct

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt
from testwright.run.importers import report_json
from testwright.run.importers.imported_results import ImportedRun, ResultCollector, milliseconds, moment
from testwright.run.importers.project_paths import ProjectPaths
from testwright.run.importers.report_file import ReportFile

# --- Where a Go package lies: Go names packages by import path, a project by folder ---------------------------------

_MODULE = re.compile(r'^\s*module\s+"?([^\s"]+)"?', re.MULTILINE)


class GoFolders:
    """Import paths of the project's own module as folders of the project."""

    def __init__(self, paths: ProjectPaths) -> None:
        found = _MODULE.search(paths.head_of("go.mod"))
        self._module = found[1] if found else ""

    def name_of(self, package: str) -> str:
        """The package's folder from the project's root, "." for the root; the import path if it is not ours."""
        if self._module and package == self._module:
            return "."
        return package.removeprefix(f"{self._module}/") if self._module else package


NAME = "go"

_ENDS = {"pass": Outcome.PASSED, "bench": Outcome.PASSED, "fail": Outcome.FAILED, "skip": Outcome.SKIPPED}
_FRAME = re.compile(r"\s*(?:=== (?:RUN|PAUSE|CONT|NAME|FUZZ|ATTR)\b|--- (?:PASS|FAIL|SKIP|BENCH): )")
_PACKAGE_FRAME = re.compile(r"(?:PASS|FAIL|ok|\?|coverage:|exit status \d+)(?:\s|$)")
_TIMED_OUT = "panic: test timed out after "
_DIED = re.compile(r"^(?:panic: |fatal error: |signal: |SIG[A-Z]+: |unexpected fault address)", re.MULTILINE)
_UNBUILT_LINE = re.compile(r"FAIL\t(\S+) \[(?:build|setup) failed\]")
_STACK = re.compile(r"^goroutine \d+ ", re.MULTILINE)


class _Event(Struct, rename="pascal"):
    action: str
    package: str = ""
    test: str = ""
    elapsed: float | None = None
    output: str = ""
    time: str = ""
    import_path: str = ""
    failed_build: str = ""


@dataclass(slots=True)
class _Test:
    name: str
    nth: int  # 2 and more: `-count` ran it again in the same process
    output: list[str] = field(default_factory=list)
    end: _Event | None = None
    started_at: datetime | None = None


@dataclass(slots=True)
class _PackageRun:
    """One test process of one package."""

    package: str
    tests: list[_Test] = field(default_factory=list)
    current: dict[str, _Test] = field(default_factory=dict)
    output: list[str] = field(default_factory=list)
    end: _Event | None = None
    timed_out: bool = False
    died: bool = False

    def test(self, name: str, *, starts: bool = False) -> _Test:
        found = self.current.get(name)
        if found is None or (starts and found.end is not None):
            found = _Test(name, 1 if found is None else found.nth + 1)
            self.current[name] = found
            self.tests.append(found)
        return found


@dataclass(slots=True)
class _Session:
    runs: list[_PackageRun] = field(default_factory=list)
    current: dict[str, _PackageRun] = field(default_factory=dict)
    builds: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # the compiler's words
    unbuilt: list[str] = field(default_factory=list)  # packages
    printing_about: str = ""  # the package whose compiler messages stand between the events just now
    first: datetime | None = None
    last: datetime | None = None

    def run_of(self, package: str) -> _PackageRun:
        found = self.current.get(package)
        if found is None or found.end is not None:
            found = _PackageRun(package)
            self.current[package] = found
            self.runs.append(found)
        return found


def misfit(report: ReportFile) -> str:
    """Why this is not `go test -json` output; empty when it may be."""
    event = report_json.first_event(report)
    if event is None:
        return "it has no line that is a JSON object"
    if isinstance(event.get("Action"), str) and ("Package" in event or "ImportPath" in event):
        return ""
    return "its first event has no 'Action' with a 'Package'"


def read(report: ReportFile, paths: ProjectPaths) -> ImportedRun:
    session = _Session()
    for number, line in report_json.lines(report):
        if isinstance(line, str):
            _apply_other_line(session, line)
        else:
            _apply_event(session, report_json.typed(report, line, _Event, where=f"line {number}: "))
    if not session.runs and not session.unbuilt:
        raise report.malformed("it holds no event of a Go package; expected lines with 'Action' and 'Package'.")
    results = ResultCollector(has_replacements=report.has_replacements)
    folders = GoFolders(paths)
    for case, attempts in _tests(session, folders):
        results.add(case, attempts)
    for case, attempt in _packages(session, folders):
        results.add(case, [attempt])
    seconds = (session.last - session.first).total_seconds() if session.first and session.last else 0.0
    return ImportedRun(
        results=results.all,
        started_at=session.first,
        duration_ms=milliseconds(seconds * 1000),
        interrupted=any(run.end is None for run in session.runs),
    )


# --- listening -----------------------------------------------------------------------------------


def _apply_event(session: _Session, event: _Event) -> None:
    at = moment(event.time)
    if at is not None:
        session.first = at if session.first is None else min(session.first, at)
        session.last = at if session.last is None else max(session.last, at)
    if event.action == "build-output":
        session.builds[_package_of(event.import_path)].append(event.output)
    elif event.action == "build-fail":
        session.unbuilt.append(_package_of(event.import_path))
    elif event.package and event.test:
        _apply_test_event(session.run_of(event.package), event, at)
    elif event.package:
        _apply_package_event(session.run_of(event.package), event)


def _apply_test_event(run: _PackageRun, event: _Event, at: datetime | None) -> None:
    test = run.test(event.test, starts=event.action == "run")
    if event.action == "run":
        test.started_at = at
    elif event.action == "output":
        test.output.append(event.output)
        _notice_death(run, event.output)
    elif event.action in _ENDS:
        test.end = event


def _apply_package_event(run: _PackageRun, event: _Event) -> None:
    if event.action == "output":
        run.output.append(event.output)
        _notice_death(run, event.output)
    elif event.action in _ENDS:
        run.end = event


def _apply_other_line(session: _Session, line: str) -> None:
    """Before Go 1.24 the compiler's text is not events: `# package`, then its messages, in the end `FAIL package`."""
    unbuilt = _UNBUILT_LINE.match(line)
    if unbuilt:
        session.unbuilt.append(unbuilt[1])
    if line.startswith("# "):
        session.printing_about = _package_of(line[2:])
    elif _PACKAGE_FRAME.match(line):
        session.printing_about = ""
    if session.printing_about:
        session.builds[session.printing_about].append(f"{line}\n")


def _notice_death(run: _PackageRun, output: str) -> None:
    run.timed_out |= output.startswith(_TIMED_OUT)
    run.died |= _DIED.match(output) is not None


# --- the tests -----------------------------------------------------------------------------------


def _tests(session: _Session, folders: GoFolders) -> Iterator[tuple[TestCase, list[Attempt]]]:
    """Every test; one that a later process of the same package ran again has an attempt for each."""
    found: dict[tuple[str, str, int], tuple[TestCase, list[Attempt]]] = {}
    for run in session.runs:
        failed = [test.name for test in run.tests if test.end is not None and test.end.action == "fail"]
        first_failed_in = {name.rpartition("/")[0]: name for name in reversed(failed)}
        for test in run.tests:
            case = TestCase(
                Framework.GO,
                file=folders.name_of(run.package),
                title=tuple(test.name.split("/")),
                native_id=f"{run.package}.{test.name}",
            )
            _, attempts = found.setdefault((run.package, test.name, test.nth), (case, []))
            attempts.append(_attempt(test, run, first_failed_in.get(test.name, "")))
    yield from found.values()


def _attempt(test: _Test, run: _PackageRun, failed_inside: str) -> Attempt:
    output = "".join(test.output)
    outcome, reason = _verdict(test, run, output)
    message, stack = "", ""
    if outcome is not Outcome.PASSED:
        message, stack = _split("".join(line for line in test.output if not _FRAME.match(line)))
    if outcome is Outcome.INTERRUPTED or (not message and not outcome.is_success):
        message = _in_our_words(test, outcome, failed_inside)
    elapsed = (test.end.elapsed if test.end else None) or 0.0
    return Attempt(
        outcome,
        duration_ms=milliseconds(elapsed * 1000),
        started_at=test.started_at,
        message=message,
        stack=stack,
        reason=reason,
        stdout=output,
    )


def _verdict(test: _Test, run: _PackageRun, output: str) -> tuple[Outcome, str]:
    """How a test ended, and the reason where its process died with it."""
    if test.end is None:
        if run.end is None:
            return Outcome.INTERRUPTED, ""
        return (Outcome.TIMEOUT, "") if run.timed_out else (Outcome.CRASHED, "process_ended")
    outcome = _ENDS[test.end.action]
    if outcome is Outcome.FAILED and _TIMED_OUT in output:
        return Outcome.TIMEOUT, ""
    # A test may print "panic:" and live on; only a real one is followed by the stacks of the goroutines.
    if outcome is Outcome.FAILED and _DIED.search(output) and _STACK.search(output):
        return Outcome.CRASHED, "panic"
    return outcome, ""


def _in_our_words(test: _Test, outcome: Outcome, failed_inside: str) -> str:
    if outcome is Outcome.INTERRUPTED:
        return "The report ends before this test does."
    if test.end is None:
        return "The test process of its package ended before this test did."
    return f"A test inside it failed: {failed_inside}." if failed_inside else "It failed and printed nothing."


def _split(text: str) -> tuple[str, str]:
    """What was said, and the stacks that follow it."""
    stack = _STACK.search(text)
    if stack is None:
        return text.strip("\n"), ""
    return text[: stack.start()].strip("\n"), text[stack.start() :].strip("\n")


# --- packages that failed as a whole -------------------------------------------------------------


def _packages(session: _Session, folders: GoFolders) -> Iterator[tuple[TestCase, Attempt]]:
    """Packages that did not build, or that failed while all their tests were fine."""
    explained = set()
    for run in session.runs:
        attempt = _package_attempt(run, session)
        if attempt is not None:
            explained.add(run.package)
            yield _package_case(run.package, folders), attempt
        if run.end is not None and run.end.failed_build:
            explained.add(_package_of(run.end.failed_build))
    for package in dict.fromkeys(session.unbuilt):
        if package not in explained:
            yield _package_case(package, folders), _build_failure(package, package, session)


def _package_attempt(run: _PackageRun, session: _Session) -> Attempt | None:
    if run.end is None:
        # Tests that were cut off speak for themselves.
        message = "The report ends before this package does."
        return None if run.tests else Attempt(Outcome.INTERRUPTED, message=message)
    if run.end.action != "fail" or any(test.end is None or test.end.action == "fail" for test in run.tests):
        return None
    output = "".join(run.output)
    if run.end.failed_build or "[build failed]" in output or "[setup failed]" in output:
        return _build_failure(run.package, run.end.failed_build, session)
    outcome = Outcome.TIMEOUT if run.timed_out else Outcome.CRASHED if run.died else Outcome.ERROR
    message, stack = _split("".join(line for line in run.output if not _PACKAGE_FRAME.match(line)))
    elapsed = milliseconds((run.end.elapsed or 0.0) * 1000)
    nothing_said = f"The package {run.package} failed, but none of its tests did."
    return Attempt(outcome, duration_ms=elapsed, message=message or nothing_said, stack=stack, stdout=output)


def _build_failure(package: str, build: str, session: _Session) -> Attempt:
    """`build` is what did not build: the package, or one that it imports."""
    said = session.builds.get(_package_of(build)) or session.builds.get(package) or []
    message = "".join(said).strip("\n") or f"The package {package} did not build."
    return Attempt(Outcome.ERROR, message=message, reason="build_failed")


def _package_of(build: str) -> str:
    """The package of a build, which is named `shop/cart [shop/cart.test]` or, for a syntax error, `shop/cart.test`."""
    return build.partition(" ")[0].removesuffix(".test")


def _package_case(package: str, folders: GoFolders) -> TestCase:
    return TestCase(Framework.GO, file=folders.name_of(package), native_id=package)
