"""Playwright locators written as calls in a row, in TypeScript or Python."""

import re
from collections.abc import Callable, Mapping

from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart, TextPattern
from testwright.selectors.expression_parser import BareWord, ObjectLiteral, ParsedChain, ParsedLink, Value
from testwright.selectors.literal_scanner import Unreadable
from testwright.selectors.selector_string_parser import parts_of_string

_BY_TEXT = {
    "getByText": SelectorEngine.TEXT,
    "getByLabel": SelectorEngine.LABEL,
    "getByPlaceholder": SelectorEngine.PLACEHOLDER,
    "getByAltText": SelectorEngine.ALT_TEXT,
    "getByTitle": SelectorEngine.TITLE,
}
_ROLE_OPTIONS = {
    "checked": "checked", "disabled": "disabled", "expanded": "expanded",
    "includeHidden": "include-hidden", "level": "level", "pressed": "pressed", "selected": "selected",
}  # fmt: skip
_WORDS = {"True": "true", "False": "false", "None": "", "null": "", "undefined": ""}
_NTH = {"first": "0", "last": "-1"}
_LOOKS_LIKE_CHAIN = re.compile(
    r"""
    (?: await \s+ )?
    (?: [\w$!?]+ (?: \(\) )? \s* \. \s* )*
    (?: getBy[A-Z]\w* | get_by_\w+ | locator | frameLocator | frame_locator | contentFrame | content_frame )
    \s* \(
    """,
    re.VERBOSE,
)
_PYTHON_SIGNS = re.compile(
    r"\b(?:get_by_|frame_locator|content_frame|has_text|has_not|and_\(|or_\()|\.(?:first|last)\b(?!\()"
)


def looks_like_chain(text: str) -> bool:
    return _LOOKS_LIKE_CHAIN.match(text) is not None


def dialect_of_chain(text: str) -> Dialect:
    """Which of the two it is; the quotes that Playwright prints decide a call that both could have made."""
    if "getBy" in text or "frameLocator" in text:
        return Dialect.TYPESCRIPT
    if _PYTHON_SIGNS.search(text) or '("' in text:
        return Dialect.PYTHON
    return Dialect.TYPESCRIPT


def parts_of_chain(chain: Value, dialect: Dialect) -> tuple[SelectorPart, ...]:
    if not isinstance(chain, ParsedChain):
        raise Unreadable("it is not a locator")
    links = list(chain.links)
    while links and links[0].arguments is None:  # page, this.page, self.dialog
        links.pop(0)
    if not links:
        raise Unreadable("it is computed at run time")
    parts: list[SelectorPart] = []
    for link in links:
        _add(link, parts, dialect)
    return tuple(parts)


def _add(link: ParsedLink, parts: list[SelectorPart], dialect: Dialect) -> None:
    name = _camel(link.name)
    if name in _NTH or name == "nth":
        _add_nth(_NTH.get(name) or _number(link), parts)
    elif name == "frameLocator":
        parts += [*_locator(link, dialect), SelectorPart(SelectorEngine.FRAME)]
    elif name == "contentFrame":
        parts.append(SelectorPart(SelectorEngine.FRAME))
    elif name == "owner" and parts and parts[-1].engine is SelectorEngine.FRAME:
        parts.pop()
    elif name == "visible":
        parts.append(SelectorPart(SelectorEngine.VISIBLE, "true"))
    elif name == "describe":
        pass  # a remark for people
    elif name in _CALLS:
        parts += _CALLS[name](link, dialect)
    else:
        raise Unreadable(f"{link.name} is not a call that finds an element")


def _add_nth(number: str, parts: list[SelectorPart]) -> None:
    # Of a frame locator it chooses among the frames, before one is entered.
    at = len(parts) - 1 if parts and parts[-1].engine is SelectorEngine.FRAME else len(parts)
    parts.insert(at, SelectorPart(SelectorEngine.NTH, number))


def _locator(link: ParsedLink, dialect: Dialect) -> list[SelectorPart]:
    given = _first(link)
    if isinstance(given, ParsedChain):
        found = [SelectorPart(SelectorEngine.CHAIN, inner=_inner(given, dialect))]
    elif isinstance(given, str):
        found = list(parts_of_string(given))
    else:
        raise Unreadable("its selector is computed at run time")
    return found + _filters(link.named, dialect)


def _role(link: ParsedLink, _dialect: Dialect) -> list[SelectorPart]:
    role = _text(_first(link))
    if isinstance(role, TextPattern):
        raise Unreadable("a role cannot be a regular expression")
    named = {_camel(name): value for name, value in link.named.items()}
    options = {
        kept: _word(named[name]) for name, kept in _ROLE_OPTIONS.items() if name in named and _is_given(named[name])
    }
    if "description" in named:
        description = _text(named["description"])
        if isinstance(description, TextPattern):
            raise Unreadable("a description cannot be a regular expression here")
        options["description"] = description
    name = _text(named["name"]) if "name" in named else None
    exact = isinstance(name, str) and _word(named.get("exact", BareWord("false"))) == "true"
    return [SelectorPart(SelectorEngine.ROLE, role, exact=exact, name=name, options=options)]


def _test_id(link: ParsedLink, _dialect: Dialect) -> list[SelectorPart]:
    return [SelectorPart(SelectorEngine.TEST_ID, _text(_first(link)))]


def _by_text(link: ParsedLink, _dialect: Dialect) -> list[SelectorPart]:
    text = _text(_first(link))
    exact = isinstance(text, str) and _word(link.named.get("exact", BareWord("false"))) == "true"
    return [SelectorPart(_BY_TEXT[_camel(link.name)], text, exact=exact)]


def _filter(link: ParsedLink, dialect: Dialect) -> list[SelectorPart]:
    return _filters(link.named, dialect)


def _both(link: ParsedLink, dialect: Dialect) -> list[SelectorPart]:
    engine = SelectorEngine.AND if _camel(link.name) == "and" else SelectorEngine.OR
    return [SelectorPart(engine, inner=_inner(_first(link), dialect))]


_CALLS: Mapping[str, Callable[[ParsedLink, Dialect], list[SelectorPart]]] = {
    "locator": _locator,
    "getByRole": _role,
    "getByTestId": _test_id,
    **dict.fromkeys(_BY_TEXT, _by_text),
    "filter": _filter,
    "and": _both,
    "or": _both,
}


def _filters(named: Mapping[str, Value], dialect: Dialect) -> list[SelectorPart]:
    """In the order in which Playwright applies them."""
    given = {_camel(name): value for name, value in named.items() if _is_given(value)}
    found = []
    for name, engine in (("hasText", SelectorEngine.HAS_TEXT), ("hasNotText", SelectorEngine.HAS_NOT_TEXT)):
        if name in given:
            found.append(SelectorPart(engine, _text(given[name])))
    for name, engine in (("has", SelectorEngine.HAS), ("hasNot", SelectorEngine.HAS_NOT)):
        if name in given:
            found.append(SelectorPart(engine, inner=_inner(given[name], dialect)))
    if "visible" in given:
        found.append(SelectorPart(SelectorEngine.VISIBLE, _word(given["visible"])))
    return found


def _inner(value: Value, dialect: Dialect) -> Selector:
    return Selector(parts_of_chain(value, dialect), dialect, "")


def _first(link: ParsedLink) -> Value:
    if link.arguments:
        return link.arguments[0]
    if "selector" in link.named:  # Python may name it
        return link.named["selector"]
    for name in ("text", "role", "test_id"):
        if name in link.named:
            return link.named[name]
    raise Unreadable(f"{link.name} is given nothing to look for")


def _number(link: ParsedLink) -> str:
    given = link.arguments[0] if link.arguments else link.named.get("index")
    if not isinstance(given, BareWord) or not given.text.lstrip("-").isdecimal():
        raise Unreadable("the number is computed at run time")
    return given.text


def _text(value: Value) -> str | TextPattern:
    if isinstance(value, (str, TextPattern)):
        return value
    raise Unreadable("its text is computed at run time")


def _word(value: Value) -> str:
    if isinstance(value, BareWord):
        word = _WORDS.get(value.text, value.text)
        if word in {"true", "false"} or word.isdecimal():
            return word
    elif isinstance(value, str):  # checked: 'mixed'
        return value
    raise Unreadable("an option is computed at run time")


def _is_given(value: Value) -> bool:
    return not (isinstance(value, BareWord) and _WORDS.get(value.text) == "") and not isinstance(value, ObjectLiteral)


def _camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)
