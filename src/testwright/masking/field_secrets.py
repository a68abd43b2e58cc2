"""Fields as they are shown in texts about pages: HTML, ARIA snapshots, what Playwright says about a failed step."""

import re

from testwright.masking.name_grades import Grade, label_grade, without_field_words
from testwright.masking.pair_secrets import GradeOf
from testwright.masking.secret_words import NO_TEXT
from testwright.masking.token_forms import Hide
from testwright.masking.value_looks import is_secret_value, is_stand_in
from testwright.model.session import REDACTED

# --- HTML ---------------------------------------------------------------------------------------

_TAG = re.compile(r"<(?:input|meta|textarea|option|param)\b[^<>]{0,4000}", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:.-]{1,40})\s{0,3}=\s{0,3}(\\?"[^"]{0,2000}"|'[^']{0,2000}'|[^\s"'<>=`]{1,2000})""")
_VALUES = frozenset({"value", "content"})
_NAMING = frozenset(
    {"name", "id", "aria-label", "label", "placeholder", "formcontrolname", "ng-model", "v-model", "data-testid"}
)
_SECRET_COMPLETION = re.compile(
    r"\b(?:one-time-code|current-password|new-password|cc-(?:number|csc|exp|exp-month|exp-year))\b"
)
_TEXTAREA = re.compile(r"(<textarea\b([^<>]{0,2000})>)([^<]{1,20000})(?=</textarea)", re.IGNORECASE)


def field_grade(facts: dict[str, str], grade_of: GradeOf) -> tuple[Grade, str]:
    """How secret a field's value is by its attributes, and which of them says so."""
    kind = facts.get("type", "").lower()
    if kind in NO_TEXT:
        return Grade.NONE, ""
    if kind == "password":
        return Grade.PERSON, "type"
    if _SECRET_COMPLETION.search(facts.get("autocomplete", "").lower()) or facts.get("autocomplete", "").startswith(
        "cc-"
    ):
        return Grade.PERSON, "autocomplete"
    graded = [
        (max(grade_of(own), label_grade(own)), name)
        for name, value in facts.items()
        if name in _NAMING
        for own in (value, without_field_words(value))
    ]
    return max(graded, key=lambda one: one[0], default=(Grade.NONE, ""))


def without_field_values(text: str, grade_of: GradeOf, hide: Hide) -> str:
    """HTML without what stands in the fields whose attributes mean a secret."""
    text = _TAG.sub(lambda match: _tag(match[0], grade_of, hide), text)
    if "<textarea" in text or "<TEXTAREA" in text:
        text = _TEXTAREA.sub(lambda match: match[1] + _between(match[2], match[3], grade_of, hide), text)
    return text


def _facts(attributes: str) -> dict[str, str]:
    return {name.lower(): value.strip("\\\"'") for name, value in _ATTRIBUTE.findall(attributes)}


def _between(attributes: str, value: str, grade_of: GradeOf, hide: Hide) -> str:
    by_name, _ = field_grade(_facts(attributes), grade_of)
    return hide(value, "PASSWORD") if by_name >= Grade.MACHINE and is_secret_value(value, by_name) else value


def _tag(tag: str, grade_of: GradeOf, hide: Hide) -> str:
    facts = _facts(tag)
    if not any(facts.get(name) for name in _VALUES):
        return tag
    by_name, why = field_grade(facts, grade_of)
    if not by_name:
        return tag
    name = facts.get("name") or facts.get("id") or ("PASSWORD" if why == "type" else facts.get(why, "SECRET"))

    def hidden(match: re.Match[str]) -> str:
        value = match[2].strip("\\\"'")
        if match[1].lower() not in _VALUES or REDACTED in value or not is_secret_value(value, by_name):
            return match[0]
        return match[0].replace(value, hide(value, name))

    return _ATTRIBUTE.sub(hidden, tag)


# --- ARIA snapshots -----------------------------------------------------------------------------

_FIELD_LINE = re.compile(
    r"""^(?P<head>(?P<indent>[ \t]*)-[ ]'?(?:textbox|searchbox|combobox|spinbutton|textarea|input)
        [ ]"(?P<name>(?:[^"\\\n]|\\.){1,200})"(?:[ ]\[[^\]\n]{0,80}\]){0,8}'?:)(?P<value>[^\n]*)$""",
    re.VERBOSE | re.MULTILINE,
)
_CHILD_TEXT = re.compile(r"(?P<head>(?P<indent>[ \t]+)- text: )(?P<value>[^\n]+)")
_CHILD = re.compile(r"[ \t]+- /\w+:[^\n]*")


def without_aria_values(text: str, grade_of: GradeOf, hide: Hide) -> str:
    """An ARIA snapshot without what stands in fields whose names mean a secret."""
    parts, place = [], 0
    for match in _FIELD_LINE.finditer(text):
        if max(label_grade(match["name"]), grade_of(match["name"])) < Grade.DIGITS:
            continue
        start, end = match.span("value")
        if not match["value"].strip():
            start, end = _child_value(text, match)
        value = text[start:end].strip().strip("\"'")
        if value and not is_stand_in(value) and REDACTED not in value:
            shown = text[start:end]
            parts += [text[place:start], shown.replace(value, hide(value, match["name"]))]
            place = end
    return "".join([*parts, text[place:]]) if parts else text


def _child_value(text: str, field: re.Match[str]) -> tuple[int, int]:
    """Of a field with children (a placeholder, its text): where its text stands."""
    place = field.end() + 1
    while other := _CHILD.match(text, place):
        place = other.end() + 1
    child = _CHILD_TEXT.match(text, place)
    if child and len(child["indent"]) > len(field["indent"]):
        return child.span("value")
    return field.end(), field.end()


# --- what Playwright says -----------------------------------------------------------------------

_LOCATOR = re.compile(
    r"""(?:getBy\w{1,16}|get_by_\w{1,16}|locator)\(\s?(?P<quote>["'`])(?P<what>[^\n]{1,200}?)(?P=quote)"""
    r"""(?:,\s?(?:\{\s?)?name\s?[:=]\s?["'](?P<name>[^"'\n]{1,100})["'])?"""
)
_SHOWN = re.compile(
    r"""((?:[Ee]xpected|[Rr]eceived)(?:\ (?:string|value|pattern|substring))?:\s{1,4}
        |unexpected\ value\s|Actual\ value:\s
        |(?:fill|type|pressSequentially|press_sequentially|toHaveValue|to_have_value)\(\s?)
        (["'])((?:(?!\2)[^\n\\]|\\.){1,500})\2""",
    re.VERBOSE,
)
_NEAR = 2000


def without_shown_values(text: str, grade_of: GradeOf, hide: Hide) -> str:
    """A failed step's text without the values of the secret field it was about."""
    place = 0
    while match := _LOCATOR.search(text, place):
        place = match.end()
        if max(label_grade(match["name"] or match["what"]), grade_of(match["what"])) < Grade.DIGITS:
            continue
        following = _LOCATOR.search(text, place)
        same = following and following["what"] == match["what"]
        end = min(place + _NEAR, len(text)) if not following or same else following.start()
        name = match["name"] or match["what"]
        near = _SHOWN.sub(lambda shown, name=name: _shown(shown, name, hide), text[place:end])  # type: ignore[misc]  # mypy cannot tell the type of a bound default
        text = text[:place] + near + text[end:] if near != text[place:end] else text
    return text


def _shown(match: re.Match[str], name: str, hide: Hide) -> str:
    value = match[3]
    if is_stand_in(value) or REDACTED in value:
        return match[0]
    return f"{match[1]}{match[2]}{hide(value, name)}{match[2]}"
