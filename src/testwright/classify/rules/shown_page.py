"""The page at the failure: what it shows turns a lost element into something else."""

from collections.abc import Iterator

from testwright.classify.advice import Advice
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.model.failure import FailureDetail
from testwright.model.failure_labels import FailureLabel as Label

_ERROR_PAGE = any_of(
    # of web servers and frameworks
    r'heading "[^"]{0,40}\b50[0234]\b',
    r'heading "Internal Server Error',
    r'heading "Application error',
    r'heading "Traceback',
    r'heading "\w{0,60}(?:Error|Exception)"',
    r"Unhandled Runtime Error",
    r"Something went wrong",
    r"Traceback \(most recent call last\)",
    # Chromium
    r"This page isn.t working",
    ignore_case=True,
)
_GONE_PAGE = any_of(r'heading "[^"]{0,20}\b404\b', r'heading "[^"]{0,20}not found', ignore_case=True)
_LOGIN_PAGE = any_of(
    r'(?:heading|button) "sign in',
    r'(?:heading|button) "log ?in',
    r'(?:heading|button) "(?:anmelden|connexion|iniciar sesi)',
    ignore_case=True,
)
_OVERLAY = any_of(
    # the elements by which development servers show an error over the page
    r"nextjs-portal",
    r"__next-build-error",
    r"vite-error-overlay",
    r"webpack-dev-server-client-overlay",
    r"react-error-overlay",
    ignore_case=True,
)


def page_findings(detail: FailureDetail) -> Iterator[RuleFinding]:
    overlay = _OVERLAY.first(detail.log)
    if overlay is not None:
        yield RuleFinding(
            Label.REAL_BUG, 0.9, "error_overlay", "product", overlay, Advice.READ_SERVER_LOG, Label.TIMING_FLAKY
        )
    if not detail.page:
        return
    error = _ERROR_PAGE.first(detail.page)
    if error is not None:
        yield RuleFinding(
            Label.REAL_BUG, 0.9, "error_page", "product", error, Advice.READ_SERVER_LOG, Label.ENVIRONMENT
        )
        return
    gone = _GONE_PAGE.first(detail.page)
    if gone is not None:
        yield RuleFinding(Label.URL_MISMATCH, 0.6, "not_found_page", "", gone, Advice.CHECK_ADDRESS, Label.REAL_BUG)
        return
    login = _LOGIN_PAGE.first(detail.page)
    if login is not None and any("password" in line.text.casefold() for line in detail.page):
        yield RuleFinding(Label.URL_MISMATCH, 0.62, "login_page", "", login, Advice.SIGN_IN_FIRST, Label.ENVIRONMENT)
