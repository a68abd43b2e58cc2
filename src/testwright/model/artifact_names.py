"""The names of the artifacts that say what a test saw. Attachments of the user's own keep the names they came with.

Two files run where this module cannot be imported, and spell some of these names again:
`run/inside/pytest_browser.py` and `run/inside/playwright_reporter.cjs`. A test compares them.
"""

TRACE = "trace"  # Playwright's own name for its trace
OUR_TRACE = "testwright-trace"  # the trace of a test that passed, which only we have asked for
ERROR_CONTEXT = "error-context"  # Playwright's own name for the page in words, as it was at a failure
PAGE_WALK = "testwright-page"  # a page as our reporter inside pytest read it
TARGETS = "testwright-targets"  # what locators found, as our reporter inside pytest says it
FAILED_CALL = "testwright-failed-call"  # which call failed, as our reporter inside pytest says it
COVERAGE = "coverage"  # the data of coverage.py
HEAL_PATCH = "heal-patch"  # the change that a heal proposes
