"""Addresses, forms and multipart bodies without their secrets. What is left can still be read as what it was."""

import re
from collections.abc import Callable
from urllib.parse import quote, unquote, unquote_plus

from testwright.masking.name_grades import Grade
from testwright.masking.pair_secrets import GradeOf
from testwright.masking.secret_words import QUERY_NAMES
from testwright.masking.token_forms import PLAIN_MARK, Hide
from testwright.masking.value_looks import is_identifier, is_random, is_secret_by_look, is_secret_value
from testwright.model.session import REDACTED

_ADDRESS = re.compile(
    r"(?P<head>(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:)?//)(?:(?P<user>[^/?#]*)@)?(?P<host>[^/?#]*)", re.DOTALL
)
_SECRET_STEP = re.compile(
    r"(?:reset|verif|confirm|activat|invit|magic|unsubscribe|passwordless|password|recover|token|otp|signin|login|share|join)",
    re.IGNORECASE,
)
_PAIRS = re.compile(r"([&;])")
_NOT_ADDRESSES = ("data:", "blob:", "javascript:", "about:", "chrome:", "chrome-extension:")
_DEEPEST = 3


def masked_address(address: str, grade_of: GradeOf, hide: Hide, depth: int = 0) -> str:
    """By its places alone: user information, secret steps of the path, values by the names in query and fragment."""
    if address.lower().startswith(_NOT_ADDRESSES):
        return address
    front, hash_mark, fragment = address.partition("#")
    path, question, query = front.partition("?")
    path = _masked_path(_masked_authority(path, hide), hide)
    if question:
        query = masked_form(query, grade_of, hide, depth=depth, in_address=True)
    if "=" in fragment or "?" in fragment:
        before, mark, rest = fragment.partition("?") if "?" in fragment else ("", "", fragment)
        fragment = f"{before}{mark}{masked_form(rest, grade_of, hide, depth=depth, in_address=True)}"
    elif hash_mark:
        fragment = _masked_path(fragment, hide)
    return f"{path}{question}{query}{hash_mark}{fragment}"


def _masked_authority(path: str, hide: Hide) -> str:
    match = _ADDRESS.match(path)
    if not match or not match["user"]:
        return path
    user, colon, password = match["user"].partition(":")
    if password and password != PLAIN_MARK:
        hide(unquote(password), "PASSWORD")
    if not colon and is_random(user, least=16):
        hide(user, "TOKEN")
        user = PLAIN_MARK
    return f"{match['head']}{user}{colon}{PLAIN_MARK if password else ''}@{match['host']}{path[match.end() :]}"


def _masked_path(path: str, hide: Hide) -> str:
    match = _ADDRESS.match(path)
    head, rest = (path[: match.end()], path[match.end() :]) if match else ("", path)
    steps = rest.split("/")
    for place, step in enumerate(steps):
        before = steps[place - 1] if place else ""
        plain = unquote(step)
        risky = bool(before and _SECRET_STEP.search(before)) and (
            is_random(plain, least=8) or (is_identifier(plain) and len(plain) >= 16)
        )
        if REDACTED not in step and (risky or ("." not in step and is_secret_by_look(plain))):
            hide(plain, "LINK_TOKEN")
            steps[place] = REDACTED
    return head + "/".join(steps)


def masked_form(form: str, grade_of: GradeOf, hide: Hide, *, depth: int = 0, in_address: bool = False) -> str:
    """`a=1&password=...`: the values go whose names mean a secret, and those inside an address that is a value."""
    parts = _PAIRS.split(form)
    for place in range(0, len(parts), 2):
        name, equals, value = parts[place].partition("=")
        if equals and value and REDACTED not in value:
            parts[place] = f"{name}={_masked_value(unquote_plus(name), value, grade_of, hide, depth, in_address)}"
    return "".join(parts)


def _masked_value(name: str, value: str, grade_of: GradeOf, hide: Hide, depth: int, in_address: bool) -> str:
    plain = unquote_plus(value)
    by_name = grade_of(name)
    if is_secret_value(plain, by_name) or (in_address and by_name and _counts_in_address(name, plain, by_name)):
        return hide(plain, name)
    if depth < _DEEPEST and ("%3D" in value or "%3d" in value or "://" in plain):
        masked = masked_address(plain, grade_of, hide, depth + 1)
        if masked != plain:
            return quote(masked, safe="[]") if plain != value else masked
    return value


def _counts_in_address(name: str, value: str, by_name: Grade) -> bool:
    """In an address, a token of letters alone is one too; a short word or number is not."""
    if by_name is Grade.MAYBE and name.lower() not in QUERY_NAMES:
        return False
    if by_name is Grade.MAYBE:
        letters = value.isalnum() and not value.isdigit()
        return len(value) >= (10 if letters else 6) and value.isalnum()
    return len(value) >= 6 and " " not in value


_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}")
_WORD = re.compile(r"[^\s\"'<>&=]{8,8192}")


def masked_escapes(text: str, mask_text: Callable[[str], str]) -> str:
    """Words written with %20 and the like are read, masked, and written that way again if anything was found."""
    if not _ESCAPED.search(text):
        return text

    def masked(match: re.Match[str]) -> str:
        plain = unquote(match[0]) if _ESCAPED.search(match[0]) else match[0]
        found = mask_text(plain) if plain != match[0] else plain
        return match[0] if found == plain else quote(found, safe="[]")

    return _WORD.sub(masked, text)


# --- multipart ----------------------------------------------------------------------------------

_BOUNDARY = re.compile(r"boundary=\"?([^\";,\s]{1,100})", re.IGNORECASE)
_PART_NAME = re.compile(r"content-disposition:[^\r\n]{0,200}?\bname=\"?([^\";\r\n]{1,200})", re.IGNORECASE)


def masked_multipart(body: str, mime: str, grade_of: GradeOf, hide: Hide, mask_text: Callable[[str], str]) -> str:
    """Every part by its name, the others as any text. `body` itself where it cannot be taken apart."""
    told = _BOUNDARY.search(mime)
    boundary = f"--{told[1]}" if told else body.lstrip().split("\n", 1)[0].strip()
    if not boundary.startswith("--") or len(boundary) < 3:
        return mask_text(body)
    parts = body.split(boundary)
    for place, part in enumerate(parts):
        head, gap, content = part.partition("\r\n\r\n") if "\r\n\r\n" in part else part.partition("\n\n")
        named = _PART_NAME.search(head)
        if not gap or not named:
            continue
        value = content.rstrip("\r\n")
        if REDACTED not in value and is_secret_value(value, grade_of(named[1])):
            parts[place] = f"{head}{gap}{hide(value, named[1])}{content[len(value) :]}"
        else:
            parts[place] = f"{head}{gap}{mask_text(value)}{content[len(value) :]}"
    return boundary.join(parts)
