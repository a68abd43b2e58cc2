"""Import the module under test as its twin, and say plainly why when that fails."""

import ast
import contextlib
import importlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from testwright.generate.inside.ground import Ground
from testwright.generate.inside.namespace import Namespace
from testwright.instrument.loading import serve
from testwright.instrument.probes import Recorder, WorkExceeded, make_twin

_TICKS_AT_IMPORT = 50_000_000


class CannotLoad(Exception):
    """The module cannot be tested; the text says why, for a person."""


def load(name: str, file: str, sys_path: Sequence[str], bootstrap: str = "") -> tuple[Ground, int, list[str]]:
    """The loaded twin, the probes that its import hits, and notes on what the import did besides."""
    sys.path[:0] = [path for path in sys_path if path not in sys.path]
    if bootstrap:
        exec(compile(bootstrap, "conftest.py", "exec"), {"__file__": "conftest.py"})  # noqa: S102 - what we write ourselves
    source = _read(file)
    try:
        tree = ast.parse(source, file)
        twin = make_twin(source, file, capture=True)
    except (SyntaxError, ValueError) as error:
        raise CannotLoad(f"it is not valid Python {sys.version_info[0]}.{sys.version_info[1]}: {error}") from error
    recorder = Recorder(twin)
    recorder.reset(_TICKS_AT_IMPORT)
    serve(name, twin.code, file, prepare=recorder.attach)
    module, has_printed = _imported(name)
    _refuse_another(module, name, file)
    notes = ["its import prints"] if has_printed else []
    at_import = int.from_bytes(recorder.hits(), "little")
    return Ground(module, file, source, tree, twin, recorder, Namespace(module)), at_import, notes


def _read(file: str) -> str:
    try:
        return importlib.util.decode_source(Path(file).read_bytes())
    except (OSError, UnicodeDecodeError, SyntaxError) as error:
        raise CannotLoad(f"it cannot be read: {error}") from error


def _imported(name: str) -> tuple[ModuleType, bool]:
    """The module, and whether its import printed something."""
    try:
        with _streams_to_a_file() as said:
            module = importlib.import_module(name)
            sys.stdout.flush()
            sys.stderr.flush()
            return module, os.fstat(said).st_size > 0
    except ModuleNotFoundError as error:
        raise CannotLoad(f"its import needs {error.name!r}, which is not installed") from error
    except SystemExit as error:
        raise CannotLoad(f"its import ends the program (exit {error.code!r})") from error
    except WorkExceeded as error:
        raise CannotLoad("its import does not end") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise CannotLoad(f"its import fails: {type(error).__name__}: {error}"[:500]) from error


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
    found = getattr(module, "__file__", None)
    if found is None or os.path.realpath(found) != os.path.realpath(file):
        raise CannotLoad(f"importing {name!r} gives another file: {found}")
