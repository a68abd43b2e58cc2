"""Runs agent-skill test files written in Python, each in a forked copy of this process, and reports each.

A fork makes every file start from the same untouched interpreter: nothing one file imports, patches or breaks
reaches the next, and not even `os._exit` in a test ends the runner. A file decides nothing but what its function
returns; a file that ends its process, has no such function or returns something else has no verdict.
"""

import contextlib
import importlib.util
import json
import os
import select
import signal
import sys
import tempfile
import time
from typing import Any, Callable, Dict, List, Optional

MOST_ERRORS = 200
ERROR_LIMIT = 8192  # characters; with MOST_ERRORS of them a record stays well below the channel's limit
KEPT_OUTPUT = 32768  # bytes of the start, and as many of the end
PATIENCE = 0.05  # seconds between looks at whether a file has ended whose children keep its output open

Verdict = Dict[str, Any]


def main() -> int:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != here]  # our names are not the project's
    inside = _neighbour(here, "channel")
    runner = Runner(inside.Channel(), inside.clipped, _neighbour(here, "skill_file"))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupt is for the test to make sense of
    return runner.run()


def _neighbour(folder: str, name: str) -> Any:
    spec = importlib.util.spec_from_file_location("testwright_" + name, os.path.join(folder, name + ".py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Runner:
    def __init__(self, channel: Any, clipped: Callable[..., str], test_file: Any) -> None:
        self._channel, self._clipped, self._test_file = channel, clipped, test_file

    def run(self) -> int:
        tests, fail_fast = self._channel.config["tests"], self._channel.config.get("fail_fast", False)
        self._channel.send("collected", tests=tests)
        failures, stopped = 0, False
        for number, test in enumerate(tests, start=1):
            failures += self._report(test) != "passed"
            stopped = bool(fail_fast and failures and number < len(tests))
            if stopped:
                break
        code = 1 if failures else 0
        self._channel.send("end", exit_code=code, stopped=stopped)
        return code

    def _report(self, test: Dict[str, Any]) -> str:
        started_at, since = time.time(), time.perf_counter()
        self._channel.send("started", test=test["key"])
        verdict = self._run_apart(test["file"])
        duration = (time.perf_counter() - since) * 1000
        self._channel.send("finished", test=test["key"], duration_ms=duration, started_at=started_at, **verdict)
        return str(verdict["outcome"])

    def _run_apart(self, file: str) -> Verdict:
        with tempfile.TemporaryFile() as answer:
            relays = [Relay(1), Relay(2)]
            child = os.fork()
            if child == 0:
                os.close(self._channel._fd)  # noqa: SLF001  the test has no business with it
                for relay in relays:
                    relay.enter()
                self._test_file.be_the_test(file, answer)
            status = _relayed_until_exit(child, relays)
            if os.WIFSIGNALED(status):
                _die_of(os.WTERMSIG(status))
            answer.seek(0)
            verdict = self._believed(answer.read(), os.WEXITSTATUS(status))
        return self._sendable(verdict, *(relay.kept() for relay in relays))

    def _believed(self, answer: bytes, exit_code: int) -> Verdict:
        """What the fork said of its file, if it said it whole and then ended as it had to."""
        no_verdict: Callable[[str], Verdict] = self._test_file.no_verdict
        try:
            verdict: Verdict = json.loads(answer)
        except ValueError:
            return no_verdict("It ended its process with exit code %d before it had returned a result." % exit_code)
        if exit_code != (0 if verdict["outcome"] == "passed" else 1):
            return no_verdict("It returned a result, then ended its process with exit code %d." % exit_code)
        return verdict

    def _sendable(self, verdict: Verdict, stdout: str, stderr: str) -> Verdict:
        errors: List[str] = verdict["errors"]
        left = len(errors) - MOST_ERRORS
        return {
            "outcome": verdict["outcome"],
            "counts": verdict.get("counts"),
            "message": self._text(verdict.get("message", "")),
            "stack": self._text(verdict.get("stack", "")),
            "errors": [self._text(error, ERROR_LIMIT) for error in errors[:MOST_ERRORS]]
            + (["… and %d more" % left] if left > 0 else []),
            "stdout": stdout,
            "stderr": stderr,
        }

    def _text(self, text: str, *limit: int) -> str:
        """Short enough to send, and without the half characters that no encoding can carry."""
        return self._clipped(text.encode("utf-8", "replace").decode("utf-8"), *limit)


class Relay:
    """Passes a file's output on as it comes, and keeps its start and end for the report."""

    def __init__(self, descriptor: int) -> None:
        self._to = descriptor
        self.source, self._write = os.pipe()
        self._head, self._tail, self._total = b"", b"", 0

    def enter(self) -> None:
        """In the fork: print here from now on."""
        os.dup2(self._write, self._to)
        os.close(self._write)
        os.close(self.source)

    def leave_to_the_fork(self) -> None:
        os.close(self._write)

    def pass_on(self) -> bool:
        """One piece; False when there will be no more."""
        piece = os.read(self.source, 1 << 16)
        room = KEPT_OUTPUT - len(self._head)
        self._head += piece[:room]
        self._tail = (self._tail + piece[room:])[-KEPT_OUTPUT:]
        self._total += len(piece)
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(self._to, rest) :]
        return bool(piece)

    def kept(self) -> str:
        dropped = self._total - len(self._head) - len(self._tail)
        if not dropped:
            return (self._head + self._tail).decode("utf-8", "replace")
        gap = "\n[… %d bytes not kept …]\n" % dropped
        return self._head.decode("utf-8", "replace") + gap + self._tail.decode("utf-8", "replace")


def _relayed_until_exit(child: int, relays: List[Relay]) -> int:
    """The child's wait status. What grandchildren that live on may print later is not waited for."""
    for relay in relays:
        relay.leave_to_the_fork()
    still_open = {relay.source: relay for relay in relays}
    status = None
    while still_open:
        ready, _, _ = select.select(list(still_open), [], [], PATIENCE if status is None else 0)
        if status is not None and not ready:
            break
        for source in ready:
            if not still_open[source].pass_on():
                del still_open[source]
        status = _ended(child, os.WNOHANG) if status is None else status
    for relay in relays:
        os.close(relay.source)
    return _ended(child, 0) or 0 if status is None else status


def _ended(child: int, options: int) -> Optional[int]:
    """The child's wait status once it has ended, and with it what it left in its process group."""
    pid, status = os.waitpid(child, options)
    if pid == 0:
        return None
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    return status


def _die_of(number: int) -> None:
    """End as the test did, so that those who watch us see what killed it."""
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.pause()


if __name__ == "__main__":
    sys.exit(main())
