"""What to do about a failure. Never to loosen a check, to delete it, or to swallow an error."""

from dataclasses import replace

from testwright.model.failure import FailureDetail
from testwright.model.verdict import FailureLabel, SuggestedFix, Verdict

_ACTIONS = {
    FailureLabel.ENVIRONMENT: "fix_environment",
    FailureLabel.NETWORK_FLAKY: "rerun",
    FailureLabel.NAVIGATION_FAIL: "check_server",
    FailureLabel.URL_MISMATCH: "look",
    FailureLabel.FRAME_FAIL: "fix_test",
    FailureLabel.NETWORK_MOCK_FAIL: "fix_test",
    FailureLabel.API_ASSERTION_FAIL: "fix_product",
    FailureLabel.SNAPSHOT_MISMATCH: "look",
    FailureLabel.SELECTOR_BROKEN: "heal",
    FailureLabel.TIMING_FLAKY: "stabilise",
    FailureLabel.TEST_BUG: "fix_test",
    FailureLabel.REAL_BUG: "fix_product",
    FailureLabel.ASSERTION_MISMATCH: "look",
    FailureLabel.UNKNOWN: "look",
}
_WORDS = {
    "install_browser": (
        "Install the browser the runner asks for: npx playwright install chromium, or name one that is there."
    ),
    "install_library": (
        "Install the shared library that the browser names, for Playwright: npx playwright install-deps."
    ),
    "start_server": "Start the web server by hand, with the command of the configuration, and read what it says.",
    "free_port": "Something else uses the port: end it, or give the tests a port of their own.",
    "more_memory": "The process ran out of memory: give it more, or run fewer tests at once.",
    "more_disk": "The disk is full: free some of it.",
    "trust_certificate": (
        "The certificate is not trusted here: install its authority, or set ignoreHTTPSErrors for the test site."
    ),
    "check_address": "The address is not there: check the base URL, and that the deployment exists.",
    "start_service": (
        "A service that the tests need does not answer: start it, and wait until it is up before the tests."
    ),
    "check_rights": "The process may not open that file: check the path and its permissions.",
    "install_program": "A program is not installed, or not on the PATH.",
    "look_at_machine": (
        "The failure is the machine's or the runner's: look at what else failed in this run, and when."
    ),
    "configure_runner": "The runner cannot read a file as it is configured: see its transform and module settings.",
    "install_dependencies": "Install the project's dependencies again, at the versions of its lock file.",
    "install_plugin": "A fixture is missing: install the plugin it comes from, or define it in a conftest.py.",
    "rerun": "The run was stopped from outside; run the test again.",
    "wait_and_retry": (
        "The connection failed for a while: run again, and make the test independent of that service if it recurs."
    ),
    "set_variable": "A setting is missing: set the variable that the message names, for the tests too.",
    "fix_import": (
        "The project's own module is not found from here: check the path or alias, and the runner's resolve settings."
    ),
    "wait_for_state": (
        "Wait for the state that the step needs (visible, enabled, settled), by an assertion that retries, before "
        "the step."
    ),
    "scroll_to_it": "The element is not on the visible part of the page: bring it there first, as a user would.",
    "read_server_log": "The product answered with an error: the server's log of that moment says which.",
    "sign_in_first": "The page is a login: the session of the test is missing or has ended.",
    "split_or_speed_up": ("The time was up: find the slow step in the trace; split the test or make the step faster."),
    "check_server": "The page did not come: check that the server answers at that address, and how long it takes.",
    "see_redirect": "The page is at another address: see who redirected, and why, before touching the check.",
    "use_frame_locator": (
        "The element is in an iframe: reach it with frameLocator, and wait for the frame's own content."
    ),
    "narrow_locator": (
        "Several elements match: name the one that is meant, by its role and name or by the part of the page it is in."
    ),
    "heal": (
        "The locator finds nothing: if the element was only renamed or moved, `testwright run` proposes the new "
        "locator."
    ),
    "look_at_diff": (
        "Look at the difference: if the new picture is right, update the stored one on the machine that made it."
    ),
    "fix_product": "The product is wrong here: the innermost frame shows where.",
    "serialise_access": ("Two workers held what the other needed: give each its own data, or take locks in one order."),
    "measure_in_benchmark": (
        "A time was checked in a test, and the machine was busy: measure it in a benchmark instead."
    ),
    "get_trace": "The text says nothing but that time was up: run again with a trace to see where.",
    "fix_clock": "The expectation depends on the time zone of the machine: set the zone and the clock in the test.",
    "compare_values": (
        "Expected and received differ: find out which of the two is right; until then it is a bug of the product."
    ),
    "mock_network": "A request left the test: add a handler for it, or fix the pattern of the one that is there.",
    "fix_mock": (
        "The mock does not fit what it stands for: give it the missing member, or set it up before it is used."
    ),
    "set_up_first": (
        "Something is used before it was set up: do in the test's set-up what the program does when it starts."
    ),
    "fix_path": "The test file, or one that it reads, is not at that path.",
    "fix_code": "The file does not compile: the message names the line.",
    "fix_call": "The test calls something in a way that does not exist: check the name and the arguments.",
    "fix_test": "The test's own code broke: the frame in the test file shows where.",
    "look": "The text carries no reason: look at the trace, the screenshot or the log of this run.",
}
_FIX_TYPES = {
    "heal": "selector_update",
    "narrow_locator": "selector_update",
    "wait_for_state": "add_wait",
    "mock_network": "mock_network",
    "use_frame_locator": "selector_update",
    "install_browser": "install_browser",
    "start_server": "start_server",
    "start_service": "start_service",
    "set_variable": "set_variable",
    "look_at_diff": "update_snapshot",
}


def advised(verdict: Verdict, detail: FailureDetail, key: str) -> Verdict:
    """The verdict with what to do about it."""
    action = "heal" if key == "heal" else _ACTIONS[verdict.label]
    kind = _FIX_TYPES.get(key)
    fix = SuggestedFix(kind, old=detail.locator if kind == "selector_update" else "") if kind else None
    return replace(verdict, recommended_action=action, advice=_WORDS.get(key, _WORDS["look"]), fix=fix)
