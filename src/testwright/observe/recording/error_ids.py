"""The ids that captured errors are asked for by: `err_{milliseconds}_{hash}`, never the same one twice in a session."""

import hashlib
import re
from collections.abc import Iterable

from testwright.model.errors import InvalidErrorId
from testwright.model.session import ErrorId
from testwright.model.untrusted_text import visible_line

_SHAPE = re.compile(r"err_[0-9]{13}_[0-9a-f]{8,}", re.ASCII)
_LATEST_MS = 9_999_999_999_999  # the last moment that thirteen digits can tell


class ErrorIds:
    """The ids that a session has given out."""

    def __init__(self, taken: Iterable[ErrorId] = ()) -> None:
        self._taken = set(taken)
        self._ties: dict[str, int] = {}  # an id that was wanted again -> how often

    def __len__(self) -> int:
        return len(self._taken)

    def give(self, ms: int, message: str, stack: str, url: str) -> ErrorId:
        """An id that this session has not given yet. `ms`: since the beginning of 1970."""
        moment = f"err_{min(max(ms, 0), _LATEST_MS):013d}"
        made = wanted = f"{moment}_{_hash8(message, stack, url)}"
        while made in self._taken:
            # The same again within a millisecond, or another error with the same 32 bits: the count tells them apart.
            tie = self._ties[wanted] = self._ties.get(wanted, 0) + 1
            made = f"{moment}_{_hash8(message, stack, url, str(tie))}"
        self._taken.add(ErrorId(made))
        return ErrorId(made)


def checked_error_id(text: str) -> ErrorId:
    """`text`, if it can be the id of an error; whether there is such an error is another question."""
    if not _SHAPE.fullmatch(text):
        raise InvalidErrorId(
            f"{visible_line(text, limit=100)!r} is not the id of an error.",
            next_step="Ids look like err_1706520600000_a1b2c3d4. `testwright observe errors` lists them.",
        )
    return ErrorId(text)


def _hash8(*fields: str) -> str:
    """Of the fields one by one, each with its length before it: what stands where makes a difference."""
    digest = hashlib.sha256()
    for one in fields:
        raw = one.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()[:8]
