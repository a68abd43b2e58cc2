"""Which checks of a case are worth a line of its test: those that could fail while the others pass."""

from collections.abc import Sequence
from dataclasses import replace

from testwright.generate.inside.generated_case import Check, Relation, Use
from testwright.generate.writing.draft import UNIT_CONSTRUCTOR, ChosenCase
from testwright.generate.writing.expression_trees import literal_of, parse

_NOTHING_RETURNED = Check("result", "{}", Relation.IDENTICAL, "None")
# The builtin that the test calls instead already demands the type.
_ALWAYS_OF_ONE_TYPE = (".__len__", ".__str__", ".__repr__", ".__hash__", ".__bool__")


def with_telling_checks(cases: Sequence[ChosenCase]) -> list[ChosenCase]:
    """The cases, without checks that are true of everything or follow from another check of the same case."""
    talkative = {
        written.case.unit
        for written in cases
        for check in written.checks
        if check.of == "result" and check != _NOTHING_RETURNED
    }
    return [replace(written, checks=_telling(written, talkative)) for written in cases]


def _telling(written: ChosenCase, talkative: set[str]) -> tuple[Check, ...]:
    checks = [check for check in written.checks if not _is_of_everything(check)]
    kept = [check for check in checks if not _goes_without_saying(check, checks, written)] or checks
    others = [check for check in kept if check != _NOTHING_RETURNED]
    # That nothing is returned is not news of a unit that never returns anything and does something else.
    return tuple(kept if written.case.unit in talkative else others or kept)


def _is_of_everything(check: Check) -> bool:
    return check.relation is Relation.INSTANCE and check.expected == "object"


def _goes_without_saying(check: Check, checks: Sequence[Check], written: ChosenCase) -> bool:
    """Whether a check of the type adds nothing to what is said besides."""
    if check.relation is not Relation.INSTANCE or check.path != "{}":
        return False
    if check.of == "subject":  # calling a method does not change the class of its object
        return any(other.of == "subject" for other in checks if other is not check)
    if check.of != "result":
        return False
    about_result = [other for other in checks if other.of == "result" and other is not check]
    if written.unit_kind == UNIT_CONSTRUCTOR and written.case.use is Use.CALL:
        return bool(about_result) and written.case.action.callee == check.expected
    whole = next((other for other in about_result if other.path == "{}" and other.relation is Relation.EQUAL), None)
    if whole is None:
        return False
    return written.case.unit.endswith(_ALWAYS_OF_ONE_TYPE) or _has_a_fraction(whole.expected)


def _has_a_fraction(expression: str) -> bool:
    """Whether it is a number like 1.5, which nothing but a float is likely to equal."""
    try:
        value = literal_of(parse(expression))
    except SyntaxError:
        return False
    return isinstance(value, float) and not value.is_integer()
