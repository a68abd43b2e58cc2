"""The units of a module: every function, method, property and class that a test can be about."""

import ast
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

POSITIONAL = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")  # the kinds of parameters that may be given by position


class UnitKind(Enum):
    FUNCTION = "function"
    METHOD = "method"
    CLASS_METHOD = "classmethod"
    STATIC_METHOD = "staticmethod"
    PROPERTY = "property"
    CONSTRUCTOR = "constructor"  # the class itself is called


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: str
    """As in `inspect`: "POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"."""
    annotation: Any  # the resolved type, a string that could not be resolved, or None
    has_default: bool
    default: Any


@dataclass(frozen=True)
class Unit:
    qualname: str  # `function`, `Class.method`, `Outer.Inner.method`; the class's qualname for a constructor
    kind: UnitKind
    parameters: tuple[Parameter, ...]  # without `self` and `cls`
    returns: Any  # the resolved return annotation, or None
    owner: Any = field(compare=False)  # the class it belongs to, or None
    function: Any = field(compare=False)
    """The live object that runs: the function, the property's getter, or the class."""
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None = field(compare=False)
    """Its syntax tree in the module's source, when found."""
    is_async: bool = False
    is_generator: bool = False
    is_context_manager: bool = False
    docstring: str = ""


def is_private(qualname: str) -> bool:
    """Whether a part of the name is marked as private; `__len__` and the like are not."""
    return any(part.startswith("_") and not part.endswith("__") for part in qualname.split("."))
