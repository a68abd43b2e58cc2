"""Words in names: `submitBtn`, `submit-button` and "Submit" say the same thing to those who wrote them."""

import re
from functools import lru_cache

# What people abbreviate in identifiers. Only what has one reading.
_LONG_FORMS = {
    "btn": "button", "pwd": "password", "passwd": "password", "qty": "quantity", "addr": "address", "msg": "message",
    "img": "image", "usr": "user", "acct": "account", "lang": "language", "desc": "description", "tel": "phone",
    "mail": "email", "chk": "checkbox", "ddl": "dropdown", "txt": "textbox", "lnk": "link", "err": "error",
    "nav": "navigation",
}  # fmt: skip

# Words that name the kind of control, and the roles that such a control may have.
_KINDS: dict[str, tuple[str, ...]] = {
    "button": ("button",), "cta": ("button", "link"), "link": ("link",), "anchor": ("link",),
    "input": ("textbox", "searchbox", "spinbutton", "combobox", "checkbox", "radio"),
    "field": ("textbox", "searchbox", "spinbutton", "combobox"), "textbox": ("textbox", "searchbox"),
    "textarea": ("textbox",), "textfield": ("textbox", "searchbox"), "checkbox": ("checkbox", "switch"),
    "radio": ("radio",), "dropdown": ("combobox", "listbox", "button"), "select": ("combobox", "listbox"),
    "combobox": ("combobox",), "image": ("img",), "icon": ("img",), "form": ("form",),
    "dialog": ("dialog", "alertdialog"), "modal": ("dialog", "alertdialog"), "table": ("table", "grid"),
    "heading": ("heading",),
}  # fmt: skip

# They tell a reader nothing about which element is meant.
_NOISE = frozenset(
    {
        "old", "legacy", "js", "qa", "e2e", "test", "testid", "data", "el", "elem", "element", "id",
        "the", "a", "an", "your", "my", "our", "this", "please",
    }
)  # fmt: skip

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_GENERATED = re.compile(r"(?=[^\W_]*\d)(?=[^\W_]*[A-Za-z])[0-9A-Za-z]{5,}")
_MOST_CHARACTERS = 300


@lru_cache(maxsize=20_000)
def words(text: str) -> tuple[str, ...]:
    """The words of an identifier or a phrase, in small letters and written out."""
    found = [word.lower() for word in _WORD.findall(text[:_MOST_CHARACTERS])]
    long = [_LONG_FORMS.get(word, word) for word in found]
    return tuple(word for at, word in enumerate(long) if not (word == "e" and long[at + 1 : at + 2] == ["email"]))


@lru_cache(maxsize=20_000)
def meaning(text: str) -> str:
    """What is left of a name once kinds, noise and spelling are set aside; empty when it says nothing.

    Two names with the same meaning are taken for the same name, so this errs on the side of telling names apart:
    numbers count, and every other word does too.
    """
    joined = "".join(meaningful(text))
    if len(joined) < 2 or joined.isdigit() or any(_is_generated(part) for part in re.split(r"[^0-9A-Za-z]+", text)):
        return ""
    return joined


def meaningful(text: str) -> list[str]:
    """The words of a name without those of kinds and noise."""
    return [word for word in words(text) if word not in _NOISE and word not in _KINDS]


def _is_generated(part: str) -> bool:
    """`1x2y3z` is a build's doing: a digit among letters in several places. `address2` is not."""
    return _GENERATED.fullmatch(part) is not None and len(re.findall(r"\d+", part)) > 1


def roles_meant(text: str) -> tuple[str, ...]:
    """The roles that the last kind word of a name allows for; empty where it names no kind."""
    for word in reversed(words(text)):
        if word in _KINDS:
            return _KINDS[word]
    return ()
