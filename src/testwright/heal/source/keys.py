"""Parts of selectors as texts that are equal when the parts mean the same, whoever spelled them."""

from collections.abc import Sequence

from testwright.model.selector import Dialect, Part, Selector
from testwright.selectors.spelling import canonical


def keys_of(parts: Sequence[Part], dialect: Dialect = Dialect.INTERNAL) -> tuple[str, ...]:
    """One for each part; of a finder, whose parts lean on one another, one for all of them."""
    if dialect is Dialect.FLUTTER:
        return (canonical(Selector(tuple(parts), Dialect.FLUTTER, "")),)
    return tuple(canonical(Selector((part,), Dialect.INTERNAL, "")) for part in parts)
