"""Commands for a recorded browser: each does one thing in a page, as a person would."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from testwright.model.errors import DomQueryFailed, PilotFailed, SelectorNotParseable, TestwrightError, UsageError
from testwright.model.untrusted_text import visible_line
from testwright.observe.playwright_errors import playwright_error_line
from testwright.observe.recording.url_rules import checked_url, shown_address

if TYPE_CHECKING:
    from playwright.async_api import Page

TIMEOUT_S = 5.0
_LONGEST_S = 60.0
_LONGEST_SELECTOR = 4_096
_LONGEST_TEXT = 100_000
_NO_SELECTOR = ("Unexpected token", "Unknown engine", "is not a valid selector", "while parsing", "Malformed selector")


async def perform_command(page: "Page", command: Mapping[str, Any]) -> dict[str, Any]:
    """Do it. `{"do": "click", "selector": ..., "timeout": seconds}`; the answer says where the page is then.

    navigate: url; click: selector; fill: selector, value; select: selector, values; press: key, selector if not
    where the focus is; wait: selector, text or url (a glob), else until the page is loaded.
    """
    # late: extra: playwright
    from playwright.async_api import Error
    from playwright.async_api import TimeoutError as TookTooLong

    name = command.get("do")
    if not isinstance(name, str) or name not in _COMMANDS:
        raise UsageError(
            f"{visible_line(str(name), limit=50)!r} is no command.", next_step=f"Commands are: {', '.join(_COMMANDS)}."
        )
    limit_ms = _seconds(command) * 1000
    try:
        await _COMMANDS[name](page, command, limit_ms)
    except TookTooLong as error:
        raise DomQueryFailed(
            f"{_about(name, command)} was not done within {limit_ms / 1000:g} s: {playwright_error_line(error)}.",
            next_step="Check the selector against the page, or give it more time.",
        ) from None
    except Error as error:
        raise _failure(name, command, error) from None
    return {"ok": True, "url": shown_address(page.url)}


def refused(error: TestwrightError) -> dict[str, Any]:
    """The answer to a command that was not done."""
    return {"ok": False, **error.as_dict()}


def _failure(name: str, command: Mapping[str, Any], error: Exception) -> TestwrightError:
    said = str(error)
    if any(sign in said for sign in _NO_SELECTOR):
        return SelectorNotParseable(
            f"{_about(name, command)}: {playwright_error_line(error)}.", next_step="Mend the selector."
        )
    if "strict mode violation" in said:
        return DomQueryFailed(
            f"{_about(name, command)}: the selector finds several elements.", next_step="Give one that finds only one."
        )
    return PilotFailed(
        f"{_about(name, command)} failed: {playwright_error_line(error)}.", next_step="Look at the page."
    )


async def _navigate(page: "Page", command: Mapping[str, Any], limit_ms: float) -> None:
    await page.goto(checked_url(_text(command, "url")), timeout=limit_ms, wait_until="domcontentloaded")


async def _click(page: "Page", command: Mapping[str, Any], limit_ms: float) -> None:
    await page.locator(_selector(command)).click(timeout=limit_ms)


async def _fill(page: "Page", command: Mapping[str, Any], limit_ms: float) -> None:
    await page.locator(_selector(command)).fill(_text(command, "value", empty=True), timeout=limit_ms)


async def _select(page: "Page", command: Mapping[str, Any], limit_ms: float) -> None:
    values = command.get("values", command.get("value"))
    wanted = [values] if isinstance(values, str) else values
    if not isinstance(wanted, list) or not wanted or not all(isinstance(value, str) for value in wanted):
        raise UsageError("The command select needs values.", next_step='Give "values", a list of texts.')
    await page.locator(_selector(command)).select_option(wanted, timeout=limit_ms)


async def _press(page: "Page", command: Mapping[str, Any], limit_ms: float) -> None:
    key = _text(command, "key")
    if command.get("selector"):
        await page.locator(_selector(command)).press(key, timeout=limit_ms)
    else:
        await page.keyboard.press(key)


async def _wait(page: "Page", command: Mapping[str, Any], limit_ms: float) -> None:
    if command.get("selector"):
        await page.locator(_selector(command)).first.wait_for(timeout=limit_ms)
    elif command.get("text"):
        await page.get_by_text(_text(command, "text")).first.wait_for(timeout=limit_ms)
    elif command.get("url"):
        await page.wait_for_url(_text(command, "url"), timeout=limit_ms)
    else:
        await page.wait_for_load_state("load", timeout=limit_ms)


_COMMANDS: Mapping[str, Callable[["Page", Mapping[str, Any], float], Awaitable[None]]] = {
    "navigate": _navigate,
    "click": _click,
    "fill": _fill,
    "select": _select,
    "press": _press,
    "wait": _wait,
}


def _selector(command: Mapping[str, Any]) -> str:
    selector = _text(command, "selector")
    if len(selector) > _LONGEST_SELECTOR or "\x00" in selector or "\n" in selector:
        raise SelectorNotParseable(
            "The selector is too long, or has line breaks in it.", next_step="Give a shorter one, on one line."
        )
    return selector


def _text(command: Mapping[str, Any], name: str, *, empty: bool = False) -> str:
    value = command.get(name)
    if not isinstance(value, str) or (not value and not empty) or len(value) > _LONGEST_TEXT:
        raise UsageError(
            f"The command {visible_line(str(command.get('do')), limit=20)} needs {name}.",
            next_step=f'Give "{name}", a text.',
        )
    return value


def _seconds(command: Mapping[str, Any]) -> float:
    given = command.get("timeout", TIMEOUT_S)
    if not isinstance(given, int | float) or isinstance(given, bool) or not 0 < given <= _LONGEST_S:
        raise UsageError(
            "The timeout is no number of seconds.", next_step=f'Give "timeout", more than 0 and at most {_LONGEST_S:g}.'
        )
    return float(given)


def _about(name: str, command: Mapping[str, Any]) -> str:
    """What was to be done, without values: they may be secret."""
    what = command.get("selector") or command.get("text") or command.get("key") or ""
    return f"{name} {visible_line(str(what), limit=200)}".rstrip()
