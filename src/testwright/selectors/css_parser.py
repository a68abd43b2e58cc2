"""CSS selectors with Playwright's additions, read into a form that can be tried on a page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from testwright.model.accessibility.raw_element import words_in
from testwright.model.errors import SelectorNotParseable, SelectorTooCostly, SelectorUnsupported
from testwright.model.untrusted_text import visible_line
from testwright.selectors.css_pseudo_classes import ElementTest, Nth, nth_of, pseudo_test

# --- `[name="value" i]`: the attribute tests of CSS -----------------------------------------------------------------


# HTML compares the values of these without regard to case.
_CASELESS = words_in("""
    accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir
    direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref
    noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign
    valuetype vlink
""")
_COMPARE: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: bool(wanted) and wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(wanted + "-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}


def attribute_test(tokens: Sequence[Any]) -> tuple[str, ElementTest]:
    """The attribute's name, and the test. Raises ValueError with the reason."""
    given = [token for token in tokens if token.type != "whitespace"]
    if not given or given[0].type != "ident":
        raise ValueError("an attribute has no name")
    name = given[0].lower_value
    if len(given) == 1:
        return name, lambda index, number: name in index.elements[number].attributes
    if len(given) < 3 or given[1].type != "literal" or given[1].value not in _COMPARE:
        raise ValueError(f"the attribute {name} is not compared with anything")
    if given[2].type not in {"ident", "string"}:
        raise ValueError(f"the value of the attribute {name} needs quotes")
    compare, wanted = _COMPARE[given[1].value], str(given[2].value)
    if _ignores_case(name, given[3:]):
        wanted = wanted.lower()
        return (
            name,
            lambda index, number: (
                (value := index.elements[number].attributes.get(name)) is not None and compare(value.lower(), wanted)
            ),
        )
    return (
        name,
        lambda index, number: (
            (value := index.elements[number].attributes.get(name)) is not None and compare(value, wanted)
        ),
    )


def _ignores_case(name: str, flags: Sequence[Any]) -> bool:
    if not flags:
        return name in _CASELESS
    if len(flags) > 1 or flags[0].type != "ident" or flags[0].lower_value not in {"i", "s"}:
        raise ValueError(f"there is something after the value of the attribute {name}")
    return bool(flags[0].lower_value == "i")


_DEEPEST = 64
_COMBINATORS = frozenset({">", "+", "~"})
_WITH_SELECTORS = frozenset({"is", "not", "where", "has", "nth-match"})
_WITH_TEXT = frozenset({"text", "text-is", "text-matches", "has-text"})
_LAYOUT = frozenset({"left-of", "right-of", "above", "below", "near", "light"})


_NO_NTH = Nth()


@dataclass(frozen=True, slots=True, eq=False)
class PseudoFunction:
    """`:has(...)` and the like: what Playwright answers itself rather than the browser."""

    name: str
    selectors: tuple["ComplexSelector", ...] = ()
    texts: tuple[str, ...] = ()
    number: int = 0
    nth: Nth = _NO_NTH
    uses_scope: bool = False
    is_free: bool = True  # its answer does not depend on what is searched


@dataclass(frozen=True, slots=True, eq=False)
class CompoundSelector:
    """`button.primary[type=submit]:visible`"""

    key: tuple[str, str]  # the rarest thing it names, to look it up by: ("id", "pay"); ("", "") for none
    tests: tuple[ElementTest, ...] = ()
    functions: tuple[PseudoFunction, ...] = ()
    is_free: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class ComplexSelector:
    """Compounds, and between each and the next a combinator; " " for a descendant."""

    compounds: tuple[CompoundSelector, ...]
    combinators: tuple[str, ...] = ()
    uses_scope: bool = False


def _function(
    name: str, selectors: tuple[ComplexSelector, ...], *, number: int = 0, nth: Nth = _NO_NTH
) -> PseudoFunction:
    uses_scope = any(selector.uses_scope for selector in selectors)
    if name == "has":
        is_free = not uses_scope
    else:
        is_free = name != "nth-match" and all(
            len(selector.compounds) == 1 and selector.compounds[0].is_free for selector in selectors
        )
    return PseudoFunction(name, selectors, number=number, nth=nth, uses_scope=uses_scope, is_free=is_free)


class _BadSyntax(ValueError):
    pass


@lru_cache(maxsize=512)
def compiled_css(text: str) -> tuple[ComplexSelector, ...]:
    import tinycss2  # type: ignore[import-untyped]  # it has no types  # late: start-up: tinycss2

    try:
        return _selectors(tinycss2.parse_component_value_list(text, skip_comments=True), 0)
    except _BadSyntax as reason:
        raise SelectorNotParseable(
            f"{visible_line(text, limit=80)} is not a CSS selector: {reason}.", next_step="Mend the selector."
        ) from None


def _selectors(tokens: Sequence[Any], depth: int) -> tuple[ComplexSelector, ...]:
    if depth > _DEEPEST:
        raise SelectorTooCostly("The selector is nested too deeply.", next_step="Write it with less nesting.")
    return tuple(_complex(piece, depth) for piece in _split_at_commas(tokens))


def _split_at_commas(tokens: Sequence[Any]) -> list[list[Any]]:
    pieces: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces


def _complex(tokens: Sequence[Any], depth: int) -> ComplexSelector:
    groups: list[list[Any]] = [[]]
    combinators: list[str] = []
    pending = ""
    for token in tokens:
        if token.type == "whitespace":
            pending = pending or " "
        elif token.type == "literal" and token.value in _COMBINATORS:
            if pending.strip():
                raise _BadSyntax("two combinators follow one another")
            pending = token.value
        else:
            if pending and (groups[-1] or pending != " "):
                combinators.append(pending)
                groups.append([])
            pending = ""
            groups[-1].append(token)
    if pending.strip() or not groups[-1]:
        raise _BadSyntax("something is missing")
    compounds = [_compound(group, depth) if group else _SCOPE for group in groups]
    uses_scope = any(function.uses_scope for compound in compounds for function in compound.functions)
    return ComplexSelector(tuple(compounds), tuple(combinators), uses_scope)


_SCOPE_FUNCTION = PseudoFunction("scope", uses_scope=True, is_free=False)
_SCOPE = CompoundSelector(("", ""), functions=(_SCOPE_FUNCTION,), is_free=False)


class _Builder:
    """Takes the tokens of one compound, one after the other."""

    def __init__(self, tokens: Sequence[Any], depth: int) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = depth
        self.keys: dict[str, str] = {}
        self.tests: list[ElementTest] = []
        self.functions: list[PseudoFunction] = []

    def built(self) -> CompoundSelector:
        while self.at < len(self.tokens):
            token = self._next()
            take = _TAKERS.get(token.type)
            if take is None:
                raise _BadSyntax(f"{token.serialize()!r} is out of place")
            take(self, token)
        kind = next((kind for kind in ("id", "class", "attribute", "tag") if kind in self.keys), "")
        is_free = all(function.is_free for function in self.functions)
        return CompoundSelector((kind, self.keys.get(kind, "")), tuple(self.tests), tuple(self.functions), is_free)

    def _next(self) -> Any:
        if self.at >= len(self.tokens):
            raise _BadSyntax("it ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def take_name(self, token: Any) -> None:
        if self.at != 1:
            raise _BadSyntax(f"{token.value!r} is out of place")
        tag = token.value.lower()
        self.keys["tag"] = tag
        self.tests.append(lambda index, number: index.elements[number].tag == tag)

    def take_hash(self, token: Any) -> None:
        if not token.is_identifier:
            raise _BadSyntax(f"#{token.value} is not an id: escape its first character")
        wanted = token.value
        self.keys["id"] = wanted
        self.tests.append(lambda index, number: index.elements[number].attributes.get("id") == wanted)

    def take_brackets(self, token: Any) -> None:
        try:
            name, test = attribute_test(token.content)
        except ValueError as reason:
            raise _BadSyntax(str(reason)) from None
        self.keys.setdefault("attribute", name)
        self.tests.append(test)

    def take_literal(self, token: Any) -> None:
        if token.value == "*" and self.at == 1:
            return
        if token.value == ".":
            self._take_class()
        elif token.value == ":":
            self._take_pseudo()
        else:
            raise _BadSyntax(f"{token.value!r} is out of place")

    def _take_class(self) -> None:
        token = self._next()
        if token.type != "ident":
            raise _BadSyntax("a class has no name")
        wanted = token.value
        self.keys.setdefault("class", wanted)
        self.tests.append(lambda index, number: wanted in index.elements[number].get("class").split())

    def _take_pseudo(self) -> None:
        token = self._next()
        if token.type == "ident":
            name = token.lower_value
            if name == "scope":
                self.functions.append(_SCOPE_FUNCTION)
            elif name == "visible":
                self.functions.append(PseudoFunction(name))
            else:
                test = pseudo_test(name)
                if test is None:
                    raise _unknown(name)
                self.tests.append(test)
        elif token.type == "function":
            self._take_function(token.lower_name, token.arguments)
        else:
            raise _BadSyntax("a pseudo-class has no name")

    def _take_function(self, name: str, arguments: Sequence[Any]) -> None:
        if name in _WITH_TEXT:
            self.functions.append(PseudoFunction(name, texts=_texts(arguments)))
        elif name == "nth-match":
            *selectors, last = _split_at_commas(arguments)
            flat = [piece for one in selectors for piece in [*one, _COMMA]][:-1]
            self.functions.append(_function(name, _selectors(flat, self.depth + 1), number=_number(last)))
        elif name in _WITH_SELECTORS:
            self.functions.append(_function(name, _selectors(arguments, self.depth + 1)))
        elif name in _LAYOUT:
            raise _unknown(name)
        else:
            self._take_nth(name, arguments)

    def _take_nth(self, name: str, arguments: Sequence[Any]) -> None:
        found = nth_of(name, arguments)
        if found is None:
            raise _unknown(name)
        nth, of = found
        if of:
            self.functions.append(_function("nth-of", _selectors(of, self.depth + 1), nth=nth))
        else:
            self.tests.append(nth.holds)


class _Comma:
    type = "literal"
    value = ","


_COMMA = _Comma()
_TAKERS: dict[str, Callable[[_Builder, Any], None]] = {
    "ident": _Builder.take_name,
    "hash": _Builder.take_hash,
    "[] block": _Builder.take_brackets,
    "literal": _Builder.take_literal,
}


def _compound(tokens: Sequence[Any], depth: int) -> CompoundSelector:
    return _Builder(tokens, depth).built()


def _unknown(name: str) -> SelectorUnsupported:
    return SelectorUnsupported(
        f"Whether an element is :{name} cannot be told from a kept page.", next_step="Use another selector."
    )


def _texts(arguments: Sequence[Any]) -> tuple[str, ...]:
    given = [token for token in arguments if token.type != "whitespace"]
    texts = tuple(token.value for token in given if token.type == "string")
    commas = [token for token in given if token.type == "literal" and token.value == ","]
    if not texts or len(texts) + len(commas) != len(given):
        raise _BadSyntax("it needs a text in quotes")
    return texts


def _number(tokens: Sequence[Any]) -> int:
    given = [token for token in tokens if token.type != "whitespace"]
    if len(given) != 1 or given[0].type != "number" or given[0].int_value is None or given[0].int_value < 1:
        raise _BadSyntax(":nth-match needs a number from 1")
    return int(given[0].int_value)
