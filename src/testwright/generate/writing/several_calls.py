"""Fewer test functions: when a module would get too many, calls that are checked alike share a test."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from testwright.generate.inside.generated_case import MESSAGES, TMP_PATH, Relation, Use
from testwright.generate.writing.case_groups import FunctionPlan, can_stand_in_a_row
from testwright.generate.writing.draft import CaseDraft
from testwright.generate.writing.expression_trees import uses
from testwright.generate.writing.name_words import snake

EQUAL, IDENTICAL, RAISES = "equal", "identical", "raises"
_OF_ONE_UNIT = {
    EQUAL: ("by_arguments", "returns_by_arguments"),
    IDENTICAL: ("answers_by_arguments", "gives_known_answers"),
    RAISES: ("rejects_bad_arguments", "rejects_bad_calls"),
}
_OF_MANY = {EQUAL: "give_known_results", IDENTICAL: "give_known_answers", RAISES: "reject_bad_calls"}
_OF_ALL = {EQUAL: "gives_known_results", IDENTICAL: "gives_known_answers", RAISES: "rejects_bad_calls"}


@dataclass(frozen=True)
class SeveralCalls:
    """One test of several calls, each with its check: they need not have the same arguments, nor call the same unit."""

    drafts: tuple[CaseDraft, ...]
    check: str  # EQUAL, IDENTICAL or RAISES
    target: str
    behaviours: tuple[str, ...]


def within_limit(plans: Sequence[FunctionPlan], most: int, module_name: str) -> list[FunctionPlan | SeveralCalls]:
    """The plans, merged no further than needed: first within a unit, then within a class, then everywhere."""
    merged: list[FunctionPlan | SeveralCalls] = list(plans)
    scopes: list[tuple[Callable[[CaseDraft], str], Callable[[CaseDraft, str], tuple[str, tuple[str, ...]]]]] = [
        (lambda draft: draft.unit, _named_for_unit),
        (lambda draft: draft.owner, lambda draft, check: _named_for_owner(draft, check, module_name)),
        (lambda draft: "", lambda draft, check: (_last(module_name), (_OF_ALL[check],))),  # noqa: ARG005
    ]
    for number, (scope_of, named) in enumerate(scopes):
        # What is said of one unit belongs together; of a class or a module, only what must be is put together.
        merged = _merged(merged, most, scope_of, named, is_whole=number == 0)
    return merged


def _named_for_unit(draft: CaseDraft, check: str) -> tuple[str, tuple[str, ...]]:
    return draft.target, _OF_ONE_UNIT[check]


def _named_for_owner(draft: CaseDraft, check: str, module_name: str) -> tuple[str, tuple[str, ...]]:
    if draft.owner:
        return snake(draft.owner), (f"methods_{_OF_MANY[check]}",)
    return _last(module_name), (f"functions_{_OF_MANY[check]}",)


def _last(module_name: str) -> str:
    return snake(module_name.rpartition(".")[2])


def _merged(
    plans: list[FunctionPlan | SeveralCalls],
    most: int,
    scope_of: Callable[[CaseDraft], str],
    named: Callable[[CaseDraft, str], tuple[str, tuple[str, ...]]],
    *,
    is_whole: bool,
) -> list[FunctionPlan | SeveralCalls]:
    groups: dict[tuple[str, str], list[int]] = {}
    for index, plan in enumerate(plans):
        check = plan.check if isinstance(plan, SeveralCalls) else _check_of(plan)
        if check:
            groups.setdefault((scope_of(plan.drafts[0]), check), []).append(index)
    result: list[FunctionPlan | SeveralCalls | None] = list(plans)
    count = len(plans)
    # The largest groups first: they save most, so that fewer others have to be merged.
    for (_, check), members in sorted(groups.items(), key=lambda item: -len(item[1])):
        if count <= most:
            break
        indexes = members if is_whole else _smallest(plans, members, count - most + 1)
        if len(indexes) > 1:
            drafts = tuple(draft for index in indexes for draft in plans[index].drafts)
            target, behaviours = named(drafts[0], check)
            result[indexes[0]] = SeveralCalls(drafts, check, target, behaviours)
            for index in indexes[1:]:
                result[index] = None
            count -= len(indexes) - 1
    return [plan for plan in result if plan is not None]


def _smallest(plans: list[FunctionPlan | SeveralCalls], indexes: list[int], most: int) -> list[int]:
    """The plans of a group with the fewest rows, in their order: a test of unrelated calls is kept short."""
    by_rows = sorted(indexes, key=lambda index: len(plans[index].drafts))
    return sorted(by_rows[:most])


def _check_of(plan: FunctionPlan) -> str:
    """How all of a plan's cases are checked, if each fits in a statement; else empty."""
    kinds = {_single_check(draft) for draft in plan.drafts}
    return kinds.pop() if len(kinds) == 1 else ""


def _single_check(draft: CaseDraft) -> str:
    if draft.setup or draft.before or draft.case.use in (Use.ENTER, Use.SET):
        return ""
    if any(uses(hole.node, TMP_PATH) for hole in draft.holes.values()) or draft.case.action.callee.count(TMP_PATH):
        return ""
    relations = [check.relation for check in draft.checks]
    if relations[:1] == [Relation.RAISES] and all(relation in MESSAGES for relation in relations[1:]):
        return RAISES
    if len(draft.checks) != 1:
        return ""
    (check,) = draft.checks
    whole = check.of == "result" and isinstance(check.path, ast.Name)
    if not whole or not check.key or not can_stand_in_a_row(check.expected):
        return ""
    return {Relation.EQUAL: EQUAL, Relation.IDENTICAL: IDENTICAL}.get(check.relation, "")
