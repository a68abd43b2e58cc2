"""A new selector written where the old one is, and nothing else changed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from testwright.heal.source.languages import ParsedSource, read_source
from testwright.heal.source.locator_uses import LocatorUse, Piece
from testwright.heal.source.selector_definition import SelectorDefinition
from testwright.model.errors import SelectorNotPatchable, TestwrightError
from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart
from testwright.selectors.spelling import canonical_parts, literal, spelled

if TYPE_CHECKING:
    from tree_sitter import Node

_PLAIN = frozenset({SelectorEngine.CSS, SelectorEngine.XPATH})
_TAKES_SELECTOR = ("locator(", "frameLocator(", "frame_locator(")


@dataclass(frozen=True, slots=True)
class SelectorEdit:
    """A range of bytes of a file (in UTF-8), and what is to be written there instead."""

    file: str
    start: int
    end: int
    line: int
    old: str  # on one line
    new: str
    there: tuple[tuple[int, str], ...]  # what must be written where; else the file is no longer the same


def edit_for(place: LocatorUse | SelectorDefinition, new: Selector) -> SelectorEdit:
    """The smallest edit that turns the selector into `new`. `new` is the whole selector, outer parts included.

    Raises SelectorNotPatchable where that would take more than one edit, or change what the test says.
    """
    pieces, before = _pieces(place)
    if pieces[0].dialect is Dialect.FLUTTER:
        return _chain_edit(pieces, new)  # a finder is written in one piece
    new_parts = _after(new, before)
    first, last, parts = _changed(pieces, new_parts)
    changed = pieces[first:last]
    if len({(piece.file, piece.chain) for piece in changed}) != 1:
        raise SelectorNotPatchable("The selector is put together from several places, and more than one would change.")
    is_all = len(parts) == len(new.parts)
    part_of_new = new if is_all else Selector(parts, new.dialect, "")
    if len(changed) == 1:
        text = _as_text(changed[0], part_of_new)
        if text is not None:
            return _literal_edit(changed[0], text)
    return _chain_edit(changed, part_of_new)


def apply_edit(data: bytes, edit: SelectorEdit) -> bytes:
    """`data`, the file that `edit` names, with the edit made. Raises SelectorNotPatchable."""
    before = read_source(data, edit.file)
    if any(not before.text.startswith(written.encode(), start) for start, written in edit.there):
        raise SelectorNotPatchable(f"{edit.file}, line {edit.line}: the file is no longer the one that was read.")
    text = before.text[: edit.start] + edit.new.encode() + before.text[edit.end :]
    try:
        result = before.encoded(text)
        after = read_source(result, edit.file)
    except (UnicodeError, TestwrightError):
        message = f"{edit.file}, line {edit.line}: the new selector cannot be written into this file."
        raise SelectorNotPatchable(message) from None
    if _around(before, edit.start, edit.end) != _around(after, edit.start, edit.start + len(edit.new.encode())):
        raise SelectorNotPatchable(f"{edit.file}, line {edit.line}: more than the selector would change.")
    return result


# --- what changes ----------------------------------------------------------------------------


def _pieces(place: LocatorUse | SelectorDefinition) -> tuple[tuple[Piece, ...], tuple[SelectorPart, ...]]:
    """The pieces that can be changed, and the parts before them that cannot."""
    if isinstance(place, SelectorDefinition):
        return place.pieces, place.selector.parts[: place.unknown]
    if place.selector is None:
        raise SelectorNotPatchable(f"{place.file}, line {place.line}: {place.problem}.")
    return place.pieces, place.outer


def _after(new: Selector, before: tuple[SelectorPart, ...]) -> tuple[SelectorPart, ...]:
    """The new parts, without those that are written elsewhere and must stay."""
    if canonical_parts(new.parts[: len(before)]) != canonical_parts(before):
        raise SelectorNotPatchable("What the selector is searched within would change, and that is written elsewhere.")
    return new.parts[len(before) :]


def _changed(pieces: tuple[Piece, ...], new: tuple[SelectorPart, ...]) -> tuple[int, int, tuple[SelectorPart, ...]]:
    """Which pieces change, from and to, and the parts that are to stand there instead."""
    old_keys = [canonical_parts(piece.parts) for piece in pieces]
    new_keys = canonical_parts(new)
    first = used = 0
    while first < len(pieces) and new_keys[used : used + len(old_keys[first])] == old_keys[first]:
        used += len(old_keys[first])
        first += 1
    last, left = len(pieces), len(new)
    while last > first and left - len(old_keys[last - 1]) >= used:
        if new_keys[left - len(old_keys[last - 1]) : left] != old_keys[last - 1]:
            break
        left -= len(old_keys[last - 1])
        last -= 1
    if first == last and used == left:
        raise SelectorNotPatchable("The new selector is the old one.")
    while used == left and last < len(pieces):  # something was only taken away: say again what follows it
        left += len(old_keys[last])
        last += 1
    while used == left and first > 0:
        first -= 1
        used -= len(old_keys[first])
    if first == last:
        raise SelectorNotPatchable("The new selector would only narrow the old one down, which hides that it is lost.")
    return first, last, new[used:left]


def _as_text(piece: Piece, new: Selector) -> str | None:
    """What is to be said in the piece's own string literal; None: the whole call is to be replaced."""
    if piece.literal is None:
        return None
    is_plain = new.dialect is Dialect.INTERNAL or all(_is_plain(part) for part in new.parts)
    if piece.is_string:
        if not is_plain:
            raise SelectorNotPatchable("Only a selector in one string fits here.")
        return _string_form(new)
    if (
        piece.clean.startswith(_TAKES_SELECTOR)
        and is_plain
        and (new.dialect is Dialect.INTERNAL or len(new.parts) == 1)
    ):
        if len(piece.parts) > 1 and piece.clean.startswith("locator("):
            return None  # its options would stay
        return _string_form(_within_frame(piece, new))
    if piece.literal_is_elsewhere and _is_only_test_id(piece.parts) and _is_only_test_id(new.parts):
        return str(new.parts[0].value)
    return None


def _is_plain(part: SelectorPart) -> bool:
    return part.engine in _PLAIN and part.inner is None


def _within_frame(piece: Piece, new: Selector) -> Selector:
    if piece.clean.startswith("locator("):
        return new
    if len(new.parts) < 2 or new.parts[-1].engine is not SelectorEngine.FRAME:
        raise SelectorNotPatchable("A frame can only be replaced by a frame.")
    return Selector(new.parts[:-1], new.dialect, "")


def _is_only_test_id(parts: tuple[SelectorPart, ...]) -> bool:
    return len(parts) == 1 and parts[0].engine is SelectorEngine.TEST_ID and isinstance(parts[0].value, str)


def _string_form(new: Selector) -> str:
    return new.text if new.dialect is Dialect.INTERNAL and new.text else spelled(new, Dialect.INTERNAL)


# --- how it is written -----------------------------------------------------------------------


def _literal_edit(piece: Piece, text: str) -> SelectorEdit:
    place = piece.literal
    assert place is not None
    new = literal(text, place.dialect, place.quote)
    return SelectorEdit(
        place.file, place.start, place.end, place.line, place.written, new, ((place.start, place.written),)
    )


def _chain_edit(changed: tuple[Piece, ...], new: Selector) -> SelectorEdit:
    first, last = changed[0], changed[-1]
    quote = next((piece.literal.quote for piece in changed if piece.literal is not None), "")
    written = spelled(Selector(new.parts, first.dialect, ""), first.dialect, quote=quote)
    old = ".".join(piece.clean or piece.written for piece in changed)
    there = tuple((piece.start, piece.written) for piece in changed)
    return SelectorEdit(first.file, first.start, last.end, first.line, old, written, there)


# --- what stays ------------------------------------------------------------------------------


def _around(source: ParsedSource, start: int, end: int) -> list[tuple[str, int, int]]:
    """Every node outside of a range, with its place counted from the nearer end of the file."""
    length = len(source.text)
    seen: list[tuple[str, int, int]] = []
    waiting: list[Node] = [source.root]
    while waiting:
        node = waiting.pop()
        if node.end_byte <= start:
            seen.append((node.type, node.start_byte, node.end_byte))
        elif node.start_byte >= end:
            seen.append((node.type, node.start_byte - length, node.end_byte - length))
        elif node.start_byte <= start and node.end_byte > end:
            seen.append((node.type, node.start_byte, node.end_byte - length))
        waiting.extend(node.children)
    return sorted(seen)
