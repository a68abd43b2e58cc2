"""Where an exception came from, and which part of its message a test may rely on."""

import dis
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, TracebackType

from testwright.generate.inside.generated_case import Check, Relation
from testwright.generate.inside.namespace import Namespace

_RAISE = dis.opmap["RAISE_VARARGS"]
_LONGEST_MESSAGE = 120
_SHORTEST_PIECE = 4
_MOST_CAUSES = 3
# Where a message has something in it that changes, only what stands around that is kept.
_CHANGING = re.compile(r"<(?:[^<>]|<[^<>]*>)* at 0x[0-9a-fA-F]+>|0x[0-9a-fA-F]{6,}|/[^\s'\"]*/[^\s'\"]*")


@dataclass(frozen=True, slots=True)
class ErrorOrigin:
    line: int
    """The deepest line of the module under test on the way to it; 0 where there is none."""
    is_in_package: bool
    """Whether any code of the package ran on the way to it."""
    is_stated: bool
    """Whether a `raise` statement of the package raised it, and not Python itself or another package."""
    foreign: tuple[str, ...] = ()
    """The words of exceptions behind it that the package did not choose; its own message may quote them."""


def origin_of(error: BaseException, module: ModuleType) -> ErrorOrigin:
    """Read the traceback of an exception that was just caught."""
    package = module.__name__.partition(".")[0]
    line, is_in_package = 0, False
    at: TracebackType | None = error.__traceback__
    last: TracebackType | None = None
    while at is not None:
        names = at.tb_frame.f_globals
        if names is vars(module):
            line = at.tb_lineno
        is_in_package = is_in_package or _package_of(names) == package
        last, at = at, at.tb_next
    is_stated = last is not None and _states(last, package)
    return ErrorOrigin(line, is_in_package, is_stated, _foreign_words(error, package) if is_stated else ())


def _foreign_words(error: BaseException, package: str) -> tuple[str, ...]:
    words: list[str] = []
    behind = error.__cause__ or error.__context__
    while behind is not None and len(words) < _MOST_CAUSES:
        last = behind.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        if last is None or not _states(last, package):
            words.append(text_of(behind))
        behind = behind.__cause__ or behind.__context__
    return tuple(word for word in words if word)


def text_of(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - a broken __str__ of the code under test says nothing
        return ""
    return text if type(text) is str else ""


def _states(last: TracebackType, package: str) -> bool:
    if _package_of(last.tb_frame.f_globals) != package:
        return False
    code = last.tb_frame.f_code.co_code
    return 0 <= last.tb_lasti < len(code) and code[last.tb_lasti] == _RAISE


def _package_of(names: dict[str, object]) -> str:
    name = names.get("__name__")
    return name.partition(".")[0] if isinstance(name, str) else ""


def error_checks(
    error: BaseException, origin: ErrorOrigin, namespace: Namespace, is_steady: Callable[[str], bool]
) -> list[Check]:
    """That it is raised, and what it says; nothing where its class has no name that would tell it from any other."""
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
        # Python words its own errors anew from version to version; a missing key it only quotes.
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
