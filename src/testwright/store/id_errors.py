"""What to say when the start of an id means nothing, or several things."""

from collections.abc import Sequence

from testwright.model.errors import NotFound

_SHOWN = 5


def no_single_match(noun: str, wanted: str, found: Sequence[str]) -> NotFound:
    if not found:
        return NotFound(
            f"No {noun} in the store has the id {wanted!r}.", next_step=f"List the {noun}s to see their ids."
        )
    some = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    return NotFound(f"{wanted!r} is the start of several {noun}s' ids: {some}.", next_step="Give more of the id.")
