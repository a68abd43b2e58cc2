"""What an element is for. A lost button may come back as a link; it does not come back as a text field."""

from testwright.model.dom import Element

_BY_ROLE = {
    **dict.fromkeys(("button", "link", "menuitem", "tab", "treeitem", "menuitemcheckbox", "menuitemradio"), "push"),
    **dict.fromkeys(("textbox", "searchbox", "spinbutton", "slider"), "type"),
    **dict.fromkeys(("checkbox", "radio", "switch"), "tick"),
    **dict.fromkeys(("combobox", "listbox"), "choose"),
}
_BY_TAG = {"a": "push", "button": "push", "summary": "push", "textarea": "type", "select": "choose"}
_PUSHED = frozenset({"submit", "button", "reset", "image"})
_TICKED = frozenset({"checkbox", "radio"})


def kind_of(element: Element) -> str:
    """push, type, tick, choose, or nothing where an element is only looked at."""
    if element.tag == "input":
        kind = element.attributes.get("type", "text").casefold()
        return "push" if kind in _PUSHED else "tick" if kind in _TICKED else "type"
    return _BY_ROLE.get(element.role, "") or _BY_TAG.get(element.tag, "")


def are_opposed(old: Element, new: Element) -> bool:
    """Whether one cannot be the other: each is for something else, or only one of two fields hides what is typed."""
    before, after = kind_of(old), kind_of(new)
    if before and after and before != after:
        return {before, after} != {"type", "choose"}  # a text field with suggestions is both
    if before == after == "type":
        one, other = old.attributes.get("type", "text"), new.attributes.get("type", "text")
        return (one == "password") != (other == "password")
    return bool(before) and not after and new.tag in ("input", "textarea", "select")
