"""The files that a case left, in its folder or where it should not have."""

import os
import shutil
import tempfile
from pathlib import Path

_MOST_FILES = 20
_LARGEST_BYTES = 20_000


def read_files(folder: Path) -> dict[str, bytes]:
    """Relative path -> content of the small regular files in the folder, in the order of their names."""
    found: dict[str, bytes] = {}
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            file = Path(place, name)
            try:
                if file.is_symlink() or not file.is_file() or file.stat().st_size > _LARGEST_BYTES:
                    continue
                found[str(file.relative_to(folder))] = file.read_bytes()
            except OSError:  # removed meanwhile, or not readable
                continue
            if len(found) >= _MOST_FILES:
                return found
    return found


def text_or_bytes(content: bytes) -> str | bytes:
    """What a test would read from a file: its text, with the ends of lines as reading makes them, or else its bytes."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content
    return text.replace("\r\n", "\n").replace("\r", "\n")


class StrayFiles:
    """Notices what a case leaves in the current folder, and removes it if that is a temporary folder."""

    __slots__ = ("_folder", "_stamp")
    _entries: tuple[str, int, frozenset[str]] = ("", 0, frozenset())

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._stamp = _stamp(folder)
        known_folder, known_stamp, _ = StrayFiles._entries
        if (known_folder, known_stamp) != (folder, self._stamp):
            StrayFiles._entries = (folder, self._stamp, frozenset(os.listdir(folder)))  # noqa: PTH208 - names are enough

    def was_left(self) -> bool:
        """Whether an entry was added or removed. New ones are deleted, so that the next case does not meet them."""
        if _stamp(self._folder) == self._stamp:
            return False
        # Only below the folder for temporary things: elsewhere another program may have made the new file.
        if Path(tempfile.gettempdir()).resolve() in Path(self._folder).resolve().parents:
            for name in sorted(set(os.listdir(self._folder)) - StrayFiles._entries[2]):  # noqa: PTH208 - see above
                _remove(Path(self._folder, name))
        return True


def _stamp(folder: str) -> int:
    return os.stat(folder).st_mtime_ns  # noqa: PTH116 - asked for each case, and a Path costs more


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)
