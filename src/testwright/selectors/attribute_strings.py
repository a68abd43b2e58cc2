"""`button[name="Pay"i][level=2]`: a name and attributes, as Playwright's role and attribute engines have them."""

import re
from dataclasses import dataclass

from testwright.model.selector import Dialect, Pattern
from testwright.selectors.strings import Scanner, Unreadable, regex_literal

_NAME = re.compile(r"[\w\-\u0080-\U0010ffff]*")
_BLANK = re.compile(r"\s*")
_OPERATOR = re.compile(r"[*^$|~]?=")
_UNQUOTED = re.compile(r"[\w\-+.\u0080-\U0010ffff]+")


@dataclass(frozen=True, slots=True)
class AttributeTest:
    name: str
    operator: str = ""  # empty: it is there
    value: str | Pattern = ""
    case_counts: bool = True


def attribute_selector(text: str) -> tuple[str, tuple[AttributeTest, ...]]:
    source = Scanner(text, Dialect.INTERNAL)
    source.matched(_BLANK)
    name = source.matched(_NAME)
    source.matched(_BLANK)
    attributes = []
    while source.take("["):
        attributes.append(_attribute(source))
        source.matched(_BLANK)
    if not source.at_end:
        raise Unreadable(f"{source.rest(20)!r} is out of place")
    return name, tuple(attributes)


def _attribute(source: Scanner) -> AttributeTest:
    source.matched(_BLANK)
    name = _quoted(source) if source.peek() in {'"', "'"} else source.matched(_NAME)
    if not name:
        raise Unreadable("an attribute has no name")
    source.matched(_BLANK)
    if source.take("]"):
        return AttributeTest(name)
    operator = source.matched(_OPERATOR)
    if not operator:
        raise Unreadable(f"the attribute {name} is not compared with anything")
    source.matched(_BLANK)
    value, case_counts = _value(source)
    source.matched(_BLANK)
    if not source.take("]"):
        raise Unreadable(f"the attribute {name} is not closed")
    return AttributeTest(name, operator, value, case_counts)


def _value(source: Scanner) -> tuple[str | Pattern, bool]:
    if source.peek() == "/":
        return regex_literal(source), True
    if source.peek() in {'"', "'"}:
        value = _quoted(source)
        source.matched(_BLANK)
        case_counts = not source.take("i", "I")
        if case_counts:
            source.take("s", "S")
        return value, case_counts
    unquoted = source.matched(_UNQUOTED)
    if not unquoted:
        raise Unreadable("an attribute has no value")
    return unquoted, True


def _quoted(source: Scanner) -> str:
    quote = source.next()
    found = []
    while (character := source.next()) != quote:
        found.append(source.next() if character == "\\" else character)
    return "".join(found)
