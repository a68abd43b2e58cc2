"""A project's root, held open: every read and write of a user's file goes through here and cannot leave it."""

import contextlib
import fcntl
import os
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from testwright.model.errors import BaseChanged, NotARegularFile, PathNotAllowed, PathNotFound, StoreLocked
from testwright.model.untrusted_text import visible_line
from testwright.review.atomic_writer import (
    FilePlace,
    create_file,
    flush_file,
    new_temp_name,
    remove_temporary,
    replace_file,
    sha256,
    write_failure,
)
from testwright.review.confined_opener import (
    FOLDER,
    MAX_FILE_BYTES,
    READ,
    Opener,
    best_opener,
    open_failure,
    open_step,
    read_regular,
    regular_stat,
)
from testwright.review.path_rules import normalised_for_reading, normalised_for_writing

LOCK_SECONDS = 30.0


class ConfinedRoot:
    """The folder that was the project's root when this was made; renaming or replacing it later changes nothing."""

    def __init__(self, path: Path | str, *, opener: Opener | None = None) -> None:
        self.path = Path(path)
        try:
            self._root = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except NotADirectoryError:
            raise NotARegularFile(f"The root '{self.path}' is not a folder.", next_step="Name a folder.") from None
        except OSError as error:
            raise open_failure(error, str(self.path)) from error
        self._open = opener or best_opener(self._root)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder. Nothing else works afterwards."""
        os.close(self._root)

    def read(self, path: str, *, limit: int = MAX_FILE_BYTES) -> bytes:
        """The content of a regular file below the root."""
        shown = visible_line(path)
        with self._file(normalised_for_reading(path), shown) as descriptor:
            return read_regular(descriptor, shown, limit=limit)

    def stat(self, path: str) -> os.stat_result:
        """What a regular file below the root is like: size, times, rights, links."""
        shown = visible_line(path)
        with self._file(normalised_for_reading(path), shown) as descriptor:
            return regular_stat(descriptor, shown)

    def sha256(self, path: str) -> str | None:
        """The hash of a regular file below the root, or None where there is none."""
        try:
            return sha256(self.read(path))
        except PathNotFound:
            return None

    def replace(
        self,
        path: str,
        content: bytes,
        *,
        base_sha256: str,
        temp_name: str | None = None,
        confirmed_support_file: bool = False,
    ) -> None:
        """Replace a test file, whole or not at all, if it is still the one with that hash.

        `temp_name` (from `new_temp_name`) lets the caller write down first what a crash might leave.
        """
        normalised = normalised_for_writing(path, confirmed_support_file=confirmed_support_file)
        temp_name = temp_name or new_temp_name()
        try:
            with self._place(normalised) as (place, check_folder):
                replace_file(place, content, base_sha256=base_sha256, temp_name=temp_name, check_folder=check_folder)
        except PathNotFound as gone:
            raise BaseChanged(
                f"'{visible_line(path)}' is gone since this proposal was made.",
                next_step="Bring the file back, or ask for a new proposal.",
            ) from gone

    def create(
        self, path: str, content: bytes, *, temp_name: str | None = None, confirmed_support_file: bool = False
    ) -> None:
        """Make a test file that was not there, and the folders it needs; what came to be there meanwhile is kept."""
        normalised = normalised_for_writing(path, confirmed_support_file=confirmed_support_file)
        with self._place(normalised, make_folders=True) as (place, check_folder):
            create_file(place, content, temp_name=temp_name or new_temp_name(), check_folder=check_folder)

    def flush(self, path: str) -> None:
        """Make sure that a file which is in place is on the disk, too."""
        with self._place(normalised_for_reading(path), refuse_twins=False) as (place, _):
            flush_file(place)

    def remove_leftover(self, path: str, temp_name: str) -> bool:
        """Remove the temporary file that a broken-off write of `path` left; True if there was one."""
        try:
            with self._place(normalised_for_reading(path), refuse_twins=False) as (place, _):
                return remove_temporary(place, temp_name)
        except (PathNotFound, PathNotAllowed):
            return False  # the folder is gone, or is a link by now: nothing of ours lies there

    @contextlib.contextmanager
    def exclusive(self, *, seconds: float = LOCK_SECONDS) -> Iterator[None]:
        """Nobody else, in this process or another, is between the start and the end of a write to this project.

        The lock is on the folder itself: it needs no file, and the kernel drops it when its holder dies.
        """
        try:
            descriptor = os.open(".", FOLDER, dir_fd=self._root)  # its own opening, so that threads exclude one another
        except OSError as error:
            raise write_failure(error, str(self.path)) from error
        try:
            _lock(descriptor, seconds, self.path)
            yield
        finally:
            os.close(descriptor)

    @contextlib.contextmanager
    def _file(self, normalised: str, shown: str) -> Iterator[int]:
        try:
            descriptor = self._open(self._root, normalised, READ)
        except OSError as error:
            raise open_failure(error, shown) from error
        try:
            yield descriptor
        except OSError as error:
            raise open_failure(error, shown) from error
        finally:
            os.close(descriptor)

    @contextlib.contextmanager
    def _place(
        self, normalised: str, *, make_folders: bool = False, refuse_twins: bool = True
    ) -> Iterator[tuple[FilePlace, Callable[[], None]]]:
        """An open folder and a name in it, and a check that the folder is still where it was.

        Folders that were made on the way go again if the body fails.
        """
        shown = visible_line(normalised)
        if normalised == ".":
            raise NotARegularFile("'.' is a folder, not a regular file.", next_step="Name a file.")
        *parents, name = normalised.split("/")
        with contextlib.ExitStack() as closing, contextlib.ExitStack() as undoing:
            folder = self._root
            for part in parents:
                if refuse_twins:
                    _refuse_twin(folder, part, shown)
                if make_folders and _made_folder(folder, part, shown):
                    undoing.callback(_remove_if_empty, folder, part)
                try:
                    folder = open_step(folder, part, FOLDER)
                except OSError as error:
                    raise open_failure(error, shown) from error
                closing.callback(os.close, folder)
            if refuse_twins:
                _refuse_twin(folder, name, shown)
            yield FilePlace(folder, name, shown), lambda: self._check_folder(folder, "/".join(parents) or ".", shown)
            undoing.pop_all()

    def _check_folder(self, folder: int, path: str, shown: str) -> None:
        """Refuse to finish in a folder that was moved away, perhaps out of the root, while we were writing."""
        try:
            descriptor = self._open(self._root, path, FOLDER)
        except OSError as error:
            raise open_failure(error, shown) from error
        try:
            if not os.path.sameopenfile(descriptor, folder):
                raise PathNotAllowed(
                    f"The folder of '{shown}' was moved while it was being written; nothing was changed.",
                    next_step="Try again when nothing else is moving folders.",
                )
        finally:
            os.close(descriptor)


def _lock(descriptor: int, seconds: float, path: Path) -> None:
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise StoreLocked(
                    f"Another Testwright has been writing into '{path}' for {seconds:g} seconds.",
                    next_step="Let it finish, or end it, and try again.",
                ) from None
            time.sleep(0.005)  # the kernel's waiting lock has no time limit, and its holder may be stopped
        except OSError as error:
            raise write_failure(error, str(path)) from error
        else:
            return


def _refuse_twin(folder: int, name: str, shown: str) -> None:
    """Refuse a name that another system would take for one that is there already: é as one character, or as two."""
    canonical = unicodedata.normalize("NFC", name)
    try:
        others = [other for other in os.listdir(folder) if other != name and not (other.isascii() and name.isascii())]
    except OSError as error:
        raise open_failure(error, shown) from error
    if any(unicodedata.normalize("NFC", other) == canonical for other in others):
        raise PathNotAllowed(
            f"'{shown}' has a twin: a name that looks the same and is spelled with other characters.",
            next_step="Rename one of the two.",
        )


def _made_folder(parent: int, name: str, shown: str) -> bool:
    """Make a folder unless it is there; True if it was made."""
    try:
        os.mkdir(name, dir_fd=parent)
    except FileExistsError:
        return False
    except OSError as error:
        raise write_failure(error, shown) from error
    try:
        os.fsync(parent)
    except OSError as error:
        _remove_if_empty(parent, name)
        raise write_failure(error, shown) from error
    return True


def _remove_if_empty(parent: int, name: str) -> None:
    # An empty folder that stays behind does no harm, and the error that brought us here is the one to tell.
    with contextlib.suppress(OSError):
        os.rmdir(name, dir_fd=parent)
