"""How alike two elements are: a weighted mean over what either of them has.

The weights follow what survives changes of real pages (arXiv 2505.16424): words most, then names and addresses, place
least.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from rapidfuzz.distance import Levenshtein

from testwright.heal.engine.traits import Traits

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "tag": 1.0,
        "role": 0.4,
        "text": 3.0,
        "label": 2.5,
        "test_id": 2.0,
        "id": 1.0,
        "name_attribute": 1.5,
        "placeholder": 1.5,
        "aria_label": 1.2,
        "alt": 1.2,
        "title": 1.0,
        "type": 1.0,
        "href": 1.2,
        "source": 0.6,
        "action": 0.8,
        "classes": 0.6,
        "path": 0.4,
        "location": 0.5,
        "area": 0.4,
        "shape": 0.4,
        "neighbours": 1.2,
        "tree": 3.0,
    }
)
# What a program calls an element. A changed one says little against it: renaming is what healing is for.
_RENAMED = ("id", "test_id", "name_attribute", "classes")
_EXACT_ENOUGH = 0.4  # strings less alike than this have nothing to do with one another

_LIKE_TAGS = (
    frozenset({"a", "button", "input"}),
    frozenset({"div", "section", "article", "main", "header", "footer", "nav", "aside", "form"}),
    frozenset({"div", "span", "li", "p", "td", "dd", "dt"}),
    frozenset({"h1", "h2", "h3", "h4", "h5", "h6"}),
    frozenset({"input", "textarea"}),
    frozenset({"ul", "ol", "dl", "div"}),
)
_FAR = 500.0  # pixels
_COMPARED_AS_TEXT = (
    "text", "label", "id", "test_id", "name_attribute", "placeholder", "aria_label", "alt", "title", "type",
)  # fmt: skip


def likeness(
    old: Traits, new: Traits, near_old: frozenset[str], near_new: frozenset[str], tree: float | None
) -> dict[str, float]:
    """How alike two elements are in each respect that either of them has, each from 0 to 1."""
    found = {"tag": _tags(old.tag, new.tag), "path": Levenshtein.normalized_similarity(old.path, new.path)}
    for key in _COMPARED_AS_TEXT:
        one, other = getattr(old, key), getattr(new, key)
        if one or other:
            found[key] = strings(one, other)
    if old.role or new.role:
        found["role"] = float(old.role == new.role)
    if old.href or new.href:
        found["href"] = max(strings(old.href, new.href), 0.95 * strings(old.href_path, new.href_path))
    for key in ("source", "action"):
        one, other = getattr(old, key), getattr(new, key)
        if one or other:
            found[key] = strings(one, other)
    if old.classes or new.classes:
        found["classes"] = overlap(old.classes, new.classes)
    if old.box is not None and new.box is not None:
        distance = abs(old.box.x - new.box.x) + abs(old.box.y - new.box.y)
        found["location"] = max(0.0, 1 - distance / _FAR)
        found["area"] = numbers(old.box.area, new.box.area)
        found["shape"] = numbers(_shape(old), _shape(new))
    if near_old or near_new:
        found["neighbours"] = overlap(near_old, near_new)
    if tree is not None:
        found["tree"] = tree
    return found


def score(found: Mapping[str, float], old: Traits, new: Traits) -> float:
    """One number for it, from 0 to 1."""
    total = weight = 0.0
    for key, value in found.items():
        part = WEIGHTS[key]
        if key in _RENAMED and value == 0 and _has(old, key) and _has(new, key):
            part *= 0.5
        total += part * value
        weight += part
    return total / weight if weight else 0.0


def _has(traits: Traits, key: str) -> bool:
    return bool(getattr(traits, key))


def strings(one: str, other: str) -> float:
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    alike = Levenshtein.normalized_similarity(one, other, score_cutoff=_EXACT_ENOUGH)
    return max(0.0, (alike - _EXACT_ENOUGH) / (1 - _EXACT_ENOUGH))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0


def numbers(one: float, other: float) -> float:
    most = max(one, other)
    return 1 - abs(one - other) / most if most > 0 else float(one == other)


def _shape(traits: Traits) -> float:
    box = traits.box
    return box.width / box.height if box is not None and box.height else 0.0


def _tags(one: str, other: str) -> float:
    if one == other:
        return 1.0
    return 0.5 if any(one in group and other in group for group in _LIKE_TAGS) else 0.0


def word_set(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())
