"""Flutter finders on a kept widget tree: an element's tag is the widget's type."""

from collections.abc import Callable, Mapping

from testwright.model.dom import Element
from testwright.model.errors import SelectorUnsupported
from testwright.model.selector import SelectorEngine, SelectorPart, TextPattern
from testwright.selectors.css_matcher import StepBudget
from testwright.selectors.page_index import PageIndex
from testwright.selectors.text_tests import pattern_test

_TEXT_WIDGETS = frozenset({"text", "richtext", "editabletext", "textfield", "textformfield", "selectabletext"})


class FinderMatcher:
    def __init__(self, index: PageIndex, steps: StepBudget) -> None:
        self.index = index
        self.steps = steps

    def find(self, parts: tuple[SelectorPart, ...]) -> list[int]:
        found: list[int] = []
        for part in parts:
            found = self._step(part, found)
        return found

    def _step(self, part: SelectorPart, found: list[int]) -> list[int]:
        if part.engine is SelectorEngine.NTH:
            place = int(str(part.value))
            return found[-1:] if place == -1 else found[place : place + 1]
        if part.engine is SelectorEngine.VISIBLE:
            return [number for number in found if self.index.elements[number].visible]
        if part.engine in {SelectorEngine.DESCENDANT, SelectorEngine.ANCESTOR}:
            return self._related(part, found)
        if part.engine not in _TESTS:
            raise SelectorUnsupported(f"{part.engine} is not for Flutter.", next_step="Use one of Flutter's finders.")
        self.steps.spend(len(self.index.elements))
        test = _TESTS[part.engine]
        numbers = [element.number for element in self.index.elements if test(self, part, element)]
        return self._innermost(numbers) if part.engine is SelectorEngine.TEXT else numbers

    def _related(self, part: SelectorPart, found: list[int]) -> list[int]:
        assert part.inner is not None
        wanted = self.find(part.inner.parts)
        match_root = part.options.get("matchRoot") == "true"
        outer, inner = (found, wanted) if part.engine is SelectorEngine.DESCENDANT else (wanted, found)
        self.steps.spend(len(outer) * len(inner))
        pairs = [(above, below) for above in outer for below in inner if self._is_below(below, above, match_root)]
        return sorted({below if part.engine is SelectorEngine.DESCENDANT else above for above, below in pairs})

    def _is_below(self, number: int, above: int, match_root: bool) -> bool:
        return (above < number < self.index.ends[above]) or (match_root and number == above)

    def _innermost(self, numbers: list[int]) -> list[int]:
        """A Text and the RichText inside it are one to a finder."""
        chosen = set(numbers)
        return [one for one in numbers if not any(self._is_below(other, one, False) for other in chosen)]

    def has_below(self, element: Element, engine: SelectorEngine, part: SelectorPart) -> bool:
        value = part.name if part.name is not None else ""
        inner = SelectorPart(engine, value, exact=part.exact)
        numbers = range(element.number + 1, self.index.ends[element.number])
        self.steps.spend(len(numbers))
        return any(_TESTS[engine](self, inner, self.index.elements[number]) for number in numbers)


def _same(part: SelectorPart, value: str) -> bool:
    if isinstance(part.value, TextPattern):
        return pattern_test(part.value)(value)
    return part.value == value if part.exact else part.value in value


def _text(_search: FinderMatcher, part: SelectorPart, element: Element) -> bool:
    shown = element.own_text or (element.text if element.tag.lower() in _TEXT_WIDGETS else "")
    return bool(shown) and _same(part, shown)


def _type(_search: FinderMatcher, part: SelectorPart, element: Element) -> bool:
    return element.tag.partition("<")[0].lower() == str(part.value).lower()


def _attribute(name: str) -> Callable[[FinderMatcher, SelectorPart, Element], bool]:
    def test(_search: FinderMatcher, part: SelectorPart, element: Element) -> bool:
        return name in element.attributes and _same(part, element.attributes[name])

    return test


def _with_text(search: FinderMatcher, part: SelectorPart, element: Element) -> bool:
    if not _type(search, part, element):
        return False
    return search.has_below(element, SelectorEngine.TEXT, part) or (
        bool(element.own_text) and element.own_text == part.name
    )


def _with_icon(search: FinderMatcher, part: SelectorPart, element: Element) -> bool:
    return _type(search, part, element) and search.has_below(element, SelectorEngine.ICON, part)


_TESTS: Mapping[SelectorEngine, Callable[[FinderMatcher, SelectorPart, Element], bool]] = {
    SelectorEngine.KEY: _attribute("key"),
    SelectorEngine.TOOLTIP: _attribute("tooltip"),
    SelectorEngine.SEMANTICS_LABEL: _attribute("semanticsLabel"),
    SelectorEngine.ICON: _attribute("icon"),
    SelectorEngine.TEXT: _text,
    SelectorEngine.TYPE: _type,
    SelectorEngine.WIDGET_WITH_TEXT: _with_text,
    SelectorEngine.WIDGET_WITH_ICON: _with_icon,
}
