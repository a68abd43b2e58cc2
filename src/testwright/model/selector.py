"""Selectors as data: what a test says to find an element, in any language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

# Attributes that hold test ids, most usual first, and the one that Playwright reads unless it is told another.
TEST_ID_ATTRIBUTES = ("data-testid", "data-test-id", "data-test", "data-cy", "data-qa")
DEFAULT_TEST_ID_ATTRIBUTE = "data-testid"


class Dialect(StrEnum):
    """Who spells it. One selector can be written in several."""

    TYPESCRIPT = "typescript"  # page.getByRole('button', { name: 'Pay' })
    PYTHON = "python"  # page.get_by_role("button", name="Pay")
    INTERNAL = "internal"  # internal:role=button[name="Pay"i], as traces and plain selector strings have it
    FLUTTER = "flutter"  # find.byKey(const Key('pay'))


class SelectorEngine(StrEnum):
    """What a part of a selector looks at."""

    CSS = "css"
    XPATH = "xpath"
    TEXT = "text"
    ROLE = "role"
    TEST_ID = "testid"
    LABEL = "label"
    PLACEHOLDER = "placeholder"
    ALT_TEXT = "alt"
    TITLE = "title"
    # These narrow down what the parts before them found.
    NTH = "nth"  # value: a number, -1 for the last
    VISIBLE = "visible"
    HAS = "has"
    HAS_NOT = "has-not"
    HAS_TEXT = "has-text"
    HAS_NOT_TEXT = "has-not-text"
    AND = "and"
    OR = "or"
    CHAIN = "chain"  # `inner` is searched within what the parts before it found
    FRAME = "frame"  # what the parts before it found is an iframe: go on inside it
    # Flutter's finders.
    KEY = "key"
    TYPE = "type"
    TOOLTIP = "tooltip"
    ICON = "icon"
    SEMANTICS_LABEL = "semantics-label"
    WIDGET_WITH_TEXT = "widget-with-text"  # value: the widget's type, name: the text
    WIDGET_WITH_ICON = "widget-with-icon"  # value: the widget's type, name: the icon
    DESCENDANT = "descendant"  # `inner`, below what the parts before it found
    ANCESTOR = "ancestor"  # `inner`, above what the parts before it found


@dataclass(frozen=True, slots=True)
class TextPattern:
    """A regular expression where a selector allows one instead of a text."""

    source: str
    flags: str = ""


@dataclass(frozen=True, slots=True)
class SelectorPart:
    engine: SelectorEngine
    value: "str | TextPattern" = ""  # a CSS or XPath text, a role, a test id, a text, a number
    exact: bool = False  # whole text and case count
    name: "str | TextPattern | None" = None  # of a role
    # Of a role: checked, level, expanded, ...; of a test id: the attribute, where it was said. `engine` is the name
    # that a plain selector string gave (text=, role=, id=): it does not find quite what the getBy... call does.
    options: Mapping[str, str] = field(default_factory=dict)
    inner: "Selector | None" = None  # of `has`, `and`, `or`, `descendant`, ...


@dataclass(frozen=True, slots=True)
class Selector:
    """Parts, each searched within what the one before it found."""

    parts: tuple[SelectorPart, ...]
    dialect: Dialect
    text: str  # as it was written
