"""Which addresses may be opened in a recorded browser. Local ones may: recording is what a person asked for."""

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from testwright.model.errors import InvalidUrl, UrlNotAllowed
from testwright.model.untrusted_text import visible_line

_LONGEST = 8_000
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+", re.IGNORECASE)
_MOST_PARTS = 4
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\]")


def checked_url(url: str) -> str:
    """The address itself, its host in ASCII. Raises InvalidUrl and UrlNotAllowed."""
    if not url or len(url) > _LONGEST or _FORBIDDEN.search(url.strip()):
        raise InvalidUrl(_said(url, "is no address"), next_step="Give an address such as http://localhost:3000/.")
    url = url.strip()
    parts = _parts(url)
    if parts.scheme.lower() not in {"http", "https"}:
        raise UrlNotAllowed(
            _said(url, f"begins with {parts.scheme or 'no scheme'}: only http and https are opened"),
            next_step="Serve the page over HTTP, for example with: python -m http.server",
        )
    if "@" in parts.netloc:
        raise UrlNotAllowed(
            _said(_without_user(parts), "was given with a user name or a password before its host"),
            next_step="Leave out what is before the @; log in on the page, or with a saved state.",
        )
    host = _host(url, parts)
    port = f":{parts.port}" if parts.port is not None else ""
    shown = f"[{host}]" if ":" in host else host
    return parts._replace(netloc=f"{shown}{port}").geturl()


def shown_address(url: str) -> str:
    """For a message: scheme, host in punycode and path, without what may be secret."""
    try:
        parts = urlsplit(url)
        return visible_line(_ascii_authority(parts), limit=200)
    except ValueError:
        return visible_line(url.partition("?")[0], limit=200)


def host_of(url: str) -> str:
    return _ascii(urlsplit(url).hostname or "")


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises when it is not a number
    except ValueError as error:
        raise InvalidUrl(_said(url, f"is no address: {error}"), next_step="Mend the address.") from None
    if not parts.scheme or (parts.scheme.lower() in {"http", "https"} and not parts.hostname):
        raise InvalidUrl(
            _said(url, "names no host" if parts.scheme else "does not say http:// or https://"),
            next_step="Give an address such as http://localhost:3000/.",
        )
    return parts


def _host(url: str, parts: SplitResult) -> str:
    host = _ascii(parts.hostname or "")
    address = _disguised(host)
    if address:
        raise UrlNotAllowed(
            _said(url, f"spells the address {address} in an unusual way"),
            next_step=f"If {address} is what you mean, write it so.",
        )
    return host


def _disguised(host: str) -> str:
    """The IPv4 address that browsers read in a host such as 2130706433 or 0x7f.1; empty: it is not such a spelling."""
    numbers = host.rstrip(".").split(".")
    if len(numbers) > _MOST_PARTS or not all(_NUMBER.fullmatch(number) for number in numbers):
        return ""
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        pass
    else:
        return ""
    try:
        values = [_value(number) for number in numbers]
        whole = values[-1]
        for at, value in enumerate(values[:-1]):
            whole += value << (8 * (3 - at))
        return str(ipaddress.IPv4Address(whole))
    except ValueError:
        return "of no machine"


def _value(number: str) -> int:
    if number.lower().startswith("0x"):
        return int(number[2:] or "0", 16)
    return int(number, 8) if number.startswith("0") and number != "0" else int(number)


def _ascii(host: str) -> str:
    if host.isascii():
        return host.lower()
    try:
        return ".".join(part.encode("idna").decode("ascii") for part in host.lower().split("."))
    except UnicodeError:
        raise InvalidUrl(
            f"{visible_line(host, limit=200)!r} is no name of a host.", next_step="Mend the address."
        ) from None


def _ascii_authority(parts: SplitResult) -> str:
    port = f":{parts.port}" if parts.port is not None else ""
    host = parts.hostname or ""
    try:
        host = _ascii(host)
    except InvalidUrl:
        host = ascii(host)
    return f"{parts.scheme}://{host}{port}{parts.path}"


def _without_user(parts: SplitResult) -> str:
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _said(url: str, what: str) -> str:
    return f"{shown_address(url) if '://' in url else visible_line(url, limit=100)!r} {what}."
