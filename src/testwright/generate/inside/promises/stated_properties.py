"""Properties of the result that a docstring states in plain words: sorted, without duplicates, at most so long."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from testwright.generate.inside.case_run.case_runner import CaseRun
from testwright.generate.inside.case_simplifier import simplest
from testwright.generate.inside.generated_case import Case
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_builder import Promise
from testwright.generate.inside.promises.docstring_reader import DocstringPromises, DocstringText
from testwright.generate.inside.promises.limited_run import judged, value_of
from testwright.generate.inside.promises.outcome_words import outcome_in_words
from testwright.generate.inside.promises.parameter_types import bound
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext, is_plain
from testwright.generate.inside.units import Unit

_ABOUT_RESULT = re.compile(r"(?:it |and |always )*returns?\b|the (?:result|returned|return value)\b", re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:if|when|unless|except|may|might|can|could|should|optionally|optional|default|depending|usually|roughly|otherwise"
    r"|approximately|e\.g|possibly|sometimes|not|whether|almost|some|where)\b",
    re.IGNORECASE,
)
_NUMBER = r"-?\d+(?:\.\d+)?"


@dataclass(frozen=True)
class SeenCall:
    """One call as a property sees it: the words, its result, and what each parameter was given, as value and source."""

    words: re.Match[str]
    result: Any
    values: dict[str, Any]
    sources: dict[str, str]


Condition = Callable[[SeenCall], str | None]
"""Gives the expression on `result` that must be true, or None where the words do not apply to this call."""


@dataclass(frozen=True)
class Property:
    words: re.Pattern[str]
    condition: Condition
    symptom: str
    suggestion: str


def look(context: PromiseContext, unit: Unit) -> Iterator[Breach | Oddity]:
    if not is_plain(unit):
        return
    for said in _about_result(context.parameter_types[unit.qualname].documented):
        if _HEDGED.search(said.text):
            continue
        for each in PROPERTIES:
            matched = each.words.search(said.text)
            if matched is not None:
                yield from _broken(context, unit, said, each, matched)


def _about_result(documented: DocstringPromises) -> list[DocstringText]:
    return [*documented.returns, *(said for said in documented.prose if _ABOUT_RESULT.match(said.text))]


def _broken(
    context: PromiseContext, unit: Unit, said: DocstringText, stated: Property, matched: re.Match[str]
) -> Iterator[Breach]:
    def failing(case: Case) -> str:
        if not context.is_bare(unit, case, said.text):
            return ""
        return _failing(context, unit, case, stated.condition, matched)

    shown = next((case for case in context.bare(unit, said.text) if failing(case)), None)
    if shown is None:
        return
    case = simplest(shown, lambda each: context.well_typed.case(each) and bool(failing(each)), context.inputs)
    yield context.breach_builder.breach(
        unit,
        case,
        Promise(said.text, said.line),
        symptom=stated.symptom,
        actual=judged(context.under_test, case, outcome_in_words, ""),
        suggestion=stated.suggestion,
        property_source=failing(case),
    )


def _failing(context: PromiseContext, unit: Unit, case: Case, condition: Condition, words: re.Match[str]) -> str:
    """The expression that should be true for this case and is not; empty where all is well."""
    pairs = bound(case.action.arguments, unit.parameters)
    if pairs is None:
        return ""
    sources = {parameter.name: value for parameter, value in pairs}
    values = {name: value_of(context.under_test, source) for name, source in sources.items()}
    for parameter in unit.parameters:
        if parameter.has_default and parameter.name not in values and type(parameter.default) in (int, str, float):
            values[parameter.name], sources[parameter.name] = parameter.default, repr(parameter.default)

    def judge(performed: CaseRun) -> str:
        if performed.error is not None:
            return ""
        return _is_false(condition(SeenCall(words, performed.result, values, sources)), performed.result)

    return judged(context.under_test, case, judge, "")


def _is_false(expression: str | None, result: Any) -> str:
    if expression is None:
        return ""
    names: dict[str, Any] = {"result": result}
    return "" if eval(expression, names) else expression  # noqa: S307 - made by us, of literals


# --- what the words mean --------------------------------------------------------------------------


def _are_ordered(items: Any) -> bool:
    """Whether everyone would put these items in the same order: numbers, or plain words in lower case."""
    if type(items) not in (list, tuple) or len(items) < 2:
        return False
    if all(type(item) in (int, float) for item in items):
        return True
    return all(type(item) is str and item.isascii() and item.islower() and item.isalnum() for item in items)


def _sorted(seen: SeenCall) -> str | None:
    if not _are_ordered(seen.result) or re.search(r"\bby\b|descending|reverse|key|natural|order of", seen.words.string):
        return None
    return "list(result) == sorted(result)"


def _descending(seen: SeenCall) -> str | None:
    if not _are_ordered(seen.result) or re.search(r"\bby\b|\bkey\b", seen.words.string):
        return None
    return "list(result) == sorted(result, reverse=True)"


def _unique(seen: SeenCall) -> str | None:
    is_plain_list = type(seen.result) in (list, tuple) and all(type(item) in (int, str) for item in seen.result)
    return "len(result) == len(set(result))" if is_plain_list else None


def _number(expression: str) -> Condition:
    def condition(seen: SeenCall) -> str | None:
        return expression if type(seen.result) in (int, float) else None

    return condition


def _between(seen: SeenCall) -> str | None:
    if type(seen.result) not in (int, float) or "exclusive" in seen.words.string:
        return None
    return f"{seen.words['low']} <= result <= {seen.words['high']}"


def _not_empty(seen: SeenCall) -> str | None:
    return "len(result) > 0" if type(seen.result) in (str, list, tuple, dict, set) else None


def _same_length(seen: SeenCall) -> str | None:
    name = seen.words["name"]
    value = seen.values.get(name)
    if type(value) not in (str, list, tuple) or type(seen.result) not in (str, list, tuple) or not value:
        return None
    return f"len(result) == len({seen.sources[name]})"


def _at_most(seen: SeenCall) -> str | None:
    limit = seen.words["limit"]
    known = seen.values.get(limit) if not limit.isdigit() else int(limit)
    if type(known) is not int or known < 1 or type(seen.result) not in (str, list, tuple):
        return None
    return f"len(result) <= {seen.sources.get(limit, limit)}"


def _cased(expression: str) -> Condition:
    def condition(seen: SeenCall) -> str | None:
        return expression if type(seen.result) is str and seen.result.isascii() else None

    return condition


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_THINGS = r"(?:items?|elements?|values?|words?|entries|names?|tokens?|numbers?|lines?|characters?|keys?|tags?|ids?)"
PROPERTIES: Sequence[Property] = (
    Property(
        _words(r"\bsorted (?:list|tuple|copy)\b|\b(?:ascending|alphabetical|increasing|sorted) order\b|\bsorted\.?$"),
        _sorted,
        "is_not_sorted",
        "Sort before returning: `sorted(...)` on what is collected, on every path.",
    ),
    Property(
        _words(r"\b(?:in )?(?:descending|decreasing) order\b"),
        _descending,
        "is_not_in_descending_order",
        "Sort with `reverse=True` before returning, on every path.",
    ),
    Property(
        _words(rf"\bwithout (?:any )?(?:duplicates|repetitions)|\bno duplicates?\b|\b(?:unique|distinct) {_THINGS}\b"),
        _unique,
        "has_duplicates",
        "Drop what was seen before, for instance with `dict.fromkeys(...)`, which keeps the order.",
    ),
    Property(
        _words(r"\bnever negative\b|\balways (?:non-?negative|>= ?0)\b|\bnon-?negative (?:int|integer|number|float)\b"),
        _number("result >= 0"),
        "is_negative",
        "Do not let the result fall below zero: check the subtraction, or use `max(0, ...)`.",
    ),
    Property(
        _words(r"\balways positive\b|\balways greater than (?:0|zero)\b"),
        _number("result > 0"),
        "is_not_positive",
        "Make sure that every path gives more than zero.",
    ),
    Property(
        _words(
            rf"\b(?:between|from|in the range(?: of)?) \[?(?P<low>{_NUMBER})"
            rf"(?: and | to |, ?)(?P<high>{_NUMBER})\]?"
        ),
        _between,
        "is_out_of_range",
        "Bring the result into the range, or correct the arithmetic that leaves it.",
    ),
    Property(
        _words(r"\bnever empty\b|\bnon-empty (?:list|string|tuple|dict|text)\b|\balways at least one\b"),
        _not_empty,
        "is_empty",
        "Give the input for which nothing is found a result of its own.",
    ),
    Property(
        _words(r"\b(?:of )?(?:the )?same length as (?:the )?(?:input |given )?`*(?P<name>\w+)`*"),
        _same_length,
        "has_another_length",
        "Look at the bounds of the loop or slice: an item is lost or added.",
    ),
    Property(
        _words(
            r"\b(?:at most|no more than|no longer than|not longer than|maximum of|up to) `*(?P<limit>\w+)`* "
            r"(?:characters|chars|items|elements|words|letters)"
        ),
        _at_most,
        "is_too_long",
        "Count everything that is added (an ellipsis, a suffix, a separator) within the limit.",
    ),
    Property(
        _words(
            r"\bin lower ?-?case\.?$|\b(?:is|are) (?:always |all )?lower ?-?case\b"
            r"|\blower-?cased? (?:string|text|slug|name)\b"
        ),
        _cased("result == result.lower()"),
        "is_not_in_lower_case",
        "Apply `.lower()` on every path, to what is added later too.",
    ),
    Property(
        _words(
            r"\bin upper ?-?case\.?$|\b(?:is|are) (?:always |all )?upper ?-?case\b"
            r"|\bupper-?cased? (?:string|text|name)\b"
        ),
        _cased("result == result.upper()"),
        "is_not_in_upper_case",
        "Apply `.upper()` on every path, to what is added later too.",
    ),
    Property(
        _words(r"\bwithout (?:any )?leading (?:and|or) trailing (?:white ?space|spaces)\b"),
        _cased("result == result.strip()"),
        "has_space_around_it",
        "Strip the result, not only the input.",
    ),
)  # fmt: skip
