"""Runs agent-skill test files written in Python, each in a forked copy of this process, and reports each.

A fork makes every file start from the same untouched interpreter: nothing one file imports, patches or breaks
reaches the next, and not even `os._exit` in a test ends the runner. A file decides nothing but what its function
returns; a file that ends its process, has no such function or returns something else has no verdict.
"""

import atexit
import contextlib
import importlib.util
import inspect
import json
import os
import re
import signal
import sys
import tempfile
import time
import traceback
import types
from typing import Any, BinaryIO, Callable, Dict, List, NoReturn, Optional, Tuple

ENTRY_POINTS = ("default", "run_tests", "runTests")
MOST_ERRORS = 200
ERROR_LIMIT = 8192  # characters; with MOST_ERRORS of them a record stays well below the channel's limit

Verdict = Dict[str, Any]

# Taken before any test file is loaded: a test may replace all of these.
_encode = json.JSONEncoder().encode
_leave = os._exit
_own_pid = os.getpid


def main() -> int:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != here]  # our names are not the project's
    inside = _load_module("testwright_channel", os.path.join(here, "channel.py"))
    channel = inside.Channel()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupt is for the test to make sense of
    tests, fail_fast = channel.config["tests"], channel.config.get("fail_fast", False)
    channel.send("collected", tests=tests)
    failures, stopped = 0, False
    for number, test in enumerate(tests, start=1):
        started_at, since = time.time(), time.perf_counter()
        channel.send("started", test=test["key"])
        verdict = _run_apart(test["file"], channel, inside.clipped)
        duration = (time.perf_counter() - since) * 1000
        channel.send("finished", test=test["key"], duration_ms=duration, started_at=started_at, **verdict)
        failures += verdict["outcome"] != "passed"
        stopped = bool(fail_fast and failures and number < len(tests))
        if stopped:
            break
    code = 1 if failures else 0
    channel.send("end", exit_code=code, stopped=stopped)
    return code


# --- the runner's side of the fork ----------------------------------------------------------


def _run_apart(file: str, channel: Any, clipped: Callable[..., str]) -> Verdict:
    with tempfile.TemporaryFile() as answer:
        child = os.fork()
        if child == 0:
            os.close(channel._fd)  # noqa: SLF001  the test has no business with it
            _be_the_test(file, answer)
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)  # what the file started and left behind
        if os.WIFSIGNALED(status):
            _die_of(os.WTERMSIG(status))
        answer.seek(0)
        verdict = _believed(answer.read(), os.WEXITSTATUS(status))
    for name in ("message", "stack"):
        verdict[name] = _text(verdict.get(name, ""), clipped)
    errors: List[str] = verdict.get("errors", [])
    verdict["errors"] = [_text(error, clipped, ERROR_LIMIT) for error in errors[:MOST_ERRORS]]
    if len(errors) > MOST_ERRORS:
        verdict["errors"].append("… and %d more" % (len(errors) - MOST_ERRORS))
    return verdict


def _believed(answer: bytes, exit_code: int) -> Verdict:
    """What the fork said of its file, if it said it whole and then ended as it had to."""
    try:
        verdict = json.loads(answer)
    except ValueError:
        return _no_verdict("It ended its process with exit code %d before it had returned a result." % exit_code)
    if exit_code != (0 if verdict["outcome"] == "passed" else 1):
        return _no_verdict("It returned a result, then ended its process with exit code %d." % exit_code)
    return dict(verdict)


def _die_of(number: int) -> None:
    """End as the test did, so that those who watch us see what killed it."""
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.pause()


def _text(text: str, clipped: Callable[..., str], *limit: int) -> str:
    """Short enough to send, and without the half characters that no encoding can carry."""
    return clipped(text.encode("utf-8", "replace").decode("utf-8"), *limit)


# --- the test's side ------------------------------------------------------------------------


def _be_the_test(file: str, answer: BinaryIO) -> NoReturn:
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
    except BaseException:
        traceback.print_exc()
        code = 70
    _end_as_usual(exit_functions)
    _leave(code)


def _end_as_usual(exit_functions: Callable[[], Any]) -> None:
    """The ordinary end of a process, but for threads that are still at work: nobody waits for them."""
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
        call = _entry_point(_load_module(re.sub(r"\W", "_", os.path.basename(file)[: -len(".py")]), file))
    except SystemExit as leaving:
        return _no_verdict("It ended its process with exit code %s while it was loaded." % (leaving.code,))
    except BaseException as error:
        return _thrown(error, "error")
    if call is None:
        return _no_verdict("It must define a function run_tests (or runTests, or default).")
    try:
        result = call()
        if inspect.isawaitable(result):
            import asyncio

            result = asyncio.run(_awaited(result))
        return _judged(result)
    except SystemExit as leaving:
        return _no_verdict("It ended its process with exit code %s before it had returned a result." % (leaving.code,))
    except AssertionError as error:
        return _thrown(error, "failed")
    except BaseException as error:
        return _thrown(error, "error")


def _load_module(name: str, file: str) -> Any:
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
                return inner  # type: ignore[no-any-return]
    return None


async def _awaited(result: Any) -> Any:
    return await result


def _judged(result: Any) -> Verdict:
    passed, failed, errors = _fields(result)
    for name, count in (("passed", passed), ("failed", failed)):
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count < 2**53:
            if result is None or (passed is None and failed is None):
                return _no_verdict("It returned %s instead of passed, failed and errors." % _shown(result))
            return _no_verdict("The `%s` it returned is %s, not a count." % (name, _shown(count)))
    if not isinstance(errors, (list, tuple)):
        return _no_verdict("The `errors` it returned are %s, not a list." % _shown(errors))
    if passed + failed == 0:
        return _no_verdict("It ran no checks: passed and failed are both 0.")
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


def _no_verdict(message: str) -> Verdict:
    return {"outcome": "no_verdict", "message": message, "errors": [message]}


def _thrown(error: BaseException, outcome: str) -> Verdict:
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    try:
        message = str(error) or type(error).__name__
        stack = "".join(traceback.format_exception(type(error), error, frames))
    except Exception:
        message, stack = "It raised a %s that cannot be shown." % type(error).__name__, ""
    return {"outcome": outcome, "message": message, "stack": stack, "errors": [message]}


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        return "something that cannot be shown"
    return text if len(text) <= 500 else text[:499] + "…"


if __name__ == "__main__":
    sys.exit(main())
