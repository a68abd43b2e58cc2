"""Selectors as plain strings: CSS, XPath, `text=Save`, and the `internal:` form that traces have.

CSS whose brackets are closed is kept as it is: whether a browser would take it shows when it is tried (`css`). So
hostile text is only ever text.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart, TextPattern
from testwright.selectors.literal_scanner import Scanner, Unreadable, pattern_of, regex_literal

# --- `button[name="Pay"i][level=2]`: a name and attributes, as Playwright's role and attribute engi -----------------


_NAME = re.compile(r"[\w\-\u0080-\U0010ffff]*")
_BLANK = re.compile(r"\s*")
_OPERATOR = re.compile(r"[*^$|~]?=")
_UNQUOTED = re.compile(r"[\w\-+.\u0080-\U0010ffff]+")


@dataclass(frozen=True, slots=True)
class AttributeTest:
    name: str
    operator: str = ""  # empty: it is there
    value: str | TextPattern = ""
    case_counts: bool = True


def attribute_selector(text: str) -> tuple[str, tuple[AttributeTest, ...]]:
    source = Scanner(text, Dialect.INTERNAL)
    source.matched(_BLANK)
    name = source.matched(_NAME)
    source.matched(_BLANK)
    attributes = []
    while source.take("["):
        attributes.append(_bracketed_test(source))
        source.matched(_BLANK)
    if not source.at_end:
        raise Unreadable(f"{source.rest(20)!r} is out of place")
    return name, tuple(attributes)


def _bracketed_test(source: Scanner) -> AttributeTest:
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


def _value(source: Scanner) -> tuple[str | TextPattern, bool]:
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


_ENGINE_NAME = re.compile(r"\s*([a-zA-Z_0-9\-+:*]+)\s*=")
_XPATH_START = re.compile(r"\(*//|\.\.")
_LAX_TEXT_START = re.compile(r"\s*text\s*=.", re.DOTALL)
_REGEX = re.compile(r"/(.*)/([dgimsuvy]*)", re.DOTALL)
_ATTRIBUTE_ENGINES = ("id", "data-testid", "data-test-id", "data-test")  # Playwright has engines of these names
_BRACKET_OR_QUOTED = re.compile(r"""\\.|"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)|[][()]""", re.DOTALL)
_DEEPEST = 20


def parts_of_string(text: str, depth: int = 0) -> tuple[SelectorPart, ...]:
    if depth > _DEEPEST:
        raise Unreadable("it is nested too deeply")
    found: list[SelectorPart] = []
    captured: int | None = None
    for name, body in map(_engine_and_body, _split(text)):
        if name.startswith("*"):
            if captured is not None:
                raise Unreadable("only one part may be marked with *")
            captured = len(found)
        part = _part(name.removeprefix("*"), body, depth)
        if part is not None:
            found.append(part)
    if not found or found[0].engine in _NEVER_FIRST:
        raise Unreadable("it starts with nothing to look for")
    if captured is not None and captured < len(found) - 1:
        inner = Selector(tuple(found[captured + 1 :]), Dialect.INTERNAL, "")
        found[captured + 1 :] = [SelectorPart(SelectorEngine.HAS, inner=inner)]
    return tuple(found)


_NEVER_FIRST = frozenset({
    SelectorEngine.HAS, SelectorEngine.HAS_NOT, SelectorEngine.AND, SelectorEngine.OR,
    SelectorEngine.CHAIN, SelectorEngine.FRAME,
})  # fmt: skip


def _split(text: str) -> list[str]:
    """At `>>`, where it is not quoted."""
    pieces = []
    start = at = 0
    quote = ""
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 2
            continue
        if character == "\n" and not quote:
            raise Unreadable("there is a line break outside of quotes")
        if character == quote:
            quote = ""
        elif not quote and character in "\"'`" and not _LAX_TEXT_START.match(text[start:at]):
            quote = character
        elif not quote and text.startswith(">>", at):
            pieces.append(text[start:at])
            at += 2
            start = at
            continue
        at += 1
    return [*pieces, text[start:]]


def _engine_and_body(piece: str) -> tuple[str, str]:
    piece = piece.strip()
    if not piece:
        raise Unreadable("a part of it is empty")
    named = _ENGINE_NAME.match(piece)
    if named:
        return named.group(1), piece[named.end() :]
    if len(piece) > 1 and piece[0] == piece[-1] and piece[0] in "\"'":
        return "text", piece
    return ("xpath" if _XPATH_START.match(piece) else "css"), piece


def _part(name: str, body: str, depth: int) -> SelectorPart | None:
    name = name.removesuffix(":light")
    if name in _NESTED:
        return SelectorPart(_NESTED[name], inner=_nested(body, depth))
    if name in _ATTRIBUTE_ENGINES:
        return SelectorPart(
            SelectorEngine.CSS,
            f"[{name}={json.dumps(body, ensure_ascii=False)}]",
            options={"engine": name, "body": body},
        )
    if name == "internal:describe":
        return None
    if name not in _ENGINES:
        raise Unreadable(f"there is no selector engine {name}=")
    return _ENGINES[name](body)


def _css(body: str) -> SelectorPart:
    if not body.strip():
        raise Unreadable("its CSS is empty")
    if _leaves_open(body):
        raise Unreadable("a bracket is not closed")
    return SelectorPart(SelectorEngine.CSS, body.strip())


def _leaves_open(css: str) -> bool:
    """Whether a bracket is open at the end, which Playwright takes for no selector. What is quoted does not count."""
    expected: list[str] = []
    for token in _BRACKET_OR_QUOTED.finditer(css):
        if closing := {"[": "]", "(": ")"}.get(token[0]):
            expected.append(closing)
        elif expected and token[0] == expected[-1]:
            expected.pop()
    return bool(expected)


def _xpath(body: str) -> SelectorPart:
    from lxml import etree  # late: start-up: lxml

    try:
        etree.XPath(body)
    except (etree.XPathError, ValueError) as error:
        raise Unreadable(f"it is not an XPath ({error})") from None
    return SelectorPart(SelectorEngine.XPATH, body.strip())


def _plain_text(body: str) -> SelectorPart:
    """`text=`: in quotes it is one whole text node, else any part of the text."""
    options = {"engine": "text"}
    if pattern := _regex(body):
        return SelectorPart(SelectorEngine.TEXT, pattern, options=options)
    if len(body) > 1 and body[0] == body[-1] and body[0] in "\"'":
        return SelectorPart(
            SelectorEngine.TEXT,
            _folded(re.sub(r"\\(.)", r"\1", body[1:-1], flags=re.DOTALL)),
            exact=True,
            options=options,
        )
    return SelectorPart(SelectorEngine.TEXT, _folded(body), options=options)


def _plain_role(body: str) -> SelectorPart:
    return _role(body, plain=True)


def _role(body: str, *, plain: bool = False) -> SelectorPart:
    role, attributes = attribute_selector(body)
    if not role:
        raise Unreadable("its role is empty")
    options = {"engine": "role"} if plain else {}
    name: str | TextPattern | None = None
    exact = False
    for attribute in attributes:
        if attribute.name == "name":
            name, exact = attribute.value, attribute.case_counts and isinstance(attribute.value, str)
            if attribute.operator != "=":
                options["name-operator"] = attribute.operator
        elif isinstance(attribute.value, TextPattern):
            raise Unreadable(f"{attribute.name} cannot be a regular expression here")
        else:
            options[attribute.name] = attribute.value if attribute.operator else "true"
    return SelectorPart(SelectorEngine.ROLE, role.lower(), exact=exact, name=name, options=options)


def _test_id(body: str) -> SelectorPart:
    attribute = _only_attribute(body)
    return SelectorPart(SelectorEngine.TEST_ID, attribute.value, options={"attribute": attribute.name})


def _attribute(body: str) -> SelectorPart:
    attribute = _only_attribute(body)
    try:
        engine = {
            "placeholder": SelectorEngine.PLACEHOLDER,
            "alt": SelectorEngine.ALT_TEXT,
            "title": SelectorEngine.TITLE,
        }[attribute.name]
    except KeyError:
        raise Unreadable(f"nothing looks for the attribute {attribute.name} this way") from None
    return SelectorPart(engine, attribute.value, exact=attribute.case_counts and isinstance(attribute.value, str))


def _only_attribute(body: str) -> AttributeTest:
    name, attributes = attribute_selector(body)
    if name or len(attributes) != 1 or attributes[0].operator != "=":
        raise Unreadable("it should name one attribute and its value")
    return attributes[0]


def _with_text(engine: SelectorEngine) -> Callable[[str], SelectorPart]:
    def part(body: str) -> SelectorPart:
        if pattern := _regex(body):
            return SelectorPart(engine, pattern)
        exact = not body.endswith("i")
        quoted = body[:-1] if body.endswith(('"i', '"s')) else body
        if not quoted.startswith('"'):
            return SelectorPart(engine, body)
        return SelectorPart(engine, _json_string(quoted), exact=exact)

    return part


def _nth(body: str) -> SelectorPart:
    if not re.fullmatch(r"-?\d{1,9}", body.strip()):
        raise Unreadable("nth= needs a number")
    return SelectorPart(SelectorEngine.NTH, str(int(body)))


def _visible(body: str) -> SelectorPart:
    return SelectorPart(SelectorEngine.VISIBLE, "true" if body == "true" else "false")


def _control(body: str) -> SelectorPart:
    if body != "enter-frame":
        raise Unreadable(f"internal:control={body} is for Playwright itself")
    return SelectorPart(SelectorEngine.FRAME)


_ENGINES: Mapping[str, Callable[[str], SelectorPart]] = {
    "css": _css,
    "xpath": _xpath,
    "text": _plain_text,
    "role": _plain_role,
    "nth": _nth,
    "visible": _visible,
    "internal:role": _role,
    "internal:testid": _test_id,
    "internal:attr": _attribute,
    "internal:text": _with_text(SelectorEngine.TEXT),
    "internal:label": _with_text(SelectorEngine.LABEL),
    "internal:has-text": _with_text(SelectorEngine.HAS_TEXT),
    "internal:has-not-text": _with_text(SelectorEngine.HAS_NOT_TEXT),
    "internal:control": _control,
}
_NESTED = {
    "internal:has": SelectorEngine.HAS,
    "internal:has-not": SelectorEngine.HAS_NOT,
    "internal:and": SelectorEngine.AND,
    "internal:or": SelectorEngine.OR,
    "internal:chain": SelectorEngine.CHAIN,
}


def _nested(body: str, depth: int) -> Selector:
    text = _json_string(body)
    return Selector(parts_of_string(text, depth + 1), Dialect.INTERNAL, text)


def _json_string(body: str) -> str:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, str):
        raise Unreadable(f"{body[:40]} is not a quoted text")
    return found


def _regex(body: str) -> TextPattern | None:
    found = _REGEX.fullmatch(body.strip())
    return pattern_of(found.group(1), found.group(2)) if found else None


def _folded(text: str) -> str:
    return " ".join(text.split())
