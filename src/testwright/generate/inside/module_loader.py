"""Import the module under test as its twin, and say why when that fails."""

import ast
import contextlib
import errno
import importlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from testwright.generate.inside.case_run.raised_errors import text_of
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.namespace import Namespace
from testwright.instrument.import_hook import serve
from testwright.instrument.probes import ProbeRecorder, WorkExceeded
from testwright.instrument.twin import make_twin

_TICKS_AT_IMPORT = 50_000_000


class CannotLoad(Exception):
    """The module cannot be tested; the text says why, for a person."""


def load(name: str, file: str, sys_path: Sequence[str], bootstrap: str = "") -> tuple[ModuleUnderTest, int, list[str]]:
    """The loaded twin, the probes that its import hits, and notes on what else the import did."""
    sys.path[:0] = [path for path in sys_path if path not in sys.path]
    if bootstrap:
        exec(compile(bootstrap, "conftest.py", "exec"), {"__file__": "conftest.py"})  # noqa: S102 - what we write ourselves
    source = _read(file)
    try:
        tree = ast.parse(source, file)
        twin = make_twin(source, file, capture=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = str(error) or "it is nested too deeply"
        raise CannotLoad(f"it is not valid Python {sys.version_info[0]}.{sys.version_info[1]}: {why}") from error
    recorder = ProbeRecorder(twin.probes)
    recorder.reset(_TICKS_AT_IMPORT)
    serve(name, twin.code, file, prepare=recorder.attach)
    module, has_printed = _imported(name)
    _refuse_another(module, name, file)
    notes = ["its import prints"] if has_printed else []
    at_import = int.from_bytes(recorder.hits(), "little")
    return ModuleUnderTest(module, file, source, tree, twin, recorder, Namespace(module)), at_import, notes


def _read(file: str) -> str:
    try:
        return importlib.util.decode_source(Path(file).read_bytes())
    except (OSError, UnicodeDecodeError, SyntaxError) as error:
        raise CannotLoad(f"it cannot be read: {error}") from error


def _imported(name: str) -> tuple[ModuleType, bool]:
    """The module, and whether its import printed something."""
    ours, leave = os.getpid(), os._exit
    try:
        with _streams_to_a_file() as said:
            module = importlib.import_module(name)
            if os.getpid() != ours:  # the import forked: its copy must not go on
                leave(0)
            return module, _has_been_written(said)
    except ModuleNotFoundError as error:
        needs = f"needs {error.name!r}, which is not installed" if error.name else f"fails: {text_of(error)}"
        raise CannotLoad(f"its import {needs}") from error
    except SystemExit as error:
        raise CannotLoad(f"its import ends the program (exit {error.code!r})") from error
    except WorkExceeded as error:
        raise CannotLoad("its import does not end") from error
    except BaseException as error:  # an import may raise anything, and the caller must be told
        if isinstance(error, OSError) and error.errno == errno.EFBIG:
            raise CannotLoad("its import prints, or writes, without end") from error
        raise CannotLoad(f"its import fails: {type(error).__name__}: {text_of(error)}"[:500]) from error


def _has_been_written(descriptor: int) -> bool:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # the import may have closed them, or put anything in their place
            stream.flush()
    return os.fstat(descriptor).st_size > 0


@contextlib.contextmanager
def _streams_to_a_file() -> Iterator[int]:
    """What is printed goes to a file: real streams with descriptors, which an import may look for."""
    with tempfile.TemporaryFile() as file:
        before = [os.dup(1), os.dup(2)]
        try:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
            yield file.fileno()
        finally:
            for stream, descriptor in zip((1, 2), before, strict=True):
                os.dup2(descriptor, stream)
                os.close(descriptor)


def _refuse_another(module: ModuleType, name: str, file: str) -> None:
    if not isinstance(module, ModuleType):  # some modules replace themselves with another object
        raise CannotLoad(f"importing {name!r} gives no module, but a {type(module).__name__}")
    found = vars(module).get("__file__")  # not by getattr: the module may answer it in its own way
    if not isinstance(found, str) or os.path.realpath(found) != os.path.realpath(file):
        raise CannotLoad(f"importing {name!r} gives another file: {found}")
