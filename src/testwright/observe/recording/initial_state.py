"""What a page finds when it begins: the browser around it, cookies, and what its site has stored."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from testwright.masking.masker import Masker
from testwright.model.session import BrowserEnvironment, Cookie, OriginStorage, Secret, StorageState

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

_SURROUNDINGS = """() => ({
  viewport: [innerWidth, innerHeight],
  scale: devicePixelRatio,
  touch: navigator.maxTouchPoints > 0,
  agent: navigator.userAgent,
  locale: navigator.language,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
})"""
_MOST_COOKIES = 300


async def surroundings(page: "Page", *, fixed_clock: bool) -> BrowserEnvironment:
    from playwright.async_api import Error  # late: extra: playwright

    try:
        facts: dict[str, Any] = await page.evaluate(_SURROUNDINGS)
    except Error:  # a page of the browser's own
        return BrowserEnvironment(fixed_clock=fixed_clock)
    width, height = facts["viewport"]
    return BrowserEnvironment(
        viewport=(int(width), int(height)) if width and height else None,
        scale=float(facts["scale"]),
        touch=bool(facts["touch"]),
        user_agent=str(facts["agent"]),
        locale=str(facts["locale"]),
        timezone=str(facts["timezone"] or ""),
        color_scheme="dark" if facts["dark"] else "light",
        fixed_clock=fixed_clock,
    )


async def cookies_for(
    context: "BrowserContext", url: str, masker: Masker, *, readable: str | None = None
) -> tuple[Cookie, ...]:
    """Those that the browser would send there, masked.

    `readable`: what scripts could read at the moment that is meant; since then some may have been set or changed.
    """
    found = await context.cookies([url]) if url.startswith(("http://", "https://")) else []
    cookies = [_cookie(one) for one in found[:_MOST_COOKIES]]
    if readable is not None:
        then = dict(part.strip().partition("=")[::2] for part in readable.split(";") if part.strip())
        cookies = [
            one if one.http_only else replace(one, value=then[one.name])
            for one in cookies
            if one.http_only or one.name in then
        ]
    return tuple(masker.cookie(one) for one in cookies)


def storage(
    origin: str, local: Mapping[str, str], session: Mapping[str, str], masker: Masker
) -> tuple[OriginStorage, ...]:
    """Masked; nothing where nothing is stored."""
    if not local and not session:
        return ()
    return (OriginStorage(origin, _masked(local, masker), _masked(session, masker)),)


async def given_state(context: "BrowserContext", masker: Masker) -> StorageState:
    """What a context was made with, before any page was opened in it."""
    kept: Mapping[str, Any] = await context.storage_state()
    origins = tuple(
        OriginStorage(str(one["origin"]), _masked(_by_name(one.get("localStorage", ())), masker))
        for one in kept.get("origins", ())
    )
    cookies = tuple(masker.cookie(_cookie(one)) for one in kept.get("cookies", ())[:_MOST_COOKIES])
    return StorageState(cookies, origins)


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _by_name(items: Sequence[Mapping[str, str]]) -> dict[str, str]:
    return {item["name"]: item["value"] for item in items}


def _masked(stored: Mapping[str, str], masker: Masker) -> dict[str, str | Secret]:
    return {masker.text(name): masker.stored(name, value) for name, value in stored.items()}


def _cookie(given: Mapping[str, Any]) -> Cookie:
    return Cookie(
        name=str(given.get("name", "")),
        value=str(given.get("value", "")),
        domain=str(given.get("domain", "")),
        path=str(given.get("path", "/")),
        http_only=bool(given.get("httpOnly")),
        secure=bool(given.get("secure")),
        same_site=str(given.get("sameSite", "Lax")),
        expires=float(given.get("expires", -1)),
    )
