"""The one object that everything passes through before it is written."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from testwright.masking import secret_words
from testwright.masking.address_secrets import masked_address, masked_escapes, masked_form, masked_multipart
from testwright.masking.field_secrets import (
    field_grade,
    without_aria_values,
    without_field_values,
    without_shown_values,
)
from testwright.masking.json_secrets import kept_parseable, looks_like_json, masked_json
from testwright.masking.name_grades import Grade, grade, is_one_of, label_grade, variable_name, without_field_words
from testwright.masking.pair_secrets import without_paired_values
from testwright.masking.secret_registry import SecretRegistry
from testwright.masking.token_forms import (
    cookies_hidden,
    credentials_hidden,
    long_random_words,
    without_credentials,
    without_vendor_forms,
)
from testwright.masking.value_looks import is_identifier, is_random, is_secret_value, is_stand_in
from testwright.model.session import REDACTED, Cookie, Secret

_COOKIE_HEADERS = frozenset({"cookie", "set-cookie", "cookie2", "set-cookie2"})
_SECRET_HEADERS = ("x-auth-", "x-csrf-", "x-xsrf-", "x-api-key", "api-key", "apikey", "x-access-", "x-session")
_MOST_PASSES = 4  # each pass may teach a value that the next one replaces

_ADDRESS_ATTRIBUTES = frozenset({"href", "src", "action", "formaction", "poster", "data"})
_DATA_FOR_TESTS = frozenset({"data-testid", "data-test", "data-cy", "data-qa"})  # names, by which tests find elements
_NAMES_OF_FIELDS = ("name", "id", "aria-label", "label", "placeholder")


class Masker:
    """Masks texts, and remembers the secret values it met. Not shared between sessions."""

    def __init__(self, *, known: Mapping[str, str] | None = None, names: Iterable[str] = ()) -> None:
        """`known`: secrets by their name (.env, variables the user named); `names`: more words that mean a secret."""
        self.names = tuple(names)
        self._registry = SecretRegistry()
        self._grade = lru_cache(maxsize=4096)(self._graded) if self.names else grade
        for name, value in (known or {}).items():
            self.remember(value, name)

    def _graded(self, name: str) -> Grade:
        return Grade.PERSON if is_one_of(name, self.names) else grade(name)

    @property
    def version(self) -> int:
        """Grows whenever another value is remembered: what was written before then may still show it."""
        return len(self._registry)

    def remember(self, value: str, name: str) -> None:
        """From now on this value is masked wherever it turns up.

        A value that is too short or too common is not: masking every `1234` or `admin` would spoil the session.
        """
        self._registry.remember(value, name)

    def _hide(self, value: str, name: str) -> str:
        self._registry.remember(value, name)
        return REDACTED

    def _secret(self, value: str, name: str, why: str) -> Secret:
        return Secret(self._registry.remember(value, name), why)

    # --- texts ------------------------------------------------------------------------------------

    def text(self, text: str) -> str:
        """Any text. Idempotent; the same object when there is nothing to mask."""
        if not text:
            return text
        found = self._until_still(text, self._by_keys if looks_like_json(text) else None)
        return text if found == text else found

    def _by_keys(self, text: str) -> str:
        return masked_json(text, self._grade, self._hide)

    def _until_still(self, text: str, by_place: Callable[[str], str] | None) -> str:
        """Masked again until nothing changes: what is found late in a text may also stand early in it."""
        for _ in range(_MOST_PASSES):
            placed = by_place(text) if by_place else text
            found = self._within(placed) if by_place == self._by_parts else self._plain(placed)
            if by_place == self._by_keys:
                found = kept_parseable(placed, found, self._plain)
            if found == text:
                break
            text = found
        return text

    def _within(self, address: str) -> str:
        """An address whose places are done: known values, known forms, what looks random."""
        address = without_vendor_forms(self._registry.hidden(address), self._hide)
        return long_random_words(address, lambda _value, _name: REDACTED)

    def _plain(self, text: str, *, inner: bool = False) -> str:
        """A text whose form says nothing: known values, known forms, names beside values, then what looks random."""
        text = self._registry.hidden(text)
        text = without_vendor_forms(text, self._hide)
        text = without_credentials(text, self._hide)
        if "<" in text:
            text = without_field_values(text, self._grade, self._hide)
        if "- " in text:
            text = without_aria_values(text, self._grade, self._hide)
        if "ocator(" in text or "getBy" in text or "get_by_" in text:
            text = without_shown_values(text, self._grade, self._hide)
        text = without_paired_values(text, self._grade, self._hide)
        if not inner and "%" in text:
            text = masked_escapes(text, lambda word: self._plain(word, inner=True))
        return long_random_words(text, lambda _value, _name: REDACTED)

    def body(self, text: str, mime: str) -> str:
        """A request's or an answer's body: by its keys where it is JSON, a form or multipart, then as any text.

        JSON stays JSON: a secret text becomes REDACTED, a secret number 0; nothing else about the spelling changes.
        """
        kind = mime.lower()
        if "multipart/" in kind:
            return masked_multipart(text, mime, self._grade, self._hide, self.text)
        if "x-www-form-urlencoded" in kind and not looks_like_json(text):
            return self._until_still(text, self._by_form)
        if "json" in kind:
            return self._until_still(text, self._by_keys)
        return self.text(text)

    def _by_form(self, text: str) -> str:
        return masked_form(text, self._grade, self._hide)

    def url(self, url: str) -> str:
        """Without passwords, and without secret values in query, fragment and path. It stays an address."""
        if url.startswith("data:"):
            return self._registry.hidden(url)
        return self._until_still(url, self._by_parts)

    def _by_parts(self, url: str) -> str:
        return masked_address(url, self._grade, self._hide)

    # --- places -----------------------------------------------------------------------------------

    def field(self, value: str, facts: Mapping[str, str]) -> str | Secret:
        """What was typed into a field, given its attributes (type, name, id, autocomplete, aria-label, label...).

        A mark is never typed into a field, so a value of which any part is secret is a Secret as a whole.
        """
        plain = {name.lower(): fact for name, fact in facts.items()}
        by_name, why = field_grade(plain, self._grade)
        if not value or plain.get("type", "").lower() in secret_words.NO_TEXT:
            return value
        if by_name >= Grade.DIGITS or is_secret_value(value, by_name):
            shown = f"input[type={plain.get('type', '')}]" if why == "type" else f"{why} {plain.get(why, '')}".strip()
            return self._secret(value, _field_name(plain, why), self.text(shown))
        if self.text(value) != value:
            return self._secret(value, _field_name(plain, "name"), "the value is a secret")
        return value

    def attribute(self, name: str, value: str) -> str:
        """An attribute of an element, or a text of the page, which has no name.

        What was typed into a field is another matter: see `field`.
        """
        if name in _ADDRESS_ATTRIBUTES:
            return self.url(value)
        if name.startswith("data-") and name not in _DATA_FOR_TESTS:
            stored = self.stored(name.removeprefix("data-"), value)
            return REDACTED if isinstance(stored, Secret) else stored
        return self.text(value)

    def header(self, name: str, value: str) -> str:
        """One header's value: the scheme of an Authorization and the names of cookies stay."""
        lower = name.lower()
        if not value or value == REDACTED:
            return value
        if lower in _COOKIE_HEADERS:
            return "\n".join(cookies_hidden(line, self._hide) for line in value.split("\n"))
        if lower in secret_words.CREDENTIAL_HEADERS:
            return self._credentials(value)
        if lower in secret_words.ADDRESS_HEADERS:
            return self.url(value)
        if lower in secret_words.RANDOM_HEADERS:
            return self._registry.hidden(without_vendor_forms(value, self._hide))
        by_name = Grade.MACHINE if lower.startswith(_SECRET_HEADERS) else self._grade(lower)
        if (by_name >= Grade.DIGITS and len(value) >= 4 and not is_stand_in(value)) or is_secret_value(value, by_name):
            return self._hide(value, name)
        return self.text(value)

    def _credentials(self, value: str) -> str:
        scheme, space, rest = value.partition(" ")
        if not space:
            return self._hide(value, "AUTHORIZATION")
        if rest == REDACTED:
            return value
        if scheme.lower() == "basic":
            credentials_hidden(rest, self._hide)
        return f"{scheme} {self._hide(rest, 'TOKEN')}"

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {name.lower(): self.header(name, value) for name, value in headers.items()}

    def stored(self, name: str, value: str) -> str | Secret:
        """A value of local or session storage."""
        plain = value.strip('"')
        if looks_like_json(value):
            return self.body(value, "application/json")
        by_name = self._grade(name)
        if is_secret_value(plain, by_name) or (is_random(plain, least=20) and not is_identifier(plain)):
            return self._secret(plain, name, f"storage {self.text(name)}")
        masked = self.text(value)
        return value if masked == value else self._secret(plain, name, "the value is a secret")

    def cookie(self, cookie: Cookie) -> Cookie:
        """Of a cookie that only the server can read, that is called like a session, or that looks random, the name."""
        value = cookie.value
        if isinstance(value, Secret) or not value or value == REDACTED:
            return cookie
        if why := self._why_secret(cookie, value):
            return replace(cookie, value=self._secret(value, cookie.name, why))
        return cookie

    def _why_secret(self, cookie: Cookie, value: str) -> str:
        if cookie.http_only:
            return f"cookie {cookie.name}, http only"
        like_session = any(part in cookie.name.lower() for part in secret_words.SESSION_COOKIES)
        if is_secret_value(value, self._grade(cookie.name)) or (like_session and is_random(value, least=8)):
            return f"cookie {cookie.name}"
        if is_random(value, least=16) and not (is_identifier(value) and "-" in value):
            return f"cookie {cookie.name}, random"
        return "the value is a secret" if self.text(value) != value else ""


def _field_name(facts: Mapping[str, str], why: str) -> str:
    """What to call a field's value: by the name of its own that says most, else by what makes it secret."""
    own = [facts[fact] for fact in (why, *_NAMES_OF_FIELDS) if fact in _NAMES_OF_FIELDS and facts.get(fact)]
    telling = next((name for name in own if label_grade(without_field_words(name)) >= Grade.DIGITS), "")
    if telling:
        return telling
    if why == "type":
        return "PASSWORD"
    usable = (name for name in own if variable_name(name) != "SECRET")
    return next(usable, "") or facts.get(why) or "SECRET"


__all__ = ["REDACTED", "Masker"]
