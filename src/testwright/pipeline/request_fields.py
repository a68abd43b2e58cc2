"""The fields of a request from a program: each known by name, each of the right type."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from testwright.model.errors import UsageError
from testwright.model.untrusted_text import visible_line

Choice = TypeVar("Choice", bound=StrEnum)

_CALLED = {str: "a text", list: "a list of texts", dict: "an object", bool: "true or false", int: "a whole number"}


def check_fields(
    given: Mapping[str, object],
    fields: Mapping[str, type],
    *,
    inside: str = "",
    called: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Raises UsageError for a field that is not known, or is of another type than it should be.

    `inside` names the object that the fields belong to, with a dot at its end; `called` describes the value of a field
    where the name of its type would not do.
    """
    for name, value in given.items():
        kind = fields.get(name)
        if kind is None:
            known = ", ".join(fields)
            raise UsageError(
                f"`{inside}{visible_line(str(name))}` is not a parameter.", next_step=f"The parameters are: {known}."
            )
        # To Python true and false are numbers too.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            wanted = called.get(name, _CALLED[kind])
            raise UsageError(f"`{inside}{name}` must be {wanted}.", next_step="Correct the value.")


def check_tool(given: Mapping[str, object], tool: str) -> None:
    """Raises UsageError for a request that is meant for another tool."""
    if given.get("type", tool) != tool:
        raise UsageError(f"`type` must be '{tool}'.", next_step="Ask another tool for anything else.")


def one_of(choices: type[Choice], name: str, value: object) -> Choice:
    try:
        return choices(str(value))
    except ValueError:
        known = ", ".join(choices)
        raise UsageError(f"`{name}` must be one of: {known}.", next_step="Name one of them.") from None
