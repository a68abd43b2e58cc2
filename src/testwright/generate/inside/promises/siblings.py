"""Properties that tie calls together: round trips, idempotence, symmetry, and equal objects with equal hashes."""

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from testwright.generate.inside.case import UNDER_TEST, Argument, Call, Case, Check, Relation
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.docstrings import Said
from testwright.generate.inside.promises.fitting import is_ordinary
from testwright.generate.inside.promises.scene import Oddity, Promise, Scene, is_plain, outcome_in_words
from testwright.generate.inside.promises.terms import is_precise
from testwright.generate.inside.promises.trying import judged, minimal, value_of
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
_IDEMPOTENT = re.compile(
    r"\bidempotent\b|\balready \w+[^.]{0,60}\b(?:unchanged|as is|untouched)\b|\b(?:twice|again) (?:has no|gives the same|changes nothing)",
    re.IGNORECASE,
)
_SYMMETRIC = re.compile(
    r"\bsymmetric(?:al)?\b|\bcommutative\b|\border of (?:the )?(?:arguments|inputs) does(?: not|n't) matter",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|isn't|unless|except|if|when|may|almost|lossy)\b", re.IGNORECASE)
_CERTAIN, _LIKELY = (4, 0.3), (8, 0.9)
"""How many inputs must have been tried and which share of them must come back: else it is not what was meant."""
_HASHED_TOGETHER = 10


def look(scene: Scene, unit: Unit) -> Iterator[Breach | Oddity]:
    if unit.kind is UnitKind.CONSTRUCTOR:
        yield from _unequal_hashes(scene, unit)
    elif unit.kind is UnitKind.FUNCTION and is_plain(unit) and not unit.is_async:
        said = scene.terms[unit.qualname].documented.everything()
        yield from _not_idempotent(scene, unit, said)
        yield from _not_symmetric(scene, unit, said)
        yield from _lost_on_the_way(scene, unit)


# --- round trips -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pair:
    there: Unit
    back: Unit
    promise: Promise
    is_certain: bool
    """Whether the docstring says in so many words that one undoes the other."""


def _lost_on_the_way(scene: Scene, there: Unit) -> Iterator[Breach]:
    pair = _pair_of(scene, there)
    if pair is None:
        return
    broken: list[Case] = []
    held = 0
    for case in scene.many(there):
        if len(case.action.arguments) != 1 or case.action.arguments[0].name is not None:
            continue
        holds = _comes_back(scene, pair, case)
        held += holds is True
        if holds is False:
            broken.append(case)
    tried = held + len(broken)
    least, share = _CERTAIN if pair.is_certain else _LIKELY
    if not broken or tried < least or held < share * tried:
        return
    shown = minimal(broken[0], lambda case: _comes_back(scene, pair, case) is False, scene.inputs)
    source = shown.action.arguments[0].value
    there_and_back = Case(
        pair.back.qualname,
        Call(f"{UNDER_TEST}.{pair.back.qualname}", (Argument(None, f"{shown.action.callee}({source})"),)),
    )
    yield scene.breach(
        pair.back,
        there_and_back,
        pair.promise,
        symptom=f"does_not_undo_{pair.there.qualname}",
        actual=judged(scene.ground, there_and_back, outcome_in_words, ""),
        suggestion=(
            f"Compare `{pair.there.qualname}` and `{pair.back.qualname}` rule by rule, in reverse order: "
            f"one of them handles something in {source} that the other does not."
        ),
        expected=(Check("result", "{}", Relation.EQUAL, source),),
    )


def _comes_back(scene: Scene, pair: _Pair, case: Case) -> bool | None:
    """None where there is nothing to compare: it is refused on the way there, or is no ordinary value."""
    source = case.action.arguments[0].value if case.action.arguments else ""
    if not source or not scene.well_typed.case(case):
        return None
    value = value_of(scene.ground, source)
    if type(value) not in (str, bytes, int, float) and not all(map(is_precise, scene.terms[case.unit].types.values())):
        return None
    if not _is_plain_value(value):
        return None
    if not judged(scene.ground, case, lambda seen: seen.error is None, otherwise=False):
        return None
    back = Call(f"{UNDER_TEST}.{pair.back.qualname}", (Argument(None, f"{case.action.callee}({source})"),))
    return judged(
        scene.ground,
        Case(pair.back.qualname, back),
        lambda seen: seen.error is None and bool(seen.result == value),
        None,
    )


def _is_plain_value(value: Any) -> bool:
    if isinstance(value, list) and len({repr(item) for item in value}) < len(value):
        return False  # many take a list for a set
    return is_ordinary(value) and (not isinstance(value, str) or value.isascii())


def _pair_of(scene: Scene, there: Unit) -> _Pair | None:
    for first, second in _PAIRS:
        for name in _other_names(there.qualname, first, second):
            back = scene.units.get(name)
            if back is None or back.kind is not UnitKind.FUNCTION or not is_plain(back) or not _takes_one(back, there):
                continue
            for unit, other in ((there, back), (back, there)):
                for said in scene.terms[unit.qualname].documented.everything():
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


# --- the same again, and the other way round --------------------------------------------------------


def _not_idempotent(scene: Scene, unit: Unit, said: Sequence[Said]) -> Iterator[Breach]:
    promise = _stated(said, _IDEMPOTENT)
    if promise is None:
        return

    def changes_again(case: Case) -> bool:
        arguments = case.action.arguments
        if not arguments or arguments[0].name is not None or not scene.is_bare(unit, case, promise.text):
            return False
        if not scene.well_typed.case(case):
            return False
        same_type = judged(
            scene.ground,
            case,
            lambda seen: seen.error is None and type(seen.result) is type(value_of(scene.ground, arguments[0].value)),
            otherwise=False,
        )
        return same_type and _differs(scene, _twice(case), _spelled(case.action))

    for shown in scene.many(unit):
        if changes_again(shown):
            case = minimal(shown, changes_again, scene.inputs)
            yield _tied(scene, unit, _twice(case), promise, _spelled(case.action), "is_not_idempotent")
            return


def _twice(case: Case) -> Case:
    first, *rest = case.action.arguments
    again = Argument(first.name, _spelled(case.action))
    return Case(case.unit, Call(case.action.callee, (again, *rest)), case.use)


def _not_symmetric(scene: Scene, unit: Unit, said: Sequence[Said]) -> Iterator[Breach]:
    promise = _stated(said, _SYMMETRIC)
    if promise is None or not all(parameter.has_default for parameter in unit.parameters[2:]):
        return

    def depends_on_order(case: Case) -> bool:
        arguments = case.action.arguments
        if len(arguments) < 2 or any(argument.name is not None for argument in arguments[:2]):
            return False
        is_usual = scene.is_bare(unit, case, promise.text) and scene.well_typed.case(case)
        return is_usual and _differs(scene, case, _spelled(_swapped(case).action))

    for shown in scene.many(unit):
        if depends_on_order(shown):
            case = minimal(shown, depends_on_order, scene.inputs)
            yield _tied(scene, unit, case, promise, _spelled(_swapped(case).action), "is_not_symmetric")
            return


def _swapped(case: Case) -> Case:
    one, other, *rest = case.action.arguments
    return Case(case.unit, Call(case.action.callee, (other, one, *rest)), case.use)


def _stated(said: Sequence[Said], words: re.Pattern[str]) -> Promise | None:
    for each in said:
        if words.search(each.text) and not re.search(r"\b(?:not|isn't|unless|except|almost)\b", each.text):
            return Promise(each.text, each.line)
    return None


def _differs(scene: Scene, case: Case, other: str) -> bool:
    """Whether both give a value and they are different ones; floats have some room."""

    def judge(result: Any) -> bool:
        wanted = scene.ground.namespace.evaluate(other)
        if isinstance(result, float) and isinstance(wanted, float):
            return abs(result - wanted) > 1e-9 * max(1.0, abs(result), abs(wanted))
        return type(result) is not type(wanted) or bool(result != wanted)

    return judged(scene.ground, case, lambda seen: seen.error is None and judge(seen.result), otherwise=False)


def _spelled(call: Call) -> str:
    arguments = ", ".join(f"{each.name}={each.value}" if each.name else each.value for each in call.arguments)
    return f"{call.callee}({arguments})"


def _tied(scene: Scene, unit: Unit, case: Case, promise: Promise, other: str, symptom: str) -> Breach:
    return scene.breach(
        unit,
        case,
        promise,
        symptom=symptom,
        actual=judged(scene.ground, case, outcome_in_words, ""),
        suggestion="Find the step whose result is not what it would take as its own input, and make the two agree.",
        expected=(Check("result", "{}", Relation.EQUAL, other),),
    )


# --- equal objects ---------------------------------------------------------------------------------


def _unequal_hashes(scene: Scene, unit: Unit) -> Iterator[Breach]:
    """Python itself asks it of every class that has both, and sets and dicts break without it."""
    node = unit.node
    if not isinstance(node, ast.ClassDef):
        return
    methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
    if "__eq__" not in methods or "__hash__" not in methods:
        return
    made = [_spelled(case.action) for case in scene.many(unit) if not case.before][:_HASHED_TOGETHER]
    made = list(dict.fromkeys([*made, *(_swapped_case(each) for each in made)]))
    for one, other in itertools.combinations_with_replacement(made, 2):
        case = Case(unit.qualname, Call("hash", (Argument(None, one),)))
        is_broken = judged(
            scene.ground,
            case,
            lambda seen, one=one, other=other: _has_other_hash(scene, seen.result, one, other),  # type: ignore[misc]
            otherwise=False,
        )
        if is_broken:
            text = "Objects which compare equal have the same hash value (Python's rule for __hash__, which is defined here)."
            yield scene.breach(
                unit,
                case,
                Promise(text, methods["__hash__"].lineno),
                symptom="equal_objects_have_other_hashes",
                actual=f"{one} == {other}, and their hashes differ",
                suggestion="Hash exactly what `__eq__` compares, brought into the same form.",
                expected=(Check("result", "{}", Relation.EQUAL, f"hash({other})"),),
                line=methods["__hash__"].lineno,
            )
            return


def _has_other_hash(scene: Scene, hashed: Any, one: str, other: str) -> bool:
    evaluate = scene.ground.namespace.evaluate
    first, second = evaluate(one), evaluate(other)
    return (first == second) is True and type(hashed) is int and hashed != hash(second)


def _swapped_case(source: str) -> str:
    """The same object made from text in the other case: some classes call these equal."""
    return re.sub(r"(?<=[(,\s])(\"[A-Za-z ]+\"|'[A-Za-z ]+')(?=[),])", lambda found: found[0].swapcase(), source)
