"""How a person meets each of the ten bugs of examples/web-bugs: where they start, what they do, what comes of it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from playwright.async_api import Page, expect

Steps = Callable[[Page], Awaitable[None]]
MONTHS_END = datetime(2026, 3, 31, 10, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Driver:
    """`steps` begin on the page at `path`. They are the same on either build, and ask for nothing that only one has."""

    name: str
    path: str
    steps: Steps
    error: str  # the name of the error that the buggy build reports
    message: str  # a part of its message
    mended: str  # what the fixed build shows instead
    clock: datetime | None = None  # when it has to happen

    async def drive(self, page: Page) -> None:
        """The steps, on the buggy build: until the browser has reported the error."""
        async with page.context.expect_event("weberror", lambda found: self.message in found.error.message):
            await self.steps(page)


async def _null_profile(page: Page) -> None:
    await page.get_by_test_id("load-profile").click()


async def _race(page: Page) -> None:
    await page.get_by_role("button", name="Lamps").click()
    await page.get_by_role("button", name="Chairs").click()


async def _rejection(page: Page) -> None:
    await page.get_by_label("How many teapots?").fill("2")
    await page.get_by_role("button", name="Place order").click()


async def _iframe(page: Page) -> None:
    frame = page.frame_locator("iframe[title='Delivery estimate']")
    await frame.get_by_label("Where to?").select_option("islands")
    await frame.get_by_role("button", name="Estimate").click()


async def _shadow(page: Page) -> None:
    fewer = page.get_by_role("button", name="Fewer")
    await fewer.click()
    await expect(page.get_by_role("status")).to_have_text("0 Mugs")
    await fewer.click()


async def _second_tab(page: Page) -> None:
    async with page.expect_popup() as opened:
        await page.get_by_role("link", name="Invoice of order 1001").click()
    invoice = await opened.value
    await invoice.get_by_role("button", name="Pay now").click()


async def _storage(page: Page) -> None:
    await page.get_by_role("button", name="Put into the cart").click()
    await expect(page.get_by_role("status")).to_have_text("It is in the cart.")
    await page.get_by_role("link", name="To the cart").click()


async def _clock(page: Page) -> None:
    await page.get_by_role("button", name="Order for tomorrow").click()


async def _websocket(page: Page) -> None:
    await page.get_by_role("button", name="Follow the prices").click()


async def _form_validation(page: Page) -> None:
    await page.get_by_label("For whom?").fill("Zoë")
    await page.get_by_role("button", name="Send the gift").click()


_ALL = (
    Driver("null-profile", "/null-profile/", _null_profile, "TypeError", "of null (reading 'name')", "and welcome"),
    Driver("race", "/race/", _race, "TypeError", "of null (setting 'innerHTML')", "Rocking chair"),
    Driver("rejection", "/rejection/", _rejection, "SyntaxError", "is not valid JSON", "Please try again."),
    Driver("iframe", "/iframe/", _iframe, "TypeError", "of undefined (reading 'days')", "Please ask us"),
    Driver("shadow", "/shadow/", _shadow, "RangeError", "Invalid count value: -1", "0 Mugs"),
    Driver("second-tab", "/second-tab/", _second_tab, "TypeError", "of null (reading 'markPaid')", "Paid."),
    Driver("storage", "/storage/", _storage, "SyntaxError", "is not valid JSON", "1 × mug"),
    Driver("clock", "/clock/", _clock, "RangeError", "Invalid time value", "on Wednesday 1 April", MONTHS_END),
    Driver("websocket", "/websocket/", _websocket, "TypeError", "is not a function", "Stool: 35 €"),
    Driver("form-validation", "/form-validation/", _form_validation, "TypeError", "(reading 'join')", "on its way"),
)
DRIVERS: Mapping[str, Driver] = {one.name: one for one in _ALL}
