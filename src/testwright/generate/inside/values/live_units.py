"""Units made from live callables that are not the module's own: a class of a neighbour, a factory elsewhere."""

import inspect
import typing
from typing import Any

from testwright.generate.inside.units import Parameter, Unit, UnitKind
from testwright.generate.inside.values.guarding import is_class, own_text, quietly


def unit_of(thing: Any, kind: UnitKind, owner: Any = None) -> Unit | None:
    """The unit for a live function or class; None when Python itself cannot tell its parameters."""
    signature = quietly(lambda: inspect.signature(thing), None)
    if signature is None:
        return None
    hints = _hints(thing)
    parameters = tuple(
        Parameter(
            name=each.name,
            kind=each.kind.name,
            annotation=hints.get(each.name, None if each.annotation is each.empty else each.annotation),
            has_default=each.default is not each.empty,
            default=None if each.default is each.empty else each.default,
        )
        for each in signature.parameters.values()
        if each.name not in ("self", "cls")
    )
    returns = hints.get(
        "return", None if signature.return_annotation is signature.empty else signature.return_annotation
    )
    return Unit(own_text(thing, "__qualname__"), kind, parameters, returns, owner, thing, None)


def _hints(thing: Any) -> dict[str, Any]:
    """The annotations as objects; of a class, those of its `__init__` and of its fields."""
    nothing: dict[str, Any] = {}
    hints = quietly(lambda: typing.get_type_hints(thing, include_extras=True), nothing)
    if not is_class(thing):
        return hints
    made_by = quietly(lambda: inspect.getattr_static(thing, "__init__"), None)
    inner = quietly(lambda: typing.get_type_hints(made_by), nothing) if callable(made_by) else nothing
    return {**hints, **{name: each for name, each in inner.items() if name != "return"}}
