"""What masking made of a value, remembered: pages and requests repeat nearly everything."""

from collections.abc import Callable

from testwright.masking.masker import Masker


class MaskMemory:
    """Answers of `mask`, a way to mask a value under a name, as long as no new secret turns up."""

    def __init__(self, masker: Masker, mask: Callable[[str, str], str], *, most: int = 50_000) -> None:
        self._masker, self._mask, self._most = masker, mask, most
        self._version = masker.version
        self._seen: dict[tuple[str, str], str] = {}

    def masked(self, name: str, value: str) -> str:
        if self._version != self._masker.version or len(self._seen) > self._most:
            self._version = self._masker.version
            self._seen.clear()  # another secret is known now: it may be in any of them
        key = (name, value)
        known = self._seen.get(key)
        if known is None:
            known = self._seen[key] = self._mask(name, value)
        return known
