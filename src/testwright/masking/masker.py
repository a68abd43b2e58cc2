"""The one object that everything passes through before it is written."""

from collections.abc import Iterable, Mapping

from testwright.model.session import REDACTED, Cookie, Secret


class Masker:
    """Masks texts, and remembers the secret values it met. Not shared between sessions."""

    def __init__(self, *, known: Mapping[str, str] | None = None, names: Iterable[str] = ()) -> None:
        """`known`: secrets by their name (.env, variables the user named); `names`: more words that mean a secret."""
        self._values: dict[str, str] = dict(known or {})
        self.names = tuple(names)

    @property
    def version(self) -> int:
        """Grows whenever another value is remembered: what was written before then may still show it."""
        return len(self._values)

    def remember(self, value: str, name: str) -> None:
        """From now on this value is masked wherever it turns up."""
        raise NotImplementedError

    def text(self, text: str) -> str:
        """Any text. Idempotent; the same object when there is nothing to mask."""
        raise NotImplementedError

    def field(self, value: str, facts: Mapping[str, str]) -> str | Secret:
        """What was typed into a field, given its attributes (type, name, id, autocomplete, aria-label, label...)."""
        raise NotImplementedError

    def header(self, name: str, value: str) -> str:
        raise NotImplementedError

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {name.lower(): self.header(name, value) for name, value in headers.items()}

    def url(self, url: str) -> str:
        """Without passwords, and without secret values in query, fragment and path. It stays an address."""
        raise NotImplementedError

    def body(self, text: str, mime: str) -> str:
        """A request's or an answer's body: by its keys where it is JSON, a form or multipart, then as any text.

        JSON stays JSON: a secret text becomes REDACTED, a secret number 0; nothing else about the spelling changes.
        """
        raise NotImplementedError

    def stored(self, name: str, value: str) -> str | Secret:
        """A value of local or session storage."""
        raise NotImplementedError

    def cookie(self, cookie: Cookie) -> Cookie:
        raise NotImplementedError


__all__ = ["REDACTED", "Masker"]
