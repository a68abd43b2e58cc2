"""A private socket through which another process may use the browser while it is recorded. JSON lines both ways."""

import asyncio
import json
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from testwright.model.errors import NoLiveSession, PilotFailed, TestwrightError, UsageError
from testwright.observe.recording.browser_commands import perform_command, refused
from testwright.observe.recording.record_options import EndReason

if TYPE_CHECKING:
    from playwright.async_api import Page

MOST_BYTES = 1 << 20  # of one message
_ANSWER_S = 5.0  # beyond what the command itself may take
_MOST_CONNECTIONS = 8

OnLive = Callable[[dict[str, object]], None]


class Piloted(Protocol):
    """A recording, as far as commands go."""

    is_piloted: bool  # what is done now is done through us

    @property
    def current_page(self) -> "Page | None": ...

    def end(self, reason: EndReason) -> None: ...


@asynccontextmanager
async def command_server(recording: Piloted, *, control: bool, on_live: OnLive | None) -> AsyncIterator[None]:
    """Take commands as long as the recording goes on; `on_live` gets the place, for `send_command`."""
    if not control:
        yield
        return
    folder = Path(tempfile.mkdtemp(prefix="testwright-"))  # readable by this user only
    path = folder / "control"
    served = _Served(recording)
    server = await asyncio.start_unix_server(served.serve, path, limit=MOST_BYTES)
    try:
        path.chmod(0o600)
        if on_live is not None:
            on_live({"socket": str(path), "pid": os.getpid()})
        yield
    finally:
        server.close()
        served.hang_up()
        await server.wait_closed()
        shutil.rmtree(folder, ignore_errors=True)


class _Served:
    def __init__(self, recording: Piloted) -> None:
        self._recording = recording
        self._turn = asyncio.Lock()  # one command at a time, from all who send them
        self._connections: set[asyncio.StreamWriter] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= _MOST_CONNECTIONS:
            writer.close()
            return
        self._connections.add(writer)
        try:
            while line := await _line(reader):
                async with self._turn:
                    answer = await self._answer(line)
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (ConnectionError, ValueError):  # gone, or a line beyond all measure
            pass
        finally:
            self._connections.discard(writer)
            writer.close()

    def hang_up(self) -> None:
        for writer in list(self._connections):
            writer.close()

    async def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            if len(line) > MOST_BYTES:
                raise UsageError("The message is longer than 1 MiB.", next_step="Send less at once.")
            command = json.loads(line)
            if not isinstance(command, dict):
                raise UsageError("The message is no JSON object.", next_step='Send {"do": ...} on one line.')
            return await self._done(command)
        except TestwrightError as error:
            return refused(error)
        except (ValueError, RecursionError):
            return refused(UsageError("The message is no JSON.", next_step='Send {"do": ...} on one line.'))

    async def _done(self, command: dict[str, Any]) -> dict[str, Any]:
        if command.get("do") == "stop":
            self._recording.end(EndReason.STOPPED)
            return {"ok": True, "url": ""}
        page = self._recording.current_page
        if page is None:
            raise PilotFailed("The browser has no open tab.", next_step="Open one, or begin another recording.")
        self._recording.is_piloted = True
        try:
            return await perform_command(page, command)
        finally:
            # What the page says of it is under way: it counts as ours when it comes at once.
            asyncio.get_running_loop().call_later(0.1, self._hands_off)

    def _hands_off(self) -> None:
        if not self._turn.locked():
            self._recording.is_piloted = False


async def _line(reader: asyncio.StreamReader) -> bytes:
    """One line; one that is too long is read to its end and given as such."""
    try:
        return await reader.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        return error.partial
    except asyncio.LimitOverrunError:
        size = 0
        while size <= 8 * MOST_BYTES:
            part = await reader.read(MOST_BYTES)
            size += len(part)
            if not part or part.endswith(b"\n"):
                return b" " * (MOST_BYTES + 1)
        raise ValueError("somebody sends without end") from None


def send_command(live: Mapping[str, Any], command: Mapping[str, Any], timeout_s: float = 5.0) -> dict[str, Any]:
    """Send one command to a recording that goes on, and wait for its answer. `live` is what `on_live` was told."""
    message = json.dumps(dict(command)).encode() + b"\n"
    if len(message) > MOST_BYTES:
        raise UsageError("The command is longer than 1 MiB.", next_step="Send less at once.")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(timeout_s + _ANSWER_S)
        try:
            connection.connect(str(live["socket"]))
            connection.sendall(message)
            with connection.makefile("rb") as answers:
                answer = json.loads(answers.readline(MOST_BYTES))
        except TimeoutError:
            raise PilotFailed(
                "The recorded browser does not answer.", next_step="Look at it; a dialog may be open."
            ) from None
        except (OSError, ValueError, KeyError):
            raise NoLiveSession(
                "The recording has ended, or its recorder is gone.", next_step="Begin one with: testwright record URL"
            ) from None
    if not isinstance(answer, dict):
        raise PilotFailed("The recorder's answer makes no sense.", next_step="End the recording, and begin another.")
    return answer
