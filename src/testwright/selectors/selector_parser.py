"""Reading a selector in every spelling: CSS, XPath, Playwright's strings and calls, Flutter's finders."""

from testwright.model.errors import SelectorInvalidChar, SelectorNotParseable, SelectorTooLong
from testwright.model.selector import Dialect, Selector, SelectorPart
from testwright.model.untrusted_text import visible_line
from testwright.selectors.expression_parser import read_expression
from testwright.selectors.finder_parser import looks_like_finder, parts_of_finder
from testwright.selectors.literal_scanner import Unreadable
from testwright.selectors.locator_parser import dialect_of_chain, looks_like_chain, parts_of_chain
from testwright.selectors.selector_string_parser import parts_of_string

MOST_CHARACTERS = 1_000
MOST_BYTES = 4_096
_SHOWN = 80


def parse_selector(text: str, dialect: Dialect | None = None) -> Selector:
    """The selector as data. Without a dialect we tell by looking; a plain string is read as such in every dialect."""
    _check(text)
    if dialect is None:
        dialect = _dialect_of(text)
    try:
        parts = _parts(text.strip(), dialect)
    except Unreadable as reason:
        raise SelectorNotParseable(
            f"The selector {_shown(text)} cannot be read: {reason}.",
            next_step="Write it as CSS, XPath, a Playwright locator or a Flutter finder.",
        ) from None
    return Selector(parts, dialect, text)


def _parts(text: str, dialect: Dialect) -> tuple[SelectorPart, ...]:
    if dialect is Dialect.FLUTTER:
        return parts_of_finder(read_expression(text, dialect))
    if dialect is not Dialect.INTERNAL and looks_like_chain(text):
        return parts_of_chain(read_expression(text, dialect), dialect)
    return parts_of_string(text)


def _dialect_of(text: str) -> Dialect:
    text = text.strip()
    if looks_like_finder(text):
        return Dialect.FLUTTER
    if looks_like_chain(text):
        return dialect_of_chain(text)
    return Dialect.INTERNAL


def _check(text: str) -> None:
    if len(text) > MOST_CHARACTERS or len(text.encode(errors="surrogatepass")) > MOST_BYTES:
        raise SelectorTooLong(
            f"The selector {_shown(text)} has {len(text):,} characters.",
            next_step=f"A selector may have {MOST_CHARACTERS:,} characters and {MOST_BYTES // 1024} KiB.",
        )
    if "\0" in text:
        raise SelectorInvalidChar(
            f"The selector {_shown(text)} has a NUL character in it.", next_step="Remove the NUL character."
        )
    if not text.strip():
        raise SelectorNotParseable("The selector is empty.", next_step="Say what is to be found, for example '#pay'.")


def _shown(text: str) -> str:
    cut = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return visible_line(cut)
