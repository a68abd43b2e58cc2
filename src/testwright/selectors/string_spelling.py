"""Selectors as plain strings, the way Playwright itself writes them down."""

import json
import re

from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE, SelectorEngine, SelectorPart, TextPattern

_TEXT = {
    SelectorEngine.TEXT: "internal:text",
    SelectorEngine.LABEL: "internal:label",
    SelectorEngine.HAS_TEXT: "internal:has-text",
    SelectorEngine.HAS_NOT_TEXT: "internal:has-not-text",
}
_ATTRIBUTE = {SelectorEngine.PLACEHOLDER: "placeholder", SelectorEngine.ALT_TEXT: "alt", SelectorEngine.TITLE: "title"}
_NESTED = {
    SelectorEngine.HAS: "internal:has",
    SelectorEngine.HAS_NOT: "internal:has-not",
    SelectorEngine.AND: "internal:and",
    SelectorEngine.OR: "internal:or",
    SelectorEngine.CHAIN: "internal:chain",
}
_XPATH_SHOWS = re.compile(r"\(*//|\.\.")
_HOW_IT_WAS_SAID = frozenset({"engine", "body", "attribute", "name-operator"})


def is_string_part(part: SelectorPart) -> bool:
    """Whether it can only be written as a string: `locator('...')`."""
    return part.engine in {SelectorEngine.CSS, SelectorEngine.XPATH} or "engine" in part.options


def internal_parts(parts: tuple[SelectorPart, ...]) -> str:
    return " >> ".join(plain_string(part) for part in parts)


def plain_string(part: SelectorPart) -> str:
    if "engine" in part.options:
        return _as_it_was_said(part)
    if part.engine is SelectorEngine.CSS:
        return str(part.value)
    if part.engine is SelectorEngine.XPATH:
        return str(part.value) if _XPATH_SHOWS.match(str(part.value)) else f"xpath={part.value}"
    if part.engine is SelectorEngine.ROLE:
        return f"internal:role={_role(part, '=')}"
    if part.engine is SelectorEngine.TEST_ID:
        # Which attribute it is depends on the project's settings, which source does not show.
        return f"internal:testid=[{DEFAULT_TEST_ID_ATTRIBUTE}={_quoted(part.value, exact=True)}]"
    if part.engine in _TEXT:
        return f"{_TEXT[part.engine]}={_json(part.value, part.exact)}"
    if part.engine in _ATTRIBUTE:
        return f"internal:attr=[{_ATTRIBUTE[part.engine]}={_quoted(part.value, part.exact)}]"
    if part.engine in _NESTED and part.inner is not None:
        return f"{_NESTED[part.engine]}={json.dumps(internal_parts(part.inner.parts), ensure_ascii=False)}"
    if part.engine is SelectorEngine.FRAME:
        return "internal:control=enter-frame"
    return f"{part.engine}={part.value}"  # nth, visible


def _as_it_was_said(part: SelectorPart) -> str:
    engine = part.options["engine"]
    if engine == "role":
        return f"role={_role(part, part.options.get('name-operator', '='))}"
    if engine != "text":
        return f"{engine}={part.options['body']}"
    if isinstance(part.value, TextPattern):
        return f"text={_regex(part.value)}"
    return f"text={_css_quoted(part.value)}" if part.exact else f"text={part.value}"


def _role(part: SelectorPart, operator: str) -> str:
    options = {name: value for name, value in part.options.items() if name not in _HOW_IT_WAS_SAID}
    made = [str(part.value)]
    for name, value in sorted(options.items()):
        made.append(f"[{name}={_quoted(value, part.exact) if name == 'description' else value}]")
    if part.name is not None:
        made.append(f"[name{operator}{_quoted(part.name, part.exact)}]")
    return "".join(made)


def _json(value: str | TextPattern, exact: bool) -> str:
    if isinstance(value, TextPattern):
        return _regex(value)
    return json.dumps(value, ensure_ascii=False) + ("s" if exact else "i")


def _quoted(value: str | TextPattern, exact: bool) -> str:
    if isinstance(value, TextPattern):
        return _regex(value)
    return _css_quoted(value) + ("s" if exact else "i")


def _css_quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _regex(pattern: TextPattern) -> str:
    source = re.sub(r"(?<!\\)((?:\\\\)*)/", r"\1\\/", pattern.source)
    # Quotes and >> would end the part before its time.
    source = re.sub(r"(?<!\\)((?:\\\\)*)([\"'`])", r"\1\\\2", source).replace(">>", "\\x3e\\x3e")
    return f"/{source}/{pattern.flags}"
