"""The types that a unit's parameters have by annotation and docstring, and whether a call keeps to them."""

import ast
import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

from testwright.generate.inside.generated_case import UNDER_TEST, Argument, Call, Case
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.promises.docstring_reader import DocstringPromises, read_docstring
from testwright.generate.inside.promises.limited_run import guarded, value_of
from testwright.generate.inside.promises.type_fit import Fit, fits, is_ordinary
from testwright.generate.inside.promises.type_words import UNKNOWN, type_in_words
from testwright.generate.inside.units import POSITIONAL, Parameter, Unit

_DISPLAYS: dict[type, type] = {ast.List: list, ast.Dict: dict, ast.Tuple: tuple, ast.Set: set}
_NO_HINTS: dict[str, Any] = {}
_NO_NAMES: list[str] = []
_STANDARD = sys.stdlib_module_names


@dataclass(frozen=True)
class ParameterTypes:
    unit: Unit
    documented: DocstringPromises
    types: Mapping[str, Any]  # by parameter, for those of which a type is known with certainty

    def admits(self, parameter: Parameter, value: object) -> bool:
        """Whether the value is exactly what the parameter is said to take, and nothing strange."""
        if parameter.name not in self.types:
            return False
        kind = self.types[parameter.name]
        if type(value) is bool and not _names_bool(kind):
            return False  # a bool is an int to Python, and to no reader
        return fits(value, kind) is Fit.YES and is_ordinary(value)


def parameter_types_of(unit: Unit) -> ParameterTypes:
    documented = read_docstring(unit.node)
    if isinstance(unit.node, ast.ClassDef):
        _add_constructor(unit.node, documented)
    types: dict[str, Any] = {}
    for parameter in unit.parameters:
        if parameter.annotation is not None and not isinstance(parameter.annotation, str):
            types[parameter.name] = parameter.annotation
        elif parameter.name in documented.types:
            kind = type_in_words(documented.types[parameter.name].text)
            if kind is not UNKNOWN:
                types[parameter.name] = kind
    return ParameterTypes(unit, documented, types)


def _add_constructor(node: ast.ClassDef, documented: DocstringPromises) -> None:
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            said = read_docstring(each)
            documented.types.update(said.types)
            documented.raises.extend(said.raises)


def bound(arguments: Sequence[Argument], parameters: Sequence[Parameter]) -> list[tuple[Parameter, str]] | None:
    """Which parameter gets which expression; None when that cannot be said, or when a required one is missing."""
    by_name = {parameter.name: parameter for parameter in parameters if not parameter.kind.startswith("VAR_")}
    in_order = [parameter for parameter in parameters if parameter.kind in POSITIONAL]
    rest = next((parameter for parameter in parameters if parameter.kind == "VAR_POSITIONAL"), None)
    others = next((parameter for parameter in parameters if parameter.kind == "VAR_KEYWORD"), None)
    pairs: list[tuple[Parameter, str]] = []
    for argument in arguments:
        if argument.name in ("*", "**"):
            return None
        if argument.name is None:
            parameter = in_order.pop(0) if in_order else rest
        else:
            parameter = by_name.get(argument.name, others)
        if parameter is None:
            return None
        pairs.append((parameter, argument.value))
    given = {parameter.name for parameter, _ in pairs}
    needed = {name for name, parameter in by_name.items() if not parameter.has_default}
    return pairs if needed <= given else None


class WellTyped:
    """Tells whether every argument of a case is of the type that the code itself asks for."""

    def __init__(self, under_test: ModuleUnderTest, parameter_types: Mapping[str, ParameterTypes]) -> None:
        self._under_test, self._parameter_types = under_test, parameter_types
        self._known: dict[tuple[str, Call], bool] = {}

    def case(self, case: Case) -> bool:
        if case.before:
            return False
        if case.subject is not None and not self._call(
            case.subject.callee.removeprefix(f"{UNDER_TEST}."), case.subject
        ):
            return False
        return self._call(case.unit, case.action)

    def _call(self, unit: str, call: Call) -> bool:
        key = (unit, call)
        if key not in self._known:
            self._known[key] = self._is_well_typed(unit, call)
        return self._known[key]

    def _is_well_typed(self, unit: str, call: Call) -> bool:
        parameter_types = self._parameter_types.get(unit)
        pairs = bound(call.arguments, parameter_types.unit.parameters) if parameter_types is not None else None
        if parameter_types is None or pairs is None:
            return False
        return all(self._is_admitted(parameter_types, parameter, value) for parameter, value in pairs)

    def _is_admitted(self, parameter_types: ParameterTypes, parameter: Parameter, source: str) -> bool:
        if not parameter_types.admits(parameter, value_of(self._under_test, source)):
            return False
        calls = [node for node in ast.walk(ast.parse(source, mode="eval")) if isinstance(node, ast.Call)]
        return all(self._is_well_made(node) for node in calls)

    def _is_well_made(self, node: ast.Call) -> bool:
        """Whether an object inside an argument is itself made of what its class asks for."""
        live: Any = value_of(self._under_test, ast.unparse(node.func))
        home = getattr(live, "__module__", None) or "builtins"
        if not isinstance(home, str) or home.partition(".")[0] in _STANDARD:
            return True
        made_by: Any = getattr(live, "__init__", None) if isinstance(live, type) else live
        hints: dict[str, Any] = guarded(self._under_test, lambda: get_type_hints(made_by), _NO_HINTS)
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if not hints or any(keyword.arg is None for keyword in node.keywords):
            return not given
        names: list[str] = guarded(self._under_test, lambda: list(inspect.signature(live).parameters), _NO_NAMES)
        known = dict(zip(names, node.args, strict=False))
        known.update({keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None})
        return len(known) == len(given) and all(
            name in hints and fits(value_of(self._under_test, ast.unparse(value)), hints[name]) is Fit.YES
            for name, value in known.items()
        )


def nested_types(source: str) -> set[type]:
    """The types of the literals inside a container or a call: what a result may only have passed on."""
    outer = ast.parse(source, mode="eval").body
    found: set[type] = set()
    for node in ast.walk(outer):
        if node is outer:
            continue
        if isinstance(node, ast.Constant):
            found.add(type(node.value))
        elif type(node) in _DISPLAYS:
            found.add(_DISPLAYS[type(node)])
    return found


def is_precise(kind: Any) -> bool:
    """Whether the annotation says what is inside a container, and does not let just anything in."""
    if kind in (Any, object, list, dict, tuple, set, frozenset) or isinstance(kind, str):
        return False
    return all(is_precise(each) for each in get_args(kind) if each is not Ellipsis) if kind is not type(None) else True


def _names_bool(kind: Any) -> bool:
    return kind in (bool, object, Any) or any(_names_bool(each) for each in get_args(kind))
