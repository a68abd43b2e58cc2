"""How one attempt at a test ended."""

from enum import StrEnum


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"  # the test's own check said no
    ERROR = "error"  # the test could not do its work: set-up, tear-down, import
    SKIPPED = "skipped"
    TIMEOUT = "timeout"
    CRASHED = "crashed"  # its process died under it
    NO_VERDICT = "no_verdict"  # it ended, but nothing trustworthy said how
    OUTPUT_LIMIT = "output_limit"
    INTERRUPTED = "interrupted"  # we were told to stop before it finished
    ENVIRONMENT_CHANGED = "environment_changed"  # it passed, and left the process other than it found it
    PASSED_WITH_HEAL = "passed_with_heal"

    @property
    def is_success(self) -> bool:
        """True where the test gives no reason to worry; a skipped test is not a failure."""
        return self in _SUCCESSES

    @property
    def is_pass(self) -> bool:
        """True where the test ran and said yes."""
        return self in _PASSES


_PASSES = frozenset({Outcome.PASSED, Outcome.PASSED_WITH_HEAL})
_SUCCESSES = _PASSES | {Outcome.SKIPPED}
