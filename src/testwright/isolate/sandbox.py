"""A private home and temp folder for one guarded child, and the guard that goes with them."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from testwright.isolate.environment_filter import guarded_environment
from testwright.isolate.guard import Guard, IsolationLevel
from testwright.isolate.mounts import SCRATCH


@dataclass(frozen=True, slots=True)
class Sandbox:
    home: Path
    temp: Path
    guard: Guard

    def env(self, base: Mapping[str, str], extra_names: Iterable[str] = ()) -> dict[str, str]:
        return guarded_environment(base, self.home, self.temp, extra_names)


@contextlib.contextmanager
def open_sandbox(
    project: Path, level: IsolationLevel, writable: Iterable[Path] = (), readable: Iterable[Path] = ()
) -> Iterator[Sandbox]:
    """Folders that only the child uses and that are gone afterwards.

    `with open_sandbox(project, level) as sandbox:`
    `    run_child(Command(argv, project, sandbox.env(os.environ)), guard=sandbox.guard, limits=GUARDED_LIMITS)`
    """
    private = Path(tempfile.mkdtemp(prefix="testwright-")).resolve()
    try:
        for name in ("home", "temp", SCRATCH):
            (private / name).mkdir(mode=0o700)
        guard = Guard(
            level=level,
            guarded=True,
            project=os.path.realpath(project),
            private=str(private),
            writable=_real(writable),
            readable=_real(readable),
        )
        yield Sandbox(private / "home", private / "temp", guard)
    finally:
        _remove(private)


def _real(paths: Iterable[Path]) -> tuple[str, ...]:
    # The folder "around" a program in /bin is the whole machine: never what is meant, and its needs are shown anyway.
    return tuple(real for path in paths if (real := os.path.realpath(path)) != os.sep)


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except OSError:  # the child may have locked folders behind it
        for path, folders, _ in os.walk(folder):
            for name in folders:
                if not os.path.islink(os.path.join(path, name)):
                    os.chmod(os.path.join(path, name), 0o700)
        shutil.rmtree(folder, ignore_errors=True)
