"""ARIA roles: the one an author gave, or the one that HTML implies."""

from collections.abc import Callable

from testwright.model.accessibility.outline import Outline
from testwright.model.accessibility.raw_element import words_in

_ROLES = words_in("""
    alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
    complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
    gridcell group heading img insertion link list listbox listitem log main mark marquee math menu menubar menuitem
    menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup
    region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript
    superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem
""")
NO_SEMANTICS = frozenset({"none", "presentation"})
_PLAIN = {
    "article": "article", "aside": "complementary", "blockquote": "blockquote", "button": "button",
    "caption": "caption", "code": "code", "datalist": "listbox", "dd": "definition", "del": "deletion",
    "details": "group", "dfn": "term", "dialog": "dialog", "dt": "term", "em": "emphasis", "fieldset": "group",
    "figure": "figure", "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading",
    "h6": "heading", "hr": "separator", "html": "document", "ins": "insertion", "li": "listitem", "main": "main",
    "mark": "mark", "math": "math", "menu": "list", "meter": "meter", "nav": "navigation", "ol": "list",
    "optgroup": "group", "option": "option", "output": "status", "p": "paragraph", "progress": "progressbar",
    "search": "search", "strong": "strong", "sub": "subscript", "sup": "superscript", "svg": "img", "table": "table",
    "tbody": "rowgroup", "textarea": "textbox", "tfoot": "rowgroup", "thead": "rowgroup", "time": "time", "tr": "row",
    "ul": "list",
}  # fmt: skip
_INPUTS = {
    "button": "button", "checkbox": "checkbox", "file": "button", "hidden": "", "image": "button",
    "number": "spinbutton", "radio": "radio", "range": "slider", "reset": "button", "submit": "button",
}  # fmt: skip
_MAY_HAVE_LIST = frozenset({"", "email", "search", "tel", "text", "url"})
_INPUT_TYPES = frozenset({*_INPUTS, *_MAY_HAVE_LIST}) | frozenset(
    {"color", "date", "datetime-local", "month", "password", "time", "week"}
)
# A table without semantics takes them from its rows and cells too; so do lists.
_TAKES_OVER = {
    "dd": {"dl", "div"}, "div": {"dl"}, "dt": {"dl", "div"}, "li": {"ol", "ul"}, "tbody": {"table"}, "td": {"tr"},
    "tfoot": {"table"}, "th": {"tr"}, "thead": {"table"}, "tr": {"thead", "tbody", "tfoot", "table"},
}  # fmt: skip
_SECTIONING = {
    "article": "article", "aside": "complementary", "main": "main", "nav": "navigation", "section": "region",
}  # fmt: skip
_GLOBAL = (
    "aria-atomic", "aria-busy", "aria-controls", "aria-current", "aria-describedby", "aria-details", "aria-dropeffect",
    "aria-flowto", "aria-grabbed", "aria-hidden", "aria-keyshortcuts", "aria-live", "aria-owns", "aria-relevant",
    "aria-roledescription",
)  # fmt: skip
_NAMING = ("aria-label", "aria-labelledby")
_NOT_NAMEABLE = words_in(
    "caption code deletion emphasis generic insertion paragraph presentation strong subscript superscript"
)


def input_type(attributes: dict[str, str]) -> str:
    """The type of an <input> as browsers understand it: an unknown one is `text`."""
    given = attributes.get("type", "").lower()
    return given if given in _INPUT_TYPES and given else "text"


def role_of(outline: Outline, number: int) -> str:
    given = _given(outline, number)
    if not given:
        return _implied(outline, number)
    if given in NO_SEMANTICS:
        implied = _implied(outline, number)
        # What can be focused, or is described to assistive technology, keeps its role, also against the author's word.
        if _insists(outline, number, implied):
            return implied
    return given


def _given(outline: Outline, number: int) -> str:
    given = outline.raws[number].attributes.get("role")
    if not given:
        return ""
    return next((role for role in given.lower().split() if role in _ROLES), "")


def _implied(outline: Outline, number: int) -> str:
    tag = outline.raws[number].tag
    role = _PLAIN.get(tag)
    if role is None:
        special = _SPECIAL.get(tag)
        role = special(outline, number) if special is not None else ""
    if role and tag in _TAKES_OVER:
        return _taken_over(outline, number) or role
    return role


def _taken_over(outline: Outline, number: int) -> str:
    raws = outline.raws
    at = number
    while (parent := raws[at].parent) is not None and raws[parent].tag in _TAKES_OVER.get(raws[at].tag, ()):
        given = _given(outline, parent)
        if given in NO_SEMANTICS and not _insists(outline, parent, given):
            return given
        at = parent
    return ""


def _insists(outline: Outline, number: int, role: str) -> bool:
    attributes = outline.raws[number].attributes
    if any(one in attributes for one in _GLOBAL):
        return True
    if role not in _NOT_NAMEABLE and any(one in attributes for one in _NAMING):
        return True
    return outline.enabled[number] and (_is_focusable(outline, number) or _has_tab_index(attributes))


def _is_focusable(outline: Outline, number: int) -> bool:
    raw = outline.raws[number]
    if raw.tag in ("a", "area"):
        return "href" in raw.attributes
    if raw.tag == "input":
        return "hidden" not in raw.attributes
    return raw.tag in ("button", "details", "select", "textarea")


def _has_tab_index(attributes: dict[str, str]) -> bool:
    return attributes.get("tabindex", "none").strip().lstrip("+-").isdecimal()


def _link(outline: Outline, number: int) -> str:
    return "link" if "href" in outline.raws[number].attributes else ""


def _when_named(role: str) -> Callable[[Outline, int], str]:
    def role_if_named(outline: Outline, number: int) -> str:
        return role if any(one in outline.raws[number].attributes for one in _NAMING) else ""

    return role_if_named


def _page_landmark(role: str) -> Callable[[Outline, int], str]:
    """<header> and <footer> are landmarks only where they are the page's own."""

    def role_unless_within(outline: Outline, number: int) -> str:
        raws = outline.raws
        at = raws[number].parent
        while at is not None and raws[at].frame == raws[number].frame:
            given = raws[at].attributes.get("role")
            if (given in _SECTIONING.values()) if given is not None else (raws[at].tag in _SECTIONING):
                return ""
            at = raws[at].parent
        return role

    return role_unless_within


def _image(outline: Outline, number: int) -> str:
    attributes = outline.raws[number].attributes
    is_decoration = (
        attributes.get("alt") == ""
        and not attributes.get("title")
        and not any(one in attributes for one in (*_GLOBAL, *_NAMING))
        and not _has_tab_index(attributes)
    )
    return "presentation" if is_decoration else "img"


def _input(outline: Outline, number: int) -> str:
    kind = input_type(outline.raws[number].attributes)
    if kind in _MAY_HAVE_LIST:
        suggestions = outline.referred(number, "list")[:1]
        if suggestions and outline.raws[suggestions[0]].tag == "datalist":
            return "combobox"
        return "searchbox" if kind == "search" else "textbox"
    return _INPUTS.get(kind, "textbox")


def _select(outline: Outline, number: int) -> str:
    attributes = outline.raws[number].attributes
    size = attributes.get("size", "").strip()
    is_list = "multiple" in attributes or (size.isdecimal() and int(size[:9]) > 1)
    return "listbox" if is_list else "combobox"


def _cell(outline: Outline, number: int) -> str:
    table = _table_around(outline, number)
    return "gridcell" if table is not None and _given(outline, table) in ("grid", "treegrid") else "cell"


def _table_around(outline: Outline, number: int) -> int | None:
    at = outline.raws[number].parent
    while at is not None and outline.raws[at].tag != "table":
        at = outline.raws[at].parent
    return at


def _header_cell(outline: Outline, number: int) -> str:
    scope = outline.raws[number].attributes.get("scope")
    if scope in ("col", "colgroup"):
        return "columnheader"
    if scope in ("row", "rowgroup"):
        return "rowheader"
    beside = outline.beside(number)
    if not beside:
        row = outline.raws[number].parent
        return (
            "" if row is not None and outline.raws[row].tag == "tr" and _is_only_row(outline, row) else "columnheader"
        )
    return "rowheader" if any(_is_filled_cell(outline, one) for one in beside) else "columnheader"


def _is_only_row(outline: Outline, row: int) -> bool:
    """Whether a table has no other row: what looks like a heading then heads nothing."""
    table = _table_around(outline, row)
    if table is None:
        return False
    if table not in outline.row_counts:
        groups = [one for one in outline.children(table) if outline.raws[one].tag in ("thead", "tbody", "tfoot")]
        inside = [one for parent in (table, *groups) for one in outline.children(parent)]
        outline.row_counts[table] = sum(outline.raws[one].tag == "tr" for one in inside)
    return outline.row_counts[table] <= 1


def _is_filled_cell(outline: Outline, number: int) -> bool:
    raw = outline.raws[number]
    return raw.tag == "td" and any(not isinstance(one, str) or one.strip() for one in raw.contents)


_SPECIAL: dict[str, Callable[[Outline, int], str]] = {
    "a": _link,
    "area": _link,
    "footer": _page_landmark("contentinfo"),
    "form": _when_named("form"),
    "header": _page_landmark("banner"),
    "img": _image,
    "input": _input,
    "section": _when_named("region"),
    "select": _select,
    "td": _cell,
    "th": _header_cell,
}
