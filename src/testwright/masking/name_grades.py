"""What a name says about its value: a field's label, a header, a key of JSON, a cookie, a variable."""

import re
import unicodedata
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache

from testwright.masking import secret_words


class Grade(IntEnum):
    """How far a name makes its value a secret."""

    NONE = 0
    MAYBE = 1  # key, code, state: only where the value looks random
    DIGITS = 2  # a PIN, a card's number: only where the value has digits
    MACHINE = 3  # tokens and keys: made by machines, so the value is not a plain word
    PERSON = 4  # passwords: people choose them, so any value may be one


_LONGEST_NAME = 120
_LABEL_NOISE = re.compile(
    r"\([^()]{0,60}\)|\[[^\[\]]{0,60}\]|\*|\b(?:required|optional|erforderlich|obligatoire)\b", re.IGNORECASE
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")
_VARIABLE = re.compile(r"[^A-Z0-9]+")


def folded(text: str) -> str:
    """Lower case without accents, so that every spelling of a word is one."""
    return "".join(
        c for c in unicodedata.normalize("NFKD", text.replace("ß", "ss")).lower() if not unicodedata.combining(c)
    )


_PASSWORDS_FOLDED = tuple(folded(one) for one in secret_words.PASSWORDS)
_TOKENS_FOLDED = tuple(folded(one) for one in secret_words.TOKENS)
_DIGITS_FOLDED = tuple(folded(one) for one in secret_words.NUMBERS)
_TOKEN_WORDS_FOLDED = frozenset(folded(one) for one in secret_words.TOKEN_WORDS)


def words_of(name: str) -> list[str]:
    """The words of a name, however it joins them; digits at a word's end are dropped."""
    found = []
    for word in _WORD.findall(_CAMEL.sub(" ", name)):
        plain = folded(word)
        found.append(plain.rstrip("0123456789") or plain if plain not in secret_words.NUMBER_WORDS else plain)
    return found


@lru_cache(maxsize=8192)
def grade(name: str) -> Grade:
    """What the name alone says. A name that only speaks about a secret (password_hint, maxTokens) says nothing."""
    if not name or len(name) > _LONGEST_NAME:
        return Grade.NONE
    words = words_of(name)
    if not words:
        return Grade.NONE
    found = _raw_grade(words)
    if found and _speaks_about(words):
        return Grade.NONE
    if found >= Grade.DIGITS and words[-1] == "id" and "session" not in "".join(words):
        return Grade.MAYBE
    return found


def _raw_grade(words: list[str]) -> Grade:
    squashed = "".join(words)
    last = words[-1]
    if any(one in squashed for one in _DIGITS_FOLDED):
        return Grade.DIGITS
    if any(one in squashed for one in _PASSWORDS_FOLDED) or not secret_words.PASSWORD_WORDS.isdisjoint(words):
        return Grade.PERSON
    if any(one in squashed for one in _TOKENS_FOLDED) or not _TOKEN_WORDS_FOLDED.isdisjoint(words):
        return Grade.MACHINE
    if last.endswith(("pwd", "passw")):
        return Grade.PERSON
    if last.endswith(("token", "secret", "apikey", "sessid")):
        return Grade.MACHINE
    if not secret_words.NUMBER_WORDS.isdisjoint(words):
        return Grade.DIGITS
    return Grade.MAYBE if last in secret_words.DOUBTFUL_WORDS else Grade.NONE


def _speaks_about(words: list[str]) -> bool:
    if words[-1] == "tokens" and words[0] in secret_words.COUNTED:
        return True
    if words[-1] == "token" and len(words) > 1 and words[-2] in secret_words.PAGING:
        return True
    return len(words) > 1 and (words[-1] in secret_words.ABOUT or words[0] in secret_words.ABOUT_BEFORE)


def without_field_words(name: str) -> str:
    """The name of a field without words that only say that it is one: `password-field` is the password's."""
    words = words_of(name[:_LONGEST_NAME])
    while len(words) > 1 and words[-1] in secret_words.FIELD_WORDS:
        words.pop()
    return " ".join(words)


def label_grade(label: str) -> Grade:
    """The same for a label that people read: "New password (at least 8 characters) *"."""
    return grade(_LABEL_NOISE.sub(" ", label[: 2 * _LONGEST_NAME]).strip())


def is_one_of(name: str, extra: Iterable[str]) -> bool:
    """Whether a name is, or contains as words, one of the names the user gave."""
    words = words_of(name[:_LONGEST_NAME])
    padded = f" {' '.join(words)} "
    squashed = "".join(words)
    for one in extra:
        wanted = words_of(one)
        joined = "".join(wanted)
        if wanted and (f" {' '.join(wanted)} " in padded or joined == squashed):
            return True
    return False


def variable_name(name: str) -> str:
    """A name fit for an environment variable: `user[newPassword]` becomes USER_NEW_PASSWORD."""
    plain = folded(_CAMEL.sub("_", name[:_LONGEST_NAME])).upper()
    found = _VARIABLE.sub("_", plain).strip("_")[:48].strip("_")
    if not found:
        return "SECRET"
    return f"SECRET_{found}" if found[0].isdigit() else found
