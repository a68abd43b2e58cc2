"""Which elements of a page a selector finds, as Playwright would find them, without a browser."""

from collections.abc import Callable, Mapping, Sequence

from testwright.model.accessibility.raw_element import folded
from testwright.model.dom import DomSnapshot
from testwright.model.errors import SelectorNotParseable, SelectorTooCostly, SelectorUnsupported
from testwright.model.selector import (
    DEFAULT_TEST_ID_ATTRIBUTE,
    Dialect,
    Selector,
    SelectorEngine,
    SelectorPart,
    TextPattern,
)
from testwright.selectors.css_matcher import CssMatcher, StepBudget
from testwright.selectors.css_parser import compiled_css
from testwright.selectors.finder_matcher import FinderMatcher
from testwright.selectors.page_index import FrameIndex, PageIndex, document, index_of
from testwright.selectors.role_tests import role_test
from testwright.selectors.string_spelling import internal_parts
from testwright.selectors.text_tests import TextTest, pattern_test, text_test
from testwright.selectors.xpath_matcher import XPathTrees

_LABELABLE = ("button", "input", "meter", "output", "progress", "select", "textarea")
MOST_STEPS = 500_000
CANNOT_BE_TRIED = (SelectorNotParseable, SelectorTooCostly, SelectorUnsupported)  # what `matching` raises
_XPATH_STEP = 40  # lxml takes that many steps in the time of one of ours


def matching(
    selector: Selector,
    page: DomSnapshot,
    *,
    test_id_attributes: Sequence[str] = (DEFAULT_TEST_ID_ATTRIBUTE,),
    budget: int = MOST_STEPS,
) -> tuple[int, ...]:
    """The numbers of the elements it finds, in document order.

    Raises SelectorNotParseable for CSS that no browser takes, SelectorUnsupported for what a kept page cannot
    answer, and SelectorTooCostly: none of these says that the element is missing.
    """
    if not page.elements:
        return ()
    index = index_of(page)
    if selector.dialect is Dialect.FLUTTER:
        return tuple(FinderMatcher(index, StepBudget(budget)).find(selector.parts))
    return tuple(_Search(index, test_id_attributes, StepBudget(budget)).whole(selector.parts))


class _Search:
    def __init__(self, index: PageIndex, test_id_attributes: Sequence[str], steps: StepBudget) -> None:
        self.index = index
        self.test_id_attributes = test_id_attributes
        self.steps = steps
        self.css = CssMatcher(index, steps)
        # Parts whose answer does not depend on what is searched: kept for all of a frame, by the part's identity.
        self._in_frame: dict[tuple[int, int], list[int]] = {}

    def whole(self, parts: tuple[SelectorPart, ...]) -> list[int]:
        """From the page's own document, and through frames."""
        documents = [document(0)]
        start = 0
        for at, part in enumerate(parts):
            if part.engine is SelectorEngine.FRAME:
                entered = (self.index.content_of(one) for one in self._all(parts[start:at], documents, parts[:start]))
                documents = [content for content in entered if content is not None]
                start = at + 1
        return self._all(parts[start:], documents, parts[:start])

    def _all(
        self, parts: tuple[SelectorPart, ...], documents: list[int], way_in: tuple[SelectorPart, ...]
    ) -> list[int]:
        return sorted({number for one in documents for number in self._find(parts, one, way_in)})

    def _find(self, parts: tuple[SelectorPart, ...], root: int, way_in: tuple[SelectorPart, ...]) -> list[int]:
        found = [root]
        for part in parts:
            found = self._step(part, found, root, way_in)
        return [number for number in found if number >= 0]

    def _step(self, part: SelectorPart, roots: list[int], root: int, way_in: tuple[SelectorPart, ...]) -> list[int]:
        if part.engine is SelectorEngine.NTH:
            return _nth(roots, int(str(part.value)))
        if part.engine in {SelectorEngine.AND, SelectorEngine.OR}:
            other = set(self._find(_inside(part, way_in), root, way_in))
            return sorted(other & set(roots) if part.engine is SelectorEngine.AND else other | set(roots))
        if part.engine in _FILTERS:
            self.steps.spend(len(roots))
            return [number for number in roots if number >= 0 and _FILTERS[part.engine](self, part, number, way_in)]
        found: dict[int, None] = {}  # in the order of the search: nth counts so
        for one in roots:
            found.update(dict.fromkeys(self._below(part, one, way_in)))
        return list(found)

    def _below(self, part: SelectorPart, root: int, way_in: tuple[SelectorPart, ...]) -> list[int]:
        if part.engine is SelectorEngine.CSS:
            return self._css(str(part.value), root)
        if part.engine is SelectorEngine.XPATH:
            return self._xpath(str(part.value), root)
        if part.engine is SelectorEngine.CHAIN:
            return self._find(_inside(part, way_in), root, way_in)
        frame = self.index.frame_of(root)
        if frame not in self.index.frames:
            return []
        key = (id(part), frame)
        if key not in self._in_frame:
            if part.engine not in _ENGINES:
                raise SelectorUnsupported(
                    f"{part.engine} is not for pages.", next_step="Use a selector that Playwright knows."
                )
            self._in_frame[key] = _ENGINES[part.engine](self, part, frame)
        numbers = self._in_frame[key]
        self.steps.spend()
        found = self.index.in_search_order(self.index.within(numbers, root))
        # Playwright's text engine alone looks at the element it starts from, too.
        return [root, *found] if part.engine is SelectorEngine.TEXT and root >= 0 and root in set(numbers) else found

    def _css(self, text: str, root: int) -> list[int]:
        selectors = compiled_css(text)
        found = self.css.query(selectors, root)
        return self.index.in_search_order(found) if len(selectors) == 1 else found

    def _xpath(self, text: str, root: int) -> list[int]:
        trees = self.index.kept(XPathTrees)
        self.steps.spend()
        return trees.find(text, root, self.steps.left * _XPATH_STEP)

    def text(self, part: SelectorPart, frame: int) -> list[int]:
        numbers = self.index.frames[frame].all
        self.steps.spend(len(numbers))
        if part.exact and "engine" in part.options:
            return self._whole_text_node(part, numbers)
        test = _text_test(part)
        matched = self._with_text(part, test, numbers)
        above_another = {self.index.parents[number] for number in matched}
        return [number for number in numbers if number in matched and number not in above_another]

    def _with_text(self, part: SelectorPart, test: TextTest, numbers: list[int]) -> set[int]:
        if isinstance(part.value, str) and not part.exact:
            wanted, lower = " ".join(part.value.split()).lower(), self.index.lower_texts
            return {number for number in numbers if lower[number] and wanted in lower[number]}
        texts = self.index.texts
        return {number for number in numbers if texts[number] and test(texts[number])}

    def _whole_text_node(self, part: SelectorPart, numbers: list[int]) -> list[int]:
        elements, texts = self.index.elements, self.index.texts
        return [
            number
            for number in numbers
            if texts[number]
            and part.value == (texts[number] if elements[number].tag == "input" else elements[number].own_text)
        ]

    def role(self, part: SelectorPart, frame: int) -> list[int]:
        test = role_test(part, self.index)
        numbers = self.index.frames[frame].by_role.get(str(part.value).lower(), [])
        self.steps.spend(len(numbers))
        return [number for number in numbers if test(number)]

    def test_id(self, part: SelectorPart, frame: int) -> list[int]:
        named = part.options.get("attribute")
        attributes = named.split(",") if named else self.test_id_attributes
        return self._with_attribute(attributes, _value_test(part, exact=True), frame)

    def attribute(self, part: SelectorPart, frame: int) -> list[int]:
        name = {
            SelectorEngine.PLACEHOLDER: "placeholder",
            SelectorEngine.ALT_TEXT: "alt",
            SelectorEngine.TITLE: "title",
        }[part.engine]
        return self._with_attribute([name], _value_test(part, exact=part.exact), frame)

    def _with_attribute(self, names: Sequence[str], test: TextTest, frame: int) -> list[int]:
        by_attribute, elements = self.index.frames[frame].by_attribute, self.index.elements
        found: set[int] = set()
        for name in names:
            numbers = by_attribute.get(name.strip(), [])
            self.steps.spend(len(numbers))
            found.update(number for number in numbers if test(elements[number].attributes[name.strip()]))
        return sorted(found)

    def label(self, part: SelectorPart, frame: int) -> list[int]:
        test = _text_test(part)
        labels = labels_of(self.index, frame)
        self.steps.spend(len(labels))
        return sorted(number for number, texts in labels.items() if any(test(text) for text in texts))

    def is_visible(self, part: SelectorPart, number: int, _way_in: tuple[SelectorPart, ...]) -> bool:
        return self.index.elements[number].visible is (part.value == "true")

    def has_text(self, part: SelectorPart, number: int, _way_in: tuple[SelectorPart, ...]) -> bool:
        return _text_test(part)(self.index.texts[number]) is (part.engine is SelectorEngine.HAS_TEXT)

    def has(self, part: SelectorPart, number: int, way_in: tuple[SelectorPart, ...]) -> bool:
        return bool(self._find(_inside(part, way_in), number, way_in)) is (part.engine is SelectorEngine.HAS)


_ENGINES: Mapping[SelectorEngine, Callable[[_Search, SelectorPart, int], list[int]]] = {
    SelectorEngine.TEXT: _Search.text,
    SelectorEngine.ROLE: _Search.role,
    SelectorEngine.TEST_ID: _Search.test_id,
    SelectorEngine.LABEL: _Search.label,
    SelectorEngine.PLACEHOLDER: _Search.attribute,
    SelectorEngine.ALT_TEXT: _Search.attribute,
    SelectorEngine.TITLE: _Search.attribute,
}
_FILTERS: Mapping[SelectorEngine, Callable[[_Search, SelectorPart, int, tuple[SelectorPart, ...]], bool]] = {
    SelectorEngine.VISIBLE: _Search.is_visible,
    SelectorEngine.HAS_TEXT: _Search.has_text,
    SelectorEngine.HAS_NOT_TEXT: _Search.has_text,
    SelectorEngine.HAS: _Search.has,
    SelectorEngine.HAS_NOT: _Search.has,
}


def _nth(numbers: list[int], place: int) -> list[int]:
    if place == -1:
        return numbers[-1:]
    return numbers[place : place + 1] if place >= 0 else []


def _inside(part: SelectorPart, way_in: tuple[SelectorPart, ...]) -> tuple[SelectorPart, ...]:
    """An inner selector's parts. It may repeat the way into the frame that is being searched, and no other."""
    assert part.inner is not None
    parts = part.inner.parts
    if way_in and internal_parts(parts[: len(way_in)]) == internal_parts(way_in):
        parts = parts[len(way_in) :]
    if any(one.engine is SelectorEngine.FRAME for one in parts):
        raise SelectorUnsupported(
            "A locator inside of another one enters a frame.", next_step="Enter the frame before the outer locator."
        )
    return parts


def _text_test(part: SelectorPart) -> TextTest:
    return text_test(part.value, exact=part.exact)


def _value_test(part: SelectorPart, *, exact: bool) -> TextTest:
    """Attributes are compared as they are, white space and all."""
    if isinstance(part.value, TextPattern):
        return pattern_test(part.value)
    wanted = part.value
    if exact:
        return lambda value: value == wanted
    lower = wanted.lower()
    return lambda value: lower in value.lower()


def labels_of(index: PageIndex, frame: int) -> dict[int, list[str]]:
    """For each element of a frame that has labels, their texts."""
    known = index.labels.get(frame)
    if known is None:
        known = index.labels[frame] = _labels(index, index.frames[frame])
    return known


def _labels(index: PageIndex, frame: FrameIndex) -> dict[int, list[str]]:
    found = _from_label_elements(index, frame)
    for number in frame.by_attribute.get("aria-label", []):
        if text := folded(index.elements[number].get("aria-label")):
            found[number] = [text]
    for number in frame.by_attribute.get("aria-labelledby", []):
        named = [
            frame.by_id[one][0] for one in index.elements[number].get("aria-labelledby").split() if one in frame.by_id
        ]
        if named:
            found[number] = [index.texts[one] for one in named]
    return found


def _from_label_elements(index: PageIndex, frame: FrameIndex) -> dict[int, list[str]]:
    controls = sorted(
        number for tag in _LABELABLE for number in frame.by_tag.get(tag, []) if _can_be_labelled(index, number)
    )
    labelable = set(controls)
    found: dict[int, list[str]] = {}
    for label in frame.by_tag.get("label", []):
        target = index.elements[label].attributes.get("for")
        meant = index.within(controls, label) if target is None else frame.by_id.get(target, [])
        for number in meant[:1]:
            if number in labelable:
                found.setdefault(number, []).append(index.texts[label])
    for number in controls:  # where the page says so without showing its <label>
        if number not in found and index.elements[number].label:
            found[number] = [index.elements[number].label]
    return found


def _can_be_labelled(index: PageIndex, number: int) -> bool:
    return index.elements[number].get("type").lower() != "hidden"
