"""Functions that are said to be idempotent or symmetric, and calls for which they are not."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from testwright.generate.inside.case_simplifier import simplest
from testwright.generate.inside.generated_case import Argument, Call, Case, Check, Relation
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_builder import Promise
from testwright.generate.inside.promises.docstring_reader import DocstringText
from testwright.generate.inside.promises.limited_run import judged, value_of
from testwright.generate.inside.promises.outcome_words import outcome_in_words, spelled
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext, is_plain
from testwright.generate.inside.units import Unit, UnitKind

_IDEMPOTENT = re.compile(
    r"\bidempotent\b|\balready \w+[^.]{0,60}\b(?:unchanged|as is|untouched)\b"
    r"|\b(?:twice|again) (?:has no|gives the same|changes nothing)",
    re.IGNORECASE,
)
_SYMMETRIC = re.compile(
    r"\bsymmetric(?:al)?\b|\bcommutative\b|\border of (?:the )?(?:arguments|inputs) does(?: not|n't) matter",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|isn't|never|almost|nearly) (?:\w+ )?(?:idempotent|symmetric|commutative)|\b(?:unless|except)\b",
    re.IGNORECASE,
)


def look(context: PromiseContext, unit: Unit) -> Iterator[Breach | Oddity]:
    if unit.kind is UnitKind.FUNCTION and is_plain(unit) and not unit.is_async:
        said = context.parameter_types[unit.qualname].documented.everything()
        yield from _not_idempotent(context, unit, said)
        yield from _not_symmetric(context, unit, said)


def _not_idempotent(context: PromiseContext, unit: Unit, said: Sequence[DocstringText]) -> Iterator[Breach]:
    promise = _stated(said, _IDEMPOTENT)
    if promise is None:
        return

    def changes_again(case: Case) -> bool:
        arguments = case.action.arguments
        if not arguments or arguments[0].name is not None or not context.is_bare(unit, case, promise.text):
            return False
        if not context.well_typed.case(case):
            return False
        same_type = judged(
            context.under_test,
            case,
            lambda seen: (
                seen.error is None and type(seen.result) is type(value_of(context.under_test, arguments[0].value))
            ),
            otherwise=False,
        )
        return same_type and _differs(context, _twice(case), spelled(case.action))

    for shown in context.many(unit):
        if changes_again(shown):
            case = simplest(shown, changes_again, context.inputs)
            yield _tied(context, unit, _twice(case), promise, spelled(case.action), "is_not_idempotent")
            return


def _twice(case: Case) -> Case:
    first, *rest = case.action.arguments
    again = Argument(first.name, spelled(case.action))
    return Case(case.unit, Call(case.action.callee, (again, *rest)), case.use)


def _not_symmetric(context: PromiseContext, unit: Unit, said: Sequence[DocstringText]) -> Iterator[Breach]:
    promise = _stated(said, _SYMMETRIC)
    if promise is None or not all(parameter.has_default for parameter in unit.parameters[2:]):
        return

    def depends_on_order(case: Case) -> bool:
        arguments = case.action.arguments
        if len(arguments) < 2 or any(argument.name is not None for argument in arguments[:2]):
            return False
        is_usual = context.is_bare(unit, case, promise.text) and context.well_typed.case(case)
        return is_usual and _differs(context, case, spelled(_swapped(case).action))

    for shown in context.many(unit):
        if depends_on_order(shown):
            case = simplest(shown, depends_on_order, context.inputs)
            yield _tied(context, unit, case, promise, spelled(_swapped(case).action), "is_not_symmetric")
            return


def _swapped(case: Case) -> Case:
    one, other, *rest = case.action.arguments
    return Case(case.unit, Call(case.action.callee, (other, one, *rest)), case.use)


def _stated(said: Sequence[DocstringText], words: re.Pattern[str]) -> Promise | None:
    for each in said:
        if words.search(each.text) and not _NEGATED.search(each.text):
            return Promise(each.text, each.line)
    return None


def _differs(context: PromiseContext, case: Case, other: str) -> bool:
    """Whether both give a value and they are different ones; floats have some room."""

    def judge(result: Any) -> bool:
        wanted = context.under_test.namespace.evaluate(other)
        if isinstance(result, float) and isinstance(wanted, float):
            return abs(result - wanted) > 1e-9 * max(1.0, abs(result), abs(wanted))
        return type(result) is not type(wanted) or bool(result != wanted)

    return judged(context.under_test, case, lambda seen: seen.error is None and judge(seen.result), otherwise=False)


def _tied(context: PromiseContext, unit: Unit, case: Case, promise: Promise, other: str, symptom: str) -> Breach:
    return context.breach_builder.breach(
        unit,
        case,
        promise,
        symptom=symptom,
        actual=judged(context.under_test, case, outcome_in_words, ""),
        suggestion="Find the step whose result is not what it would take as its own input, and make the two agree.",
        expected=(Check("result", "{}", Relation.EQUAL, other),),
    )
