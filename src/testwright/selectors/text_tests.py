"""Comparing a text with what a selector asks for: part of it, all of it, or a regular expression."""

import re
from collections.abc import Callable
from functools import lru_cache

from testwright.model.accessibility.raw_element import folded
from testwright.model.errors import SelectorTooCostly, SelectorUnsupported
from testwright.model.selector import TextPattern

TextTest = Callable[[str], bool]
_MOST_REPEATS = 4
_LONGEST = 1_000  # characters of a text that a regular expression looks at
_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
_NAMED_GROUP = re.compile(r"\(\?<(?![=!])")


def text_test(wanted: str | TextPattern, *, exact: bool) -> TextTest:
    """For a folded text, not in lower case."""
    if isinstance(wanted, TextPattern):
        return pattern_test(wanted)
    plain = folded(wanted)
    if exact:
        return lambda text: text == plain
    lower = plain.lower()
    return lambda text: lower in text.lower()


@lru_cache(maxsize=256)
def pattern_test(wanted: TextPattern) -> TextTest:
    _check_cost(wanted.source)
    flags = re.ASCII
    for letter in wanted.flags:
        flags |= _FLAGS.get(letter, re.ASCII)
    if "i" in wanted.flags:
        flags &= ~re.ASCII  # or letters beyond ASCII would have no case
    try:
        compiled = re.compile(_NAMED_GROUP.sub("(?P<", wanted.source), flags)
    except (re.error, RecursionError, OverflowError) as error:
        raise SelectorUnsupported(
            f"The regular expression /{wanted.source}/ cannot be tried here: {error}.",
            next_step="Use a plain text, or a simpler expression.",
        ) from None
    return lambda text: compiled.search(text[:_LONGEST]) is not None


def _check_cost(source: str) -> None:
    """Refuse what may take without end: repeats within repeats, or many of them."""
    open_groups: list[bool] = []  # whether there is a repeat or a choice in it
    repeats = 0
    closed_varies = in_class = False
    at = 0
    while at < len(source):
        character = source[at]
        if character == "\\":
            at += 2
            closed_varies = False
            continue
        if in_class:
            in_class = character != "]"
        elif character == "[":
            in_class = True
        elif character == "(":
            open_groups.append(False)
        elif character == ")":
            closed_varies = open_groups.pop() if open_groups else False
            at += 1
            continue
        elif _is_repeat(source, at):
            repeats += 1
            if closed_varies or repeats > _MOST_REPEATS:
                raise SelectorTooCostly(
                    f"The regular expression /{source}/ may take too long.", next_step="Write it with fewer repeats."
                )
            open_groups = [True] * len(open_groups)
        elif character == "|" and open_groups:
            open_groups[-1] = True
        closed_varies = False
        at += 1


def _is_repeat(source: str, at: int) -> bool:
    return (source[at] in "*+" and (at == 0 or source[at - 1] not in "*+?}")) or bool(
        re.match(r"\{\d+,\d*\}", source[at:])
    )
