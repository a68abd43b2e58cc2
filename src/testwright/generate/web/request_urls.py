"""Addresses of requests, and what of them is the same from one time to the next."""

import re
from urllib.parse import parse_qsl, urlsplit

from testwright.model.session import REDACTED, Secret

# Names that programs give to values which only make an address a new one.
_FRESH_NAMES = frozenset(
    {"_", "ts", "t", "time", "timestamp", "cb", "cachebuster", "cache", "nonce", "rand", "random", "r", "_t", "v_ts"}
)
_LONG_NUMBER = re.compile(r"\d{10,}")
_RANDOM = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|0\.\d{6,}|[0-9a-f]{16,}", re.IGNORECASE
)
_MASKED = re.compile(r"\[REDACTED\]|%5BREDACTED%5D", re.IGNORECASE)


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme and parts.netloc else ""


def below(origin: str, url: str) -> str:
    """The address without the app's own origin; another site's stays whole."""
    return (url[len(origin) :] or "/") if origin and _is_below(origin, url) else url


def _is_below(origin: str, url: str) -> bool:
    return url.startswith(origin) and url[len(origin) : len(origin) + 1] in ("", "/", "?", "#")


def path_of(origin: str, url: str) -> str:
    """The pathname, with the origin in front where that is another site's."""
    parts = urlsplit(url)
    path = parts.path or "/"
    return path if origin_of(url) == origin or not parts.netloc else origin_of(url) + path


def query_of(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def is_fresh(name: str, value: str) -> bool:
    """Whether a value of a query is another one each time, or is not known any more."""
    if is_masked(value):
        return True
    digits = _LONG_NUMBER.fullmatch(value) is not None
    return digits or _RANDOM.fullmatch(value) is not None or (name.lower() in _FRESH_NAMES and value.isdigit())


def is_masked(text: str) -> bool:
    return REDACTED in text or _MASKED.search(text) is not None


def unmasked(value: str | Secret) -> str | Secret:
    """What a person typed. A mark of ours is nothing that anyone typed: a secret of no name stands for it."""
    return Secret("VALUE", "a part of it was secret") if isinstance(value, str) and REDACTED in value else value
