"""The folder of patches that wait for a person: `<module>/tests/auto-heal-patches/`, hidden from git, never applied.

A module's folders are the user's and may hold links; each step down is opened by itself and links are not followed.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from testwright.model.case import TestId
from testwright.model.errors import WriteFailed
from testwright.model.foreign_folders import HEAL_PATCHES

FOLDER = ("tests", HEAL_PATCHES)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 80
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def safe_name(test_id: TestId) -> str:
    """A file's name for a test: readable, and no other test's."""
    readable = _UNSAFE.sub("-", test_id).strip("-.")[:_LONGEST]
    return f"{readable}-{blake2b(test_id.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"


class PatchFolder:
    """The patches of one module. Made when the first patch is written."""

    def __init__(self, project: Path, module: str) -> None:
        self._project = project
        self._parts = (*(part for part in module.split("/") if part not in ("", ".")), *FOLDER)

    def name_of(self, test_id: TestId, at: datetime) -> str:
        """The path of a patch, from the project's root."""
        return "/".join((*self._parts, _patch_name(test_id, at)))

    def write(self, test_id: TestId, at: datetime, patch: bytes, row: str) -> None:
        """Keep the patch, and note the row in the test's log."""
        with self._folder() as folder:
            with contextlib.suppress(FileExistsError):
                _write(folder, ".gitignore", b"*\n", os.O_EXCL)
            _write(folder, _patch_name(test_id, at), patch, os.O_TRUNC)
            _remove_older(folder, safe_name(test_id), _patch_name(test_id, at))
            _write(
                folder,
                f"{safe_name(test_id)}.log",
                f"{at:%Y-%m-%dT%H:%M:%SZ} {row}\n".encode(errors="replace"),
                os.O_APPEND,
            )

    @contextlib.contextmanager
    def _folder(self) -> Iterator[int]:
        shown = "/".join(self._parts)
        try:
            with contextlib.ExitStack() as opened:
                at = os.open(self._project, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                opened.callback(os.close, at)
                for part in self._parts:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(part, dir_fd=at)
                    at = os.open(part, _OPEN_FOLDER, dir_fd=at)
                    opened.callback(os.close, at)
                yield at
        except OSError as error:
            raise WriteFailed(
                f"The patch could not be saved in '{shown}': {error.strerror}.",
                next_step="See that it is a folder of its own, not a link, and that you may write there.",
            ) from error


def _patch_name(test_id: TestId, at: datetime) -> str:
    return f"{safe_name(test_id)}-{at:%Y%m%dT%H%M%SZ}.patch"


def _remove_older(folder: int, start: str, newest: str) -> None:
    """A newer patch for the same test takes the place of those before it, as its proposal does."""
    older = re.compile(re.escape(start) + r"-\d{8}T\d{6}Z\.patch")
    for name in os.listdir(folder):
        if older.fullmatch(name) and name != newest:
            os.unlink(name, dir_fd=folder)


def _write(folder: int, name: str, content: bytes, how: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | how
    with os.fdopen(os.open(name, flags, 0o644, dir_fd=folder), "wb") as file:
        file.write(content)
