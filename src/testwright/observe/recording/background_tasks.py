"""Work that waits, beside the recording: a bounded number at a time, and what goes wrong in it stays in it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import ParamSpec

from testwright.observe.recording.recording_state import RecordingState

DRAIN_S = 2.0  # how long the end of a recording waits for the next thing to be done
MOST_DRAINS = 5  # and how often: a slow machine gets there, a page that answers nothing does not hold us up

P = ParamSpec("P")


class BackgroundTasks:
    """Tasks on the one loop of a recording."""

    def __init__(self, notebook: RecordingState, *, at_once: int = 4, most: int = 1_000) -> None:
        """`most`: so many may be under way or wait; one more is refused."""
        self._notebook = notebook
        self._turns = asyncio.Semaphore(at_once)
        self._most = most
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_full(self) -> bool:
        return len(self._tasks) >= self._most

    def start(self, work: Coroutine[object, object, None], *, what: str) -> None:
        task = asyncio.get_running_loop().create_task(self._in_turn(work, what))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drain(self, seconds: float = DRAIN_S) -> None:
        """Wait for what is under way, while anything of it gets done; the rest is given up."""
        for _ in range(MOST_DRAINS):
            if self._tasks:
                done, _ = await asyncio.wait(self._tasks, timeout=seconds)
                if not done:
                    break
        late = list(self._tasks)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _in_turn(self, work: Coroutine[object, object, None], what: str) -> None:
        try:
            async with self._turns:
                await work
        except Exception as error:  # noqa: BLE001 - a page can make Playwright fail anywhere; the recording goes on
            self._notebook.gaps.add(_told(what, error))
        finally:
            work.close()


def guarded(notebook: RecordingState, what: str, handler: Callable[P, None]) -> Callable[P, None]:
    """A listener that never raises into the browser's event loop: what it could not do becomes a gap."""

    # Not made to look like the handler: Playwright would look through it at every single event.
    def calm(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            handler(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - an exception here would end the recording of everything else too
            notebook.gaps.add(_told(what, error))

    return calm


def _told(what: str, error: Exception) -> str:
    return f"some {what} could not be recorded ({type(error).__name__})"
