"""Which texts label an element: what `getByLabel` looks at."""

from testwright.model.accessibility.raw_element import folded
from testwright.selectors.page_index import FrameIndex, PageIndex

_LABELABLE = ("button", "input", "meter", "output", "progress", "select", "textarea")


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
