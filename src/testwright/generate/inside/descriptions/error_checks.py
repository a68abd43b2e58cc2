"""Checks of an exception: its class, and the part of its message that a test may rely on."""

import re
from collections.abc import Callable

from testwright.generate.inside.case_run.raised_errors import ErrorOrigin, text_of
from testwright.generate.inside.generated_case import Check, Relation
from testwright.generate.inside.namespace import Namespace

_LONGEST_MESSAGE = 120
_SHORTEST_PIECE = 4
# Where a part of a message changes from run to run, only the text around that part is kept.
_CHANGING = re.compile(r"<(?:[^<>]|<[^<>]*>)* at 0x[0-9a-fA-F]+>|0x[0-9a-fA-F]{6,}|/[^\s'\"]*/[^\s'\"]*")


def error_checks(
    error: BaseException, origin: ErrorOrigin, namespace: Namespace, is_steady: Callable[[str], bool]
) -> list[Check]:
    """That it is raised, and what it says; nothing where no class of it has a name."""
    for kind in type(error).__mro__:
        name = namespace.name_of(kind)
        if name is not None:
            break
    else:
        return []
    message = _reliable_message(error, origin, is_steady)
    if kind in (Exception, BaseException) and not message:
        return []
    checks = [Check("error", "{}", Relation.RAISES, name)]
    if message:
        checks.append(Check("error", "{}", _how_much(message, text_of(error)), message))
    return checks


def _reliable_message(error: BaseException, origin: ErrorOrigin, is_steady: Callable[[str], bool]) -> str:
    if isinstance(error, SystemExit):
        return ""
    text = text_of(error)
    if not origin.is_stated:
        # Python changes the words of its own errors between versions; a missing key it only quotes.
        is_plain_key = type(error) is KeyError and len(error.args) == 1 and type(error.args[0]) in (str, int)
        key = text.strip("'\"") if is_plain_key else ""
        return key if len(key) <= _LONGEST_MESSAGE and is_steady(key) else ""
    for word in origin.foreign:
        text = text.partition(word)[0]
    if not is_steady(text):
        pieces = _CHANGING.split(text)
        text = max(pieces, key=len)  # the first of the longest
        if len(text.strip()) < _SHORTEST_PIECE or not is_steady(text):
            return ""
    return _cut(text).strip()


def _how_much(message: str, text: str) -> Relation:
    if message == text:
        return Relation.MESSAGE_IS
    return Relation.MESSAGE_BEGINS if text.startswith(message) else Relation.MESSAGE_HAS


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_MESSAGE:
        return text
    head = text[:_LONGEST_MESSAGE]
    at_word, _, _ = head.rpartition(" ")
    return at_word or head
