"""The machine and the runner: failures that are neither the test's nor the product's.

The words here are those of operating systems, browsers, runners and package managers; they do not differ between
projects.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from testwright.classify.advice import Advice
from testwright.classify.rules.connection_failures import NETWORK, connection_findings
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import PhraseRow, RuleFinding, findings_in
from testwright.model.failure import FailureDetail, FailureLine
from testwright.model.failure_labels import FailureLabel as Label

_PRINTED_COUNTS = 0.7  # what was printed beside an error says less than the error

_BROWSER_MISSING = any_of(
    # Playwright, Puppeteer
    r"Executable doesn't exist",
    r"download new browsers",
    r"playwright install",
    r"browser was not found",
    r"Could not find (?:Chrome|browser)",
    ignore_case=True,
)
_LIBRARY_MISSING = any_of(
    # the loader of Linux
    r"error while loading shared libraries",
    r"cannot open shared object file",
    # Playwright
    r"Host system is missing dependencies",
    ignore_case=True,
)
_BROWSER_MISMATCH = any_of(
    # WebDriver
    r"session not created",
    r"only supports Chrome version",
    r"chromedriver.{0,40}(?:version|not found)",
    ignore_case=True,
)
_SERVER_DID_NOT_START = any_of(
    # Playwright, of its configuration
    r"config\.webServer",
    r"webServer (?:was not able|exited)",
    ignore_case=True,
)
_PORT_IN_USE = any_of(
    # the operating system
    r"\bEADDRINUSE\b",
    r"address already in use",
    # Playwright, Docker
    r"is already used, make sure that nothing is running",
    r"port \d{2,5} is (?:already )?(?:in use|allocated)",
    ignore_case=True,
)
_OUT_OF_MEMORY = any_of(
    # V8
    r"heap out of memory",
    # the operating system
    r"\bENOMEM\b",
    r"Cannot allocate memory",
    r"OOM[- ]?killed",
    r"oom-kill",
    # Java, Python
    r"OutOfMemory",
    r"\bMemoryError\b",
    ignore_case=True,
)
_DISK_FULL = any_of(r"\bENOSPC\b", r"No space left on device", r"disk quota exceeded", ignore_case=True)
_NOT_ALLOWED = any_of(
    r"\bEACCES\b",
    r"\bEPERM\b",
    r"Permission denied",
    r"Read-only file system",
    # SQLite
    r"unable to open database file",
    ignore_case=True,
)
_PROGRAM_MISSING = any_of(
    # Node
    r"spawn \S{1,80} ENOENT",
    # shells
    r"command not found",
    r"is not recognized as an internal or external command",
    ignore_case=True,
)
_PROCESS_DIED = any_of(
    # the operating system
    r"was killed by SIG",
    r"SIGKILL",
    r"Segmentation fault",
    r"core dumped",
    # runners
    r"compiler exited unexpectedly",
    r"worker process (?:has )?(?:exited|crashed|terminated)",
    r"Worker terminated",
    # Playwright
    r"Page crashed",
    r"Target crashed",
    ignore_case=True,
)
_RUNNER_NOT_CONFIGURED = any_of(
    # Jest and Babel
    r"unexpected token.{0,80}Jest",
    r"Jest (?:encountered an unexpected token|failed to parse a file)",
    r"Support for the experimental syntax",
    # Node
    r"Unknown file extension",
    r"Cannot use import statement outside a module",
    ignore_case=True,
)
_NO_BROWSER_GLOBALS = any_of(
    # Node, where the code needs a page around it
    r"\b(?:window|document|localStorage|sessionStorage|navigator|HTMLElement) is not defined"
)
_DEPENDENCY_MISMATCH = any_of(
    # npm, yarn
    r"Unsupported engine",
    r"\bERESOLVE\b",
    # pip
    r"requires a (?:different|newer) (?:Python|Node)",
    r"Could not find a version that satisfies",
    # Dart
    r"version solving failed",
    ignore_case=True,
)
_INTERRUPTED = any_of(
    # Playwright
    r"Test was interrupted",
    r"^(?:Error: )?Test ended\.?$",
    # Python
    r"KeyboardInterrupt",
    # GitHub's runner
    r"The operation was cancel",
    ignore_case=True,
)

_ENVIRONMENT, _NETWORK_FLAKY = Label.ENVIRONMENT, Label.NETWORK_FLAKY
_MACHINE = (
    PhraseRow(_BROWSER_MISSING, _ENVIRONMENT, 0.97, "browser_missing", Advice.INSTALL_BROWSER),
    PhraseRow(_LIBRARY_MISSING, _ENVIRONMENT, 0.97, "library_missing", Advice.INSTALL_LIBRARY),
    PhraseRow(_BROWSER_MISMATCH, _ENVIRONMENT, 0.93, "browser_mismatch", Advice.INSTALL_BROWSER),
    PhraseRow(_SERVER_DID_NOT_START, _ENVIRONMENT, 0.95, "server_did_not_start", Advice.START_SERVER),
    PhraseRow(_PORT_IN_USE, _ENVIRONMENT, 0.96, "port_in_use", Advice.FREE_PORT),
    PhraseRow(_OUT_OF_MEMORY, _ENVIRONMENT, 0.95, "out_of_memory", Advice.MORE_MEMORY),
    PhraseRow(_DISK_FULL, _ENVIRONMENT, 0.97, "disk_full", Advice.MORE_DISK),
    PhraseRow(_NOT_ALLOWED, _ENVIRONMENT, 0.78, "not_allowed", Advice.CHECK_RIGHTS, Label.TEST_BUG),
    PhraseRow(_PROGRAM_MISSING, _ENVIRONMENT, 0.93, "program_missing", Advice.INSTALL_PROGRAM),
    PhraseRow(_PROCESS_DIED, _ENVIRONMENT, 0.9, "process_died", Advice.LOOK_AT_MACHINE, Label.REAL_BUG),
    PhraseRow(_RUNNER_NOT_CONFIGURED, _ENVIRONMENT, 0.86, "not_configured", Advice.CONFIGURE_RUNNER, Label.TEST_BUG),
    PhraseRow(_NO_BROWSER_GLOBALS, _ENVIRONMENT, 0.76, "no_page_around", Advice.CONFIGURE_RUNNER, Label.TEST_BUG),
    PhraseRow(_DEPENDENCY_MISMATCH, _ENVIRONMENT, 0.93, "dependency_mismatch", Advice.INSTALL_DEPENDENCIES),
    PhraseRow(_INTERRUPTED, _ENVIRONMENT, 0.7, "interrupted", Advice.RERUN, Label.TIMING_FLAKY),
)

# A setting that is not there, named as settings are: IN_CAPITALS.
_SETTING = r"\b[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40})+\b"
_UNSET = any_of(
    _SETTING + r"['\"`]?(?: environment variable)? (?:is|was|must be|has to be|are|not|needs to be)? ?"
    r"(?:not )?(?:set|defined|required|missing|provided|configured|found)",
    r"(?:[Mm]issing|[Rr]equired|[Uu]ndefined|[Ee]nvironment variable)[^.\n]{0,40}" + _SETTING,
    # Python, of os.environ
    r"^KeyError: '[A-Z][A-Z0-9_]{3,60}'$",
)


def machine_findings(detail: FailureDetail) -> Iterator[RuleFinding]:
    errors = [line for line in detail.log if "[err]" in line.text or "error" in line.text[:80].lower()]
    yield from _in_lines((*detail.said, *errors))
    if detail.error_class == "AggregateError" or any("internalConnect" in frame.function for frame in detail.frames):
        yield RuleFinding(
            _ENVIRONMENT, 0.82, "service_down", "environment", detail.headline, Advice.START_SERVICE, _NETWORK_FLAKY
        )
    if not (detail.error_class or detail.matcher or detail.api):
        # The error says nothing itself.
        yield from (replace(found, weight=found.weight * _PRINTED_COUNTS) for found in _in_lines(detail.noise))


def _in_lines(lines: Sequence[FailureLine]) -> Iterator[RuleFinding]:
    yield from findings_in(_MACHINE, lines)
    yield from findings_in(NETWORK, lines)
    yield from connection_findings(lines)
    for line in _UNSET.all(lines):
        yield RuleFinding(
            _ENVIRONMENT, 0.88, "not_configured", "environment", line, Advice.SET_VARIABLE, Label.TEST_BUG
        )
