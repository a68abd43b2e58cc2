"""What a test framework has to offer so that its lost elements can be found, and how a search says that it failed.

`strategy_chain` asks the strategies of an adapter in order. A new framework plugs in here and nowhere else.
"""

from typing import Protocol

from testwright.model.dom import DomSnapshot, Element
from testwright.model.heal import FailureRecord, OriginalSelector, Strategy


class NotHealable(Exception):
    """This failure cannot be healed: it is not a lost element, or nothing is known of the page or of the source."""

    def __init__(self, reason: str, explanation: str = "") -> None:
        super().__init__(explanation or reason)
        self.reason = reason  # a stable code
        self.explanation = explanation or reason


class Ambiguous(Exception):
    """Several elements fit. That is worse than none: the search ends here."""

    def __init__(self, elements: tuple[Element, ...]) -> None:
        super().__init__(f"{len(elements)} elements fit")
        self.elements = elements


class HealAdapter(Protocol):
    """What a framework offers. Each `find_by_*` gives at most one element, and raises Ambiguous where several fit.

    An element that is not visible is not found. Elements that are one to a reader (a button and the only
    text in it) count as one.
    """

    def parse_failure(self, record: FailureRecord) -> tuple[OriginalSelector, DomSnapshot]:
        """The selector that found nothing and the page it was looked for on. Raises NotHealable."""

    def find_by_text(self, snapshot: DomSnapshot, text: str) -> Element | None:
        """The element whose visible text is exactly `text`."""

    def find_by_role(self, snapshot: DomSnapshot, role: str) -> Element | None:
        """The element with that ARIA or semantics role."""

    def find_by_tooltip(self, snapshot: DomSnapshot, tip: str) -> Element | None:
        """The element whose tooltip, title or spoken label is exactly `tip`."""

    def find_by_coordinates(self, snapshot: DomSnapshot, x: float, y: float) -> Element | None:
        """The element whose middle lies at (x, y), give or take a twentieth of the viewport."""

    def emit_patch(self, original: OriginalSelector, found: Element, strategy: Strategy) -> bytes:
        """The unified diff that has the test look for `found`. Raises NotHealable where it cannot be written."""
