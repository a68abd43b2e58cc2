"""Results that are not of the type that the annotation or the docstring promises."""

import ast
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from testwright.generate.inside.case_run.case_runner import CaseRun
from testwright.generate.inside.case_simplifier import simplest
from testwright.generate.inside.generated_case import UNDER_TEST, Call, Case
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_builder import Promise
from testwright.generate.inside.promises.limited_run import judged, value_of
from testwright.generate.inside.promises.outcome_words import in_words
from testwright.generate.inside.promises.parameter_types import ParameterTypes, bound, is_precise, nested_types
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext, is_plain
from testwright.generate.inside.promises.type_conditions import NAMED, condition_for, expected_for, is_union
from testwright.generate.inside.promises.type_fit import Fit, fits
from testwright.generate.inside.promises.type_words import UNKNOWN, type_in_words
from testwright.generate.inside.units import Unit

_SEQUENCES = (list, tuple, set, frozenset)
_MOST_ALTERNATIVES = 3
_SAYS_FALSE = re.compile(r"\bfalse\b", re.IGNORECASE)
_SAYS_NONE = re.compile(r"\bnone\b", re.IGNORECASE)


@dataclass(frozen=True)
class PromisedType:
    kind: Any
    promise: Promise
    is_annotated: bool


def look(context: PromiseContext, unit: Unit) -> Iterator[Breach | Oddity]:
    if not is_plain(unit):
        return
    parameter_types = context.parameter_types[unit.qualname]
    for promised in promised_types(parameter_types):
        shown = next((case for case in context.good(unit) if _mismatch(context, case, promised)), None)
        if shown is None:
            continue
        is_clear = _clear_for(context, parameter_types, promised)
        clear = next((case for case in context.good(unit) if is_clear(case)), None)
        if clear is not None:
            yield _breach(context, unit, simplest(clear, is_clear, context.inputs), promised)
        else:
            seen = judged(context.under_test, shown, lambda seen: in_words(seen.result), "")
            yield Oddity(unit.qualname, f"says {promised.promise.text!r} and returned {seen}")
        return


def promised_types(parameter_types: ParameterTypes) -> Iterator[PromisedType]:
    """What the annotation says, and only where it is silent what the docstring says."""
    unit, node = parameter_types.unit, parameter_types.unit.node
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    if node.returns is not None:
        if unit.returns is not None and not isinstance(unit.returns, str):
            text = f"-> {ast.unparse(node.returns)}"
            yield PromisedType(unit.returns, Promise(text, node.returns.lineno), is_annotated=True)
        return
    said = parameter_types.documented.result_type
    kind = type_in_words(said.text) if said is not None else UNKNOWN
    if said is not None and kind is not UNKNOWN:
        yield PromisedType(kind, Promise(f"Returns: {said.text}", said.line), is_annotated=False)


def _mismatch(context: PromiseContext, case: Case, promised: PromisedType) -> bool:
    return judged(
        context.under_test,
        case,
        lambda seen: seen.error is None and fits(seen.result, promised.kind) is Fit.NO,
        otherwise=False,
    )


def _clear_for(
    context: PromiseContext, parameter_types: ParameterTypes, promised: PromisedType
) -> Callable[[Case], bool]:
    condition = condition_for(promised.kind, "result", context.under_test.namespace.name_of)

    def is_clear(case: Case) -> bool:
        if condition is None or not context.well_typed.case(case):
            return False
        given = [*_given(context, case.unit, case.action), *_given_to_subject(context, case)]
        return judged(
            context.under_test, case, lambda seen: _is_clear(seen, parameter_types, promised, given), otherwise=False
        )

    return is_clear


def _given(context: PromiseContext, unit: str, call: Call) -> list["_Given"]:
    parameter_types = context.parameter_types[unit]
    pairs = bound(call.arguments, parameter_types.unit.parameters) or []
    return [
        _Given(value, value_of(context.under_test, value), parameter_types.types.get(parameter.name))
        for parameter, value in pairs
    ]


def _given_to_subject(context: PromiseContext, case: Case) -> list["_Given"]:
    if case.subject is None:
        return []
    return _given(context, case.subject.callee.removeprefix(f"{UNDER_TEST}."), case.subject)


@dataclass(frozen=True)
class _Given:
    """An argument: its source, its value, and what its parameter is said to take."""

    source: str
    value: Any
    kind: Any

    def may_hand_on(self, kind: type) -> bool:
        """Whether something of this type may come out only because it went in."""
        if callable(self.value) or kind in nested_types(self.source):
            return True
        return self.kind in (Any, object) and type(self.value) is kind


def _is_clear(seen: CaseRun, parameter_types: ParameterTypes, promised: PromisedType, given: list[_Given]) -> bool:
    """Whether it is clearly wrong: not a matter of style, and not something that was only passed through."""
    value, said = seen.result, parameter_types.documented.text
    if seen.error is not None or fits(value, promised.kind) is not Fit.NO:
        return False
    if any(each.may_hand_on(type(value)) for each in given):
        return False
    is_about_items = _is_container_of(value, promised.kind)
    if is_about_items and not all(is_precise(each.kind) for each in given):
        return False
    if is_union(promised.kind) and len(typing.get_args(promised.kind)) > _MOST_ALTERNATIVES:
        return False  # a loose alias, such as one for anything that JSON may hold
    if promised.kind in (None, type(None)) or (value is None and _SAYS_NONE.search(said)):
        return False
    if promised.kind is bool:
        return value is None and bool(_SAYS_FALSE.search(said))
    if _is_other_container(value, promised.kind):
        return False
    return promised.is_annotated or _is_other_in_words(value, promised.kind)


def _is_other_container(value: Any, kind: Any) -> bool:
    """`-> Iterator[str]` on what gives a list: a matter of style to many."""
    origin = typing.get_origin(kind) or kind
    is_abstract = isinstance(origin, type) and origin.__module__ in ("collections.abc", "typing")
    return is_abstract and isinstance(value, str | bytes | list | tuple | dict | set | frozenset)


def _is_other_in_words(value: Any, kind: Any) -> bool:
    """Docstrings say `int` for a number and `list` for any sequence; only what is clearly something else counts."""
    wanted = [typing.get_origin(each) or each for each in (typing.get_args(kind) if is_union(kind) else (kind,))]
    if isinstance(value, int | float) and any(each in (int, float, bool) for each in wanted):
        return False
    if isinstance(value, str | bytes) and any(each in (str, bytes) for each in wanted):
        return False
    if isinstance(value, _SEQUENCES) and any(each in _SEQUENCES for each in wanted):
        return False
    return type(value) in (*NAMED, type(None))


def _is_container_of(value: Any, kind: Any) -> bool:
    """Whether only what is inside can be wrong."""
    return any(type(value) is typing.get_origin(each) for each in (kind, *typing.get_args(kind)))


def _breach(context: PromiseContext, unit: Unit, case: Case, promised: PromisedType) -> Breach:
    value = judged(context.under_test, case, lambda seen: (type(seen.result).__name__, in_words(seen.result)), ("", ""))
    expected, property_source = expected_for(promised.kind, context.under_test.namespace.name_of)
    kind = "none" if value[0] == "NoneType" else value[0].lower()
    return context.breach_builder.breach(
        unit,
        case,
        promised.promise,
        symptom=f"returns_{kind}" if expected else f"returns_{kind}_with_other_content",
        actual=f"returned {value[1]}",
        suggestion=(
            f"Return what {promised.promise.text!r} says on this path too; or, if {value[1]} is meant, "
            f"say so in the {'annotation' if promised.is_annotated else 'docstring'}."
        ),
        expected=expected,
        property_source=property_source,
    )
