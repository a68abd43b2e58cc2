"""Internal errors on input that is exactly what the code asks for: unbound names, attributes of None."""

import ast
import re
from collections.abc import Iterator
from typing import Any

from testwright.generate.inside.case_run.case_runner import CaseRun
from testwright.generate.inside.case_simplifier import simplest
from testwright.generate.inside.generated_case import Case, Check
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_builder import Promise
from testwright.generate.inside.promises.limited_run import judged
from testwright.generate.inside.promises.outcome_words import error_in_words, snake
from testwright.generate.inside.promises.parameter_types import nested_types
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext
from testwright.generate.inside.promises.type_conditions import expected_for
from testwright.generate.inside.promises.type_words import UNKNOWN, type_in_words
from testwright.generate.inside.units import Unit, UnitKind

_ODD = (IndexError, KeyError, ZeroDivisionError, TypeError, AttributeError, RecursionError)
_OF_NONE = re.compile(r"'NoneType' object (?:has no attribute|is not)")


def look(context: PromiseContext, unit: Unit) -> Iterator[Breach | Oddity]:
    """A breach for what can never be intended; for the rest an oddity, unless the docstring mentions the error."""
    documented = context.parameter_types[unit.qualname].documented.text
    has_oddity = False
    for case in context.good(unit):
        error = judged(context.under_test, case, _own_error, None)
        if error is None or any(kind.__name__ in documented for kind in type(error).__mro__[:-2]):
            continue
        if _is_never_meant(error, context.under_test.tree, _line(context, case)) and not _is_handed_in(error, case):
            yield _breach(context, unit, case)
            return
        if isinstance(error, _ODD) and not has_oddity:
            has_oddity = True
            call = ", ".join(argument.value for argument in case.action.arguments)
            yield Oddity(
                unit.qualname, f"raises {error_in_words(error)} for ({call}), which its docstring does not mention"
            )


def _own_error(seen: CaseRun) -> BaseException | None:
    """An error that no `raise` statement states."""
    if seen.error is None or seen.origin is None or not seen.origin.line or seen.origin.is_stated:
        return None
    return seen.error


def _line(context: PromiseContext, case: Case) -> int:
    return judged(context.under_test, case, lambda seen: seen.origin.line if seen.origin is not None else 0, 0)


def _is_never_meant(error: BaseException, tree: ast.Module, line: int) -> bool:
    """A name without a value, or an attribute of None, and the line of the module is where it is asked for."""
    nodes = [
        node for node in ast.walk(tree) if getattr(node, "lineno", 0) <= line <= (getattr(node, "end_lineno", 0) or 0)
    ]
    if isinstance(error, NameError):
        name = re.search(r"'(\w+)'", str(error))
        return name is not None and any(isinstance(node, ast.Name) and node.id == name[1] for node in nodes)
    if isinstance(error, AttributeError) and _OF_NONE.search(str(error)):
        return any(isinstance(node, ast.Attribute) and node.attr == error.name for node in nodes)
    return False


def _is_handed_in(error: BaseException, case: Case) -> bool:
    """A None that is inside an argument: its type allows it, and what the object stands for may not."""
    calls = [case.action, *([case.subject] if case.subject else [])]
    sources = [argument.value for call in calls for argument in call.arguments]
    return isinstance(error, AttributeError) and any(type(None) in nested_types(source) for source in sources)


def _breach(context: PromiseContext, unit: Unit, case: Case) -> Breach:
    kind = judged(context.under_test, case, lambda seen: type(seen.error), None)
    line = _line(context, case)

    def is_still_shown(simpler: Case) -> bool:
        return (
            context.well_typed.case(simpler)
            and not _is_handed_in(AttributeError(), simpler)
            and judged(context.under_test, simpler, lambda seen: type(_own_error(seen)), None) is kind
            and _line(context, simpler) == line
        )

    case = simplest(case, is_still_shown, context.inputs)
    expected, property_source = _expected(context, unit)
    return context.breach_builder.breach(
        unit,
        case,
        _promise(unit),
        symptom=f"raises_{snake(kind.__name__ if kind else 'error')}",
        actual=judged(
            context.under_test, case, lambda seen: f"raised {error_in_words(seen.error)}" if seen.error else "", ""
        ),
        suggestion=_SUGGESTIONS[kind is not None and issubclass(kind, NameError)],
        expected=expected,
        property_source=property_source,
        line=line,
    )


_SUGGESTIONS = {
    True: "Give the name a value on every path that leads here, or return before it is needed.",
    False: "Handle the case in which the value is None before an attribute of it is asked for.",
}


def _promise(unit: Unit) -> Promise:
    """That it takes such input is what the signature says."""
    node = unit.node
    assert node is not None
    if isinstance(node, ast.ClassDef):
        return Promise(f"class {node.name}: its parameters take this input", node.lineno)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return Promise(f"def {node.name}({ast.unparse(node.args)}){returns}", node.lineno)


def _expected(context: PromiseContext, unit: Unit) -> tuple[tuple[Check, ...], str]:
    """That it gives what it promises; where nothing is promised of the result, that it returns."""
    kind: Any = unit.returns
    if unit.kind is UnitKind.CONSTRUCTOR or kind is None:
        said = context.parameter_types[unit.qualname].documented.result_type
        kind = type_in_words(said.text) if said is not None else UNKNOWN
    expected, condition = ((), "") if kind is UNKNOWN else expected_for(kind, context.under_test.namespace.name_of)
    return expected, condition if expected or condition else "isinstance(result, object)"
