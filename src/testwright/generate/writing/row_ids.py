"""Ids for the rows of a table: what a failing build prints."""

from collections import Counter
from collections.abc import Sequence

from testwright.generate.writing.draft import Draft, Hole
from testwright.generate.writing.expressions import literal_of
from testwright.generate.writing.grouping import Plan
from testwright.generate.writing.merging import CallTable
from testwright.generate.writing.naming import condition_of
from testwright.generate.writing.outcomes import exact_words, outcome_words
from testwright.generate.writing.phrases import phrase, short_text
from testwright.generate.writing.words import snake

_LONGEST_ID = 60
_SPECIAL = 2


def row_ids(plan: Plan) -> list[str]:
    """An id for each row: its inputs in words, then what comes of them, then a number, until all differ."""
    keys = plan.varying_inputs or list(plan.varying)
    flags = frozenset(
        key for key in keys if all(isinstance(literal_of(draft.holes[key].node), bool) for draft in plan.drafts)
    )
    by_words = [_inputs(draft, keys, flags) for draft in plan.drafts]
    return _unique(plan.drafts, by_words, [_values(draft, keys) for draft in plan.drafts])


def call_ids(table: CallTable) -> list[str]:
    """The same for a table of calls, each with the unit that it calls where there are several."""
    several = len({draft.unit for draft in table.drafts}) > 1
    ids, values = [], []
    for draft in table.drafts:
        keys = [hole.key for hole in draft.inputs]
        inputs = _inputs(draft, keys, frozenset())
        values.append(_values(draft, keys))
        ids.append(", ".join(filter(None, (draft.target.replace("_", " ") if several else "", inputs))))
    return _unique(table.drafts, ids, values)


def _unique(drafts: Sequence[Draft], ids: list[str], exact: list[str]) -> list[str]:
    ids = _told_apart(ids, exact)
    ids = _told_apart(ids, [condition_of(draft).replace("_", " ") for draft in drafts])
    ids = _told_apart(ids, [(exact_words(draft) or outcome_words(draft)).replace("_", " ") for draft in drafts])
    return _numbered(ids)


def _inputs(draft: Draft, keys: list[str], flags: frozenset[str]) -> str:
    words = [_words(draft.holes[key], several=len(keys) > 1, is_flag=key in flags) for key in keys]
    return _within_room([each for each in words if each])


def _values(draft: Draft, keys: list[str]) -> str:
    return _within_room([text for key in keys if (text := short_text(draft.holes[key].node))])


def _within_room(parts: list[str]) -> str:
    while len(", ".join(parts)) > _LONGEST_ID and len(parts) > 1:
        parts = parts[:-1]
    return ", ".join(parts)


def _words(hole: Hole, *, several: bool, is_flag: bool) -> str:
    value, text = literal_of(hole.node), short_text(hole.node)
    variable = snake(hole.variable).replace("_", " ")
    said = phrase(hole.node, hole.variable)
    words = said.words.replace("_", " ") if said is not None else ""
    if isinstance(value, int | float) and not is_flag:
        return f"{variable} {text}"
    if said is not None and said.weight >= _SPECIAL:
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
