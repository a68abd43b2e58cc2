"""The machine, the runner, the network: failures that are neither the test's nor the product's.

Patterns are for what operating systems, browsers and package managers say; these words do not differ between projects.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from testwright.classify.rules.finding import Finding
from testwright.model.failure import FailureDetail, Line, Owner
from testwright.model.verdict import Label

_LOCAL = re.compile(r"localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|host='localhost'|host\.docker\.internal", re.IGNORECASE)


class _Says(NamedTuple):
    """A phrase, and what it means wherever it is said."""

    pattern: re.Pattern[str]
    label: Label
    weight: float
    symptom: str
    fix: str
    second: Label | None = None


def _says(pattern: str, label: Label, weight: float, symptom: str, fix: str, second: Label | None = None) -> _Says:
    return _Says(re.compile(pattern, re.IGNORECASE), label, weight, symptom, fix, second)


_E, _N = Label.ENVIRONMENT, Label.NETWORK_FLAKY
_PHRASES = (
    _says(
        r"Executable doesn't exist|download new browsers|playwright install|browser was not found|Could not find (?:Chrome|browser)",
        _E,
        0.97,
        "browser_missing",
        "install_browser",
    ),
    _says(
        r"error while loading shared libraries|Host system is missing dependencies|cannot open shared object file",
        _E,
        0.97,
        "library_missing",
        "install_library",
    ),
    _says(
        r"session not created|only supports Chrome version|chromedriver.{0,40}(?:version|not found)",
        _E,
        0.93,
        "browser_mismatch",
        "install_browser",
    ),
    _says(r"config\.webServer|webServer (?:was not able|exited)", _E, 0.95, "server_did_not_start", "start_server"),
    _says(
        r"EADDRINUSE|address already in use|is already used, make sure that nothing is running|port \d{2,5} is (?:already )?(?:in use|allocated)",
        _E,
        0.96,
        "port_in_use",
        "free_port",
    ),
    _says(
        r"heap out of memory|ENOMEM|Cannot allocate memory|OutOfMemory|\bMemoryError\b|OOM[- ]?killed|oom-kill",
        _E,
        0.95,
        "out_of_memory",
        "more_memory",
    ),
    _says(r"ENOSPC|No space left on device|disk quota exceeded", _E, 0.97, "disk_full", "more_disk"),
    _says(
        r"ERR_CERT_|self[- ]signed certificate|CERTIFICATE_VERIFY_FAILED|UNABLE_TO_VERIFY_LEAF|certificate (?:has expired|verify failed)",
        _E,
        0.93,
        "bad_certificate",
        "trust_certificate",
        Label.NAVIGATION_FAIL,
    ),
    _says(
        r"ENOTFOUND|ERR_NAME_NOT_RESOLVED|Name or service not known|nodename nor servname|No address associated",
        _E,
        0.86,
        "name_not_resolved",
        "check_address",
        _N,
    ),
    _says(
        r"Can't reach database server|could not connect to server|connection to server at .{1,80} failed|Connection to .{1,60} refused|Unable to connect to the database|database .{1,60} does not exist|no such host",
        _E,
        0.94,
        "service_down",
        "start_service",
    ),
    _says(r"docker(?: daemon|\.sock)|Cannot connect to the Docker", _E, 0.93, "service_down", "start_service"),
    _says(
        r"unable to open database file|EACCES|EPERM\b|Permission denied|Read-only file system",
        _E,
        0.78,
        "not_allowed",
        "check_rights",
        Label.TEST_BUG,
    ),
    _says(
        r"spawn \S{1,80} ENOENT|command not found|is not recognized as an internal or external command",
        _E,
        0.93,
        "program_missing",
        "install_program",
    ),
    _says(
        r"compiler exited unexpectedly|worker process (?:has )?(?:exited|crashed|terminated)|Worker terminated|was killed by SIG|SIGKILL|Segmentation fault|core dumped|Page crashed|Target crashed",
        _E,
        0.9,
        "process_died",
        "look_at_machine",
        Label.REAL_BUG,
    ),
    _says(
        r"unexpected token.{0,80}Jest|Jest (?:encountered an unexpected token|failed to parse a file)|Unknown file extension|Cannot use import statement outside a module|Support for the experimental syntax",
        _E,
        0.86,
        "not_configured",
        "configure_runner",
        Label.TEST_BUG,
    ),
    _says(
        r"Unsupported engine|requires a (?:different|newer) (?:Python|Node)|version solving failed|ERESOLVE|Could not find a version that satisfies",
        _E,
        0.93,
        "dependency_mismatch",
        "install_dependencies",
    ),
    _says(
        r"Test was interrupted|^(?:Error: )?Test ended\.?$|KeyboardInterrupt|The operation was cancel",
        _E,
        0.7,
        "interrupted",
        "rerun",
        Label.TIMING_FLAKY,
    ),
    _says(r"Too Many Requests|rate limit|\bstatus(?: code)?:? 429\b", _N, 0.72, "rate_limited", "wait_and_retry", _E),
    _says(
        r"ECONNRESET|socket hang up|EPIPE|ERR_NETWORK_CHANGED|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_(?:RESET|CLOSED|TIMED_OUT)|ERR_EMPTY_RESPONSE|ERR_HTTP2_|ERR_QUIC_|ERR_SSL_|ERR_PROXY_|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|RemoteDisconnected|Connection aborted|Connection reset|IncompleteRead|Temporary failure in name resolution|ERR_NETWORK\b",
        _N,
        0.88,
        "connection_lost",
        "wait_and_retry",
        _E,
    ),
    _says(
        r"\b50[234] (?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)|(?:status|status of|code):? 50[234]\b|Service Unavailable",
        _N,
        0.74,
        "remote_down",
        "wait_and_retry",
        Label.REAL_BUG,
    ),
)
_REFUSED = re.compile(
    r"ECONNREFUSED|ERR_CONNECTION_REFUSED|Connection refused|Failed to establish a new connection|internalConnectMultiple",
    re.IGNORECASE,
)
_UNSET = re.compile(
    r"(?P<name>\b[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40})+\b)['\"`]?(?: environment variable)? (?:is|was|must be|has to be|are|not|needs to be)? ?"
    r"(?:not )?(?:set|defined|required|missing|provided|configured|found)"
    r"|(?:[Mm]issing|[Rr]equired|[Uu]ndefined|[Ee]nvironment variable)[^.\n]{0,40}\b[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40})+\b"
)
_ENVIRON_KEY = re.compile(r"^KeyError: '[A-Z][A-Z0-9_]{3,60}'$")


def machine_findings(detail: FailureDetail) -> Iterator[Finding]:
    for line in (*detail.said, *(log for log in detail.log if "[err]" in log.text or "error" in log.text[:80].lower())):
        yield from _of_line(line)
    if detail.error_class == "AggregateError" or any("internalConnect" in frame.function for frame in detail.frames):
        yield Finding(_E, 0.82, "service_down", "environment", detail.headline, "start_service", _N)
    if detail.headline.text and _ENVIRON_KEY.match(detail.headline.text):
        yield Finding(_E, 0.85, "not_configured", "environment", detail.headline, "set_variable", Label.TEST_BUG)
    yield from _noise(detail)


def _of_line(line: Line) -> Iterator[Finding]:
    text = line.text
    for says in _PHRASES:
        if says.pattern.search(text):
            cause = "environment" if says.label is _E else "network"
            yield Finding(says.label, says.weight, says.symptom, cause, line, says.fix, says.second)
    if _REFUSED.search(text):
        local = _LOCAL.search(text) is not None
        yield Finding(_E, 0.9 if local else 0.8, "service_down", "environment", line, "start_service", _N)
    if _UNSET.search(text):
        yield Finding(_E, 0.88, "not_configured", "environment", line, "set_variable", Label.TEST_BUG)


def _noise(detail: FailureDetail) -> Iterator[Finding]:
    """What was printed beside an error that says nothing itself."""
    if detail.error_class or detail.matcher or detail.api:
        return
    for line in detail.noise:
        yield from (
            Finding(found.label, found.weight * 0.7, found.symptom, found.cause, line, found.fix, found.second)
            for found in _of_line(line)
        )


# --- what is not installed -------------------------------------------------------------------

_NO_MODULE = re.compile(
    r"No module named '?(?P<module>[\w.]{1,120})'?|Cannot find (?:module|package) ['\"](?P<package>[^'\"]{1,200})['\"]|Failed to resolve import \"(?P<import>[^\"]{1,200})\"|Could not resolve ['\"](?P<resolve>[^'\"]{1,200})['\"]"
)
_OWN = re.compile(r"^(?:[.~/\\]|@/|#|src/|app/|lib/|tests?\b)")
_FIXTURE = re.compile(r"fixture '(?P<name>\w{1,80})' not found")
# Fixtures that come with well-known plugins; asked for and not there, the plugin is not installed.
_PLUGIN_FIXTURES = frozenset(
    "mocker class_mocker module_mocker session_mocker benchmark httpx_mock requests_mock page browser context playwright browser_context_args"
    " db transactional_db django_user_model admin_client rf settings live_server client aiohttp_client event_loop httpserver freezer"
    " faker celery_app celery_worker snapshot datadir shared_datadir testdir postgresql redisdb docker_services respx_mock mock_aioresponse"
    " qtbot fs cov no_cover anyio_backend aiohttp_server unused_tcp_port image_regression data_regression selenium driver app".split()
)


def missing_findings(detail: FailureDetail) -> Iterator[Finding]:
    for line in detail.said:
        found = _NO_MODULE.search(line.text)
        if found is not None:
            name = next(part for part in found.groups() if part)
            yield _module_finding(name, detail, line)
        fixture = _FIXTURE.search(line.text)
        if fixture is not None:
            known = fixture["name"] in _PLUGIN_FIXTURES
            label, other = (_E, Label.TEST_BUG) if known else (Label.TEST_BUG, _E)
            yield Finding(label, 0.85 if known else 0.6, "fixture_missing", "", line, "install_plugin", other)


def _module_finding(name: str, detail: FailureDetail, line: Line) -> Finding:
    top = name.split(".")[0].split("/")[0]
    own = _OWN.match(name) is not None or any(
        frame.owner in (Owner.PRODUCT, Owner.TEST)
        and re.search(rf"(?:^|[/\\]){re.escape(top)}(?:[/\\]|\.)", frame.file)
        for frame in detail.frames
    )
    if own:
        return Finding(Label.TEST_BUG, 0.84, "own_module_missing", "test", line, "fix_import", _E)
    return Finding(_E, 0.86, "package_missing", "environment", line, "install_dependencies", Label.TEST_BUG)
