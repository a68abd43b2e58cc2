"""The standard streams while a case runs: output is kept, and stdin cannot be read, as under pytest."""

import io
import sys
from collections.abc import Iterator
from typing import Any, NoReturn, Self

_NO_INPUT = "pytest: reading from stdin while output is captured! Consider using `-s`."


PROGRAM_NAME = "program-of-the-case"
"""What `sys.argv` says while a case runs. A test has another one there, so nothing that shows it is relied on."""


class NoInput:
    """A stdin that behaves as the one that pytest gives to tests."""

    encoding = None
    closed = False

    def _refuse(self, *_: object) -> NoReturn:
        raise OSError(_NO_INPUT)

    read = readline = readlines = __next__ = _refuse

    def __iter__(self) -> Iterator[str]:
        return self

    def fileno(self) -> int:
        raise io.UnsupportedOperation("redirected stdin is pseudofile, has no fileno()")

    def isatty(self) -> bool:
        return False

    def readable(self) -> bool:
        return False

    def close(self) -> None:
        """Nothing to close."""

    @property
    def buffer(self) -> "NoInput":
        return self


class _Nowhere(io.StringIO):
    def write(self, text: str) -> int:
        return len(text)


class Silence:
    """While a value is only looked at: output goes nowhere, and stdin cannot be read."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before: tuple[Any, Any, Any] = (sys.stdin, sys.stdout, sys.stderr)
        sys.stdin, sys.stdout, sys.stderr = _NO_STDIN, _NOWHERE, _NOWHERE

    def __exit__(self, *_: object) -> None:
        sys.stdin, sys.stdout, sys.stderr = self._before


class Streams:
    """`with Streams() as streams:` takes streams and command line over, and always gives them back."""

    __slots__ = ("_argv", "_before", "_err", "_out")

    def __enter__(self) -> Self:
        self._before: tuple[Any, Any, Any] = (sys.stdin, sys.stdout, sys.stderr)
        self._out, self._err = _text_stream(), _text_stream()
        sys.stdin, sys.stdout, sys.stderr = _NO_STDIN, self._out, self._err
        self._argv, sys.argv = sys.argv, [PROGRAM_NAME]
        return self

    def __exit__(self, *_: object) -> None:
        sys.stdin, sys.stdout, sys.stderr = self._before
        sys.argv = self._argv

    def printed(self) -> tuple[str, str]:
        """What went to stdout and to stderr."""
        return _text_of(self._out), _text_of(self._err)


_NO_STDIN: Any = NoInput()
_NOWHERE = _Nowhere()


def _text_stream() -> io.TextIOWrapper:
    # With a binary buffer beneath, as a real stdout has: code that writes to `sys.stdout.buffer` works.
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", write_through=True)


def _text_of(stream: io.TextIOWrapper) -> str:
    try:
        data = stream.buffer.getvalue()  # type: ignore[attr-defined]  # it is the BytesIO that _text_stream made
    except ValueError:  # the case closed it; what it printed is gone
        return ""
    text: str = data.decode("utf-8", "replace") if data else ""
    return text
