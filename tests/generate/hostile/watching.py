"""See what became of a project, and of the machine, while hostile code was explored."""

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

PACKAGE = "pk"

Fingerprint = dict[str, tuple[str, int, str]]


def write_project(root: Path, modules: Mapping[str, str]) -> Path:
    """A project with a src layout; gives the package's folder."""
    package = root / "src" / PACKAGE
    package.mkdir(parents=True)
    (root / "pyproject.toml").write_text(f'[project]\nname = "{PACKAGE}"\nversion = "1"\n')
    (package / "__init__.py").write_text("")
    for name, text in modules.items():
        (package / f"{name}.py").write_text(text)
    return package


def fingerprint(folder: Path) -> Fingerprint:
    """Everything in the folder, and itself: mode and owner, time of the last change, content."""
    return {str(path.relative_to(folder)): _print_of(path) for path in sorted([folder, *folder.rglob("*")])}


def _print_of(path: Path) -> tuple[str, int, str]:
    found = path.lstat()
    content = ""
    if stat.S_ISREG(found.st_mode):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    elif stat.S_ISLNK(found.st_mode):
        content = str(path.readlink())
    return f"{stat.filemode(found.st_mode)} {found.st_uid}:{found.st_gid}", found.st_mtime_ns, content


def machine() -> list[str]:
    """The modes of what lies in nobody's project, and would be hit first."""
    places = (Path("/"), Path("/tmp"), Path("/dev/null"), Path("/dev/full"), Path.home())
    return [f"{stat.filemode(place.lstat().st_mode)} {place}" for place in places]


def survivors(temp: Path) -> list[str]:
    """Processes that were started with their temporary folder below `temp`, and still run."""
    return [
        (process / "cmdline").read_text(errors="replace").replace("\0", " ")
        for process in _processes()
        if _began_below(process, os.fsencode(temp))
    ]


def _processes() -> Iterable[Path]:
    return (path for path in Path("/proc").iterdir() if path.name.isdigit() and int(path.name) != os.getpid())


def _began_below(process: Path, temp: bytes) -> bool:
    try:
        return b"=" + temp in (process / "environ").read_bytes()
    except OSError:  # gone since it was listed, or somebody else's
        return False
