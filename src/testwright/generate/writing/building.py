"""Tables of objects: tests that differ in what an argument is built from share one, with its parts as columns."""

import ast
from collections.abc import Sequence
from dataclasses import replace

from testwright.generate.inside.case import UNDER_TEST
from testwright.generate.writing.draft import Draft, Hole, KnownUnits, PlannedCall, Slot, variable_by_looks
from testwright.generate.writing.expressions import chain, text_of
from testwright.generate.writing.grouping import LONGEST_CELL, Plan, can_stand_in_a_row, planned


def with_built_arguments(plans: Sequence[Plan], known: KnownUnits) -> list[Plan]:
    """The plans; those of one unit that differ only in how objects of the module are built have become one table."""
    groups: dict[tuple[object, ...], list[tuple[int, list[Draft]]]] = {}
    for index, plan in enumerate(plans):
        taken_apart = [_taken_apart(draft, known) for draft in plan.drafts]
        if all(draft is not None for draft in taken_apart):
            drafts = [draft for draft in taken_apart if draft is not None]
            groups.setdefault(_shape(drafts[0]), []).append((index, drafts))
    result: list[list[Plan]] = [[plan] for plan in plans]
    for members in groups.values():
        merged = planned([draft for _, drafts in members for draft in drafts])
        if len(members) > 1 and len(merged) == 1:
            for index, _ in members:
                result[index] = []
            result[members[0][0]] = merged
    return [plan for each in result for plan in each]


def _shape(draft: Draft) -> tuple[object, ...]:
    fixed = tuple((hole.key, hole.text) for hole in draft.holes.values() if not can_stand_in_a_row(hole.node))
    return (draft.shape, fixed)


def _taken_apart(draft: Draft, known: KnownUnits) -> Draft | None:
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
