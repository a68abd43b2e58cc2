"""Selectors of Chrome's Recorder as candidates: `aria/Pay[role="button"]`, `text/Pay`, `xpath/...`, `pierce/...`, CSS.

None of them was tried by us: their count is 0. The Recorder writes down only what found the one element.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from testwright.model.errors import SelectorInvalidChar, SelectorTooLong
from testwright.model.selector import TEST_ID_ATTRIBUTES, Dialect, Selector, SelectorEngine, SelectorPart
from testwright.model.session import ActionTarget, SelectorCandidate
from testwright.model.untrusted_text import storable
from testwright.observe.importers.json_fields import WrongTypeError
from testwright.selectors.css_parser import compiled_css
from testwright.selectors.selector_matcher import CANNOT_BE_TRIED
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import internal

_ARIA_ATTRIBUTE = re.compile(r"""\[\s*(role|name)\s*=\s*(["'])((?:\\.|(?!\2).)*)\2\s*\]""", re.DOTALL)
_ATTRIBUTE = re.compile(r"""\[\s*([\w-]+)\s*[~|^$*]?=\s*(?:"([^"]*)"|'([^']*)'|([^\]\s"']+))\s*\]""")
_ONE_ATTRIBUTE = re.compile(r"""\[\s*([\w-]+)\s*=\s*(?:"([^"\\]*)"|'([^'\\]*)'|([\w-]+))\s*\]""")
_ID = re.compile(r"#([\w-]+)")
_CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
_LAST_COMPOUND = re.compile(r"[^\s>+~]+$")
_TAG = re.compile(r"[a-z][a-z0-9-]*")
_XPATH_TAG = re.compile(r"/([a-z][a-z0-9-]*)(?:\[[^\]]*\])*$")
_XPATH_ATTRIBUTE = re.compile(r"""@([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ROLE_OF_TAG = {"button": "button", "a": "link", "select": "combobox", "textarea": "textbox"}
_ORDER = ("testid", "role", "label", "text", "id", "css", "xpath")
_UNREADABLE = (SelectorInvalidChar, SelectorTooLong, *CANNOT_BE_TRIED)
_FIELD_WORD = re.compile(r"[-_. ]?(?:field|input|box|control|element|el|txt)s?$", re.IGNORECASE)
_MOST = 20  # alternatives for one element


@dataclass(frozen=True, slots=True)
class StepTarget:
    """What a step's selectors say: how to find the element, and what is known of it."""

    target: ActionTarget
    facts: dict[str, str]  # as attributes: id, name, type, aria-label, ...
    unreadable: int = 0

    @property
    def is_select(self) -> bool:
        """Whether it looks like a <select>. A field with that role and no tag is one more often than not."""
        return self.target.tag == "select" or (not self.target.tag and self.target.role in ("combobox", "listbox"))


def found_by(selectors: object, *, frames: tuple[str, ...], is_field: bool, test_id_attribute: str) -> StepTarget:
    """Raises WrongTypeError where `selectors` is not what a Recorder writes."""
    alternatives = list(_alternatives(selectors))[:_MOST]
    lasts = [one[-1] for one in alternatives]
    tag = next((found for found in map(_tag, lasts) if found), "")
    facts = _facts(lasts)
    role = facts.pop("role", "") or _ROLE_OF_TAG.get(tag, "")
    maker = _Maker(role, is_field or tag in ("input", "textarea", "select"), test_id_attribute)
    candidates: dict[str, SelectorCandidate] = {}
    unreadable = 0
    for alternative in alternatives:
        try:
            candidate = maker.candidate(alternative)
        except _UNREADABLE:
            unreadable += 1
        else:
            candidates.setdefault(candidate.selector, candidate)
    ordered = sorted(candidates.values(), key=lambda one: _ORDER.index(one.by))
    spelled = [SelectorCandidate("css" if one.by == "xpath" else one.by, one.selector, 0) for one in ordered]
    in_shadow = any(len(one) > 1 for one in alternatives)
    target = ActionTarget(tuple(spelled), frames, tag, role, facts.get("aria-label", ""), in_shadow)
    # `password-input` names the field; what is typed into it is a password.
    bare = {name: _FIELD_WORD.sub("", value) or value for name, value in facts.items()}
    return StepTarget(target, {**bare, **({"tag": tag} if tag else {})}, unreadable)


def _alternatives(selectors: object) -> Iterator[tuple[str, ...]]:
    """Each a way from the outermost shadow host to the element; one that is a text alone has no hosts."""
    if not isinstance(selectors, list):
        raise WrongTypeError("selectors")
    for one in selectors:
        steps = [one] if isinstance(one, str) else one
        if not isinstance(steps, list) or not steps or not all(isinstance(step, str) and step for step in steps):
            raise WrongTypeError("selectors")
        yield tuple(storable(step) for step in steps)


@dataclass(frozen=True, slots=True)
class _Maker:
    role: str
    is_field: bool
    test_id_attribute: str

    def candidate(self, steps: Sequence[str]) -> SelectorCandidate:
        parts: list[SelectorPart] = []
        by = "css"
        for step in steps:
            by, part = self._part(step)
            parts += part
        selector = internal(Selector(tuple(parts), Dialect.INTERNAL, ""))
        parse_selector(selector, Dialect.INTERNAL)  # what cannot be read again is of no use to anybody
        return SelectorCandidate(by if len(steps) == 1 or by != "id" else "css", selector, 0)

    def _part(self, step: str) -> tuple[str, tuple[SelectorPart, ...]]:
        kind, slash, rest = step.partition("/")
        if slash and kind == "aria":
            return self._aria(rest)
        if slash and kind == "text":
            return "text", (SelectorPart(SelectorEngine.TEXT, rest),)
        if slash and kind == "xpath":
            return "xpath", parse_selector(f"xpath={rest}", Dialect.INTERNAL).parts
        if slash and kind == "pierce":
            step = rest  # our CSS looks into shadow roots anyhow
        return self._css(step)

    def _aria(self, text: str) -> tuple[str, tuple[SelectorPart, ...]]:
        name, role = _aria_name(text)
        role = role or self.role
        if role:
            return "role", (SelectorPart(SelectorEngine.ROLE, role, name=name or None, exact=bool(name)),)
        return (
            ("label", (SelectorPart(SelectorEngine.LABEL, name, exact=True),))
            if self.is_field
            else ("text", (SelectorPart(SelectorEngine.TEXT, name, exact=True),))
        )

    def _css(self, css: str) -> tuple[str, tuple[SelectorPart, ...]]:
        one = _ONE_ATTRIBUTE.fullmatch(css)
        if one and one[1] == self.test_id_attribute:
            return "testid", (SelectorPart(SelectorEngine.TEST_ID, one[2] or one[3] or one[4] or ""),)
        if one and one[1] in TEST_ID_ATTRIBUTES:
            return "testid", (SelectorPart(SelectorEngine.CSS, css),)
        compiled_css(css)
        parts = parse_selector(f"css={css}", Dialect.INTERNAL).parts
        return ("id" if _ID.fullmatch(css) else "css"), parts


def _aria_name(text: str) -> tuple[str, str]:
    """The name and the role of `Pay[role="button"]`."""
    said = {found[1]: re.sub(r"\\(.)", r"\1", found[3]) for found in _ARIA_ATTRIBUTE.finditer(text)}
    name = _ARIA_ATTRIBUTE.sub("", text).strip()
    return " ".join((said.get("name") or name).split()), said.get("role", "")


def _tag(step: str) -> str:
    kind, slash, rest = step.partition("/")
    if slash and kind == "xpath":
        found = _XPATH_TAG.search(rest)
        return found[1] if found else ""
    if slash and kind in ("aria", "text"):
        return ""
    last = _LAST_COMPOUND.search(rest if slash and kind == "pierce" else step)
    tag = _TAG.match(last[0]) if last else None
    return tag[0] if tag else ""


def _facts(lasts: Sequence[str]) -> dict[str, str]:
    facts: dict[str, str] = {}
    for step in lasts:
        kind, slash, rest = step.partition("/")
        if slash and kind == "aria":
            name, role = _aria_name(rest)
            facts.setdefault("aria-label", name)
            facts.setdefault("role", role)
        elif slash and kind == "xpath":
            for found in _XPATH_ATTRIBUTE.finditer(rest.rpartition("/")[2]):
                facts.setdefault(found[1], found[2] or found[3] or "")
        elif not (slash and kind == "text"):
            _facts_of_css(rest if slash and kind == "pierce" else step, facts)
    return {name: value for name, value in facts.items() if value}


def _facts_of_css(css: str, facts: dict[str, str]) -> None:
    last = _LAST_COMPOUND.search(css)
    compound = last[0] if last else css
    for found in _ATTRIBUTE.finditer(css[css.rfind("[") :] if "[" in css else ""):
        facts.setdefault(found[1], found[2] or found[3] or found[4] or "")
    bare = _ATTRIBUTE.sub("", compound)
    if found_id := _ID.search(bare):
        facts.setdefault("id", found_id[1])
    if classes := _CLASS.findall(bare):
        # The only name that some fields have: `input.password`.
        facts.setdefault("label", " ".join(classes).replace("-", " "))
