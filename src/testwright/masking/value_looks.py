"""What a value looks like: random, a plain word, a sentence, a stand-in, a piece of code, a card's number."""

import base64
import binascii
import math
import re
from collections import Counter
from itertools import pairwise

from testwright.masking.name_grades import Grade
from testwright.masking.secret_words import COMMON, NO_SECRETS, SENTENCE_WORDS

_PLACEHOLDER = re.compile(
    r"""[*•●xX.…#?_-]+[ \d]{0,6}$  # •••• 4242
      | <[^<>]{0,80}>$ | \$?\{[^{}]{0,80}\}{1,2}$ | \{\{ | \$\( | \$[A-Za-z_]\w{0,60}$
      | %\w{1,60}%$ | %[sdifoOj]$ | %\(\w{1,40}\)s$ | :\w{1,40}$
      | \#[0-9a-f]{3,8}$ | [-+]?\d{1,6}(?:\.\d{1,4})?(?:px|r?em|ms|s|%|vh|vw|deg|fr)$  # colours and sizes
      | (?:your|my|the|some|insert|enter|replace|put)[-_ ]
      | \[?REDACTED | \[?(?:masked|hidden|filtered|object|array|function)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_CODE = re.compile(
    r"[!~]?[A-Za-z_$][\w$]{0,60}(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]{0,60}){0,8}[\[(]|(?:await|new|typeof|function|async|return)\b"
)
_PATH_OF_NAMES = re.compile(r"[A-Za-z_$][\w$]{0,60}(?:(?:\?\.|!?\.|::|->)[A-Za-z_$][\w$]{0,60}){1,8}[!?]?$")
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?$")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+$")
_UUID = re.compile(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?$")
_TOKEN_CHARS = re.compile(r"[A-Za-z0-9_.~+/=%:|!@#$^*-]+$")
_DATE = re.compile(r"(?<![0-9A-Za-z])(?:19|20)\d\d[-/.]?(?:0[1-9]|1[0-2])[-/.]?(?:0[1-9]|[12]\d|3[01])")
_LOWER_RUN = re.compile(r"[a-z]{8,}|[A-Z]{8,}")
_JOINS = re.compile(r"[-_+/=.~]")

REPLACEABLE_LENGTH = 6
_SURE_LENGTH = 12  # from here on a value cannot be part of something else by chance
_LONGEST_LOOK = 512  # longer ones are data: pictures, bundles


def is_label(value: str) -> bool:
    """A text that people read, about a secret: "Password", "Must be at least 8 characters"."""
    stripped = value.strip()
    if stripped.lower().rstrip("*:!. ") in NO_SECRETS:
        return True
    parts = stripped.split()
    if len(parts) == 1:
        return False
    plain = [part.strip(".,:;!?()\"'*").lower() for part in parts]
    if not SENTENCE_WORDS.isdisjoint(plain):
        return True
    return stripped[:1].isupper() and all(_WORD.match(part) and part.islower() for part in plain[1:])


def is_stand_in(value: str) -> bool:
    """Nothing, or something that stands where a value will be: ${TOKEN}, <password>, ****."""
    return (
        not value.strip()
        or value.strip().lower() in NO_SECRETS
        or "${" in value
        or _PLACEHOLDER.match(value.strip()) is not None
    )


def is_code(value: str) -> bool:
    """A piece of a program: e.target.value, getToken()."""
    if _CODE.match(value):
        return True
    return _PATH_OF_NAMES.match(value) is not None and not any(
        is_random(part, least=12) for part in re.split(r"\?\.|\.|::|->", value)
    )


def is_secret_value(value: str, by_name: Grade, *, bare: bool = False) -> bool:
    """Whether a value at a place of this grade is a secret. `bare`: without quotes, in a text that may be a program."""
    if not by_name or is_stand_in(value):
        return False
    if by_name is Grade.MAYBE:
        return is_random(value, least=10) and not _UUID.match(value)
    if by_name is Grade.DIGITS:
        return sum(c.isdigit() for c in value) >= 3 and len(value) <= 40 and not _DATE.match(value)
    if bare and (is_code(value) or (value.isdigit() and len(value) < 4)):
        return False
    if by_name is Grade.PERSON:
        return not is_label(value) or (
            not bare and " " not in value.strip() and value.strip().lower() not in NO_SECRETS
        )
    return looks_machine_made(value)


def looks_machine_made(value: str) -> bool:
    """Made by a machine, or typed as if: no plain word, no sentence, no small number."""
    if is_label(value) or len(value) < 4 or " " in value.strip():
        return len(value) >= _SURE_LENGTH and not is_label(value) and any(c.isdigit() for c in value)
    if value.isdigit():
        return len(value) >= 4
    if value.isalpha():
        return len(value) >= 16 or (len(value) >= 10 and _changes(value[1:]) >= 2)
    return any(c.isdigit() for c in value) or len(value) >= _SURE_LENGTH


def is_random(value: str, *, least: int = 16) -> bool:
    """For a value whose name gives it no protection: letters and digits mixed as no person would."""
    if not least <= len(value) <= 8192 or not _TOKEN_CHARS.match(value) or _DATE.search(value):
        return False
    digits = sum(c.isdigit() for c in value)
    if digits == 0:
        return len(value) >= 20 and _changes(value) >= 0.3 * len(value) and _bits(value) > 3.5
    if digits == len(value.replace(".", "").replace("-", "")):
        return False
    if _UUID.match(value) or _HEX.match(value):
        return True
    if sum(c.isalpha() for c in value) < 3:
        return False
    return _changes(value) >= max(3, 0.22 * len(value)) and not _LOWER_RUN.search(value)


def is_identifier(value: str) -> bool:
    """A UUID or a hash: random, and usually no secret."""
    return _UUID.match(value) is not None or _HEX.match(value) is not None


def is_secret_by_look(word: str) -> bool:
    """The last net: a long word that can hardly be anything but a secret."""
    if not 28 <= len(word) <= _LONGEST_LOOK or is_identifier(word):
        return False
    body = _JOINS.sub("", word)
    if len(body) < 26 or _HEX.match(body) or _LOWER_RUN.search(word):
        return False
    upper = sum("A" <= c <= "Z" for c in body)
    digits = sum("0" <= c <= "9" for c in body)
    lower = len(body) - upper - digits
    if digits < 2 or _changes(body) < 0.34 * len(body) or _bits(body) < 3.6:
        return False
    mixed = upper >= 3 and lower >= 3
    plain = len(body) >= 32 and digits >= 5 and (upper == 0 or lower == 0)
    return (mixed or plain) and not _is_text_in_base64(word)


def _is_text_in_base64(word: str) -> bool:
    try:
        raw = base64.b64decode(word + "=" * (-len(word) % 4), altchars=b"-_" if "-" in word or "_" in word else None)
    except (binascii.Error, ValueError):
        return False
    return bool(raw) and sum(32 <= byte < 127 or byte in b"\n\r\t" for byte in raw) >= 0.95 * len(raw)


def _changes(value: str) -> int:
    """How often a small letter, a capital and a digit take turns."""
    kinds = [0 if c.islower() else 1 if c.isupper() else 2 if c.isdigit() else 3 for c in value]
    return sum(one != two for one, two in pairwise(kinds))


def _bits(value: str) -> float:
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


def is_replaceable(value: str) -> bool:
    """Whether a secret can be replaced wherever it turns up without spoiling everything else."""
    plain = value.strip().lower()
    if len(plain) < REPLACEABLE_LENGTH or plain in COMMON or plain in NO_SECRETS:
        return False
    if len(set(plain)) < 3 or (plain.isdigit() and (_DATE.fullmatch(plain) or _is_run(plain))):
        return False
    return not (plain.isalpha() and plain.isascii() and len(plain) < 8)


def needs_borders(value: str) -> bool:
    """Too short or too plain to be replaced inside a longer word."""
    like_a_word = value.isalpha() and (value[1:].islower() or value.isupper())
    return len(value) < 8 or value.isdigit() or (len(value) < _SURE_LENGTH and like_a_word)


def _is_run(digits: str) -> bool:
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(digits)}
    return len(steps) == 1


# --- cards and accounts -------------------------------------------------------------------------

# The first sign is looked for before what stands in front of it: that is quicker.
_CARD = re.compile(r"[2-6](?<![\w.-][2-6])\d{3}(?:[ -]?\d){10,15}(?![\w-])(?!\.\d)")
_ISSUER = re.compile(r"4|5[1-5]|2[2-7]|6011|65|64[4-9]|62|35|3[47]|30[0-5]|36|38")
_IBAN = re.compile(r"[A-Z](?<![A-Za-z0-9][A-Z])[A-Z]\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")


def numbers_of_cards(text: str) -> list[tuple[int, int]]:
    """Where card numbers and bank accounts stand, by their check digits."""
    found = [match.span() for match in _CARD.finditer(text) if _is_card(match[0])]
    found += [match.span() for match in _IBAN.finditer(text) if _is_iban(match[0])]
    return found


def _is_card(text: str) -> bool:
    digits = [int(c) for c in text if c.isdigit()]
    number = "".join(map(str, digits))
    lengths = {14} if number[:2] in {"30", "36", "38"} else {15} if number[:2] in {"34", "37"} else {16}
    if len(digits) not in lengths or not _ISSUER.match(number) or len(set(number)) < 2:
        return False
    doubled = [d if i % 2 == 0 else d * 2 - 9 * (d > 4) for i, d in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1
