"""Calls of one unit with different arguments in one table: `args` and `kwargs` are its columns."""

import ast
from collections.abc import Sequence
from dataclasses import replace

from testwright.generate.inside.case import Use
from testwright.generate.writing.draft import ARGS, KWARGS, Draft, Hole, PlannedCall, Slot
from testwright.generate.writing.expressions import text_of
from testwright.generate.writing.grouping import LONGEST_CELL, Plan, can_stand_in_a_row, planned
from testwright.generate.writing.operators import method_of

_USES = (Use.CALL, Use.AWAIT, Use.ITERATE)


def with_shared_tables(plans: Sequence[Plan], most: int) -> list[Plan]:
    """The plans, at most `most` of them if that can be had by tables of `args` and `kwargs`; the largest first."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, plan in enumerate(plans):
        if all(map(_can_be_unpacked, plan.drafts)):
            groups.setdefault(_shared_shape(plan.first), []).append(index)
    result: list[list[Plan]] = [[plan] for plan in plans]
    count = len(plans)
    for members in sorted(groups.values(), key=lambda members: -len(members)):
        if count <= most or len(members) == 1:
            break
        merged = planned(_unpacked([draft for index in members for draft in plans[index].drafts]))
        if len(merged) == 1:
            for index in members:
                result[index] = []
            result[members[0]] = merged
            count -= len(members) - 1
    return [plan for each in result for plan in each]


def _can_be_unpacked(draft: Draft) -> bool:
    """A plain call about which nothing is said but what it gives or raises, with values that can stand in a row."""
    if draft.setup or draft.before or draft.case.use not in _USES:
        return False
    if method_of(draft.action.callee).startswith("__"):  # written with an operator, it reads better than any table
        return False
    if any(check.of not in ("result", "error") for check in draft.checks):
        return False
    if any(slot.built for slot in draft.action.slots):
        return False
    values = [hole.node for hole in draft.holes.values() if not hole.key.startswith("subject")]
    fit = all(can_stand_in_a_row(value) and len(text_of(value)) <= LONGEST_CELL for value in values)
    return fit and all(slot.prefix not in ("*", "**") for slot in draft.action.slots)


def _shared_shape(draft: Draft) -> tuple[object, ...]:
    """Equal for drafts that differ in the arguments of the action and the expected values alone."""
    subject = tuple(hole.text for hole in draft.holes.values() if hole.key.startswith("subject"))
    return (replace(draft, action=PlannedCall(draft.action.callee, ())).shape, subject)


def _unpacked(drafts: list[Draft]) -> list[Draft]:
    """The drafts with their arguments in a list and a dict; without the one that none of them needs."""
    prefixes = {slot.prefix for draft in drafts for slot in draft.action.slots}
    has_positional, has_named = "" in prefixes, bool(prefixes - {""})
    return [_one_unpacked(draft, has_positional=has_positional, has_named=has_named) for draft in drafts]


def _one_unpacked(draft: Draft, *, has_positional: bool, has_named: bool) -> Draft:
    values = {slot.key: draft.holes[slot.key].node for slot in draft.action.slots}
    positional = [values[slot.key] for slot in draft.action.slots if not slot.prefix]
    named = [(slot.prefix.rstrip("="), values[slot.key]) for slot in draft.action.slots if slot.prefix]
    holes = {key: hole for key, hole in draft.holes.items() if key not in values}
    slots = []
    if has_positional:
        holes[ARGS] = _hole(ARGS, "args", ast.List(elts=positional, ctx=ast.Load()))
        slots.append(Slot("*", ARGS))
    if has_named:
        keys: list[ast.expr | None] = [ast.Constant(key) for key, _ in named]
        holes[KWARGS] = _hole(KWARGS, "kwargs", ast.Dict(keys=keys, values=[value for _, value in named]))
        slots.append(Slot("**", KWARGS))
    # What is given comes before what is expected, as in every table.
    ordered = dict(sorted(holes.items(), key=lambda item: not item[1].is_input))
    return replace(draft, holes=ordered, action=PlannedCall(draft.action.callee, tuple(slots)))


def _hole(key: str, variable: str, node: ast.expr) -> Hole:
    return Hole(key, variable, node, text_of(node))
