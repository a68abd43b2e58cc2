"""The selectors that one chain of calls uses."""

from collections.abc import Iterator
from dataclasses import dataclass

from testwright.heal.source.call_chains import CallChain, ChainLink, arguments_of
from testwright.heal.source.call_pieces import string_piece, unknown_piece
from testwright.heal.source.expression_evaluator import Evaluator
from testwright.heal.source.expression_values import Locator, Text
from testwright.heal.source.languages import Language, ParsedSource
from testwright.heal.source.literal_values import is_string
from testwright.heal.source.playwright_methods import FOREIGN, TAKES_SELECTOR, camel


@dataclass(frozen=True, slots=True)
class ChainSelector:
    locator: Locator
    link: ChainLink | None  # what is done with it: the link after it, or the one that takes the text


def selectors_in_chain(evaluator: Evaluator, source: ParsedSource, chain: CallChain) -> Iterator[ChainSelector]:
    """Each locator that the chain makes, as long as it gets, and each text that one of its methods takes for one."""
    if source.written(chain.base) in FOREIGN:
        return
    values = evaluator.chain_values(source, chain)
    if len(values) != len(chain.links) + 1:
        return
    for at, value in enumerate(values):
        link = chain.links[at] if at < len(chain.links) else None
        if isinstance(value, Locator):
            if link is None or not isinstance(values[at + 1], Locator):
                yield ChainSelector(value, link)
        elif link is not None and not (at and chain.links[at - 1].name in FOREIGN):
            yield from _texts(evaluator, source, chain, link)


def _texts(evaluator: Evaluator, source: ParsedSource, chain: CallChain, link: ChainLink) -> Iterator[ChainSelector]:
    name = camel(link.name)
    needed = TAKES_SELECTOR.get(name)
    given = arguments_of(source, link.arguments) if needed is not None and link.arguments is not None else None
    if needed is None or given is None:
        return
    wanted = list(given.positional)
    if "selector" in given.named and source.language is Language.PYTHON:
        wanted = [given.named["selector"], *wanted]
    if len(wanted) + len(given.named.keys() & {"value", "text", "key", "name", "type", "files", "target"}) < needed:
        return
    if needed > 1 and len(wanted) > 1 and name != "selectOption" and wanted[1].type in ("object", "dictionary"):
        return  # options: it is a locator's method, and the text is what it types
    for node in wanted[: 2 if name == "dragAndDrop" else 1]:
        value = evaluator.value(source, node)
        if isinstance(value, Text):
            yield ChainSelector(Locator((string_piece(source, chain, value),), is_whole=True), link)
        elif is_string(node):
            yield ChainSelector(Locator((unknown_piece(source, chain, node),), is_whole=True), link)
