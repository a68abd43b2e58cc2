"""Run one case: build what it needs, do its action, and keep the live objects that it gave and changed."""

import asyncio
import contextlib
import itertools
import logging
import os
import sys
import warnings
from collections.abc import AsyncIterable, Awaitable, Callable
from dataclasses import dataclass, field
from types import CoroutineType
from typing import Any

from testwright.generate.inside.case_run.case_files import StrayFiles, read_files
from testwright.generate.inside.case_run.raised_errors import ErrorOrigin, origin_of, text_of
from testwright.generate.inside.case_run.standard_streams import Streams
from testwright.generate.inside.case_run.value_snapshot import Snapshot, attributes_of, is_mutable, snapshot
from testwright.generate.inside.generated_case import ITEMS_TAKEN, TMP_PATH, Argument, Call, Case, Use
from testwright.generate.inside.namespace import Namespace

_FRAMES_ALLOWED = 600
"""How deep a case may recurse: less than a test may, which also has pytest's own frames below it."""
_ASYNC_SECONDS = 1.0
_NEVER_A_TEST = (RecursionError, MemoryError)  # they depend on limits, which differ elsewhere


@dataclass(slots=True)
class CaseRun:
    """The outcome of a case, with the live objects. It is described or checked before the next case begins."""

    case: Case
    result: Any = None
    error: BaseException | None = None
    origin: ErrorOrigin | None = None
    unusable: str = ""
    arguments: list[Any] = field(default_factory=list)  # values of the action's arguments, in their order
    subject: Any = None
    arguments_before: dict[int, Snapshot] = field(default_factory=dict)
    subject_before: dict[str, Snapshot] = field(default_factory=dict)
    files_before: dict[str, bytes] = field(default_factory=dict)
    stdout: str = ""
    stderr: str = ""
    items: list[Any] | None = None
    """What was taken from the result since, where that is an iterator: it gives its items only once."""


class _KeepsNothing(logging.Handler):
    """Pytest has handlers at the root logger; without one, logging would print."""

    def emit(self, record: logging.LogRecord) -> None:
        """Nothing."""


_LOG_HANDLER = _KeepsNothing()


def run_case(case: Case, namespace: Namespace) -> CaseRun:
    """Run the case. Whatever it raises is part of the answer; only the folder and the streams are guarded here."""
    namespace.begin()
    run = CaseRun(case)
    folder, frames_before = os.getcwd(), sys.getrecursionlimit()  # noqa: PTH109 - a Path costs more than all the rest
    if _LOG_HANDLER not in logging.root.handlers:
        logging.root.addHandler(_LOG_HANDLER)
    stray_files = StrayFiles(folder)
    with warnings.catch_warnings(), Streams() as streams:
        warnings.simplefilter("ignore")
        try:
            sys.setrecursionlimit(_frames_now() + _FRAMES_ALLOWED)
            ready = _arrange(run, namespace)
            if ready is not None:
                _act(ready, run, namespace)
        finally:
            sys.setrecursionlimit(frames_before)
        run.stdout, run.stderr = streams.printed()
    _go_back(folder)
    if stray_files.was_left():
        run.unusable = run.unusable or "leaves something in the current folder, which a test must not"
    return run


def _frames_now() -> int:
    frame, count = sys._getframe(), 0  # noqa: SLF001 - there is no public way to count frames
    while frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count


def _go_back(folder: str) -> None:
    try:
        if os.getcwd() == folder:  # noqa: PTH109 - see above
            return
    except FileNotFoundError:  # the case removed the folder that it stood in
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - see above
    os.chdir(folder)


def _arrange(run: CaseRun, namespace: Namespace) -> Callable[[], Any] | None:
    """Build the subject and the arguments; the action ready to be done, or None when that failed."""
    case = run.case
    try:
        if case.subject is not None:
            run.subject = _call(case.subject, None, namespace)
            for call in case.before:
                _finish(_call(call, run.subject, namespace))
        values = run.arguments
        for argument in case.action.arguments:
            values.append(namespace.evaluate(argument.value))
        act = _ACTIONS[case.use](case.action, values, run.subject, namespace)
        _look_before(run, namespace)
    except BaseException as error:  # noqa: BLE001 - also an exit or our own limits: it cannot be arranged
        run.unusable = f"cannot be arranged: {type(error).__name__}: {_short(error, namespace)}"
        return None
    return act


def _look_before(run: CaseRun, namespace: Namespace) -> None:
    for index, value in enumerate(run.arguments):
        if is_mutable(value):
            run.arguments_before[index] = snapshot(value)
    if run.subject is not None:
        run.subject_before = {name: snapshot(value) for name, value in attributes_of(run.subject).items()}
        if isinstance(run.subject, dict | list | set | bytearray):
            run.subject_before[""] = snapshot(run.subject)
    if namespace.made_folder is not None:
        run.files_before = read_files(namespace.made_folder)


def _act(act: Callable[[], Any], run: CaseRun, namespace: Namespace) -> None:
    try:
        run.result = act()
    except BaseException as error:  # noqa: BLE001 - every way to end is an outcome of the case
        run.origin = origin_of(error, namespace.module)
        if isinstance(error, _NEVER_A_TEST) or not _is_outcome(error, namespace):
            run.unusable = f"{_named(error)}{_short(error, namespace)}"
        elif isinstance(error, TypeError) and not run.origin.is_in_package:
            run.unusable = f"the call does not fit: {_short(error, namespace)}"
        else:
            run.error = error
        error.__traceback__ = None  # its frames would keep alive everything that the case made
    else:
        if isinstance(run.result, CoroutineType):
            run.result.close()
            run.unusable = "gives a coroutine that nobody awaits"


def _is_outcome(error: BaseException, namespace: Namespace) -> bool:
    """Whether a test could expect it: not what interrupts from outside, such as a limit of ours."""
    if isinstance(error, Exception | SystemExit):
        return True
    package = namespace.module.__name__.partition(".")[0]
    return type(error).__module__.partition(".")[0] == package and package != "testwright"


def _named(error: BaseException) -> str:
    """The message of one of our limits is enough; its class name would say nothing to a reader."""
    is_ours = type(error).__module__.partition(".")[0] == "testwright"
    return "" if is_ours else f"{type(error).__name__}: "


def _short(error: BaseException, namespace: Namespace) -> str:
    text = text_of(error)
    folder = namespace.made_folder
    return (text if folder is None else text.replace(str(folder), TMP_PATH))[:200]


# --- calls ---------------------------------------------------------------------------------------


def _call(call: Call, subject: Any, namespace: Namespace) -> Any:
    function = namespace.evaluate(call.callee, subject)
    positional, named = _bound(call.arguments, [namespace.evaluate(each.value) for each in call.arguments])
    return function(*positional, **named)


def _finish(result: Any) -> None:
    """A coroutine from a call before the action is run: it was called for what it does."""
    if isinstance(result, CoroutineType):
        _run_async(result)


def _bound(arguments: tuple[Argument, ...], values: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for argument, value in zip(arguments, values, strict=True):
        if argument.name is None:
            positional.append(value)
        elif argument.name == "*":
            positional.extend(value)
        elif argument.name == "**":
            named.update(value)
        else:
            named[argument.name] = value
    return positional, named


# --- the ways to use what an action gives --------------------------------------------------------
# Each takes the action apart while it is arranged, so that only the call itself can count as its outcome.

_Action = Callable[[Call, list[Any], Any, Namespace], Callable[[], Any]]


def _applied(action: Call, values: list[Any], subject: Any, namespace: Namespace) -> Callable[[], Any]:
    function = namespace.evaluate(action.callee, subject)
    positional, named = _bound(action.arguments, values)
    return lambda: function(*positional, **named)


def _got(action: Call, _: list[Any], subject: Any, namespace: Namespace) -> Callable[[], Any]:
    return lambda: namespace.evaluate(action.callee, subject)


def _set(action: Call, values: list[Any], subject: Any, namespace: Namespace) -> Callable[[], Any]:
    owner_text, _, name = action.callee.rpartition(".")
    owner = namespace.evaluate(owner_text, subject)
    (value,) = values
    return lambda: setattr(owner, name, value)


def _awaited(action: Call, values: list[Any], subject: Any, namespace: Namespace) -> Callable[[], Any]:
    begin = _applied(action, values, subject, namespace)

    async def whole() -> Any:
        return await begin()

    return lambda: _run_async(whole())


def _iterated(action: Call, values: list[Any], subject: Any, namespace: Namespace) -> Callable[[], Any]:
    begin = _applied(action, values, subject, namespace)

    def taken() -> list[Any]:
        source = begin()
        try:
            return list(itertools.islice(source, ITEMS_TAKEN))
        finally:
            close = getattr(source, "close", None)
            if close is not None and hasattr(source, "__next__"):
                close()

    return taken


def _iterated_async(action: Call, values: list[Any], subject: Any, namespace: Namespace) -> Callable[[], Any]:
    begin = _applied(action, values, subject, namespace)
    return lambda: _run_async(_take_async(begin))


async def _take_async(begin: Callable[[], AsyncIterable[Any]]) -> list[Any]:
    items: list[Any] = []
    async for item in begin():
        items.append(item)
        if len(items) == ITEMS_TAKEN:
            break
    return items


def _entered(action: Call, values: list[Any], subject: Any, namespace: Namespace) -> Callable[[], Any]:
    begin = _applied(action, values, subject, namespace)

    def whole() -> Any:
        with begin() as entered:
            pass
        return entered

    return whole


def _entered_async(action: Call, values: list[Any], subject: Any, namespace: Namespace) -> Callable[[], Any]:
    begin = _applied(action, values, subject, namespace)

    async def whole() -> Any:
        async with begin() as entered:
            pass
        return entered

    return lambda: _run_async(whole())


_ACTIONS: dict[Use, _Action] = {
    Use.CALL: _applied,
    Use.GET: _got,
    Use.SET: _set,
    Use.AWAIT: _awaited,
    Use.ITERATE: _iterated,
    Use.ITERATE_ASYNC: _iterated_async,
    Use.ENTER: _entered,
    Use.ENTER_ASYNC: _entered_async,
}


class StillWaiting(BaseException):
    """An asynchronous case waits for something that never comes. Not an Exception: it is one of our limits."""


def _run_async(work: Awaitable[Any]) -> Any:
    async def limited() -> Any:
        task = asyncio.ensure_future(work)
        done, _ = await asyncio.wait({task}, timeout=_ASYNC_SECONDS)
        if not done:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({task}, timeout=_ASYNC_SECONDS)
            raise StillWaiting(f"still waits after {_ASYNC_SECONDS} s")
        return task.result()

    return asyncio.run(limited(), debug=False)
