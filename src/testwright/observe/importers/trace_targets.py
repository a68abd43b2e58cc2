"""The element that a call of a test was about, and the ways to find it, tried on the page that the trace has of it."""

from dataclasses import replace

from testwright.model.dom import DomSnapshot, Frame
from testwright.model.errors import SelectorInvalidChar, SelectorNotParseable, SelectorTooLong
from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart
from testwright.model.session import ActionTarget, SelectorCandidate
from testwright.observe.recording.element_targets import target_of
from testwright.selectors.page_index import index_of
from testwright.selectors.selector_matcher import CANNOT_BE_TRIED, matching
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import internal

_UNREADABLE = (SelectorInvalidChar, SelectorNotParseable, SelectorTooLong)
_KINDS = frozenset({"testid", "role", "label", "placeholder", "text", "alt", "title"})
_NARROWS = frozenset(
    {
        SelectorEngine.NTH,
        SelectorEngine.VISIBLE,
        SelectorEngine.HAS,
        SelectorEngine.HAS_NOT,
        SelectorEngine.HAS_TEXT,
        SelectorEngine.HAS_NOT_TEXT,
    }
)


def read_selector(text: str) -> Selector | None:
    try:
        return parse_selector(text, Dialect.INTERNAL)
    except _UNREADABLE:
        return None


def untried_target(selector: Selector) -> ActionTarget:
    """Without a page: what the test said, and nothing more."""
    local = _after_frames(selector.parts)
    frames = _frames(selector.parts[: len(selector.parts) - len(local)])
    return ActionTarget((SelectorCandidate(_by(local), _spelled(local), 0),), frames)


def number_on(page: DomSnapshot, selector: Selector, test_id_attribute: str) -> int | None:
    """The first element that a selector finds there."""
    found = _found(page, selector.parts, test_id_attribute)
    return found[0] if found else None


def target_on(page: DomSnapshot, number: int, said: Selector, test_id_attribute: str) -> ActionTarget:
    """An element of a page. The test's own way to find it comes first, if it finds nothing else."""
    frames: list[str] = []
    while page.elements[number].frame:
        iframe, inside, number = _outermost_frame(page, number)
        frames.append(_iframe(page, iframe, test_id_attribute))
        page = inside
    target = target_of(page, number, frames=tuple(frames), test_id_attribute=test_id_attribute)
    local = _after_frames(said.parts)
    found = _found(page, local, test_id_attribute)
    if number not in found:
        return target
    nth = None if len(found) == 1 else index_of(page).in_search_order(list(found)).index(number)
    own = SelectorCandidate(_by(local), _spelled(local), len(found), nth)
    others = tuple(one for one in target.candidates if one.selector != own.selector)
    return replace(target, candidates=(own, *others) if nth is None else (*others, own))


def _outermost_frame(page: DomSnapshot, number: int) -> tuple[int, DomSnapshot, int]:
    """The iframe of the page that an element is in, the document inside as a page, and the element's number there."""
    way_down = reversed([number, *page.ancestors(number)])
    root = next(one for one in way_down if page.elements[one].frame)
    iframe = page.elements[root].parent
    assert iframe is not None  # only a page's own document hangs below nothing
    last = root
    while last + 1 < len(page.elements) and iframe in page.ancestors(last + 1):
        last += 1
    frames = sorted({page.elements[one].frame for one in range(root, last + 1)})
    elements = tuple(
        replace(
            one,
            number=one.number - root,
            parent=None if one.parent is None or one.parent < root else one.parent - root,
            frame=frames.index(one.frame),
        )
        for one in page.elements[root : last + 1]
    )
    inside = [Frame(page.frames[frames[0]].url)]
    inside += [replace(page.frames[one], element=_moved(page.frames[one].element, root)) for one in frames[1:]]
    return iframe, replace(page, elements=elements, url=inside[0].url, frames=tuple(inside)), number - root


def _moved(number: int | None, root: int) -> int | None:
    return None if number is None or number < root else number - root


def _iframe(page: DomSnapshot, number: int, test_id_attribute: str) -> str:
    best = target_of(page, number, test_id_attribute=test_id_attribute).best
    if best is not None and best.count == 1:
        return best.selector
    alike = [one.number for one in page.elements if one.tag == page.elements[number].tag and not one.frame]
    return f"{page.elements[number].tag} >> nth={alike.index(number)}"


def _found(page: DomSnapshot, parts: tuple[SelectorPart, ...], test_id_attribute: str) -> tuple[int, ...]:
    try:
        selector = Selector(parts, Dialect.INTERNAL, "")
        return matching(selector, page, test_id_attributes=(test_id_attribute,))
    except CANNOT_BE_TRIED:  # it says nothing about the element
        return ()


def _after_frames(parts: tuple[SelectorPart, ...]) -> tuple[SelectorPart, ...]:
    last = max((at for at, part in enumerate(parts) if part.engine is SelectorEngine.FRAME), default=-1)
    return parts[last + 1 :]


def _frames(way_in: tuple[SelectorPart, ...]) -> tuple[str, ...]:
    found: list[str] = []
    one: list[SelectorPart] = []
    for part in way_in:
        if part.engine is SelectorEngine.FRAME:
            found.append(_spelled(tuple(one)))
            one = []
        else:
            one.append(part)
    return tuple(found)


def _by(parts: tuple[SelectorPart, ...]) -> str:
    said = [part for part in parts if part.engine not in _NARROWS] or list(parts)
    last = said[-1]
    if last.engine is SelectorEngine.CSS and len(parts) == 1 and str(last.value).startswith("#"):
        return "id"
    return str(last.engine) if last.engine in _KINDS else "css"


def _spelled(parts: tuple[SelectorPart, ...]) -> str:
    return internal(Selector(parts, Dialect.INTERNAL, ""))
