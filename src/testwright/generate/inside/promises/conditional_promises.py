"""Promises with a condition: "raises ValueError if n is negative", "returns None if the list is empty"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from testwright.generate.inside.case_run.case_runner import CaseRun
from testwright.generate.inside.case_simplifier import simplest
from testwright.generate.inside.descriptions.check_evaluator import is_iterator
from testwright.generate.inside.generated_case import Argument, Call, Case, Check, Relation
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_builder import Promise
from testwright.generate.inside.promises.docstring_conditions import GivenArgument, Substitution, meeting
from testwright.generate.inside.promises.docstring_reader import DocstringPromises, DocstringText
from testwright.generate.inside.promises.limited_run import judged, value_of
from testwright.generate.inside.promises.outcome_words import outcome_in_words, snake
from testwright.generate.inside.promises.parameter_types import bound
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext, exception_named
from testwright.generate.inside.units import Unit

_BASES = 5
_VALUE = (
    r"`*(?P<value>None|True|False|-?\d+(?:\.\d+)?|zero|an? empty (?:string|list|dict|dictionary|tuple|set)"
    r"|''|\"\"|\[\]|\{\}|\(\))`*"
)
_RETURNS = re.compile(
    rf"(?:it |and |will )*(?:returns? |gives? |the result is )?{_VALUE},? (?P<condition>(?:if|when|for) [^,;]+?)"
    r"(?:[,;]? (?:and |or |else )?`*\w+`* otherwise)?\.?",
    re.IGNORECASE,
)
_RETURNS_AFTER = re.compile(
    rf"(?P<condition>(?:if|when) [^,;]+), (?:it |this |then |we )*(?:returns? |gives? )?{_VALUE}(?: is returned)?\.?",
    re.IGNORECASE,
)
_RAISES = re.compile(
    r"(?i:(?:it |will |this )*raises? (?:an? )?)[`:\w~]*?(?P<name>[A-Z]\w*(?:Error|Exception|Warning|Exit))`* "
    r"(?P<condition>(?:if|when|for|on) [^,;]+?)\.?"
)
_RAISED = re.compile(
    r"(?:an? )?[`:\w~]*?(?P<name>[A-Z]\w*(?:Error|Exception))`* is (?:raised|thrown) "
    r"(?P<condition>(?:if|when|for|on) [^,;]+?)\.?",
    re.IGNORECASE,
)
_EMPTY = {"string": '""', "list": "[]", "dict": "{}", "dictionary": "{}", "tuple": "()", "set": "set()"}


@dataclass(frozen=True)
class Conditional:
    """What is promised for inputs that meet a condition: an exception by its name, or a value as an expression."""

    promise: Promise
    condition: str
    exception: str = ""
    value: str = ""


def conditionals(documented: DocstringPromises) -> Iterator[Conditional]:
    """The conditional promises of a docstring, in the order in which they are written."""
    for each in documented.raises:
        promise = Promise(f"{each.exception}: {each.condition.text}", each.condition.line)
        yield Conditional(promise, each.condition.text, exception=each.exception)
    for said in documented.everything():
        yield from _in_sentence(said)


def _in_sentence(said: DocstringText) -> Iterator[Conditional]:
    promise = Promise(said.text, said.line)
    for pattern in (_RAISES, _RAISED):
        matched = pattern.fullmatch(said.text)
        if matched:
            yield Conditional(promise, matched["condition"], exception=matched["name"])
            return
    for pattern in (_RETURNS, _RETURNS_AFTER):
        matched = pattern.fullmatch(said.text)
        if matched:
            yield Conditional(promise, matched["condition"], value=_expression(matched["value"]))
            return


def _expression(words: str) -> str:
    if "empty" in words.lower():
        return _EMPTY[words.lower().rpartition(" ")[2]]
    known = {"none": "None", "true": "True", "false": "False", "zero": "0"}
    return known.get(words.lower(), words)


def look(context: PromiseContext, unit: Unit) -> Iterator[Breach | Oddity]:
    documented = context.parameter_types[unit.qualname].documented
    bases: list[Case] | None = None
    for each in conditionals(documented):
        bases = _bases(context, unit) if bases is None else bases
        found = _Look(context, unit, each, documented).broken_from(bases)
        if found is not None:
            yield found


def _bases(context: PromiseContext, unit: Unit) -> list[Case]:
    """Calls that return: only the condition must make the difference."""
    well_typed = [case for case in context.many(unit) if _returns(context, case)]
    return (well_typed or [case for case in context.returned(unit) if not case.before])[:_BASES]


def _returns(context: PromiseContext, case: Case) -> bool:
    return judged(context.under_test, case, lambda seen: seen.error is None, otherwise=False)


@dataclass(frozen=True)
class _Look:
    context: PromiseContext
    unit: Unit
    conditional: Conditional
    documented: DocstringPromises

    def broken_from(self, bases: Sequence[Case]) -> Breach | Oddity | None:
        """Broken only if every call that meets the condition breaks it: other arguments may well come first."""
        shown: Case | None = None
        for base in bases:
            for case in self._met(base):
                is_kept = self._is_kept(case)
                if is_kept:
                    return None
                if is_kept is False and shown is None:
                    shown = case
        return None if shown is None else self._breach(shown)

    def _met(self, base: Case) -> list[Case]:
        pairs = bound(base.action.arguments, self.unit.parameters)
        if pairs is None:
            return []
        values = {parameter.name: value_of(self.context.under_test, value) for parameter, value in pairs}
        for parameter in self.unit.parameters:
            if parameter.has_default:
                values.setdefault(parameter.name, parameter.default)
        required = {parameter.name for parameter in self.unit.parameters if not parameter.has_default}
        given = [GivenArgument(name, value, name in required) for name, value in values.items()]
        return [_substituted(base, self.unit, each) for each in meeting(self.conditional.condition, given)]

    def _is_kept(self, case: Case) -> bool | None:
        """None where nothing can be said: another documented exception came first, or no call was judged yet."""
        return judged(self.context.under_test, case, self._judge, None)

    def _judge(self, seen: CaseRun) -> bool | None:
        if self.conditional.exception:
            wanted = exception_named(self.conditional.exception, self.context.under_test)
            if wanted is None or (seen.error is None and is_iterator(seen.result)):
                return None
            if isinstance(seen.error, wanted):
                return True
            return None if seen.error is not None and self._is_documented(seen.error) else False
        if seen.error is not None:
            return None if self._is_documented(seen.error) else False
        if is_iterator(seen.result):
            return None
        value = self.context.under_test.namespace.evaluate(self.conditional.value)
        return bool(seen.result == value) and (type(seen.result) is type(value) or value is not None)

    def _is_documented(self, error: BaseException) -> bool:
        return any(kind.__name__ in self.documented.text for kind in type(error).__mro__[:-2])

    def _breach(self, case: Case) -> Breach:
        case = simplest(case, self._still_shown, self.context.inputs, 30)
        actual = judged(self.context.under_test, case, outcome_in_words, "")
        line = judged(self.context.under_test, case, lambda seen: seen.origin.line if seen.origin else 0, 0)
        wanted = (
            exception_named(self.conditional.exception, self.context.under_test) if self.conditional.exception else None
        )
        if wanted is not None:
            name = self.context.under_test.namespace.name_of(wanted) or wanted.__name__
            expected = Check("error", "{}", Relation.RAISES, name)
            symptom = f"does_not_raise_{snake(wanted.__name__)}"
            suggestion = f"Check for the documented condition first, and raise {wanted.__name__} when it is met."
        else:
            value = self.conditional.value
            relation = Relation.IDENTICAL if value in ("None", "True", "False") else Relation.EQUAL
            expected = Check("result", "{}", relation, value)
            symptom = f"does_not_return_{_value_in_words(value)}"
            suggestion = (
                f"Return {value} when the documented condition is met, before anything else is done with the input."
            )
        return self.context.breach_builder.breach(
            self.unit,
            case,
            self.conditional.promise,
            symptom=symptom,
            actual=actual,
            suggestion=suggestion,
            expected=(expected,),
            line=line,
        )

    def _still_shown(self, case: Case) -> bool:
        """A simpler case must meet the condition too: it is one of those that it gives when it is itself the base."""
        return case in self._met(case) and self._is_kept(case) is False


def _substituted(base: Case, unit: Unit, substitution: Substitution) -> Case:
    arguments = list(base.action.arguments)
    pairs = bound(arguments, unit.parameters) or []
    left = dict(substitution)
    for at, (parameter, _) in enumerate(pairs):
        if parameter.name in left:
            arguments[at] = Argument(arguments[at].name, left.pop(parameter.name))
    arguments += [Argument(name, value) for name, value in left.items()]
    return replace(base, action=Call(base.action.callee, tuple(arguments)))


def _value_in_words(value: str) -> str:
    words = {'""': "empty_text", "''": "empty_text", "[]": "empty_list", "{}": "empty_dict", "()": "empty_tuple"}
    if value in words:
        return words[value]
    return re.sub(r"\W+", "_", value.replace("-", "minus_")).strip("_").lower()
