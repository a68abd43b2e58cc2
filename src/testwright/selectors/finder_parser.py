"""Flutter's finders: `find.byKey(const Key('pay'))` and the like."""

import re
from collections.abc import Callable, Mapping

from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart, TextPattern
from testwright.selectors.expression_parser import BareWord, ParsedChain, ParsedLink, Value
from testwright.selectors.literal_scanner import Unreadable

_LOOKS_LIKE_FINDER = re.compile(r"\s*find\s*\.\s*\w+\s*\(")
_KEYS = frozenset({"Key", "ValueKey", "ObjectKey"})
_CONTEXT_OPTIONS = ("skipOffstage", "matchRoot")
_BY_TEXT = {
    "text": SelectorEngine.TEXT, "byText": SelectorEngine.TEXT, "textContaining": SelectorEngine.TEXT,
    "byTooltip": SelectorEngine.TOOLTIP, "bySemanticsLabel": SelectorEngine.SEMANTICS_LABEL,
}  # fmt: skip
_SUBSTRING = frozenset({"textContaining"})
_WITHIN = {"descendant": SelectorEngine.DESCENDANT, "ancestor": SelectorEngine.ANCESTOR}
_NTH = {"first": "0", "last": "-1"}


def looks_like_finder(text: str) -> bool:
    return _LOOKS_LIKE_FINDER.match(text) is not None


def parts_of_finder(chain: Value) -> tuple[SelectorPart, ...]:
    if not isinstance(chain, ParsedChain) or len(chain.links) < 2 or chain.links[0].name != "find":
        raise Unreadable("it is not a finder")
    made, *narrowed = chain.links[1:]
    if made.name in _WITHIN:
        parts = _within(made)
    elif made.name in _CALLS:
        parts = [_CALLS[made.name](made)]
    else:
        raise Unreadable(f"find.{made.name} looks for something that only the running app knows")
    return (*parts, *(_narrowed(link) for link in narrowed))


def _narrowed(link: ParsedLink) -> SelectorPart:
    if link.name in _NTH:
        return SelectorPart(SelectorEngine.NTH, _NTH[link.name])
    if link.name == "hitTestable":
        return SelectorPart(SelectorEngine.VISIBLE, "true")
    given = link.arguments[0] if link.name == "at" and link.arguments else None
    if not isinstance(given, BareWord) or not given.text.isdecimal():
        raise Unreadable(f".{link.name} cannot be told without running it")
    return SelectorPart(SelectorEngine.NTH, given.text)


def _within(link: ParsedLink) -> list[SelectorPart]:
    if not {"of", "matching"} <= set(link.named):
        raise Unreadable(f"{link.name} needs of: and matching:")
    inner = Selector(parts_of_finder(link.named["matching"]), Dialect.FLUTTER, "")
    return [*parts_of_finder(link.named["of"]), SelectorPart(_WITHIN[link.name], options=_options(link), inner=inner)]


def _by_key(link: ParsedLink) -> SelectorPart:
    key = _first(link)
    if isinstance(key, BareWord):
        raise Unreadable("its key is computed at run time")
    if not isinstance(key, ParsedChain) or len(key.links) != 1 or key.links[0].name not in _KEYS:
        raise Unreadable("it has no Key('...') or ValueKey('...')")
    value = _first(key.links[0])
    options = _options(link)
    if isinstance(value, BareWord) and value.text.isdecimal():
        options["key"] = "number"
    elif not isinstance(value, str):
        raise Unreadable("its key is computed at run time")
    return SelectorPart(
        SelectorEngine.KEY, value.text if isinstance(value, BareWord) else value, exact=True, options=options
    )


def _by_text(link: ParsedLink) -> SelectorPart:
    text = _first(link)
    if not isinstance(text, (str, TextPattern)):
        raise Unreadable("its text is computed at run time")
    exact = link.name not in _SUBSTRING and isinstance(text, str)
    return SelectorPart(_BY_TEXT[link.name], text, exact=exact, options=_options(link))


def _by_type(link: ParsedLink) -> SelectorPart:
    return SelectorPart(SelectorEngine.TYPE, _type(_first(link)), options=_options(link))


def _by_icon(link: ParsedLink) -> SelectorPart:
    return SelectorPart(SelectorEngine.ICON, _dotted(_first(link)), options=_options(link))


def _widget_with_text(link: ParsedLink) -> SelectorPart:
    text = link.arguments[1] if len(link.arguments or ()) > 1 else None  # type: ignore[index]  # the length says it is there
    if not isinstance(text, str):
        raise Unreadable("its text is computed at run time")
    return SelectorPart(
        SelectorEngine.WIDGET_WITH_TEXT, _type(_first(link)), exact=True, name=text, options=_options(link)
    )


def _widget_with_icon(link: ParsedLink) -> SelectorPart:
    if len(link.arguments or ()) < 2:
        raise Unreadable("it has no icon")
    icon = link.arguments[1]  # type: ignore[index]  # the length says it is there
    return SelectorPart(
        SelectorEngine.WIDGET_WITH_ICON, _type(_first(link)), name=_dotted(icon), options=_options(link)
    )


_CALLS: Mapping[str, Callable[[ParsedLink], SelectorPart]] = {
    "byKey": _by_key,
    **dict.fromkeys(_BY_TEXT, _by_text),
    "byType": _by_type,
    "byIcon": _by_icon,
    "widgetWithText": _widget_with_text,
    "widgetWithIcon": _widget_with_icon,
}


def _options(link: ParsedLink) -> dict[str, str]:
    return {
        name: value.text
        for name in _CONTEXT_OPTIONS
        if isinstance(value := link.named.get(name), BareWord) and value.text in {"true", "false"}
    }


def _first(link: ParsedLink) -> Value:
    if not link.arguments:
        raise Unreadable(f"{link.name} is given nothing to look for")
    return link.arguments[0]


def _type(value: Value) -> str:
    if isinstance(value, BareWord) and value.text[:1].isalpha():
        return value.text
    raise Unreadable("its type cannot be told without running it")


def _dotted(value: Value) -> str:
    if isinstance(value, BareWord):
        return value.text
    if isinstance(value, ParsedChain) and all(link.arguments is None for link in value.links):
        return value.dotted
    raise Unreadable("its icon is computed at run time")
