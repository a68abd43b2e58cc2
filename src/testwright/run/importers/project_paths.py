"""The files a report names, as the project names them."""

import os
import posixpath
import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from testwright.isolate.limits import KIB
from testwright.model.untrusted import decoded

_DRIVE = re.compile(r"/?[A-Za-z]:[\\/]")


class ProjectPaths:
    """Turns paths from a report into names from the project's root. Looks at names only, except for `has_file`."""

    def __init__(self, project: Path) -> None:
        root = os.path.abspath(project)  # noqa: PTH100  Path.resolve would follow links, and both names may be reported
        self._roots = tuple(dict.fromkeys((_slashed(root), _slashed(os.path.realpath(root)))))
        self.has_file = lru_cache(maxsize=4096)(self._has_file)

    def name_of(self, path: str, *, folder: str = "") -> str:
        """`path` from the project's root where it lies inside, else as given; `folder` is what it is relative to."""
        plain = _slashed(path)
        if not plain:
            return path
        joined = plain if _is_absolute(plain) or not folder else f"{_slashed(folder)}/{plain}"
        joined = posixpath.normpath(joined)
        if _is_absolute(joined):
            inside = self._inside(joined)
            return path if inside is None else inside
        return path if joined.startswith("../") else joined

    def name_of_existing(self, path: str, *, folder: str) -> str | None:
        """`path` below `folder` of the project, where such a file exists."""
        name = posixpath.normpath(posixpath.join(_slashed(folder), _slashed(path)))
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

    def _inside(self, absolute: str) -> str | None:
        for root in self._roots:
            if absolute.startswith(root.rstrip("/") + "/"):
                return absolute[len(root.rstrip("/")) + 1 :]
        return None

    def _has_file(self, name: str) -> bool:
        if _is_absolute(name) or name == ".." or name.startswith("../"):
            return False
        try:
            return Path(self._roots[0], name).is_file()
        except (OSError, ValueError):  # a name too long or too strange to be a file
            return False


def _slashed(path: str) -> str:
    """`path` with forward slashes, without the scheme of a file URL."""
    if path.startswith("file://"):
        path = unquote(path.removeprefix("file://"))
    if _DRIVE.match(path):
        return path.replace("\\", "/").removeprefix("/")
    # A backslash is a separator only where no forward slash says otherwise.
    return path if "/" in path else path.replace("\\", "/")


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or _DRIVE.match(path) is not None
