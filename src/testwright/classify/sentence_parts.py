"""Parts of sentences that several reports use: how many, and which."""

from collections.abc import Sequence


def counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def first_few(names: Sequence[str], most: int, last: str = "and") -> str:
    """The first `most` names, and how many more there are."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" {last} {rest} more" if rest > 0 else "")
