"""Make a proposal: the file as it should become, tied to the file as it is."""

import secrets
import threading
import time
from collections.abc import Iterable
from datetime import UTC, datetime

from testwright.model.errors import BaseChanged, PathNotFound, UsageError
from testwright.model.proposal import Evidence, Proposal, ProposalId, ProposalKind
from testwright.model.untrusted_text import visible_line
from testwright.review.atomic_writer import sha256
from testwright.review.confined_root import ConfinedRoot
from testwright.review.file_diff import unified_diff
from testwright.review.path_rules import normalised_for_writing

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: nothing that reads like something else
_TIME_DIGITS, _RANDOM_DIGITS = 9, 5


def make_proposal(
    root: ConfinedRoot,
    kind: ProposalKind,
    title: str,
    file: str,
    content: bytes,
    origin: str,
    evidence: Iterable[Evidence] = (),
    confidence: float | None = None,
    *,
    made_from: bytes | None = None,
) -> Proposal:
    """A pending proposal that `file` become `content`; refused for a file that may not be written.

    `made_from` is the file as it was read when the change was worked out. Give it whenever there was such a
    reading: if somebody saved the file since, the change would undo their work, and BaseChanged is raised.
    """
    file = normalised_for_writing(file, confirmed_support_file=True)  # the confirmation is asked for on accepting
    try:
        base = root.read(file)
    except PathNotFound:
        base = None
    if made_from is not None and made_from != base:
        raise BaseChanged(
            f"'{visible_line(file)}' has changed while the proposal was being made.", next_step="Try again."
        )
    if base == content:
        raise UsageError(f"'{visible_line(file)}' already reads as proposed.", next_step="There is nothing to do.")
    return Proposal(
        id=new_proposal_id(),
        kind=kind,
        title=title,
        file=file,
        base_sha256=None if base is None else sha256(base),
        content=content,
        diff=unified_diff(base, content, file),
        origin=origin,
        created_at=datetime.now(UTC),
        confidence=confidence,
        evidence=tuple(evidence),
    )


class _Clock:
    """Numbers that grow with time and never repeat within this process, even when the clock steps back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def next(self) -> int:
        random_range = len(_DIGITS) ** _RANDOM_DIGITS
        candidate = time.time_ns() // 1_000_000 * random_range + secrets.randbelow(random_range)
        with self._lock:
            self._last = max(candidate, self._last + 1)
            return self._last


_clock = _Clock()


def new_proposal_id() -> ProposalId:
    """Fourteen characters: milliseconds since 1970, then chance. Sorting by id sorts by age."""
    number, digits = _clock.next(), ""
    for _ in range(_TIME_DIGITS + _RANDOM_DIGITS):
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return ProposalId(digits)
