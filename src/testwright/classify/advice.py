"""What to do about a failure. Never to loosen a check, to delete it, or to swallow an error."""

from dataclasses import replace
from enum import Enum

from testwright.model.failure import FailureDetail
from testwright.model.verdict import SuggestedFix, Verdict


class Advice(Enum):
    """What a person can do, in a sentence; and the type of the fix, where a tool could make it."""

    INSTALL_BROWSER = (
        "Install the browser the runner asks for: npx playwright install chromium, or name one that is there.",
        "install_browser",
    )
    INSTALL_LIBRARY = "Install the shared library that the browser names, for Playwright: npx playwright install-deps."
    START_SERVER = (
        "Start the web server by hand, with the command of the configuration, and read what it says.",
        "start_server",
    )
    FREE_PORT = "Something else uses the port: end it, or give the tests a port of their own."
    MORE_MEMORY = "The process ran out of memory: give it more, or run fewer tests at once."
    MORE_DISK = "The disk is full: free some of it."
    TRUST_CERTIFICATE = (
        "The certificate is not trusted here: install its authority, or set ignoreHTTPSErrors for the test site."
    )
    CHECK_ADDRESS = "The address is not there: check the base URL, and that the deployment exists."
    START_SERVICE = (
        "A service that the tests need does not answer: start it, and wait until it is up before the tests.",
        "start_service",
    )
    CHECK_RIGHTS = "The process may not open that file: check the path and its permissions."
    INSTALL_PROGRAM = "A program is not installed, or not on the PATH."
    LOOK_AT_MACHINE = "The failure is the machine's or the runner's: look at what else failed in this run, and when."
    CONFIGURE_RUNNER = "The runner cannot read a file as it is configured: see its transform and module settings."
    INSTALL_DEPENDENCIES = "Install the project's dependencies again, at the versions of its lock file."
    INSTALL_PLUGIN = "A fixture is missing: install the plugin it comes from, or define it in a conftest.py."
    RERUN = "The run was stopped from outside; run the test again."
    WAIT_AND_RETRY = (
        "The connection failed for a while: run again, and make the test independent of that service if it recurs."
    )
    SET_VARIABLE = "A setting is missing: set the variable that the message names, for the tests too.", "set_variable"
    FIX_IMPORT = (
        "The project's own module is not found from here: check the path or alias, and the runner's resolve settings."
    )
    WAIT_FOR_STATE = (
        (
            "Wait for the state that the step needs (visible, enabled, settled), by an assertion that retries, "
            "before the step."
        ),
        "add_wait",
    )
    SCROLL_TO_IT = "The element is not on the visible part of the page: bring it there first, as a user would."
    READ_SERVER_LOG = "The product answered with an error: the server's log of that moment says which."
    SIGN_IN_FIRST = "The page is a login: the session of the test is missing or has ended."
    SPLIT_OR_SPEED_UP = "The time was up: find the slow step in the trace; split the test or make the step faster."
    CHECK_SERVER = "The page did not come: check that the server answers at that address, and how long it takes."
    SEE_REDIRECT = "The page is at another address: see who redirected, and why, before touching the check."
    USE_FRAME_LOCATOR = (
        "The element is in an iframe: reach it with frameLocator, and wait for the frame's own content.",
        "selector_update",
    )
    NARROW_LOCATOR = (
        "Several elements match: name the one that is meant, by its role and name or by the part of the page it is in.",
        "selector_update",
    )
    HEAL = (
        (
            "The locator finds nothing: if the element was only renamed or moved, "
            "`testwright run` proposes the new locator."
        ),
        "selector_update",
    )
    LOOK_AT_DIFF = (
        "Look at the difference: if the new picture is right, update the stored one on the machine that made it.",
        "update_snapshot",
    )
    FIX_PRODUCT = "The product is wrong here: the innermost frame shows where."
    SERIALISE_ACCESS = "Two workers held what the other needed: give each its own data, or take locks in one order."
    MEASURE_IN_BENCHMARK = "A time was checked in a test, and the machine was busy: measure it in a benchmark instead."
    GET_TRACE = "The text says nothing but that time was up: run again with a trace to see where."
    FIX_CLOCK = "The expectation depends on the time zone of the machine: set the zone and the clock in the test."
    COMPARE_VALUES = (
        "Expected and received differ: find out which of the two is right; until then it is a bug of the product."
    )
    MOCK_NETWORK = (
        "A request left the test: add a handler for it, or fix the pattern of the one that is there.",
        "mock_network",
    )
    FIX_MOCK = "The mock does not fit what it stands for: give it the missing member, or set it up before it is used."
    SET_UP_FIRST = (
        "Something is used before it was set up: do in the test's set-up what the program does when it starts."
    )
    FIX_PATH = "The test file, or one that it reads, is not at that path."
    FIX_CODE = "The file does not compile: the message names the line."
    FIX_CALL = "The test calls something in a way that does not exist: check the name and the arguments."
    FIX_TEST = "The test's own code broke: the frame in the test file shows where."
    LOOK = "The text carries no reason: look at the trace, the screenshot or the log of this run."

    def __init__(self, sentence: str, fix_type: str = "") -> None:
        self.sentence, self.fix_type = sentence, fix_type


def advised(verdict: Verdict, detail: FailureDetail, advice: Advice) -> Verdict:
    """The verdict with what to do about it."""
    action = "heal" if advice is Advice.HEAL else verdict.label.traits.action
    kind = advice.fix_type
    fix = SuggestedFix(kind, old=detail.locator if kind == "selector_update" else "") if kind else None
    return replace(verdict, recommended_action=action, advice=advice.sentence, fix=fix)
