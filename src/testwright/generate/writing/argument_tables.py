"""More tables: for tests that differ in the parts of an argument, or in which arguments are given."""

import ast
from collections.abc import Sequence
from dataclasses import replace

from testwright.generate.inside.generated_case import UNDER_TEST, Use
from testwright.generate.writing.case_groups import LONGEST_CELL, FunctionPlan, can_stand_in_a_row, planned
from testwright.generate.writing.draft import (
    ARGS,
    KWARGS,
    CaseDraft,
    Hole,
    KnownUnits,
    PlannedCall,
    Slot,
    variable_by_looks,
)
from testwright.generate.writing.expression_trees import chain, text_of
from testwright.generate.writing.operator_forms import method_of

_USES_IN_TABLES = (Use.CALL, Use.AWAIT, Use.ITERATE)


def with_built_arguments(plans: Sequence[FunctionPlan], known: KnownUnits) -> list[FunctionPlan]:
    """The plans; those of one unit that differ only in how objects of the module are built have become one table."""
    groups: dict[tuple[object, ...], list[tuple[int, list[CaseDraft]]]] = {}
    for index, plan in enumerate(plans):
        taken_apart = [_taken_apart(draft, known) for draft in plan.drafts]
        if all(draft is not None for draft in taken_apart):
            drafts = [draft for draft in taken_apart if draft is not None]
            groups.setdefault(_shape(drafts[0]), []).append((index, drafts))
    result: list[list[FunctionPlan]] = [[plan] for plan in plans]
    for members in groups.values():
        merged = planned([draft for _, drafts in members for draft in drafts])
        if len(members) > 1 and len(merged) == 1:
            for index, _ in members:
                result[index] = []
            result[members[0][0]] = merged
    return [plan for each in result for plan in each]


def _shape(draft: CaseDraft) -> tuple[object, ...]:
    fixed = tuple((hole.key, hole.text) for hole in draft.holes.values() if not can_stand_in_a_row(hole.node))
    return (draft.shape, fixed)


def _taken_apart(draft: CaseDraft, known: KnownUnits) -> CaseDraft | None:
    """The draft with holes inside of the objects that it gives; None where it gives none that can be taken apart."""
    if draft.setup or any(check.of.startswith("argument ") for check in draft.checks):
        return None
    if any(len(hole.text) > LONGEST_CELL for hole in draft.holes.values()):
        return None
    holes: dict[str, Hole] = {}
    slots: list[Slot] = []
    for slot in draft.action.slots:
        node = draft.holes[slot.key].node
        if isinstance(node, ast.Call) and _is_plainly_built(node):
            slots.append(replace(slot, built=_built(node, slot.key, known, holes)))
        else:
            holes[slot.key] = draft.holes[slot.key]
            slots.append(slot)
    if not any(slot.built for slot in slots):
        return None
    own = {slot.key for slot in draft.action.slots}
    others = {key: hole for key, hole in draft.holes.items() if key not in own}
    subject = {key: hole for key, hole in others.items() if hole.is_input}
    expected = {key: hole for key, hole in others.items() if not hole.is_input}
    action = replace(draft.action, slots=tuple(slots))
    return replace(draft, holes={**subject, **holes, **expected}, action=action)


def _is_plainly_built(node: ast.Call) -> bool:
    """Whether it calls something of the module with values that can stand in a row."""
    if chain(node.func)[:1] != (UNDER_TEST,) or not (node.args or node.keywords):
        return False
    is_named = all(keyword.arg is not None for keyword in node.keywords)
    return is_named and all(map(can_stand_in_a_row, [*node.args, *(keyword.value for keyword in node.keywords)]))


def _built(node: ast.Call, key: str, known: KnownUnits, holes: dict[str, Hole]) -> PlannedCall:
    names = known.parameters.get(".".join(chain(node.func)[1:]), ())
    positional = [name for name in names if not name.startswith("*")]
    values = [("", value) for value in node.args]
    values += [(f"{keyword.arg}=", keyword.value) for keyword in node.keywords]
    slots = []
    for index, (prefix, value) in enumerate(values):
        name = prefix.rstrip("=") or (positional[index] if index < len(positional) else "")
        inner = f"{key}/{index}"
        holes[inner] = Hole(inner, (name or variable_by_looks(value)).strip("_") or "value", value, text_of(value))
        slots.append(Slot(prefix, inner))
    return PlannedCall(node.func, tuple(slots))


# --- calls of one unit with different arguments: `args` and `kwargs` are the columns -------------


def with_shared_tables(plans: Sequence[FunctionPlan], most: int) -> list[FunctionPlan]:
    """The plans, at most `most` of them if tables of `args` and `kwargs` can achieve that; the largest first."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, plan in enumerate(plans):
        if all(map(_can_be_unpacked, plan.drafts)):
            groups.setdefault(_shared_shape(plan.first), []).append(index)
    result: list[list[FunctionPlan]] = [[plan] for plan in plans]
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


def _can_be_unpacked(draft: CaseDraft) -> bool:
    """A plain call about which nothing is said but what it gives or raises, with values that can stand in a row."""
    if draft.setup or draft.before or draft.case.use not in _USES_IN_TABLES:
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


def _shared_shape(draft: CaseDraft) -> tuple[object, ...]:
    """Equal for drafts that differ in the arguments of the action and the expected values alone."""
    subject = tuple(hole.text for hole in draft.holes.values() if hole.key.startswith("subject"))
    return (replace(draft, action=PlannedCall(draft.action.callee, ())).shape, subject)


def _unpacked(drafts: list[CaseDraft]) -> list[CaseDraft]:
    """The drafts with their arguments in a list and a dict; without the one that none of them needs."""
    prefixes = {slot.prefix for draft in drafts for slot in draft.action.slots}
    has_positional, has_named = "" in prefixes, bool(prefixes - {""})
    return [_one_unpacked(draft, has_positional=has_positional, has_named=has_named) for draft in drafts]


def _one_unpacked(draft: CaseDraft, *, has_positional: bool, has_named: bool) -> CaseDraft:
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
