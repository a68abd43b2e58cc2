"""Take the secrets out of a page before it becomes one."""

import json

from testwright.masking.masker import Masker

_MOST_KEPT = 50_000


class WalkMasker:
    """Pages repeat themselves: what was looked at once is remembered, as long as no new secret turns up."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._version = masker.version
        self._seen: dict[tuple[str, str], str] = {}

    def walk(self, text: str) -> str:
        """What walk.js has found, with masked texts and attributes. Raises ValueError for what is not a walk."""
        walk = json.loads(text)
        if not isinstance(walk, dict) or not isinstance(walk.get("nodes"), list):
            raise ValueError("a page is not as it should be")  # noqa: TRY004 - the message is wrong, not our call
        walk["url"] = self._masker.url(str(walk.get("url", "")))
        walk["title"] = self._masker.text(str(walk.get("title", "")))
        for node in walk["nodes"]:
            if len(node) < 5:  # a text, as in walk.js
                node[1] = self._masked("", str(node[1]))
            else:
                node[3] = {name: self._masked(name, str(value)) for name, value in node[3].items()}
        return json.dumps(walk, ensure_ascii=False, separators=(",", ":"))

    def _masked(self, name: str, value: str) -> str:
        if len(value) < 4:  # too short to be a secret
            return value
        if self._version != self._masker.version or len(self._seen) > _MOST_KEPT:
            self._version = self._masker.version
            self._seen.clear()
        key = (name, value)
        if key not in self._seen:
            self._seen[key] = self._masker.attribute(name, value) if name else self._masker.text(value)
        return self._seen[key]
