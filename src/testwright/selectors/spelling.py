"""Selectors as text again: in source code, and in the one form in which two of them can be compared."""

import json
from collections.abc import Callable, Mapping, Sequence

from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart, TextPattern
from testwright.selectors.literal_writer import literal
from testwright.selectors.string_spelling import internal_parts, is_string_part, plain_string

# --- Flutter finders as Dart source ---------------------------------------------------------------------------------


_WITHIN = {SelectorEngine.DESCENDANT: "descendant", SelectorEngine.ANCESTOR: "ancestor"}
_NTH = {"0": "first", "-1": "last"}
_BY_TEXT = {SelectorEngine.TOOLTIP: "byTooltip", SelectorEngine.SEMANTICS_LABEL: "bySemanticsLabel"}


def dart_finder(parts: tuple[SelectorPart, ...], quote: str) -> str:
    made = ""
    for part in parts:
        if part.engine is SelectorEngine.NTH:
            made += f".{_NTH.get(str(part.value)) or f'at({part.value})'}"
        elif part.engine is SelectorEngine.VISIBLE:
            made += ".hitTestable()"
        elif part.engine in _WITHIN and part.inner is not None:
            inner = dart_finder(part.inner.parts, quote)
            made = f"find.{_WITHIN[part.engine]}(of: {made}, matching: {inner}{_options(part)})"
        else:
            made = _find(part, quote)
    return made


def _find(part: SelectorPart, quote: str) -> str:
    value = _value(part.value, quote)
    more = _options(part)
    if part.engine is SelectorEngine.KEY:
        is_number = part.options.get("key") == "number"
        key = f"ValueKey({part.value})" if is_number else f"Key({value})"
        return f"find.byKey(const {key}{more})"
    if part.engine is SelectorEngine.TEXT:
        return f"find.{'text' if part.exact else 'textContaining'}({value}{more})"
    if part.engine in _BY_TEXT:
        return f"find.{_BY_TEXT[part.engine]}({value}{more})"
    if part.engine is SelectorEngine.ICON:
        return f"find.byIcon({part.value}{more})"
    if part.engine is SelectorEngine.WIDGET_WITH_TEXT:
        return f"find.widgetWithText({part.value}, {_value(part.name or '', quote)}{more})"
    if part.engine is SelectorEngine.WIDGET_WITH_ICON:
        return f"find.widgetWithIcon({part.value}, {part.name}{more})"
    return f"find.byType({part.value}{more})"


def _options(part: SelectorPart) -> str:
    return "".join(f", {name}: {value}" for name, value in sorted(part.options.items()) if name != "key")


def _value(value: str | TextPattern, quote: str) -> str:
    if isinstance(value, str):
        return literal(value, Dialect.FLUTTER, quote)
    flag = ", caseSensitive: false" if "i" in value.flags else ""
    return f"RegExp({literal(value.source, Dialect.FLUTTER, quote)}{flag})"


__all__ = ["canonical", "internal", "literal", "snake", "spelled"]

_CALLS = {
    SelectorEngine.TEXT: "getByText",
    SelectorEngine.LABEL: "getByLabel",
    SelectorEngine.PLACEHOLDER: "getByPlaceholder",
    SelectorEngine.ALT_TEXT: "getByAltText",
    SelectorEngine.TITLE: "getByTitle",
}
_FILTERS = {
    SelectorEngine.HAS_TEXT: "hasText", SelectorEngine.HAS_NOT_TEXT: "hasNotText",
    SelectorEngine.HAS: "has", SelectorEngine.HAS_NOT: "hasNot", SelectorEngine.VISIBLE: "visible",
}  # fmt: skip
_PYTHON_FLAGS = {"i": "re.IGNORECASE", "m": "re.MULTILINE", "s": "re.DOTALL"}


def internal(selector: Selector) -> str:
    """As Playwright's traces have it. Text is escaped, so that it reads the same in every spelling."""
    return internal_parts(selector.parts)


def canonical(selector: Selector) -> str:
    """The same for two selectors that say the same in two spellings: compare these, never the texts."""
    if selector.dialect is Dialect.FLUTTER:
        return dart_finder(selector.parts, "'")
    return internal(selector)


def spelled(selector: Selector, dialect: Dialect, *, receiver: str = "", quote: str = "") -> str:
    """Source text of it: `getByRole('button', { name: 'Pay' })`, behind `receiver.` where one is given."""
    if dialect is Dialect.INTERNAL:
        return internal(selector)
    if dialect is Dialect.FLUTTER:
        return dart_finder(selector.parts, quote or "'")
    return _Writer(dialect, receiver, quote or ("'" if dialect is Dialect.TYPESCRIPT else '"')).chain(selector)


class _Writer:
    """Writes chains in one language, with one kind of quotes."""

    def __init__(self, dialect: Dialect, receiver: str, quote: str) -> None:
        self.dialect = dialect
        self.receiver = receiver
        self.quote = quote
        self.is_python = dialect is Dialect.PYTHON

    def chain(self, selector: Selector) -> str:
        links = [self.receiver] if self.receiver else []
        parts = selector.parts
        at = 0
        while at < len(parts):
            step, taken = self._frame(parts, at)
            links.append(step or self._link(parts[at]))
            at += taken or 1
        return ".".join(links)

    def _frame(self, parts: tuple[SelectorPart, ...], at: int) -> tuple[str, int]:
        """`frameLocator('#f')`, where a plain string and the step into the frame follow one another."""
        if at + 1 < len(parts) and parts[at + 1].engine is SelectorEngine.FRAME and is_string_part(parts[at]):
            return self._call("frameLocator", [self._literal(plain_string(parts[at]))]), 2
        return "", 0

    def _link(self, part: SelectorPart) -> str:
        if is_string_part(part) or (
            part.exact and part.engine in {SelectorEngine.HAS_TEXT, SelectorEngine.HAS_NOT_TEXT}
        ):
            return self._call("locator", [self._literal(plain_string(part))])
        if part.engine in _CALLS:
            return self._call(_CALLS[part.engine], [self._value(part.value)], {"exact": "true"} if part.exact else {})
        if part.engine in _FILTERS:
            return self._call("filter", [], {_FILTERS[part.engine]: self._filter(part)})
        return _LINKS[part.engine](self, part)

    def _filter(self, part: SelectorPart) -> str:
        if part.inner is not None:
            return self.chain(part.inner)
        return str(part.value) if part.engine is SelectorEngine.VISIBLE else self._value(part.value)

    def role(self, part: SelectorPart) -> str:
        options = {} if part.name is None else {"name": self._value(part.name)}
        if "description" in part.options:
            options["description"] = self._literal(part.options["description"])
        if part.exact:
            options["exact"] = "true"
        for name, value in part.options.items():
            if name != "description":
                camel = "includeHidden" if name == "include-hidden" else name
                options[camel] = value if value in {"true", "false"} or value.isdecimal() else self._literal(value)
        return self._call("getByRole", [self._value(part.value)], options)

    def test_id(self, part: SelectorPart) -> str:
        return self._call("getByTestId", [self._value(part.value)])

    def nth(self, part: SelectorPart) -> str:
        word = {"0": "first", "-1": "last"}.get(str(part.value))
        if word is None:
            return f"nth({part.value})"
        return word if self.is_python else f"{word}()"

    def frame(self, _part: SelectorPart) -> str:
        return "content_frame" if self.is_python else "contentFrame()"

    def nested(self, part: SelectorPart) -> str:
        assert part.inner is not None
        name = {SelectorEngine.AND: "and", SelectorEngine.OR: "or", SelectorEngine.CHAIN: "locator"}[part.engine]
        if self.is_python and part.engine is not SelectorEngine.CHAIN:
            name += "_"
        return f"{name}({self.chain(part.inner)})"

    def _call(self, name: str, arguments: list[str], named: Mapping[str, str] = {}) -> str:
        if self.is_python:
            words = {"true": "True", "false": "False"}
            arguments = [*arguments, *(f"{snake(key)}={words.get(value, value)}" for key, value in named.items())]
            return f"{snake(name)}({', '.join(arguments)})"
        if named:
            entries = ", ".join(f"{key}: {value}" for key, value in named.items())
            arguments = [*arguments, f"{{ {entries} }}"]
        return f"{name}({', '.join(arguments)})"

    def _value(self, value: str | TextPattern) -> str:
        if isinstance(value, str):
            return self._literal(value)
        if self.is_python:
            flags = " | ".join(_PYTHON_FLAGS[flag] for flag in value.flags if flag in _PYTHON_FLAGS)
            return f"re.compile({self._literal(value.source)}{', ' + flags if flags else ''})"
        return regex_source(value)

    def _literal(self, text: str) -> str:
        return literal(text, self.dialect, self.quote)


_LINKS: Mapping[SelectorEngine, Callable[[_Writer, SelectorPart], str]] = {
    SelectorEngine.ROLE: _Writer.role, SelectorEngine.TEST_ID: _Writer.test_id,
    SelectorEngine.NTH: _Writer.nth, SelectorEngine.FRAME: _Writer.frame,
    SelectorEngine.AND: _Writer.nested, SelectorEngine.OR: _Writer.nested,
    SelectorEngine.CHAIN: _Writer.nested,
}  # fmt: skip


def regex_source(pattern: TextPattern) -> str:
    """As a literal of TypeScript; a constructor call where the literal could not hold it."""
    if any(character < " " or character in "\u2028\u2029" for character in pattern.source) or not pattern.source:
        arguments = [json.dumps(pattern.source), *([json.dumps(pattern.flags)] if pattern.flags else [])]
        return f"new RegExp({', '.join(arguments)})"
    return f"/{_escaped_slashes(pattern.source)}/{pattern.flags}"


def _escaped_slashes(source: str) -> str:
    """Slashes outside of character classes escaped."""
    made = []
    in_class = is_escaped = False
    for character in source:
        if character == "/" and not in_class and not is_escaped:
            made.append("\\")
        made.append(character)
        if not is_escaped:
            in_class = (in_class or character == "[") and character != "]"
        is_escaped = character == "\\" and not is_escaped
    return "".join(made)


def snake(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)


# --- Parts of selectors as texts that are equal when the parts mean the same, in any spelling -------------------


def canonical_parts(parts: Sequence[SelectorPart], dialect: Dialect = Dialect.INTERNAL) -> tuple[str, ...]:
    """One for each part; of a finder, whose parts lean on one another, one for all of them."""
    if dialect is Dialect.FLUTTER:
        return (canonical(Selector(tuple(parts), Dialect.FLUTTER, "")),)
    return tuple(canonical(Selector((part,), Dialect.INTERNAL, "")) for part in parts)
