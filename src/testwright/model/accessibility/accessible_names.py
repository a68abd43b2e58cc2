"""Accessible names, as accname 1.2 computes them and Playwright's `getByRole` compares them."""

from collections.abc import Sequence
from enum import Enum, auto

from testwright.model.accessibility.aria_roles import NO_SEMANTICS, input_type
from testwright.model.accessibility.outline import IGNORED, Outline
from testwright.model.accessibility.raw_element import folded, words_in

MOST_NAME = 1000
_MOST_DEPTH = 100  # below that only plain text counts
# What a page may cost in all, so that names that share large parts do not make it slow.
_STEPS_AT_LEAST, _STEPS_EACH = 10_000, 8

FROM_CONTENT = words_in("""
    button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row
    rowheader switch tab tooltip treeitem
""")
_FROM_CONTENT_INSIDE = (
    FROM_CONTENT
    | {""}
    | words_in("""
    caption code contentinfo definition deletion emphasis insertion list listitem mark none paragraph presentation
    region rowgroup strong subscript superscript table term time
""")
)
_NEVER_NAMED = words_in("""
    caption code definition deletion emphasis generic insertion mark paragraph presentation strong subscript superscript
    term time
""")
_NAMING_ATTRIBUTES = frozenset({"aria-label", "aria-labelledby", "title", "xlink:title"})
_WITH_PLACEHOLDER = frozenset({"text", "password", "number", "search", "tel", "email", "url"})
_LABELLED = frozenset({"button", "output", "textarea", "select", "meter", "progress"})
_CAPTIONS = {"fieldset": "legend", "figure": "figcaption", "table": "caption"}
_NATIVELY_NAMED = _LABELLED | frozenset(_CAPTIONS) | {"input", "img", "area", "svg"}


class _Within(Enum):
    """Why an element's words are asked for: it decides which of them count."""

    ITSELF = auto()  # its own name
    CONTENT = auto()  # it is inside the element whose name is wanted
    REFERENCE = auto()  # it is, or is inside, what `aria-labelledby` points to: such references are not followed again
    LABEL = auto()
    CAPTION = auto()


_WHOLE_CONTENT = (_Within.REFERENCE, _Within.LABEL, _Within.CAPTION)


class AccessibleNames:
    """The names of a page's elements. Parts that stand on their own are worked out once."""

    def __init__(self, outline: Outline, roles: Sequence[str]) -> None:
        self._outline, self._roles = outline, roles
        self._raws = outline.raws
        self._known: dict[tuple[int, _Within, bool], str] = {}
        self._entangled = self._find_entangled()
        self._visited: set[int] = set()
        self._steps_left = _STEPS_AT_LEAST + _STEPS_EACH * len(self._raws)

    def of(self, number: int) -> str:
        role, raw = self._roles[number], self._raws[number]
        if role in _NEVER_NAMED:
            return ""
        by_itself = role in FROM_CONTENT or raw.tag in _NATIVELY_NAMED or raw.tag == "summary"
        if not by_itself and _NAMING_ATTRIBUTES.isdisjoint(raw.attributes):
            return ""
        self._visited = set()
        # The name of what is hidden is worked out as though it were shown: it may be the same element, later.
        return folded(self._words(number, _Within.ITSELF, self._outline.hidden[number], 0))[:MOST_NAME]

    def label(self, number: int) -> str:
        """The words of an element's labels, without those of the fields inside them."""
        labels = self._outline.labels.get(number)
        if not labels:
            return ""
        self._visited = {number}
        return folded(self._of_labels(labels, 0))[:MOST_NAME]

    def _find_entangled(self) -> set[int]:
        """Elements whose words hang on other places of the page, those places, and all around them: their words
        depend on who asks, and are not remembered."""
        outline = self._outline
        ends = [number for control, labels in outline.labels.items() for number in (control, *labels)]
        for number, raw in enumerate(self._raws):
            for attribute in ("aria-labelledby", "aria-owns"):
                if attribute in raw.attributes:
                    ends += [number, *outline.referred(number, attribute)]
        found: set[int] = set()
        for end in ends:
            at: int | None = end
            while at is not None and at not in found:
                found.add(at)
                at = self._raws[at].parent
        return found

    def _words(self, number: int, within: _Within, with_hidden: bool, depth: int) -> str:
        if number in self._visited:
            return ""
        if number in self._entangled or within is _Within.ITSELF:
            return self._work_out(number, within, with_hidden, depth)
        key = (number, within, with_hidden)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._work_out(number, within, with_hidden, depth)
        return known

    def _work_out(self, number: int, within: _Within, with_hidden: bool, depth: int) -> str:
        raw = self._raws[number]
        self._steps_left -= 1
        if raw.tag in IGNORED or (self._outline.hidden[number] and not with_hidden):
            self._visited.add(number)
            return ""
        if depth > _MOST_DEPTH or self._steps_left < 0:
            return " ".join(part for part in raw.contents if isinstance(part, str))
        if within is not _Within.REFERENCE and "aria-labelledby" in raw.attributes:
            words = self._of_references(number, depth)
            if words:
                return words
        if within is not _Within.ITSELF:
            embedded = self._of_embedded(number, within, with_hidden, depth)
            if embedded is not None:
                self._visited.add(number)
                return embedded
        label = raw.attributes.get("aria-label", "")
        if label.strip():
            self._visited.add(number)
            return label
        return self._of_element(number, within, with_hidden, depth)

    def _of_element(self, number: int, within: _Within, with_hidden: bool, depth: int) -> str:
        """The words that HTML gives an element, else those of its content, else its title."""
        raw, role = self._raws[number], self._roles[number]
        self._visited.add(number)
        has_semantics = role not in NO_SEMANTICS
        if has_semantics and raw.tag in _NATIVELY_NAMED:
            words = self._native(number, within, with_hidden, depth)
            if words is not None:
                return words
        allowed = FROM_CONTENT if within is _Within.ITSELF else _FROM_CONTENT_INSIDE
        if role in allowed or within in _WHOLE_CONTENT or (raw.tag == "summary" and has_semantics):
            content = self._of_content(number, within, with_hidden, depth)
            if content.strip() if within is _Within.ITSELF else content:
                return content
        return raw.attributes.get("title", "") if has_semantics or raw.tag in ("iframe", "frame") else ""

    def _native(self, number: int, within: _Within, with_hidden: bool, depth: int) -> str | None:
        """None: HTML has no other words for it than its content."""
        tag = self._raws[number].tag
        if tag == "input":
            return self._of_input(number, within, depth)
        if tag in _LABELLED:
            return self._of_labelled(number, depth)
        if tag in _CAPTIONS:
            return self._of_captioned(number, within, with_hidden, depth)
        if tag == "svg":
            return self._of_drawing(number, with_hidden, depth)
        return _first_filled(self._raws[number].attributes, "alt", "title")

    def _of_content(self, number: int, within: _Within, with_hidden: bool, depth: int) -> str:
        inside = _Within.CONTENT if within is _Within.ITSELF else within
        outline = self._outline
        parts: list[str] = []
        length = 0
        for child in (*outline.rendered(number), *outline.referred(number, "aria-owns")):
            if isinstance(child, str):
                words = child
            else:
                words = self._words(child, inside, with_hidden, depth + 1)
                if not outline.is_inline(child):
                    words = f" {words} "
            parts.append(words)
            length += len(words)
            if length > 2 * MOST_NAME:  # white space is still to be folded
                break
        return "".join(parts)

    def _of_references(self, number: int, depth: int) -> str:
        referred = self._outline.referred(number, "aria-labelledby")
        hidden = self._outline.hidden
        words = (self._words(one, _Within.REFERENCE, hidden[one], depth + 1) for one in referred)
        return " ".join(words).strip()

    def _of_labels(self, labels: Sequence[int], depth: int) -> str:
        hidden = self._outline.hidden
        words = (self._words(one, _Within.LABEL, hidden[one], depth + 1) for one in labels)
        return " ".join(part for part in words if part)

    def _of_embedded(self, number: int, within: _Within, with_hidden: bool, depth: int) -> str | None:
        """What a field adds to the words around it: its value, where that is not a secret."""
        role, raw = self._roles[number], self._raws[number]
        if role in ("textbox", "searchbox"):
            return ""
        if role in ("combobox", "listbox"):
            return self._of_chosen(number, within, with_hidden, depth)
        if role in ("progressbar", "scrollbar", "slider", "spinbutton", "meter"):
            values = (raw.attributes.get(name) for name in ("aria-valuetext", "aria-valuenow", "value"))
            return next((value for value in values if value is not None), "")
        return "" if role == "menu" else None

    def _of_chosen(self, number: int, within: _Within, with_hidden: bool, depth: int) -> str:
        """The chosen option of a <select>. Others say what is chosen in ways we do not follow."""
        if self._raws[number].tag != "select":
            return ""
        options = [one for one in self._options(number) if self._raws[one].tag == "option"]
        chosen = [one for one in options if "selected" in self._raws[one].attributes] or options[:1]
        return " ".join(self._words(one, within, with_hidden, depth + 1) for one in chosen)

    def _options(self, number: int) -> list[int]:
        children = self._outline.children(number)
        groups = (one for one in children if self._raws[one].tag == "optgroup")
        return [*children, *(one for group in groups for one in self._outline.children(group))]

    def _of_input(self, number: int, within: _Within, depth: int) -> str | None:
        attributes = self._raws[number].attributes
        kind = input_type(attributes)
        if kind in ("button", "submit", "reset"):
            value = attributes.get("value", "")
            if value.strip():
                return value
            return {"submit": "Submit", "reset": "Reset"}.get(kind) or attributes.get("title", "")
        if kind not in ("file", "image"):
            return self._of_labelled(number, depth)
        labels = self._outline.labels.get(number)
        if labels and within is not _Within.REFERENCE:
            return self._of_labels(labels, depth)
        if kind == "file":
            return "Choose File"
        return _first_filled(attributes, "alt", "title") or "Submit"

    def _of_labelled(self, number: int, depth: int) -> str | None:
        if self._outline.referred(number, "aria-labelledby"):
            return None
        labels = self._outline.labels.get(number)
        if labels:
            return self._of_labels(labels, depth)
        raw = self._raws[number]
        if raw.tag == "button":
            return None
        title = raw.attributes.get("title", "")
        takes_words = raw.tag == "textarea" or (raw.tag == "input" and input_type(raw.attributes) in _WITH_PLACEHOLDER)
        return title if title or not takes_words else raw.attributes.get("placeholder", "")

    def _of_captioned(self, number: int, within: _Within, with_hidden: bool, depth: int) -> str | None:
        raw = self._raws[number]
        if raw.tag != "table" and self._outline.referred(number, "aria-labelledby"):
            return None
        for child in self._outline.children(number):
            if self._raws[child].tag == _CAPTIONS[raw.tag]:
                inside = within if within is _Within.REFERENCE else _Within.CAPTION
                return self._words(child, inside, with_hidden or self._outline.hidden[child], depth + 1)
        if raw.tag == "table":
            return raw.attributes.get("summary") or None
        return raw.attributes.get("title", "")

    def _of_drawing(self, number: int, with_hidden: bool, depth: int) -> str | None:
        for child in self._outline.children(number):
            if self._raws[child].tag == "title":
                return self._words(child, _Within.REFERENCE, with_hidden or self._outline.hidden[child], depth + 1)
        return None


def _first_filled(attributes: dict[str, str], *names: str) -> str:
    return next((attributes[name] for name in names if attributes.get(name, "").strip()), "")
