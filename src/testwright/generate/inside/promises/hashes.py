"""Objects that are equal and have different hashes."""

import ast
import itertools
import re
from collections.abc import Iterator
from typing import Any

from testwright.generate.inside.generated_case import Argument, Call, Case, Check, Relation
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_builder import Promise
from testwright.generate.inside.promises.limited_run import judged
from testwright.generate.inside.promises.outcome_words import spelled
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext
from testwright.generate.inside.units import Unit, UnitKind

_HASHED_TOGETHER = 10


def look(context: PromiseContext, unit: Unit) -> Iterator[Breach | Oddity]:
    """Python itself asks it of every class that has both, and sets and dicts break without it."""
    node = unit.node
    if unit.kind is not UnitKind.CONSTRUCTOR or not isinstance(node, ast.ClassDef):
        return
    methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
    if "__eq__" not in methods or "__hash__" not in methods:
        return
    made = [spelled(case.action) for case in context.many(unit) if not case.before][:_HASHED_TOGETHER]
    made = list(dict.fromkeys([*made, *(_swapped_case(each) for each in made)]))
    for one, other in itertools.combinations_with_replacement(made, 2):
        case = Case(unit.qualname, Call("hash", (Argument(None, one),)))
        is_broken = judged(
            context.under_test,
            case,
            lambda seen, one=one, other=other: _has_other_hash(context, seen.result, one, other),  # type: ignore[misc]  # a lambda with defaults
            otherwise=False,
        )
        if is_broken:
            text = "Objects which compare equal have the same hash value (Python's rule for the __hash__ defined here)."
            yield context.breach_builder.breach(
                unit,
                case,
                Promise(text, methods["__hash__"].lineno),
                symptom="gives_equal_objects_other_hashes",
                actual=f"{one} == {other}, and their hashes differ",
                suggestion="Hash exactly what `__eq__` compares, brought into the same form.",
                expected=(Check("result", "{}", Relation.EQUAL, f"hash({other})"),),
                line=methods["__hash__"].lineno,
            )
            return


def _has_other_hash(context: PromiseContext, hashed: Any, one: str, other: str) -> bool:
    evaluate = context.under_test.namespace.evaluate
    first, second = evaluate(one), evaluate(other)
    return (first == second) is True and type(hashed) is int and hashed != hash(second)


def _swapped_case(source: str) -> str:
    """The same object made from text in the other case: some classes call these equal."""
    return re.sub(r"(?<=[(,\s])(\"[A-Za-z ]+\"|'[A-Za-z ]+')(?=[),])", lambda found: found[0].swapcase(), source)
