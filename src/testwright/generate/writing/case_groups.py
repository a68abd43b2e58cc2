"""Which cases share one test: those of one unit and one shape become the rows of a table."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from testwright.generate.inside.generated_case import SUBJECT, TMP_PATH, UNDER_TEST
from testwright.generate.writing.draft import CaseDraft
from testwright.generate.writing.expression_trees import NO_LITERAL, chain, literal_of, uses

MOST_COLUMNS = 6
LONGEST_CELL = 200  # characters of a value in a table; a case with a longer one reads better as a test of its own

# Making these does nothing but make them, so they may be made while pytest collects. What can be used up, an iterator
# or a file, is not among them: a test that is run again would find it empty.
_MODULES = """array collections dataclasses datetime decimal enum fractions functools ipaddress math operator pathlib
    re string types uuid zoneinfo"""
_FUNCTIONS = """bool bytearray bytes complex dict float frozenset int len list max memoryview min object range set slice
    sorted str sum tuple"""
_HARMLESS_MODULES = frozenset(_MODULES.split())
_HARMLESS_BUILTINS = frozenset(_FUNCTIONS.split())
_PLAIN_NODES = (
    ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Starred,
    ast.Subscript, ast.Slice, ast.keyword, ast.operator, ast.unaryop, ast.expr_context,
)  # fmt: skip


@dataclass(frozen=True)
class FunctionPlan:
    """One test function: a single case, or a table of cases that differ in the `varying` holes only."""

    drafts: tuple[CaseDraft, ...]
    varying: tuple[str, ...] = ()

    @property
    def first(self) -> CaseDraft:
        return self.drafts[0]

    @property
    def varying_inputs(self) -> list[str]:
        return [key for key in self.varying if self.first.holes[key].is_input]


def without_repeats(drafts: Iterable[CaseDraft]) -> tuple[list[CaseDraft], list[CaseDraft]]:
    """Those that differ from all before them, and the rest."""
    seen: set[tuple[object, ...]] = set()
    kept: list[CaseDraft] = []
    repeated: list[CaseDraft] = []
    for draft in drafts:
        same = (draft.shape, tuple(hole.text for hole in draft.holes.values()))
        (repeated if same in seen else kept).append(draft)
        seen.add(same)
    return kept, repeated


def grouped(drafts: Sequence[CaseDraft]) -> list[FunctionPlan]:
    """Tests for the drafts, units in the order of their first case, those that are private last.

    Of each unit, what it is for comes first, then the edges, then the errors.
    """
    by_unit: dict[str, dict[tuple[object, ...], list[CaseDraft]]] = {}
    for number, draft in enumerate(drafts):
        shapes = by_unit.setdefault(draft.unit, {})
        shapes.setdefault(_table_key(draft, number), []).append(draft)
    units = sorted(by_unit, key=_is_private)
    plans = [[plan for group in by_unit[unit].values() for plan in planned(group)] for unit in units]
    return [plan for of_unit in plans for plan in sorted(of_unit, key=_distance_from_the_usual)]


def _is_private(unit: str) -> bool:
    return any(part.startswith("_") and not part.endswith("__") for part in unit.split("."))


def _distance_from_the_usual(plan: FunctionPlan) -> int:
    if plan.first.error is not None:
        return 2
    return int(len(plan.drafts) == 1 and any(_is_edge(hole.node) for hole in plan.first.inputs))


def _is_edge(node: ast.expr) -> bool:
    """Nothing, zero, or less than zero."""
    value = literal_of(node)
    if value is NO_LITERAL or isinstance(value, bool):
        return False
    return value is None or (value < 0 if isinstance(value, int | float) and value else not value)


def _table_key(draft: CaseDraft, number: int) -> tuple[object, ...]:
    if draft.setup or any(len(hole.text) > LONGEST_CELL for hole in draft.holes.values()):
        return ("alone", number)
    fixed = tuple((hole.key, hole.text) for hole in draft.holes.values() if not can_stand_in_a_row(hole.node))
    # An operator hides that answer, so that the test calls the method by its name.
    declines = any(hole.text == "NotImplemented" for hole in draft.holes.values())
    return ("shared", draft.shape, fixed, declines)


def planned(group: Sequence[CaseDraft]) -> list[FunctionPlan]:
    """One table for drafts of one shape, or a test for each where its columns would be too many."""
    varying = tuple(key for key in group[0].holes if len({draft.holes[key].text for draft in group}) > 1)
    if len(group) == 1 or len(varying) > MOST_COLUMNS:
        return [FunctionPlan((draft,)) for draft in group]
    inputs = [key for key in varying if group[0].holes[key].is_input]
    rows = sorted(group, key=lambda draft: tuple(_row_order(draft.holes[key].node) for key in inputs))
    return [FunctionPlan(tuple(rows), varying)]


def _row_order(node: ast.expr) -> tuple[int, float, int, str]:
    """Nothing first, then numbers by size, then the rest from short to long."""
    text = ast.unparse(node)
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return 3, 0.0, len(text), text
    if value is None:
        return 0, 0.0, 0, ""
    if isinstance(value, int | float):
        return 1, _as_float(value), 0, text
    return 2, 0.0, len(text), text


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def can_stand_in_a_row(node: ast.AST) -> bool:
    """Whether the value can be made while pytest collects: it needs no fixture and runs no code of the project."""
    if isinstance(node, ast.Lambda):
        return not uses(node, TMP_PATH) and not uses(node, SUBJECT)
    if isinstance(node, ast.expr) and (parts := chain(node)):
        return parts[0] not in (TMP_PATH, SUBJECT)
    if isinstance(node, ast.Call):
        return _is_harmless(node.func) and all(map(can_stand_in_a_row, [*node.args, *node.keywords]))
    return isinstance(node, _PLAIN_NODES) and all(map(can_stand_in_a_row, ast.iter_child_nodes(node)))


def _is_harmless(callee: ast.expr) -> bool:
    parts = chain(callee)
    if not parts:  # a method of a literal: "abc".encode()
        return isinstance(callee, ast.Attribute) and can_stand_in_a_row(callee.value)
    if parts[0] == UNDER_TEST:
        return False
    return parts[0] in _HARMLESS_MODULES if len(parts) > 1 else parts[0] in _HARMLESS_BUILTINS
