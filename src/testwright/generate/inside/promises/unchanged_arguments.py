"""Arguments that a docstring promises to leave alone, and that a call changes."""

import re
from collections.abc import Iterator

from testwright.generate.inside.case_run.case_runner import CaseRun
from testwright.generate.inside.case_simplifier import simplest
from testwright.generate.inside.generated_case import Case, Check, Relation
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_builder import Promise
from testwright.generate.inside.promises.docstring_reader import DocstringText
from testwright.generate.inside.promises.limited_run import judged, value_of
from testwright.generate.inside.promises.outcome_words import in_words
from testwright.generate.inside.promises.parameter_types import bound
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext
from testwright.generate.inside.units import Unit

_CHANGED = r"(?:modif(?:y|ied|ying)|mutat(?:e|ed|ing)|chang(?:e|ed|ing)|alter(?:ed|ing)?)"
_THE = r"(?:the |its |your |given |input |original |either |any of the )*"
_PROMISES = (
    re.compile(rf"\b(?:does not|doesn't|do not|don't|never|without) {_CHANGED} {_THE}`*(?P<what>\w+)", re.IGNORECASE),
    re.compile(rf"`*(?P<what>\w+)`* (?:is|are) (?:not|never) {_CHANGED}", re.IGNORECASE),
    re.compile(r"`*(?P<what>\w+)`* (?:is|are) left (?:unchanged|untouched|unmodified|alone|as is)", re.IGNORECASE),
)
_COPIES = re.compile(
    r"^returns? (?:an? )?(?:new|sorted|modified|shallow|deep|reversed|merged|filtered|updated|changed)* ?"
    r"(?:copy of|new (?P<kind>list|dict|dictionary|set)\b)",
    re.IGNORECASE,
)
_HEDGED = re.compile(r"\b(?:if|when|unless|except|may|might|can|optionally|depending|usually|should)\b", re.IGNORECASE)
_ANY_ARGUMENT = frozenset(
    {"input", "inputs", "original", "originals", "argument", "arguments", "parameters", "it", "them"}
)
_NOUNS = {"list": list, "dict": dict, "dictionary": dict, "mapping": dict, "set": set}
_MUTABLE = (list, dict, set)


def look(context: PromiseContext, unit: Unit) -> Iterator[Breach | Oddity]:
    names = [parameter.name for parameter in unit.parameters]
    for said in context.parameter_types[unit.qualname].documented.everything():
        if _HEDGED.search(said.text):
            continue
        for pattern in _PROMISES:
            matched = pattern.search(said.text)
            if matched and (matched["what"] in names or matched["what"].lower() in _ANY_ARGUMENT | _NOUNS.keys()):
                yield from _broken(context, unit, said, matched["what"])
                return
        copies = _COPIES.match(said.text)
        if copies:
            yield from _broken(context, unit, said, (copies["kind"] or "same as the result").lower())
            return


def _broken(context: PromiseContext, unit: Unit, said: DocstringText, what: str) -> Iterator[Breach]:
    def changed(case: Case) -> tuple[int, str] | None:
        return _changed(context, unit, case, what) if context.is_bare(unit, case, said.text) else None

    shown = next((case for case in context.bare(unit, said.text) if changed(case)), None)
    if shown is None:
        return
    case = simplest(shown, lambda each: context.well_typed.case(each) and changed(each) is not None, context.inputs)
    index, now = changed(case) or (0, "")
    argument = case.action.arguments[index]
    parameter = (bound(case.action.arguments, unit.parameters) or [])[index][0].name
    yield context.breach_builder.breach(
        unit,
        case,
        Promise(said.text, said.line),
        symptom=f"changes_its_argument_{parameter}",
        actual=f"the argument `{parameter}` was {argument.value} and became {now}",
        suggestion=f"Work on a copy of `{parameter}`, not on the caller's own object.",
        expected=(Check(f"argument {argument.name or index}", "{}", Relation.EQUAL, argument.value),),
    )


def _changed(context: PromiseContext, unit: Unit, case: Case, what: str) -> tuple[int, str] | None:
    """The first argument that the promise is about and that is not what it was, and what it became."""
    pairs = bound(case.action.arguments, unit.parameters)
    if pairs is None:
        return None
    fresh = [value_of(context.under_test, value) for _, value in pairs]

    def judge(seen: CaseRun) -> tuple[int, str] | None:
        for index, (parameter, _) in enumerate(pairs):
            before, after = fresh[index], seen.arguments[index]
            if type(after) not in _MUTABLE or seen.error is not None:
                continue
            if not _is_meant(what, parameter.name, type(after), type(seen.result)):
                continue
            if type(before) is type(after) and before != after:
                return index, in_words(after)
        return None

    return judged(context.under_test, case, judge, None)


def _is_meant(what: str, name: str, kind: type, result: type) -> bool:
    if what == "same as the result":
        return kind is result
    if what in _NOUNS and what != name:
        return kind is _NOUNS[what]
    return what == name or what.lower() in _ANY_ARGUMENT
