"""One agent-skill test file, from its path to its verdict. Runs in the process the file has for itself."""

import atexit
import contextlib
import importlib.util
import inspect
import json
import os
import re
import signal
import sys
import traceback
import types
from typing import Any, BinaryIO, Callable, Dict, NoReturn, Optional, Tuple

ENTRY_POINTS = ("default", "run_tests", "runTests")

Verdict = Dict[str, Any]

# Taken before any test file is loaded: a test may replace all of these.
_encode = json.JSONEncoder().encode
_leave = os._exit
_own_pid = os.getpid


def be_the_test(file: str, answer: BinaryIO) -> NoReturn:
    """Run the file, leave its verdict in `answer` and end the process, by an exit code that agrees with it."""
    me, descriptor = _own_pid(), answer.fileno()
    write, exit_functions = os.write, atexit._run_exitfuncs  # noqa: SLF001  `os._exit`, used below, skips them
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setpgid(0, 0)
        verdict = _verdict_on(file)
        if _own_pid() != me:
            _leave(0)  # a process the test forked came back here with it; its result is not the test's
        data = memoryview(_encode(verdict).encode("ascii"))
        while data:
            data = data[write(descriptor, data) :]
        code = 0 if verdict["outcome"] == "passed" else 1
    except BaseException:  # for any error: a forked process must not go on with its parent's work
        traceback.print_exc()
        code = 70
    _end_as_usual(exit_functions)
    _leave(code)


def _end_as_usual(exit_functions: Callable[[], Any]) -> None:
    """The ordinary end of a process, without waiting for threads that are still at work."""
    with contextlib.suppress(BaseException):  # SystemExit, too, would lead back into the runner
        exit_functions()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()


def _verdict_on(file: str) -> Verdict:
    folder = os.path.dirname(file)
    os.chdir(folder)
    sys.argv[:] = [file]
    sys.path[:0] = [folder, os.path.dirname(folder)]  # as `python file` finds its neighbours, and the project's root
    try:
        call = _entry_point(load_module(re.sub(r"\W", "_", os.path.basename(file)[: -len(".py")]), file))
    except SystemExit as leaving:
        return no_verdict("It ended its process with exit code %s while it was loaded." % (leaving.code,))
    except BaseException as error:  # a test may raise anything, and it is the result
        return _thrown(error, "error")
    if call is None:
        return no_verdict("It must define a function run_tests (or runTests, or default).")
    try:
        result = call()
        if inspect.isawaitable(result):
            import asyncio  # late: start-up: most files return a plain value

            result = asyncio.run(_awaited(result))
        return _judged(result)
    except SystemExit as leaving:
        return no_verdict("It ended its process with exit code %s before it had returned a result." % (leaving.code,))
    except AssertionError as error:
        return _thrown(error, "failed")
    except BaseException as error:  # a test may raise anything, and it is the result
        return _thrown(error, "error")


def load_module(name: str, file: str) -> Any:
    """The file as a module, compiled from its text: cached bytecode may be that of an edit ago."""
    with open(file, "rb") as source:
        code = compile(source.read(), file, "exec", dont_inherit=True)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(code, module.__dict__)  # noqa: S102  running the user's test file is what this is for
    return module


def _entry_point(module: types.ModuleType) -> Optional[Callable[[], Any]]:
    """What to call: a function by one of the names, or a function by one of them in an object by one of them."""
    found = [getattr(module, name) for name in ENTRY_POINTS if hasattr(module, name)]
    for thing in found:
        if callable(thing):
            return thing  # type: ignore[no-any-return]  # what it returns is judged later
        for name in ENTRY_POINTS:
            inner = thing.get(name) if isinstance(thing, dict) else getattr(thing, name, None)
            if callable(inner):
                return inner  # type: ignore[no-any-return]  # what it returns is judged later
    return None


async def _awaited(result: Any) -> Any:
    return await result


def _judged(result: Any) -> Verdict:
    passed, failed, errors = _fields(result)
    for name, count in (("passed", passed), ("failed", failed)):
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count < 2**53:
            if result is None or (passed is None and failed is None):
                return no_verdict("It returned %s instead of passed, failed and errors." % _shown(result))
            return no_verdict("The `%s` it returned is %s, not a count." % (name, _shown(count)))
    if not isinstance(errors, (list, tuple)):
        return no_verdict("The `errors` it returned are %s, not a list." % _shown(errors))
    if passed + failed == 0:
        return no_verdict("It ran no checks: passed and failed are both 0.")
    complaints = [str(error) if isinstance(error, (str, BaseException)) else _shown(error) for error in errors]
    counts = {"passed": int(passed), "failed": int(failed)}
    if not failed:
        return {"outcome": "passed", "counts": counts, "errors": complaints}
    message = complaints[0] if complaints else "%d of %d checks failed." % (failed, passed + failed)
    return {"outcome": "failed", "counts": counts, "errors": complaints, "message": message}


def _fields(result: Any) -> Tuple[Any, Any, Any]:
    """`passed`, `failed` and `errors` of a dict or of any object that has them."""
    if isinstance(result, dict):
        return result.get("passed"), result.get("failed"), result.get("errors", [])
    return getattr(result, "passed", None), getattr(result, "failed", None), getattr(result, "errors", [])


def no_verdict(message: str) -> Verdict:
    return {"outcome": "no_verdict", "message": message, "errors": [message]}


def _thrown(error: BaseException, outcome: str) -> Verdict:
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    try:
        message = str(error) or type(error).__name__
        stack = "".join(traceback.format_exception(type(error), error, frames))
    except Exception:  # the test's own exception class decides what happens here
        message, stack = "It raised a %s that cannot be shown." % type(error).__name__, ""
    return {"outcome": outcome, "message": message, "stack": stack, "errors": [message]}


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # the test's own class decides what happens here
        return "something that cannot be shown"
    return text if len(text) <= 500 else text[:499] + "…"
