"""A page of a running browser as it is now."""

from typing import TYPE_CHECKING

from testwright.model.dom import DomSnapshot
from testwright.observe.inside.page_walk import walk_page
from testwright.observe.walk import WalkedPage, page_from_walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import ElementHandle, Page

MOST_SECONDS = 10.0


def snapshot_page(page: "Page", *, seconds: float = MOST_SECONDS) -> DomSnapshot:
    return walked_page(page, seconds=seconds).page


def walked_page(page: "Page", targets: "Sequence[ElementHandle]" = (), *, seconds: float = MOST_SECONDS) -> WalkedPage:
    """The page, and the numbers that the given elements have on it."""
    return page_from_walk(walk_page(page, targets, seconds))
