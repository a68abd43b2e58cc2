"""Pairs of functions of which one is said to undo the other, and inputs that do not come back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from testwright.generate.inside.case_simplifier import simplest
from testwright.generate.inside.generated_case import UNDER_TEST, Argument, Call, Case, Check, Relation
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_builder import Promise
from testwright.generate.inside.promises.limited_run import judged, value_of
from testwright.generate.inside.promises.outcome_words import outcome_in_words
from testwright.generate.inside.promises.parameter_types import is_precise
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext, is_plain
from testwright.generate.inside.promises.type_fit import is_ordinary
from testwright.generate.inside.units import Unit, UnitKind

_PAIRS = (
    ("encode", "decode"), ("dumps", "loads"), ("dump", "load"), ("serialize", "deserialize"), ("serialize", "parse"),
    ("format", "parse"), ("compress", "decompress"), ("escape", "unescape"), ("pack", "unpack"), ("quote", "unquote"),
    ("encrypt", "decrypt"), ("flatten", "unflatten"), ("to", "from"), ("marshal", "unmarshal"), ("wrap", "unwrap"),
    ("join", "split"), ("hexlify", "unhexlify"), ("render", "parse"),
)  # fmt: skip
_INVERSE = re.compile(
    r"\b(?:inverse|reverse[sd]?|undo(?:es)?|opposite|counterpart)\b|\bround[- ]?trips?\b", re.IGNORECASE
)
_NEGATED = re.compile(r"\b(?:not|isn't|unless|except|if|when|may|almost|lossy)\b", re.IGNORECASE)
_CERTAIN, _LIKELY = (4, 0.3), (8, 0.9)
"""How many inputs must have been tried and which share of them must come back: else the pair is not meant so."""


def look(context: PromiseContext, unit: Unit) -> Iterator[Breach | Oddity]:
    if unit.kind is UnitKind.FUNCTION and is_plain(unit) and not unit.is_async:
        yield from _lost_on_the_way(context, unit)


@dataclass(frozen=True)
class _Pair:
    there: Unit
    back: Unit
    promise: Promise
    is_certain: bool  # whether the docstring says explicitly that one undoes the other


def _lost_on_the_way(context: PromiseContext, there: Unit) -> Iterator[Breach]:
    pair = _pair_of(context, there)
    if pair is None:
        return
    broken: list[Case] = []
    held = 0
    for case in context.many(there):
        if len(case.action.arguments) != 1 or case.action.arguments[0].name is not None:
            continue
        holds = _comes_back(context, pair, case)
        held += holds is True
        if holds is False:
            broken.append(case)
    tried = held + len(broken)
    least, share = _CERTAIN if pair.is_certain else _LIKELY
    if not broken or tried < least or held < share * tried:
        return
    shown = simplest(broken[0], lambda case: _comes_back(context, pair, case) is False, context.inputs)
    source = shown.action.arguments[0].value
    there_and_back = Case(
        pair.back.qualname,
        Call(f"{UNDER_TEST}.{pair.back.qualname}", (Argument(None, f"{shown.action.callee}({source})"),)),
    )
    yield context.breach_builder.breach(
        pair.back,
        there_and_back,
        pair.promise,
        symptom=f"does_not_undo_{pair.there.qualname}",
        actual=judged(context.under_test, there_and_back, outcome_in_words, ""),
        suggestion=(
            f"Compare `{pair.there.qualname}` and `{pair.back.qualname}` rule by rule, in reverse order: "
            f"one of them handles something in {source} that the other does not."
        ),
        expected=(Check("result", "{}", Relation.EQUAL, source),),
        related=(pair.there.qualname,),
    )


def _comes_back(context: PromiseContext, pair: _Pair, case: Case) -> bool | None:
    """None where there is nothing to compare: the first function refuses it, or it is not an ordinary value."""
    source = case.action.arguments[0].value if case.action.arguments else ""
    if not source or not context.well_typed.case(case):
        return None
    value = value_of(context.under_test, source)
    if type(value) not in (str, bytes, int, float) and not all(
        map(is_precise, context.parameter_types[case.unit].types.values())
    ):
        return None
    if not _is_plain_value(value):
        return None
    if not judged(context.under_test, case, lambda seen: seen.error is None, otherwise=False):
        return None
    back = Call(f"{UNDER_TEST}.{pair.back.qualname}", (Argument(None, f"{case.action.callee}({source})"),))
    return judged(
        context.under_test,
        Case(pair.back.qualname, back),
        lambda seen: seen.error is None and bool(seen.result == value),
        None,
    )


def _is_plain_value(value: Any) -> bool:
    if isinstance(value, list) and len({repr(item) for item in value}) < len(value):
        return False  # many take a list for a set
    return is_ordinary(value) and (not isinstance(value, str) or value.isascii())


def _pair_of(context: PromiseContext, there: Unit) -> _Pair | None:
    for first, second in _PAIRS:
        for name in _other_names(there.qualname, first, second):
            back = context.units.get(name)
            if back is None or back.kind is not UnitKind.FUNCTION or not is_plain(back) or not _takes_one(back, there):
                continue
            for unit, other in ((there, back), (back, there)):
                for said in context.parameter_types[unit.qualname].documented.everything():
                    if other.qualname not in said.text or _NEGATED.search(said.text):
                        continue
                    return _Pair(there, back, Promise(said.text, said.line), bool(_INVERSE.search(said.text)))
    return None


def _other_names(name: str, first: str, second: str) -> Iterator[str]:
    parts = name.split("_")
    if first in parts:
        yield "_".join(second if part == first else part for part in parts)
    turned = re.fullmatch(r"(\w+)_(to|2)_?(\w+)", name)
    if turned and (first, second) == ("to", "from"):
        yield f"{turned[3]}_{turned[2]}_{turned[1]}"


def _takes_one(*units: Unit) -> bool:
    return all(sum(not parameter.has_default for parameter in unit.parameters) == 1 for unit in units)
