"""How a failure behaves when it is tried again: counts by the tests it was tried with, and the sentence they make."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from testwright.model.case import TestCase
from testwright.model.history import IN_REVERSE
from testwright.model.result import REPEATED
from testwright.model.untrusted_text import visible_line
from testwright.run.suite_plan import PlannedSuite

FEWEST_FOR_ORDER = 2  # tries alone, before we say that a test fails only after others


class Order(StrEnum):
    """Among which tests a try was made."""

    IN_RUN = "in_run"  # the run itself
    ALONE = "alone"
    IN_FILE = "in_file"  # with the others of its file, as they come
    REVERSED = "reversed"

    @property
    def reason(self) -> str:
        """The reason that an attempt of this kind carries."""
        return IN_REVERSE if self is Order.REVERSED else f"{REPEATED}{self.value}"


WORDS = {
    Order.IN_RUN: "in the run",
    Order.ALONE: "alone",
    Order.IN_FILE: "with the tests of its file",
    Order.REVERSED: "in reverse",
}


class Repeats(StrEnum):
    """How a failure behaves when it is tried again."""

    ALWAYS = "always"
    SOMETIMES = "sometimes"
    AFTER_OTHERS = "after_others"
    NOT_TRIED = "not_tried"


@dataclass
class Repeated:
    """One test that failed, and how often it did in each order."""

    case: TestCase
    item: PlannedSuite
    file_mates: tuple[TestCase, ...]  # the tests of its file that ran, itself among them, in their order
    attempts: int  # so far, of any kind
    tries: Counter[Order] = field(default_factory=Counter)
    failed: Counter[Order] = field(default_factory=Counter)

    def note(self, order: Order, *, failed: bool) -> None:
        self.tries[order] += 1
        self.failed[order] += failed

    @property
    def verdict(self) -> Repeats:
        again = self.tries.total() - self.tries[Order.IN_RUN]
        if not again:
            return Repeats.NOT_TRIED
        if self.failed.total() == self.tries.total():
            return Repeats.ALWAYS
        with_others = self.tries[Order.IN_FILE]
        if (
            self.tries[Order.ALONE] >= FEWEST_FOR_ORDER
            and not self.failed[Order.ALONE]
            and with_others
            and self.failed[Order.IN_FILE] == with_others
        ):
            return Repeats.AFTER_OTHERS
        return Repeats.SOMETIMES

    @property
    def sentence(self) -> str:
        counts = ", ".join(f"{WORDS[order]} {self.failed[order]} of {self.tries[order]}" for order in self._orders())
        test, verdict = visible_line(self.case.id), self.verdict
        if verdict is Repeats.NOT_TRIED:
            return f"not tried again: {test}"
        if verdict is Repeats.ALWAYS:
            return f"fails always: {test} ({counts})"
        if verdict is Repeats.AFTER_OTHERS:
            return f"fails only after others: {test} ({counts}). Look for what another test of its file leaves behind."
        hint = "" if any(self.failed[order] for order in self._orders() if order is not Order.IN_RUN) else _NOT_AGAIN
        return f"fails sometimes ({self.failed.total()} of {self.tries.total()} tries): {test} ({counts}).{hint}"

    def shape(self) -> dict[str, Any]:
        return {
            "testId": self.case.id,
            "verdict": str(self.verdict),
            "failed": self.failed.total(),
            "tries": self.tries.total(),
            "orders": {
                str(order): {"failed": self.failed[order], "tries": self.tries[order]} for order in self._orders()
            },
            "sentence": self.sentence,
        }

    def _orders(self) -> list[Order]:
        return [order for order in Order if self.tries[order]]


_NOT_AGAIN = " It did not fail again: it may be rare, or need tests of other files before it."
