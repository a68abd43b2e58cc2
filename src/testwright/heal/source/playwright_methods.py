"""Which methods of Playwright make a locator, and which take a selector as a string."""

import re

_GETTERS = frozenset(
    {"getByRole", "getByText", "getByLabel", "getByPlaceholder", "getByAltText", "getByTitle", "getByTestId"}
)
_NARROWING = frozenset({"filter", "nth", "and", "or"})
_FIRST_AND_LAST = frozenset({"first", "last"})
_FRAMES = frozenset({"frameLocator", "contentFrame"})

# How many arguments a page's method needs; a locator's method of the same name needs one less, which tells them apart.
TAKES_SELECTOR = {
    "click": 1, "dblclick": 1, "check": 1, "uncheck": 1, "hover": 1, "focus": 1, "tap": 1,
    "textContent": 1, "innerText": 1, "innerHTML": 1, "inputValue": 1, "isVisible": 1, "isHidden": 1,
    "isEnabled": 1, "isDisabled": 1, "isChecked": 1, "isEditable": 1, "waitForSelector": 1,
    "querySelector": 1, "querySelectorAll": 1, "$": 1, "$$": 1, "$eval": 1, "$$eval": 1,
    "evalOnSelector": 1, "evalOnSelectorAll": 1, "dragAndDrop": 2, "fill": 2, "type": 2, "press": 2,
    "getAttribute": 2, "dispatchEvent": 2, "selectOption": 2, "setInputFiles": 2, "setChecked": 2,
}  # fmt: skip
# Testing Library has methods of the same names with other rules, and the rest take no selectors.
FOREIGN = frozenset({"screen", "within", "cy", "keyboard", "mouse", "touchscreen", "userEvent", "fireEvent"})
# What stands for a whole page: a selector that starts from it is complete.
_PAGE = re.compile(r"(?:^|_)(?:page|frame|popup)\d*$|(?:Page|Frame|Popup)\d*$")


def camel(name: str) -> str:
    """`get_by_role` as `getByRole`: one name for both spellings."""
    if "_" not in name:
        return name
    head, *rest = name.strip("_").split("_")
    return head + "".join(word.capitalize() for word in rest)


def makes_locator(name: str, *, is_called: bool, is_python: bool) -> bool:
    plain = camel(name)
    if plain in _FIRST_AND_LAST or plain == "contentFrame":
        return is_called is not is_python  # properties in Python
    return is_called and (plain in _GETTERS or plain in _NARROWING or plain == "locator" or plain in _FRAMES)


def _starts_locator(name: str) -> bool:
    """It can be asked of a page, not only of another locator."""
    return camel(name) in _GETTERS or camel(name) in ("locator", "frameLocator")


def narrows(name: str) -> bool:
    """It means something only after a locator: `filter` and `first` are also methods of lists."""
    return not _starts_locator(name)


def is_page(name: str) -> bool:
    return _PAGE.search(name) is not None
