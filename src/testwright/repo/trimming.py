"""Make a ContextPack fit its budget, giving up first what is missed least."""

import json
from collections.abc import Callable
from dataclasses import replace

from testwright.repo.pack import ContextPack, as_json
from testwright.repo.properties import PropertyContext

_CHARACTERS_PER_TOKEN = 4  # of source code, on the safe side for the tokenizers in use
_CUT = "\n# ... (cut to fit the budget)\n"


def tokens_of(pack: ContextPack) -> int:
    """About how many tokens the pack takes."""
    return len(json.dumps(as_json(pack))) // _CHARACTERS_PER_TOKEN


def trimmed(pack: ContextPack) -> ContextPack:
    """`pack` within its budget. What goes, in this order, the least relevant of each first:

    test bundles, snippets, bodies of definitions, definitions, related methods, and at last the middle of the source.
    """
    for step in (_fewer_bundles, _fewer_snippets, _no_bodies, _fewer_definitions, _fewer_methods):
        while tokens_of(pack) > pack.max_input_tokens:
            smaller = step(pack)
            if smaller is None:
                break
            pack = smaller
    excess = (tokens_of(pack) - pack.max_input_tokens) * _CHARACTERS_PER_TOKEN
    return pack if excess <= 0 else _shorter_source(pack, excess)


def _with(pack: ContextPack, change: Callable[[PropertyContext], PropertyContext]) -> ContextPack:
    return replace(pack, property_context=change(pack.property_context))


def _fewer_bundles(pack: ContextPack) -> ContextPack | None:
    if not pack.property_context.test_bundles:
        return None
    return _with(pack, lambda old: replace(old, test_bundles=old.test_bundles[:-1]))


def _fewer_snippets(pack: ContextPack) -> ContextPack | None:
    old = pack.property_context
    if not (old.given or old.when or old.then):
        return None
    return _with(pack, lambda old: replace(old, given=old.given[:-1], when=old.when[:-1], then=old.then[:-1]))


def _no_bodies(pack: ContextPack) -> ContextPack | None:
    if all(item.body is None for item in pack.resolved_defs):
        return None
    return replace(pack, resolved_defs=tuple(replace(item, body=None) for item in pack.resolved_defs))


def _fewer_definitions(pack: ContextPack) -> ContextPack | None:
    return replace(pack, resolved_defs=pack.resolved_defs[:-1]) if pack.resolved_defs else None


def _fewer_methods(pack: ContextPack) -> ContextPack | None:
    if not pack.property_context.ranked_methods:
        return None
    return _with(pack, lambda old: replace(old, ranked_methods=old.ranked_methods[:-1]))


def _shorter_source(pack: ContextPack, excess: int) -> ContextPack:
    """The beginning says what it is, the end what it returns: the middle goes."""
    source = pack.focal.source
    keep = max(0, len(source) - excess - len(_CUT))
    head = source[: keep * 2 // 3].rpartition("\n")[0]
    tail = source[len(source) - keep // 3 :].partition("\n")[2]
    return replace(pack, focal=replace(pack.focal, source=head + _CUT + tail))
