"""Several streams of events at once, merged into one."""

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from testwright.model.events import RunEvent

if TYPE_CHECKING:
    import queue

_Told = RunEvent | BaseException | None


def merged(
    sources: Sequence[Iterator[RunEvent]], parallel: int, stop: Callable[[], None]
) -> Generator[RunEvent, None, None]:
    """The events of all sources, at most `parallel` of them at work at a time.

    When the caller stops listening, `stop` is called, which has to end the sources soon. No thread outlives this.
    """
    if parallel <= 1 or len(sources) <= 1:
        for source in sources:
            yield from source
        return
    import queue  # late: start-up: most runs need one process

    waiting: queue.SimpleQueue[Iterator[RunEvent]] = queue.SimpleQueue()
    for source in sources:
        waiting.put(source)
    told: queue.SimpleQueue[_Told] = queue.SimpleQueue()
    threads = [
        threading.Thread(target=_work_off, args=(waiting, told), name=f"runner-{number}", daemon=True)
        for number in range(1, min(parallel, len(sources)) + 1)
    ]
    for thread in threads:
        thread.start()
    try:
        yield from _until_all_are_done(told, len(threads))
    except BaseException:  # also when the caller stops listening
        stop()
        raise
    finally:
        for thread in threads:
            thread.join()


def _until_all_are_done(told: "queue.SimpleQueue[_Told]", working: int) -> Iterator[RunEvent]:
    while working:
        event = told.get()
        if event is None:
            working -= 1
        elif isinstance(event, BaseException):
            raise event
        else:
            yield event


def _work_off(waiting: "queue.SimpleQueue[Iterator[RunEvent]]", told: "queue.SimpleQueue[_Told]") -> None:
    from queue import Empty  # late: start-up: only where several sources run at once

    try:
        while True:
            for event in waiting.get_nowait():
                told.put(event)
    except Empty:
        told.put(None)
    except BaseException as error:  # noqa: BLE001  raised again in the thread that reads the events
        told.put(error)
