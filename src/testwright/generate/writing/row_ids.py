"""Ids for the rows of a table, where pytest's own ids could not be read."""

import ast
from collections import Counter
from collections.abc import Sequence

from testwright.generate.writing.behaviour_words import exact_words, outcome_words
from testwright.generate.writing.case_groups import FunctionPlan
from testwright.generate.writing.draft import ARGS, KWARGS, CaseDraft, Hole
from testwright.generate.writing.expression_trees import literal_of
from testwright.generate.writing.function_names import condition_of
from testwright.generate.writing.name_words import snake
from testwright.generate.writing.value_phrases import phrase, short_text

_LONGEST_ID = 60
_LONGEST_PLAIN = 40
_MOST_PLAIN = 4  # columns; pytest's id has a word for each
_SPECIAL = 2


def speaks_for_itself(plan: FunctionPlan, draft: CaseDraft) -> bool:
    """Whether pytest's own id for the row, made of its values, can be read: then the row needs no id of ours."""
    if len(plan.varying) > _MOST_PLAIN:
        return False
    inputs = set(plan.varying_inputs or plan.varying)
    return all(
        _is_plain(draft.holes[key].node) if key in inputs else not _is_long_text(draft.holes[key].node)
        for key in plan.varying
    )


def _is_long_text(node: ast.expr) -> bool:
    value = literal_of(node)
    return isinstance(value, str | bytes) and len(value) > _LONGEST_ID


def _is_plain(node: ast.expr) -> bool:
    """A number, or a text that is neither empty nor long and has nothing in it that cannot be seen."""
    value = literal_of(node)
    if isinstance(value, str):
        readable = value.isascii() and value.isprintable() and value == value.strip() and "::" not in value
        return readable and "\\" not in value and 0 < len(value) <= _LONGEST_PLAIN
    return value is None or isinstance(value, int | float)


def row_ids(plan: FunctionPlan) -> list[str]:
    """An id for each row: its inputs in words, then what comes of them, then a number, until all differ."""
    keys = plan.varying_inputs or list(plan.varying)
    flags = frozenset(
        key for key in keys if all(isinstance(literal_of(draft.holes[key].node), bool) for draft in plan.drafts)
    )
    by_words = [_inputs(draft, keys, flags) for draft in plan.drafts]
    return _unique(plan.drafts, by_words, [_values(draft, keys) for draft in plan.drafts])


def _unique(drafts: Sequence[CaseDraft], ids: list[str], exact: list[str]) -> list[str]:
    ids = _told_apart(ids, exact)
    ids = _told_apart(ids, [condition_of(draft).replace("_", " ") for draft in drafts])
    ids = _told_apart(ids, [(exact_words(draft) or outcome_words(draft)).replace("_", " ") for draft in drafts])
    return _numbered(ids)


def _inputs(draft: CaseDraft, keys: list[str], flags: frozenset[str]) -> str:
    words = [_words(draft.holes[key], several=len(keys) > 1, is_flag=key in flags) for key in keys]
    return _within_room([each for each in words if each])


def _values(draft: CaseDraft, keys: list[str]) -> str:
    holes = [draft.holes[key] for key in keys]
    texts = [_of_arguments(hole.node) if hole.key in (ARGS, KWARGS) else short_text(hole.node) for hole in holes]
    return _within_room(list(filter(None, texts)))


def _of_arguments(node: ast.expr) -> str:
    """The arguments of a call as they are written in one."""
    parts = [short_text(each) for each in node.elts] if isinstance(node, ast.List) else []
    if isinstance(node, ast.Dict):
        names = [literal_of(key) if key is not None else "" for key in node.keys]
        parts = [f"{key}={short_text(value)}" for key, value in zip(names, node.values, strict=True)]
    return _within_room(parts) if all(parts) else ""


def _within_room(parts: list[str]) -> str:
    while len(", ".join(parts)) > _LONGEST_ID and len(parts) > 1:
        parts = parts[:-1]
    return ", ".join(parts)


def _words(hole: Hole, *, several: bool, is_flag: bool) -> str:
    value, text = literal_of(hole.node), short_text(hole.node)
    if hole.key in (ARGS, KWARGS):
        return _of_arguments(hole.node)
    variable = snake(hole.variable).replace("_", " ")
    said = phrase(hole.node, hole.variable)
    words = said.words.replace("_", " ") if said is not None else ""
    if isinstance(value, int | float) and not is_flag:
        return f"{variable} {text}"
    if said is not None and said.weight >= _SPECIAL and not (text and _is_plain(hole.node)):
        return words
    if text:
        return f"{variable} {text}" if several or text[-1:].isdigit() else text
    return words


def _told_apart(ids: list[str], more: list[str]) -> list[str]:
    """Ids that are not unique get `more` behind them, where that tells any of them apart."""
    counts = Counter(ids)
    longer = [f"{each}, {extra}" if each and extra else each or extra for each, extra in zip(ids, more, strict=True)]
    helped = {each for each in counts if len({long for own, long in zip(ids, longer, strict=True) if own == each}) > 1}
    return [
        long if (counts[each] > 1 and each in helped) or not each else each
        for each, long in zip(ids, longer, strict=True)
    ]


def _numbered(ids: list[str]) -> list[str]:
    counts, seen = Counter(ids), Counter[str]()
    taken: set[str] = set(ids)
    result = []
    for each in ids:
        seen[each] += 1
        if counts[each] == 1 and each:
            result.append(each)
            continue
        if seen[each] == 1 and each:
            result.append(each)
            continue
        number = seen[each]
        candidate = f"{each or 'input'} {number}"
        while candidate in taken:
            number += 1
            candidate = f"{each or 'input'} {number}"
        taken.add(candidate)
        result.append(candidate)
    return result
