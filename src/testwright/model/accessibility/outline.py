"""How raw elements hang together: what is rendered where, who is hidden, which ids and labels point to whom."""

from collections.abc import Sequence

from testwright.model.accessibility.raw_element import Contents, RawElement, words_in

# What has no text for readers.
IGNORED = frozenset({"script", "style", "noscript", "template"})
_CAN_BE_DISABLED = frozenset({"button", "fieldset", "input", "optgroup", "option", "select", "textarea"})
_LABELABLE = frozenset({"button", "input", "meter", "output", "progress", "select", "textarea"})
# Not in a line of text, unless a style sheet says otherwise.
_BLOCKS = words_in("""
    address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html input legend li main marquee menu meter nav ol
    optgroup option p pre progress search section select slot summary table tbody td textarea tfoot th thead tr ul
""")


class Outline:
    """The raw elements of a page, and what must be known of them all before anything can be said about one."""

    def __init__(self, raws: Sequence[RawElement]) -> None:
        self.raws = raws
        self.scopes = _scopes(raws)
        self._ids: dict[tuple[int, str], int] = {}
        for number, raw in enumerate(raws):
            if "id" in raw.attributes:
                self._ids.setdefault((self.scopes[number], raw.attributes["id"]), number)
        self._slotted: dict[int, Contents] = {}  # what was put into a slot
        self._unslotted = self._fill_slots()
        self.hidden = self._find_hidden()
        self.enabled = _find_enabled(raws)
        self.labels = self._find_labels()
        self._children: dict[int, list[int]] = {}
        self._places: dict[int, dict[int, int]] = {}
        self.row_counts: dict[int, int] = {}  # of tables, as far as somebody asked

    def rendered(self, number: int) -> Contents:
        """The texts and children of an element as they are drawn: a shadow root instead of what its host holds."""
        raw = self.raws[number]
        if raw.shadow is not None:
            return raw.shadow
        if raw.tag == "slot" and number in self._slotted:
            return self._slotted[number]
        if raw.tag == "details" and "open" not in raw.attributes:
            return [child for child in raw.contents if not isinstance(child, str)]
        return raw.contents

    def is_inline(self, number: int) -> bool:
        raw = self.raws[number]
        if raw.tag == "br":
            return False
        return raw.tag not in _BLOCKS if raw.inline is None else raw.inline

    def referred(self, number: int, attribute: str) -> list[int]:
        """The elements whose ids an attribute lists, each once, in the order of the list."""
        ids = self.raws[number].attributes.get(attribute)
        if not ids:
            return []
        scope = self.scopes[number]
        found = (self._ids.get((scope, one)) for one in ids.split())
        return list(dict.fromkeys(number for number in found if number is not None))

    def children(self, number: int) -> list[int]:
        known = self._children.get(number)
        if known is None:
            known = [child for child in self.raws[number].contents if not isinstance(child, str)]
            self._children[number] = known
        return known

    def beside(self, number: int) -> list[int]:
        """The elements right before and after an element, as far as there are any."""
        parent = self.raws[number].parent
        if parent is None:
            return []
        places = self._places.get(parent)
        if places is None:
            places = self._places[parent] = {child: place for place, child in enumerate(self.children(parent))}
        siblings, place = self.children(parent), places.get(number)
        return [] if place is None else [*siblings[max(0, place - 1) : place], *siblings[place + 1 : place + 2]]

    def _fill_slots(self) -> set[int]:
        """Put what a host holds into the slots of its shadow root; what fits into none is not drawn."""
        left_out: set[int] = set()
        hosts = [number for number, raw in enumerate(self.raws) if raw.shadow is not None]
        if not hosts:
            return left_out
        slots: dict[tuple[int, str], int] = {}
        for number, raw in enumerate(self.raws):
            if raw.tag == "slot":
                slots.setdefault((self.scopes[number], raw.attributes.get("name", "")), number)
        for host in hosts:
            for child in self.raws[host].contents:
                wanted = "" if isinstance(child, str) else self.raws[child].attributes.get("slot", "")
                slot = slots.get((host, wanted))
                if slot is not None:
                    self._slotted.setdefault(slot, []).append(child)
                elif not isinstance(child, str):
                    left_out.add(child)
        return left_out

    def _find_hidden(self) -> list[bool]:
        """Who is not there for assistive technology."""
        covered: list[bool] = []
        hidden: list[bool] = []
        for number, raw in enumerate(self.raws):
            above = raw.parent is not None and self.raws[raw.parent].frame == raw.frame and covered[raw.parent]
            is_covered = (
                above
                or raw.attributes.get("aria-hidden", "").lower() == "true"
                or number in self._unslotted
                or raw.tag in IGNORED
            )
            covered.append(is_covered)
            hidden.append(is_covered or raw.hidden)
        return hidden

    def _find_labels(self) -> dict[int, list[int]]:
        labels = [number for number, raw in enumerate(self.raws) if raw.tag == "label"]
        if not labels:
            return {}
        first_inside = self._first_inside_labels()
        found: dict[int, list[int]] = {}
        for label in labels:
            named = self.raws[label].attributes.get("for")
            control = first_inside.get(label) if named is None else self._ids.get((self.scopes[label], named))
            if control is not None and self._is_labelable(control):
                found.setdefault(control, []).append(label)
        return found

    def _first_inside_labels(self) -> dict[int, int]:
        """The first control below each label."""
        nearest: list[int | None] = []  # the innermost label around each element
        first: dict[int, int] = {}
        for number, raw in enumerate(self.raws):
            around = None if raw.parent is None or raw.in_shadow else nearest[raw.parent]
            if around is not None and self._is_labelable(number):
                first.setdefault(around, number)
            nearest.append(number if raw.tag == "label" else around)
        return first

    def _is_labelable(self, number: int) -> bool:
        raw = self.raws[number]
        return raw.tag in _LABELABLE and not (raw.tag == "input" and raw.attributes.get("type", "").lower() == "hidden")


def _scopes(raws: Sequence[RawElement]) -> list[int]:
    """For each element the tree its ids are looked up in: a host's number for its shadow root, else -1 - its frame."""
    scopes: list[int] = []
    for raw in raws:
        parent = raw.parent
        if parent is None or raws[parent].frame != raw.frame:
            scopes.append(-1 - raw.frame)
        else:
            scopes.append(parent if raw.in_shadow else scopes[parent])
    return scopes


def _find_enabled(raws: Sequence[RawElement]) -> list[bool]:
    """Who answers to a user: not what is disabled, nor the fields of a disabled <fieldset> or <select>."""
    enabled: list[bool] = []
    closed: list[bool] = []  # whether an element disables the fields below it
    for raw in raws:
        above = raw.parent is not None and closed[raw.parent] and raws[raw.parent].frame == raw.frame
        own = "disabled" in raw.attributes and raw.tag in _CAN_BE_DISABLED
        by_aria = raw.attributes.get("aria-disabled", "").lower() == "true"
        is_off = by_aria or own or (above and raw.tag in _CAN_BE_DISABLED)
        enabled.append(not is_off if raw.enabled is None else raw.enabled)
        # A legend stays usable: it may hold the switch that enables the rest.
        closed.append(
            (above and raw.tag != "legend") or by_aria or (own and raw.tag in ("fieldset", "optgroup", "select"))
        )
    return enabled
