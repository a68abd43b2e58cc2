"""`[name="value" i]`: the attribute tests of CSS."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from testwright.model.accessibility.raw import words_in
from testwright.selectors.css_pseudo import Test

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


def attribute_test(tokens: Sequence[Any]) -> tuple[str, Test]:
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
