"""Pages on which nothing should be looked for: a sign-in, an error, a blank page, one that is still being loaded."""

import re
from urllib.parse import urlsplit

from testwright.model.dom import DomSnapshot, Element, Fingerprint

_IN_WORDS = {
    "login_page": "The page asks to sign in: the test has lost its session, not its element.",
    "error_page": "The page shows an error instead of its content.",
    "blank_page": "The page is blank.",
    "still_loading": "The page was still being loaded: the element may yet have come.",
}
_ERROR = re.compile(
    r"(?:oops[,!. ]*)?(?:(?:http )?(?:error|status)(?: code)?[: ]*)?"
    r"(?:(?:40[0134]|410|429|50[0-4])(?:[: ]*(?:error|not found|forbidden|bad gateway|unauthorized|page not found"
    r"|internal server error|server error|service (?:temporarily )?unavailable|gateway time-?out|too many requests))?"
    r"|(?:the |this |that )?page (?:was |could |can )?not (?:be )?found|not found|file not found"
    r"|page (?:not available|unavailable)"
    r"|internal server error|server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out"
    r"|something went wrong|an? (?:unexpected |application )?error (?:has )?occurred"
    r"|application error|access denied|forbidden|this site can[’']t be reached|this page isn[’']t working"
    r"|problem loading page|we[’']?(?:ll be| are) (?:right )?back soon)[.!…]*",
    re.IGNORECASE,
)
_PARTS_OF_TITLE = re.compile(r"\s+[-–—|·:]\s+|: ")
_LOADING = re.compile(
    r"(?:loading|please wait|one moment|just a moment|wait a moment)(?:[ ,]+please(?: wait)?)?\s*[.…]*", re.IGNORECASE
)
_SIGN_IN = re.compile(
    r"\b(?:log[ -]?(?:in|on)|sign[ -]?in|signin|logon|session expired|authenticat\w*|sso)\b", re.IGNORECASE
)
_ERROR_ADDRESSES = ("chrome-error:", "about:neterror", "about:certerror", "edge-error:")
_DRAWN_TAGS = "a audio button canvas embed iframe img input object select svg textarea video"
_SHOWS_SOMETHING = frozenset(_DRAWN_TAGS.split())
_FEW_FIELDS = 4


def page_trouble(page: DomSnapshot, before: Fingerprint | None = None) -> str:
    """A code for what is wrong with the page as a whole, or nothing. `before`: the element when all was well."""
    if page.url.startswith(_ERROR_ADDRESSES):
        return "error_page"
    if not page.is_loaded or _says_it_is_loading(page):
        return "still_loading"
    if _is_blank(page):
        return "blank_page"
    if _is_error(page, before):
        return "error_page"
    return "login_page" if _is_login(page, before) else ""


def trouble_in_words(code: str) -> str:
    """One sentence for a person."""
    return _IN_WORDS.get(code, "")


def _says_it_is_loading(page: DomSnapshot) -> bool:
    for element in page.elements:
        if (
            element.frame == 0
            and element.tag in ("html", "body", "main")
            and element.get("aria-busy").lower() == "true"
        ):
            return True
    return _LOADING.fullmatch(_whole_text(page)) is not None


def _whole_text(page: DomSnapshot) -> str:
    body = next((element for element in page.elements if element.tag == "body" and element.frame == 0), None)
    if body is not None:
        return body.text
    return " ".join(element.text for element in page.elements if element.parent is None)


def _is_blank(page: DomSnapshot) -> bool:
    if _whole_text(page).strip():
        return False
    return not any(
        element.visible and (element.tag in _SHOWS_SOMETHING or (element.frame == 0 and element.name))
        for element in page.elements
    )


def _is_error(page: DomSnapshot, before: Fingerprint | None) -> bool:
    """By its title or its one great heading; not where the page was called so before."""
    said = [*_parts(page.title), *_main_headings(page)]
    if not any(_ERROR.fullmatch(part) for part in said):
        return False
    if before is None:
        return True
    earlier = [*_parts(before.title), *(_main_headings(before.page) if before.page is not None else [])]
    return not any(_ERROR.fullmatch(part) for part in earlier)


def _parts(title: str) -> list[str]:
    return [title.strip(), *(part.strip() for part in _PARTS_OF_TITLE.split(title))]


def _main_headings(page: DomSnapshot) -> list[str]:
    """The first-level headings, or the only heading there is."""
    headings = [
        element for element in page.elements if element.role == "heading" and element.visible and element.exposed
    ]
    first = [element for element in headings if element.tag == "h1" or element.get("aria-level") == "1"]
    chosen = first or (headings if len(headings) == 1 else [])
    return [element.text for element in chosen if element.frame == 0]


def _is_login(page: DomSnapshot, before: Fingerprint | None) -> bool:
    """One password field that was not there before, on a page that is about signing in."""
    if len(_password_fields(page)) != 1:
        return False
    if before is not None:
        if before.element.get("type").lower() == "password":
            return False
        if before.page is not None:
            return not _password_fields(before.page) and _is_about_signing_in(page)
        if _path(before.url) == _path(page.url) and before.title == page.title:
            return False
    return _is_about_signing_in(page)


def _is_about_signing_in(page: DomSnapshot) -> bool:
    fields = [element for element in page.elements if _is_field(element)]
    if len(fields) > _FEW_FIELDS:
        return False
    buttons = [element.name for element in page.elements if element.role == "button" and element.visible]
    said = [page.title, _path(page.url).replace("/", " ").replace("_", " "), *_main_headings(page), *buttons[:20]]
    return any(_SIGN_IN.search(text) for text in said)


def _is_field(element: Element) -> bool:
    return element.visible and element.role in ("textbox", "searchbox", "combobox", "spinbutton", "listbox")


def _password_fields(page: DomSnapshot) -> list[Element]:
    return [
        element
        for element in page.elements
        if element.tag == "input" and element.get("type").lower() == "password" and element.visible
    ]


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
