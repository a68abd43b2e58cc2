"""Flutter finders as Dart source."""

from testwright.model.selector import Dialect, Engine, Part, Pattern
from testwright.selectors.literals import literal

_WITHIN = {Engine.DESCENDANT: "descendant", Engine.ANCESTOR: "ancestor"}
_NTH = {"0": "first", "-1": "last"}
_BY_TEXT = {Engine.TOOLTIP: "byTooltip", Engine.SEMANTICS_LABEL: "bySemanticsLabel"}


def finder(parts: tuple[Part, ...], quote: str) -> str:
    made = ""
    for part in parts:
        if part.engine is Engine.NTH:
            made += f".{_NTH.get(str(part.value)) or f'at({part.value})'}"
        elif part.engine is Engine.VISIBLE:
            made += ".hitTestable()"
        elif part.engine in _WITHIN and part.inner is not None:
            inner = finder(part.inner.parts, quote)
            made = f"find.{_WITHIN[part.engine]}(of: {made}, matching: {inner}{_options(part)})"
        else:
            made = _find(part, quote)
    return made


def _find(part: Part, quote: str) -> str:
    value = _value(part.value, quote)
    more = _options(part)
    if part.engine is Engine.KEY:
        is_number = part.options.get("key") == "number"
        key = f"ValueKey({part.value})" if is_number else f"Key({value})"
        return f"find.byKey(const {key}{more})"
    if part.engine is Engine.TEXT:
        return f"find.{'text' if part.exact else 'textContaining'}({value}{more})"
    if part.engine in _BY_TEXT:
        return f"find.{_BY_TEXT[part.engine]}({value}{more})"
    if part.engine is Engine.ICON:
        return f"find.byIcon({part.value}{more})"
    if part.engine is Engine.WIDGET_WITH_TEXT:
        return f"find.widgetWithText({part.value}, {_value(part.name or '', quote)}{more})"
    if part.engine is Engine.WIDGET_WITH_ICON:
        return f"find.widgetWithIcon({part.value}, {part.name}{more})"
    return f"find.byType({part.value}{more})"


def _options(part: Part) -> str:
    return "".join(f", {name}: {value}" for name, value in sorted(part.options.items()) if name != "key")


def _value(value: str | Pattern, quote: str) -> str:
    if isinstance(value, str):
        return literal(value, Dialect.FLUTTER, quote)
    flag = ", caseSensitive: false" if "i" in value.flags else ""
    return f"RegExp({literal(value.source, Dialect.FLUTTER, quote)}{flag})"
