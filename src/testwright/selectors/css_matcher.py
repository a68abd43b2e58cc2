"""Trying compiled CSS on a page, the way Playwright's own evaluator does.

Shadow roots are not a border, and every test is a step of a budget.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from testwright.model.accessibility.raw_element import folded
from testwright.model.errors import SelectorTooCostly
from testwright.model.selector import TextPattern
from testwright.selectors.css_parser import ComplexSelector, CompoundSelector, PseudoFunction
from testwright.selectors.page_index import PageIndex, document
from testwright.selectors.text_tests import TextTest, text_test


class StepBudget:
    """Counts work, so that the same selector on the same page always ends the same way."""

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise SelectorTooCostly(
                "Trying the selector on this page takes too many steps.", next_step="Write it with less nesting."
            )


class _Context(NamedTuple):
    """What is searched, and what `:scope` means in it where that is something else."""

    scope: int
    original: int | None = None


class CssMatcher:
    def __init__(self, index: PageIndex, steps: StepBudget) -> None:
        self.index = index
        self.steps = steps
        self._matched: dict[tuple[CompoundSelector, int, int, int | None], bool] = {}
        self._parents_matched: dict[tuple[ComplexSelector, int, int, _Context], bool] = {}
        self._above: dict[tuple[CompoundSelector, int], frozenset[int]] = {}
        self._nth_matches: dict[tuple[PseudoFunction, _Context], list[int]] = {}
        self._text_tests: dict[PseudoFunction, TextTest] = {}

    def query(self, selectors: Sequence[ComplexSelector], scope: int) -> list[int]:
        """In document order. The scope is an element or a document."""
        return self._query(selectors, _Context(scope))

    def _query(self, selectors: Sequence[ComplexSelector], context: _Context) -> list[int]:
        found: set[int] = set()
        for selector in selectors:
            found.update(self._query_one(selector, context))
        return sorted(found)

    def _query_one(self, selector: ComplexSelector, context: _Context) -> list[int]:
        if selector.uses_scope:
            context = self._widened(context)
        last = selector.compounds[-1]
        return [
            number
            for number in self._candidates(last, context.scope)
            if self._matches_compound(number, last, context)
            and self._matches_parents(number, selector, len(selector.compounds) - 2, context)
        ]

    def _candidates(self, compound: CompoundSelector, scope: int) -> list[int]:
        frame = self.index.frame(scope)
        kind, value = compound.key
        if any(function.name == "scope" for function in compound.functions):
            return [scope] if scope >= 0 else frame.all
        named = {
            "id": frame.by_id,
            "class": frame.by_class,
            "attribute": frame.by_attribute,
            "tag": frame.by_tag,
        }.get(kind)
        if named is not None:
            return self.index.within(named.get(value, []), scope)
        inner = next((_only_compound(function) for function in compound.functions if function.name == "has"), None)
        if inner is not None:
            return self.index.within(sorted(self._elements_above(inner, self.index.frame_of(scope))), scope)
        return self.index.within(frame.all, scope)

    def _widened(self, context: _Context) -> _Context:
        """The scope itself can only be matched from outside of it."""
        if context.scope < 0:
            return context
        above = self.index.parents[context.scope]
        if above is None:
            return context
        return _Context(above, context.scope if context.original is None else context.original)

    def _matches(self, number: int, selector: ComplexSelector, context: _Context) -> bool:
        if selector.uses_scope:
            context = self._widened(context)
        return self._matches_compound(number, selector.compounds[-1], context) and self._matches_parents(
            number, selector, len(selector.compounds) - 2, context
        )

    def _matches_compound(self, number: int, compound: CompoundSelector, context: _Context) -> bool:
        if number == context.scope:
            return False
        self.steps.spend()
        for test in compound.tests:
            if not test(self.index, number):
                return False
        if not compound.functions:
            return True
        key = (compound, number, context.scope, context.original)
        known = self._matched.get(key)
        if known is None:
            known = True
            for function in compound.functions:
                if not self._holds(function, number, context):
                    known = False
                    break
            self._matched[key] = known
        return known

    def _matches_parents(self, number: int, selector: ComplexSelector, at: int, context: _Context) -> bool:
        if at < 0:
            return True
        key = (selector, at, number, context)
        known = self._parents_matched.get(key)
        if known is None:
            compound = selector.compounds[at]
            known = any(
                self._matches_compound(other, compound, context)
                and self._matches_parents(other, selector, at - 1, context)
                for other in self._related(number, selector.combinators[at], context)
            )
            self._parents_matched[key] = known
        return known

    def _related(self, number: int, combinator: str, context: _Context) -> Iterator[int]:
        """Who may stand on the other side of the combinator, nearest first."""
        if number == context.scope:
            return
        if combinator in {"+", "~"}:
            place = self.index.places[number]
            first = place - 1 if combinator == "+" else 0
            siblings = self.index.siblings[number]
            for at in range(place - 1, max(first, 0) - 1, -1):
                yield siblings[at]
            return
        above = self.index.parents[number]
        while above is not None:
            yield above
            if above == context.scope or combinator == ">":
                return
            above = self.index.parents[above]

    def _holds(self, function: PseudoFunction, number: int, context: _Context) -> bool:
        name = function.name
        if name in {"is", "where"}:
            return any(self._matches(number, selector, context) for selector in function.selectors)
        if name == "not":
            return not any(self._matches(number, selector, context) for selector in function.selectors)
        if name == "has":
            return any(self._has(selector, number, context) for selector in function.selectors)
        if name == "visible":
            return self.index.elements[number].visible
        if name == "scope":
            return self._is_scope(number, context)
        if name == "nth-of":
            return self._is_nth_of(function, number, context)
        if name == "nth-match":
            return self._nth_match(function, context) == [number]
        return self._holds_text(function, number)

    def _nth_match(self, function: PseudoFunction, context: _Context) -> list[int]:
        key = (function, context)
        if key not in self._nth_matches:
            found = self._query(function.selectors, context)
            if len(function.selectors) == 1:
                found = self.index.in_search_order(found)
            self._nth_matches[key] = found[function.number - 1 : function.number]
        return self._nth_matches[key]

    def _is_nth_of(self, function: PseudoFunction, number: int, context: _Context) -> bool:
        counted = [
            one
            for one in self.index.siblings[number]
            if any(self._matches(one, selector, context) for selector in function.selectors)
        ]
        return number in counted and function.nth.fits(counted.index(number), len(counted))

    def _is_scope(self, number: int, context: _Context) -> bool:
        scope = context.scope if context.original is None else context.original
        return self.index.is_root(number) if scope < 0 else number == scope

    def _has(self, selector: ComplexSelector, number: int, context: _Context) -> bool:
        if len(selector.compounds) == 1 and selector.compounds[0].is_free:
            return number in self._elements_above(selector.compounds[0], self.index.elements[number].frame)
        return bool(self._query_one(selector, _Context(number, context.original)))

    def _elements_above(self, compound: CompoundSelector, frame: int) -> frozenset[int]:
        """Every element with a match somewhere below it: found once, by walking up from each match."""
        key = (compound, frame)
        if key not in self._above:
            found: set[int] = set()
            context = _Context(document(frame))
            for number in self._candidates(compound, context.scope):
                if self._matches_compound(number, compound, context):
                    at = self.index.parents[number]
                    while at is not None and at not in found:
                        self.steps.spend()
                        found.add(at)
                        at = self.index.parents[at]
            self._above[key] = frozenset(found)
        return self._above[key]

    def _holds_text(self, function: PseudoFunction, number: int) -> bool:
        test = self._text_test(function)
        texts = self.index.texts
        if function.name == "text-is":
            return test(
                self.index.elements[number].own_text or (texts[number] if not self.index.children[number] else "")
            )
        if not texts[number] or not test(texts[number]):
            return False
        if function.name == "has-text":
            return True
        below = self.index.children[number]
        self.steps.spend(len(below))
        return not any(texts[child] and test(texts[child]) for child in below)

    def _text_test(self, function: PseudoFunction) -> TextTest:
        if function not in self._text_tests:
            text, *flags = function.texts
            if function.name == "text-matches":
                self._text_tests[function] = text_test(TextPattern(text, "".join(flags)), exact=False)
            else:
                self._text_tests[function] = text_test(folded(text), exact=function.name == "text-is")
        return self._text_tests[function]


def _only_compound(function: PseudoFunction) -> CompoundSelector | None:
    """What `:has` looks for, where that is one compound that means the same everywhere."""
    if len(function.selectors) != 1 or len(function.selectors[0].compounds) != 1:
        return None
    only = function.selectors[0].compounds[0]
    return only if only.is_free else None
