"""Where an exception came from, and what it says."""

import dis
from dataclasses import dataclass
from types import ModuleType, TracebackType

_RAISE = dis.opmap["RAISE_VARARGS"]
_MOST_CAUSES = 3


@dataclass(frozen=True, slots=True)
class ErrorOrigin:
    line: int  # the deepest line of the module under test in the traceback; 0 where there is none
    is_in_package: bool  # whether any code of the package is in the traceback
    is_stated: bool
    """Whether a `raise` statement of the package raised it, and not Python itself or another package."""
    foreign: tuple[str, ...] = ()
    """Messages of exceptions behind it that the package did not word; its own message may quote them."""


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
