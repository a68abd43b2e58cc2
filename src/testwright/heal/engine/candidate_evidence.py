"""Everything that speaks for and against the best candidate, each as a number with a name."""

from dataclasses import dataclass

from testwright.heal.engine.candidate_ranking import LostElement, RankedCandidate
from testwright.heal.engine.page_view import PageView, landmarks_of
from testwright.heal.engine.shared_keys import WEAK, SharedKeys, contradictions
from testwright.heal.engine.traits import speaks_for_itself
from testwright.heal.engine.tree_match import TreeMatch
from testwright.heal.thresholds import CLOSE, NOT_FAR, SAME_COLUMN, SAME_NEIGHBOURS
from testwright.model.dom import Element

# What an element is for. A lost button may come back as a link; it does not come back as a text field.
_BY_ROLE = {
    **dict.fromkeys(("button", "link", "menuitem", "tab", "treeitem", "menuitemcheckbox", "menuitemradio"), "push"),
    **dict.fromkeys(("textbox", "searchbox", "spinbutton", "slider"), "type"),
    **dict.fromkeys(("checkbox", "radio", "switch"), "tick"),
    **dict.fromkeys(("combobox", "listbox"), "choose"),
}
_BY_TAG = {"a": "push", "button": "push", "summary": "push", "textarea": "type", "select": "choose"}
_PUSHED = frozenset({"submit", "button", "reset", "image"})
_TICKED = frozenset({"checkbox", "radio"})
_CAPTIONS = ("label", "placeholder", "aria_label", "alt", "title")
_GIVEN = ("id", "test_id", "name_attribute", "source")  # what developers call it
_ONCE = frozenset({"header", "footer", "nav"})  # parts that a page has once, or nearly
_MOST_LEAD = 0.3  # a longer lead over the second counts no more


@dataclass(frozen=True, slots=True)
class CandidateEvidence:
    """What was found about one candidate."""

    numbers: dict[str, float]  # what `match_probability` weighs
    strong: tuple[str, ...]  # independent keys, each of which tells it from all others on both pages
    weak: tuple[str, ...]  # support that tells no element apart by itself
    agreed: tuple[str, ...]
    contradicted: tuple[str, ...]
    lead: float
    tree: str  # same, other, free; empty: the old page is not known
    is_opposed: bool  # it is for something else
    is_elsewhere: bool  # in the footer, and the lost one was not, or the other way round
    is_in_place: bool  # in the same part of the page, or not far from where the lost one was


@dataclass(frozen=True, slots=True)
class HealQuestion:
    """The lost element, both pages, and what was worked out about them."""

    element: Element
    lost: LostElement
    view: PageView
    keys: SharedKeys
    before: SharedKeys | None  # the same on the old page
    match: TreeMatch | None


def gather_evidence(asked: HealQuestion, best: RankedCandidate, rival: RankedCandidate | None) -> CandidateEvidence:
    number = best.traits.number
    new = asked.view.page.elements[number]
    agreed = asked.keys.agreed(number)
    singles = _telling(asked, number)
    own_words = speaks_for_itself(asked.element)
    contradicted = contradictions(asked.lost.traits, best.traits)
    lead = best.score - rival.score if rival is not None else best.score
    tree = _tree(asked, number)
    strong = _strong(asked.element, singles, own_words=own_words)
    weak = _weak(best, singles, tree, borrowed="text" in singles and not own_words)
    opposed = are_opposed(asked.element, new)
    ours, theirs = landmarks_of(asked.lost.traits.path), landmarks_of(best.traits.path)
    elsewhere = ("footer" in ours) != ("footer" in theirs)
    like = best.likeness
    numbers = {
        "own text alone": float("text" in singles and own_words),
        "same text": float("text" in agreed),
        "caption alone": float(any(key in singles for key in _CAPTIONS)),
        "address alone": float("href" in singles),
        "path alone": float("href_path" in singles and "href" not in singles),
        "given name alone": float(any(key in singles for key in _GIVEN)),
        "classes alone": float("classes" in singles),
        "same classes": float("classes" in agreed),
        "size alone": float("size" in singles),
        "same size": float("size" in agreed),
        "neighbours": like.get("neighbours", 0.0),
        "location": like.get("location", 0.0),
        "same landmarks": float(bool(ours) and ours == theirs),
        "elsewhere": float(elsewhere),
        "tree says same": float(tree == "same"),
        "tree is certain": float(
            tree == "same" and asked.match is not None and asked.lost.number in asked.match.certain
        ),
        "tree says other": float(tree == "other"),
        "tree says new": float(tree == "free"),
        "text changed": 1 - like.get("text", 1.0),
        "text contradicts": float("text" in contradicted and own_words),
        "address contradicts": float("href_path" in contradicted),
        "caption contradicts": float(any(key in contradicted for key in _CAPTIONS)),
        "kind contradicts": float(opposed or like["tag"] == 0),
        "classes contradict": float(like.get("classes", 1.0) == 0),
        "lead": min(lead, _MOST_LEAD) / _MOST_LEAD,
        "score": best.score,
    }
    in_place = _is_in_place(asked, best, weak, same_part=ours == theirs and not _ONCE.isdisjoint(ours))
    return CandidateEvidence(numbers, strong, weak, agreed, contradicted, lead, tree, opposed, elsewhere, in_place)


def _is_in_place(asked: HealQuestion, best: RankedCandidate, weak: tuple[str, ...], *, same_part: bool) -> bool:
    """Whether it is about where the lost one was. Pages grow downwards, so in a header or footer the column will do."""
    like = best.likeness
    if like.get("location", 0.0) >= NOT_FAR or any(key in weak for key in ("neighbours", "tree")):
        return True
    old, new = asked.lost.traits.box, best.traits.box
    return same_part and old is not None and new is not None and abs(old.x - new.x) <= SAME_COLUMN


def _telling(asked: HealQuestion, number: int) -> tuple[str, ...]:
    """The keys that single the candidate out, and that singled out the lost element too where that is known."""
    singles = asked.keys.singled_out(number)
    before = asked.before
    if before is None:
        return singles
    return tuple(key for key in singles if before.counts.get(key, 1) == 1)


def _strong(element: Element, singles: tuple[str, ...], *, own_words: bool) -> tuple[str, ...]:
    """Independent ones: an address and its path are one key, and so are captions that say the same."""
    found, said = [], set()
    for key in singles:
        if key in WEAK or (key == "href_path" and "href" in singles) or (key == "text" and not own_words):
            continue
        words = _said_by(key, element)
        if words and words in said:
            continue
        said.add(words)
        found.append(key)
    return tuple(found)


def _said_by(key: str, element: Element) -> str:
    if key == "text":
        return " ".join(element.text.casefold().split())
    if key == "label":
        return " ".join(element.label.casefold().split())
    if key in _CAPTIONS:
        return " ".join(element.attributes.get(key.replace("_", "-"), "").casefold().split())
    return ""


def _weak(best: RankedCandidate, singles: tuple[str, ...], tree: str, *, borrowed: bool) -> tuple[str, ...]:
    like = best.likeness
    found = [key for key in singles if key in WEAK]
    if borrowed:
        found.append("text")
    if like.get("neighbours", 0.0) >= SAME_NEIGHBOURS:
        found.append("neighbours")
    if like.get("location", 0.0) >= CLOSE:
        found.append("location")
    if tree == "same":
        found.append("tree")
    return tuple(found)


def _tree(asked: HealQuestion, number: int) -> str:
    match, lost = asked.match, asked.lost.number
    if match is None or lost is None:
        return ""
    before = match.old_of.get(number)
    return "free" if before is None else "same" if before == lost else "other"


def kind_of(element: Element) -> str:
    """push, type, tick, choose, or nothing where an element is only looked at."""
    if element.tag == "input":
        kind = element.attributes.get("type", "text").casefold()
        return "push" if kind in _PUSHED else "tick" if kind in _TICKED else "type"
    return _BY_ROLE.get(element.role, "") or _BY_TAG.get(element.tag, "")


def are_opposed(old: Element, new: Element) -> bool:
    """Whether one cannot be the other: each is for something else, or only one of two fields hides what is typed."""
    before, after = kind_of(old), kind_of(new)
    if before and after and before != after:
        return {before, after} != {"type", "choose"}  # a text field with suggestions is both
    if before == after == "type":
        one, other = old.attributes.get("type", "text"), new.attributes.get("type", "text")
        return (one == "password") != (other == "password")
    return bool(before) and not after and new.tag in ("input", "textarea", "select")
