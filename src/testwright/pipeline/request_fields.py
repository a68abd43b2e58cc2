"""The fields of a request from a program: each known by name, each of the right type."""

from collections.abc import Mapping

from testwright.model.errors import UsageError
from testwright.model.untrusted_text import visible_line

_CALLED = {str: "a text", list: "a list of texts", bool: "true or false"}


def check_fields(given: Mapping[str, object], fields: Mapping[str, type]) -> None:
    """Raises UsageError for a field that is not known, or is of another type than it should be."""
    for name, value in given.items():
        kind = fields.get(name)
        if kind is None:
            known = ", ".join(fields)
            raise UsageError(f"`{visible_line(name)}` is not a parameter.", next_step=f"The parameters are: {known}.")
        if not isinstance(value, kind):
            raise UsageError(f"`{name}` must be {_CALLED[kind]}.", next_step="Correct the value.")
