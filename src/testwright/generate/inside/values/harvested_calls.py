"""Calls that a person wrote (in a test, an example, the module itself), read as argument lists of a unit."""

import ast
from collections.abc import Sequence

from testwright.generate.inside.generated_case import Argument
from testwright.generate.inside.units import POSITIONAL, Parameter, Unit, UnitKind
from testwright.generate.inside.values.value_expressions import ReferenceFinder


def called_name(unit: Unit) -> str:
    """The name that a call of the unit ends with: the class's own for its constructor."""
    parts = unit.qualname.split(".")
    return parts[-2] if unit.kind is UnitKind.CONSTRUCTOR and parts[-1] == "__init__" else parts[-1]


def calls_by_name(tree: ast.AST) -> dict[str, list[ast.Call]]:
    """Every call in a piece of source, by the last part of the callee's name."""
    found: dict[str, list[ast.Call]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            found.setdefault(name, []).append(node)
    return found


def read_call(
    call: ast.Call, parameters: Sequence[Parameter], references: ReferenceFinder
) -> tuple[Argument, ...] | None:
    """The arguments of a call that was found, if each can be written with the allowed names, and they fit."""
    arguments: list[Argument] = []
    for each in call.args:
        if isinstance(each, ast.Starred) or _is_left_out(each):
            return None
        source = references.adopt(each)
        if source is None:
            return None
        arguments.append(Argument(None, source))
    for keyword in call.keywords:
        source = references.adopt(keyword.value)
        if source is None or keyword.arg is None:
            return None
        arguments.append(Argument(keyword.arg, source))
    return tuple(arguments) if _fits(arguments, parameters) else None


def _is_left_out(node: ast.expr) -> bool:
    """`...` in an example means that the writer did not care to say."""
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _fits(arguments: Sequence[Argument], parameters: Sequence[Parameter]) -> bool:
    kinds = [each.kind for each in parameters]
    positions = sum(kind in POSITIONAL for kind in kinds)
    by_position = [each for each in arguments if each.name is None]
    if len(by_position) > positions and "VAR_POSITIONAL" not in kinds:
        return False
    names = {each.name for each in parameters}
    if "VAR_KEYWORD" not in kinds and any(each.name is not None and each.name not in names for each in arguments):
        return False
    given = {each.name for each in parameters[: len(by_position)]} | {each.name for each in arguments}
    required = [each.name for each in parameters if not each.has_default and not each.kind.startswith("VAR")]
    return all(name in given for name in required)


def by_parameter(parameters: Sequence[Parameter], lists: Sequence[tuple[Argument, ...]]) -> dict[str, list[str]]:
    """The values that were found for each parameter."""
    values: dict[str, list[str]] = {}
    positional = [each.name for each in parameters if each.kind in POSITIONAL]
    for arguments in lists:
        for place, argument in enumerate(arguments):
            name = argument.name or (positional[place] if place < len(positional) else None)
            if name is not None and argument.value not in values.setdefault(name, []):
                values[name].append(argument.value)
    return values
