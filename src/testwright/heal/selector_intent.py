"""What a selector says about the element it means, when nothing else is known of that element."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from testwright.heal.name_meaning import roles_meant
from testwright.model.selector import TEST_ID_ATTRIBUTES, Selector, SelectorEngine, SelectorPart, TextPattern

_TAG_ROLES: dict[str, tuple[str, ...]] = {
    "button": ("button",), "a": ("link",), "select": ("combobox", "listbox"), "textarea": ("textbox",),
    "img": ("img",), "form": ("form",), "table": ("table",), "nav": ("navigation",), "dialog": ("dialog",),
    "option": ("option",), "li": ("listitem",), "h1": ("heading",), "h2": ("heading",), "h3": ("heading",),
    "input": ("textbox", "searchbox", "spinbutton", "checkbox", "radio", "slider", "combobox"),  # a button has a type
}  # fmt: skip
_INPUT_ROLES: dict[str, tuple[str, ...]] = {
    "submit": ("button",), "button": ("button",), "checkbox": ("checkbox", "switch"), "radio": ("radio",),
    "search": ("searchbox", "textbox"), "number": ("spinbutton", "textbox"), "range": ("slider",),
    "text": ("textbox", "searchbox"), "email": ("textbox",), "password": ("textbox",), "tel": ("textbox",),
}  # fmt: skip

# Conditions that a person thought out; leaving one away would change what the test says.
_CONDITIONS = (
    SelectorEngine.HAS, SelectorEngine.HAS_NOT, SelectorEngine.HAS_NOT_TEXT, SelectorEngine.AND,
    SelectorEngine.OR,
)  # fmt: skip
_XPATH_VALUE = re.compile(r"(@[\w-]+|text\(\)|normalize-space\([^)]*\)|\.)\s*[=,]\s*(?:'([^']*)'|\"([^\"]*)\")")
_XPATH_STEP = re.compile(r"(?:^|/)(?:descendant::|child::)?([\w*-]+)((?:\[[^\]]*\])*)\)?(?:\[\d+\])?$")


@dataclass(frozen=True, slots=True)
class Intent:
    """The element that a selector means, in its own words. What it does not mention is empty."""

    tag: str = ""
    roles: tuple[str, ...] = ()  # any of these would do
    role_given: bool = False  # `roles` were named, not guessed from a word such as `btn`
    names: tuple[str, ...] = ()  # what a reader calls it: accessible name, label, text, placeholder
    test_id: str = ""
    element_id: str = ""
    classes: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    by_text: bool = False  # the names are of visible text, not of a label or role
    position: int | None = None
    before: tuple[SelectorPart, ...] = ()  # the parts that lead to where it is looked for
    unclear: str = ""  # why nothing may be healed by this selector alone

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The words that developers gave it."""
        given = (self.test_id, self.element_id, self.attributes.get("name", ""), *self.classes)
        return tuple(word for word in given if word)


def intent_of(selector: Selector) -> Intent:
    """What the last part of a selector says, with the narrowing parts behind it."""
    parts = list(selector.parts)
    narrowing: list[SelectorPart] = []
    while parts and parts[-1].engine in (
        *_CONDITIONS,
        SelectorEngine.NTH,
        SelectorEngine.VISIBLE,
        SelectorEngine.HAS_TEXT,
    ):
        narrowing.append(parts.pop())
    if not parts or parts[-1].engine is SelectorEngine.FRAME:
        return Intent(unclear="it names no element of its own")
    own = _of_part(parts[-1])
    intent = replace(own, before=(*parts[:-1], *own.before))
    for part in narrowing:
        intent = _narrowed(intent, part)
    return _with_guessed_role(intent)


def _of_part(part: SelectorPart) -> Intent:
    if part.engine in (SelectorEngine.CSS, SelectorEngine.XPATH):
        text = part.value if isinstance(part.value, str) else ""
        return _of_css(text) if part.engine is SelectorEngine.CSS else _of_xpath(text)
    said = _plain(part.value)
    match part.engine:
        case SelectorEngine.ROLE:
            name = "" if part.name is None else _plain(part.name)
            unclear = "its name is a pattern" if isinstance(part.name, TextPattern) and not name else ""
            return Intent(roles=(said,), role_given=True, names=_some(name), unclear=unclear)
        case SelectorEngine.TEST_ID:
            return Intent(test_id=said, unclear="" if said else "its test id is a pattern")
        case SelectorEngine.TEXT:
            return Intent(names=_some(said), by_text=True, unclear="" if said else "its text is a pattern")
        case SelectorEngine.LABEL | SelectorEngine.ALT_TEXT | SelectorEngine.TITLE | SelectorEngine.PLACEHOLDER:
            return Intent(names=_some(said), unclear="" if said else "its label is a pattern")
        case _:
            return Intent(unclear=f"{part.engine} selectors say nothing about elements of a page")


def _narrowed(intent: Intent, part: SelectorPart) -> Intent:
    if part.engine is SelectorEngine.VISIBLE:
        return intent
    if part.engine is SelectorEngine.NTH:
        position = int(str(part.value)) if re.fullmatch(r"-?\d+", str(part.value)) else 0
        unclear = "" if position == 0 else "it means one of several elements by its position"
        return replace(intent, position=position, unclear=intent.unclear or unclear)
    said = _plain(part.value) if part.engine is SelectorEngine.HAS_TEXT else ""
    if said:
        return replace(intent, names=(*intent.names, said), by_text=True)
    return replace(intent, unclear=intent.unclear or "it has conditions that a new selector might lose")


def _with_guessed_role(intent: Intent) -> Intent:
    if intent.roles:
        return intent
    for word in intent.identifiers:
        if roles := roles_meant(word):
            return replace(intent, roles=roles)
    return intent


def _plain(value: str | TextPattern) -> str:
    """The text that is looked for; of a pattern, only where it is one in disguise."""
    if isinstance(value, str):
        return value
    bare = value.source.removeprefix("^").removesuffix("$")
    return bare if re.fullmatch(r"[\w \-]+", bare) else ""


def _some(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


# --- CSS -------------------------------------------------------------------------------------


def _of_css(text: str) -> Intent:
    import tinycss2  # type: ignore[import-untyped]  # it has no types  # late: start-up: tinycss2

    tokens = tinycss2.parse_component_value_list(text, skip_comments=True)
    if any(token.type == "literal" and token.value == "," for token in tokens):
        return Intent(unclear="it lists alternatives")
    ancestors, own = _last_compound(tokens)
    before = (SelectorPart(SelectorEngine.CSS, ancestors),) if ancestors else ()
    return replace(_of_compound(own), before=before)


def _last_compound(tokens: Sequence) -> tuple[str, list]:  # type: ignore[type-arg]  # tinycss2 has no types
    import tinycss2  # late: start-up: tinycss2

    trimmed = list(tokens)
    while trimmed and trimmed[-1].type == "whitespace":
        trimmed.pop()
    cut = 0
    for at, token in enumerate(trimmed):
        if token.type == "whitespace" or (token.type == "literal" and token.value in ">+~"):
            cut = at + 1
    ancestors = tinycss2.serialize(trimmed[:cut]).strip().rstrip(">+~ ").strip()
    return ancestors, trimmed[cut:]


def _of_compound(tokens: list) -> Intent:  # type: ignore[type-arg]  # tinycss2 has no types
    tag, element_id = "", ""
    classes: list[str] = []
    attributes: dict[str, str] = {}
    names: list[str] = []
    unclear = ""
    for at, token in enumerate(tokens):
        mark = tokens[at - 1].value if at and tokens[at - 1].type == "literal" else ""
        if token.type == "ident" and mark == ".":
            classes.append(token.value)
        elif token.type == "ident" and not mark:
            tag = token.value.lower()
        elif token.type == "hash":
            element_id = token.value
        elif token.type == "[] block":
            attributes.update(_attribute(token.content))
        elif token.type == "function" or (token.type == "ident" and mark == ":"):
            said, why = _pseudo(token)
            names += _some(said)
            unclear = unclear or why
    return replace(
        _of_attributes(tag, {**attributes, **({"id": element_id} if element_id else {})}, classes, names),
        unclear=unclear,
    )


def _pseudo(token) -> tuple[str, str]:  # type: ignore[no-untyped-def]  # tinycss2 has no types
    """A text that a pseudo-class asks for, or why it cannot be kept."""
    name = (token.name if token.type == "function" else token.value).lower()
    if name in ("has-text", "text", "text-is"):
        strings = [inner.value for inner in token.arguments if inner.type == "string"]
        return (strings[0], "") if strings else ("", "its text is a pattern")
    if name in ("visible", "enabled"):
        return "", ""
    if name in ("first-child", "last-child", "nth-child", "nth-of-type", "first-of-type", "last-of-type", "nth-match"):
        return "", "it means one of several elements by its position"
    return "", "it has conditions that a new selector might lose"


def _attribute(content: list) -> dict[str, str]:  # type: ignore[type-arg]  # tinycss2 has no types
    """`[name="value"]` as a pair; what only has to be there, or to be unlike, says nothing."""
    told = [token for token in content if token.type != "whitespace"]
    if len(told) < 3 or told[0].type != "ident" or told[-1].type not in ("string", "ident"):
        return {}
    values = [token.value for token in told[1:] if token.type in ("string", "ident") and token.value not in ("i", "s")]
    return {told[0].value.lower(): values[0]} if values else {}


def _of_attributes(tag: str, given: Mapping[str, str], classes: Sequence[str], names: Sequence[str]) -> Intent:
    attributes = dict(given)
    test_ids = [attributes.pop(name) for name in TEST_ID_ATTRIBUTES if name in attributes]
    element_id = attributes.pop("id", "")
    classes = [*classes, *attributes.pop("class", "").split()]
    spoken = [attributes.pop(name) for name in ("aria-label", "placeholder", "title", "alt") if name in attributes]
    role = attributes.pop("role", "")
    return Intent(
        tag="" if tag == "*" else tag,
        roles=(role,) if role else _roles_of(tag, attributes),
        role_given=bool(role or tag in _TAG_ROLES),
        names=(*names, *spoken),
        test_id=test_ids[0] if test_ids else "",
        element_id=element_id,
        classes=tuple(classes),
        attributes=attributes,
        by_text=bool(names),
    )


def _roles_of(tag: str, attributes: Mapping[str, str]) -> tuple[str, ...]:
    kind = attributes.get("type", "")
    if tag in ("input", "") and kind in _INPUT_ROLES:
        return _INPUT_ROLES[kind]
    return _TAG_ROLES.get(tag, ())


# --- XPath -----------------------------------------------------------------------------------


def _of_xpath(text: str) -> Intent:
    """The last step of an XPath, where it is a plain one: a tag, attributes, a text."""
    step = _XPATH_STEP.search(text.strip().removeprefix("xpath="))
    if step is None or "|" in text or " or " in text or "not(" in text:
        return Intent(unclear="it is an XPath whose last step is not plain")
    attributes: dict[str, str] = {}
    names: list[str] = []
    for key, single, double in _XPATH_VALUE.findall(step[2]):
        if key.startswith("@"):
            attributes[key[1:].lower()] = single or double
        else:
            names += _some(single or double)
    # The way there is what a page loses first, and an XPath cannot be cut in two: it scopes nothing.
    unclear = "" if attributes or names else "it is a path, and says nothing about the element itself"
    if re.search(r"\[\d+\]\)?$", text):
        unclear = unclear or "it means one of several elements by its position"
    return replace(_of_attributes(step[1].lower(), attributes, (), names), unclear=unclear)
