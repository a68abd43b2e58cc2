"""The best new selector for an element, in the manner of the one it replaces."""

from collections.abc import Sequence

from testwright.model.dom import DomSnapshot
from testwright.model.selector import Selector


def choose_selector(
    page: DomSnapshot,
    number: int,
    *,
    like: Selector,
    test_id_attributes: Sequence[str] = ("data-testid",),
    string_only: bool = False,
) -> Selector | None:
    """A selector that finds exactly this element; None: there is none that we would write."""
    raise NotImplementedError
