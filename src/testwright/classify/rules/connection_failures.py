"""Connections: a service that is not up, a name that is not there, a line that broke for a while."""

from collections.abc import Iterator, Sequence

from testwright.classify.advice import Advice
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import PhraseRow, RuleFinding
from testwright.model.failure import FailureLine
from testwright.model.failure_labels import FailureLabel as Label

_BAD_CERTIFICATE = any_of(
    # Chromium
    r"ERR_CERT_",
    # Node
    r"self[- ]signed certificate",
    r"UNABLE_TO_VERIFY_LEAF",
    # OpenSSL
    r"CERTIFICATE_VERIFY_FAILED",
    r"certificate (?:has expired|verify failed)",
    ignore_case=True,
)
_NAME_NOT_RESOLVED = any_of(
    # Node, Chromium, Firefox
    r"NS_ERROR_UNKNOWN_HOST",
    r"\bENOTFOUND\b",
    r"ERR_NAME_NOT_RESOLVED",
    # the C library
    r"Name or service not known",
    r"nodename nor servname",
    r"No address associated",
    ignore_case=True,
)
_SERVICE_DOWN = any_of(
    # databases and their clients
    r"Can't reach database server",
    r"could not connect to server",
    r"connection to server at .{1,80} failed",
    r"Unable to connect to the database",
    r"database .{1,60} does not exist",
    r"no such table\b",
    r"(?:relation|table) .{1,80} (?:does not|doesn't) exist",
    # Go, Java
    r"no such host",
    r"Connection to .{1,60} refused",
    # Docker
    r"docker(?: daemon|\.sock)",
    r"Cannot connect to the Docker",
    ignore_case=True,
)
_RATE_LIMITED = any_of(r"Too Many Requests", r"rate limit", r"\bstatus(?: code)?:? 429\b", ignore_case=True)
_CONNECTION_LOST = any_of(
    # the operating system, as Node says it
    r"\bECONNRESET\b",
    r"\bEPIPE\b",
    r"\bETIMEDOUT\b",
    r"EAI_AGAIN",
    r"\bENETUNREACH\b",
    r"\bEHOSTUNREACH\b",
    r"socket hang up",
    # Chromium
    r"ERR_NETWORK_CHANGED",
    r"ERR_NETWORK\b",
    r"ERR_INTERNET_DISCONNECTED",
    r"ERR_CONNECTION_(?:RESET|CLOSED|TIMED_OUT)",
    r"ERR_EMPTY_RESPONSE",
    r"ERR_HTTP2_",
    r"ERR_QUIC_",
    r"ERR_SSL_",
    r"ERR_PROXY_",
    # Firefox
    r"NS_ERROR_(?:NET|PROXY)_\w+",
    r"NS_ERROR_OFFLINE",
    # the C library, as most languages say it
    r"Connection reset",
    r"Network is unreachable",
    r"No route to host",
    r"Connection timed out",
    r"Temporary failure in name resolution",
    # Python
    r"RemoteDisconnected",
    r"Connection aborted",
    r"IncompleteRead",
    ignore_case=True,
)
# Any other trouble of the network stack; those that say more have a row of their own.
_NETWORK_ERROR = any_of(r"\bnet::ERR_(?!ABORTED|CERT_|NAME_|CONNECTION_REFUSED|FILE_|BLOCKED_|INVALID_|TOO_MANY_)")
_REMOTE_DOWN = any_of(
    r"\b50[234] (?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)",
    r"(?:status|status of|code):? 50[234]\b",
    r"Service Unavailable",
    ignore_case=True,
)

_ENVIRONMENT, _NETWORK_FLAKY = Label.ENVIRONMENT, Label.NETWORK_FLAKY
NETWORK = (
    PhraseRow(_BAD_CERTIFICATE, _ENVIRONMENT, 0.93, "bad_certificate", Advice.TRUST_CERTIFICATE, Label.NAVIGATION_FAIL),
    PhraseRow(_NAME_NOT_RESOLVED, _ENVIRONMENT, 0.86, "name_not_resolved", Advice.CHECK_ADDRESS, _NETWORK_FLAKY),
    PhraseRow(_SERVICE_DOWN, _ENVIRONMENT, 0.94, "service_down", Advice.START_SERVICE),
    PhraseRow(_RATE_LIMITED, _NETWORK_FLAKY, 0.72, "rate_limited", Advice.WAIT_AND_RETRY, _ENVIRONMENT),
    PhraseRow(_CONNECTION_LOST, _NETWORK_FLAKY, 0.88, "connection_lost", Advice.WAIT_AND_RETRY, _ENVIRONMENT),
    PhraseRow(_NETWORK_ERROR, _NETWORK_FLAKY, 0.85, "network_error", Advice.WAIT_AND_RETRY, _ENVIRONMENT),
    PhraseRow(_REMOTE_DOWN, _NETWORK_FLAKY, 0.74, "remote_down", Advice.WAIT_AND_RETRY, Label.REAL_BUG),
)

_REFUSED = any_of(
    r"\bECONNREFUSED\b",
    r"ERR_CONNECTION_REFUSED",
    r"Connection refused",
    r"Failed to establish a new connection",
    # WebKit, Firefox
    r"Could not connect to (?:the )?server",
    r"NS_ERROR_CONNECTION_REFUSED",
    r"internalConnectMultiple",
    ignore_case=True,
)
_LOCAL = any_of(r"localhost", r"127\.0\.0\.1", r"\[::1\]", r"0\.0\.0\.0", r"host\.docker\.internal", ignore_case=True)


def connection_findings(lines: Sequence[FailureLine]) -> Iterator[RuleFinding]:
    """Refused connections: no service listens there, and waiting seldom helps."""
    for line in _REFUSED.all(lines):
        weight = 0.9 if _LOCAL.search(line.text) else 0.8
        yield RuleFinding(
            _ENVIRONMENT, weight, "service_down", "environment", line, Advice.START_SERVICE, _NETWORK_FLAKY
        )
