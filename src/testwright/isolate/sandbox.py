"""A private home and temp folder for one guarded child, its environment, and the guard that goes with them.

The environment of code that was not read yet is what programs need to work, and nothing that opens doors.
"""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from testwright.isolate.guard import Guard, IsolationLevel
from testwright.isolate.mounts import SCRATCH

_ALLOWED = (
    "PATH LANG LANGUAGE TZ TERM COLORTERM NO_COLOR FORCE_COLOR COLUMNS LINES CI SOURCE_DATE_EPOCH "
    "VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYTHONHASHSEED PYTHONUTF8 PYTHONIOENCODING PYTHONWARNINGS LD_LIBRARY_PATH "
    "NODE_PATH NODE_ENV JAVA_HOME PLAYWRIGHT_BROWSERS_PATH"
)
_ALLOWED_PREFIX = "LC_"
_LOOKS_SECRET = re.compile(
    r"token|key|secret|passw|passphrase|credential|auth|cookie|session|private|signature|dsn|_pat$|_pwd$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Sandbox:
    home: Path
    temp: Path
    guard: Guard

    def env(self, base: Mapping[str, str], extra_names: Iterable[str] = ()) -> dict[str, str]:
        return guarded_environment(base, self.home, self.temp, extra_names)


def looks_secret(name: str) -> bool:
    """Whether a variable of this name is likely to hold what must not leak."""
    return _LOOKS_SECRET.search(name) is not None


def guarded_environment(
    base: Mapping[str, str], home: Path, temp: Path, extra_names: Iterable[str] = ()
) -> dict[str, str]:
    """What `base` holds of the allowed names and `extra_names`, and folders of the child's own.

    A name that looks like a secret's is never let through, not even as one of `extra_names`.
    """
    wanted = {*_ALLOWED.split(), *extra_names}
    kept = {
        name: value
        for name, value in base.items()
        if (name in wanted or name.startswith(_ALLOWED_PREFIX)) and not looks_secret(name)
    }
    return {**kept, **_own_folders(home, temp), "PYTHONDONTWRITEBYTECODE": "1"}


def _own_folders(home: Path, temp: Path) -> dict[str, str]:
    cache = home / ".cache"
    folders = {
        "HOME": home,
        **dict.fromkeys(("TMPDIR", "TMP", "TEMP", "XDG_RUNTIME_DIR"), temp),
        "XDG_CACHE_HOME": cache,
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_DATA_HOME": home / ".local" / "share",
        "XDG_STATE_HOME": home / ".local" / "state",
        "PIP_CACHE_DIR": cache / "pip",
        "npm_config_cache": cache / "npm",
        "npm_config_userconfig": home / ".npmrc",
        "YARN_CACHE_FOLDER": cache / "yarn",
    }
    return {name: str(folder) for name, folder in folders.items()}


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
