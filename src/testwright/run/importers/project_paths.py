"""The files a report names, as the project names them."""

import os
import posixpath
import re
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from urllib.parse import unquote

from testwright.isolate.limits import KIB
from testwright.model.untrusted_text import decoded

_DRIVE = re.compile(r"/?[A-Za-z]:[\\/]")


class ProjectPaths:
    """Turns paths from a report into names from the project's root; looks at the disk only where its name says so."""

    def __init__(self, project: Path) -> None:
        root = os.path.abspath(project)  # noqa: PTH100  Path.resolve would follow links, and both names may be reported
        self._roots = tuple(dict.fromkeys((slashed(root), slashed(os.path.realpath(root)))))
        self.has_file = lru_cache(maxsize=4096)(partial(self._is_there, Path.is_file))
        self.has_folder = lru_cache(maxsize=64)(partial(self._is_there, Path.is_dir))

    def name_of(self, path: str) -> str:
        """`path` from the project's root where it lies inside, else as given."""
        inside = self.name_inside(path)
        return path if inside is None else inside

    def name_inside(self, path: str, *, folder: str = "") -> str | None:
        """`path`, relative to `folder`, from the project's root; None where it leads outside."""
        plain = slashed(path)
        if not plain:
            return None
        joined = posixpath.normpath(posixpath.join(slashed(folder), plain) if not _is_absolute(plain) else plain)
        if not _is_absolute(joined):
            return None if joined == ".." or joined.startswith("../") else joined
        for root in self._roots:
            if joined.startswith(f"{root.rstrip('/')}/"):
                return joined.removeprefix(f"{root.rstrip('/')}/")
        return None

    def name_of_existing(self, path: str, *, folder: str) -> str | None:
        """`path` below `folder` of the project, where such a file exists."""
        name = posixpath.normpath(posixpath.join(slashed(folder), slashed(path)))
        return name if self.has_file(name) else None

    def head_of(self, name: str) -> str:
        """The first 64 KiB of one of the project's files; empty where there is none."""
        if not self.has_file(name):
            return ""
        try:
            with Path(self._roots[0], name).open("rb") as file:
                return decoded(file.read(64 * KIB))[0]
        except OSError:
            return ""

    def _is_there(self, kind: Callable[[Path], bool], name: str) -> bool:
        if _is_absolute(name) or name == ".." or name.startswith("../"):
            return False
        try:
            return kind(Path(self._roots[0], name))
        except (OSError, ValueError):  # a name too long or too strange to be a file
            return False


def slashed(path: str) -> str:
    """`path` with forward slashes, without the scheme of a file URL."""
    if path.startswith("file://"):
        path = unquote(path.removeprefix("file://"))
    if _DRIVE.match(path):
        return path.replace("\\", "/").removeprefix("/")
    # A backslash is a separator only where no forward slash says otherwise.
    return path if "/" in path else path.replace("\\", "/")


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or _DRIVE.match(path) is not None
