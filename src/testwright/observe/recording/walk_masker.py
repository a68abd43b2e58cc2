"""Take the secrets out of a page before it becomes one."""

import json

from testwright.masking.mask_memory import MaskMemory
from testwright.masking.masker import Masker

_SHORTEST = 4  # characters; what is shorter is not a secret


class WalkMasker:
    """Masks what walk.js has found, for one recording."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._memory = MaskMemory(masker, masker.attribute)

    def walk(self, text: str) -> str:
        """The walk with masked texts and attributes. Raises ValueError for what is not a walk."""
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
        return value if len(value) < _SHORTEST else self._memory.masked(name, value)
