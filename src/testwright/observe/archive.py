"""Zip archives from elsewhere, read so that they cannot hurt: nothing is unpacked to disk, sizes are checked first."""

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from testwright.model.errors import (
    ArchiveInvalid,
    ArchiveTooLarge,
    ArchiveUnsupported,
    NotARegularFile,
    PathNotFound,
    PathUnreadable,
)
from testwright.model.untrusted_text import visible_line

MOST_ENTRIES = 50_000
MOST_BYTES = 256 << 20  # unpacked, of all that is read
MOST_LINE = 16 << 20
_CHUNK = 1 << 20
_LOCAL_HEADER = 30  # bytes before an entry's name
_ENCRYPTED = 0x1


class Archive:
    """An open archive. `suffixes` say which entries will be read: only their sizes count."""

    def __init__(self, source: Path | bytes, suffixes: tuple[str, ...]) -> None:
        self.skipped_lines = 0  # because they were too long
        self._file = _opened(source)
        try:
            self._zip = _checked(self._file)
            self._entries = _affordable(self._zip, suffixes)
        except BaseException:  # an interrupt too must not leave the file open
            self._file.close()
            raise

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._entries))

    def read(self, name: str) -> bytes:
        return b"".join(self._chunks(name))

    def read_small(self, name: str, most: int) -> bytes | None:
        """Any entry, also one whose size was not counted; None: there is none, or it is larger than `most`."""
        try:
            entry = self._zip.getinfo(name)
        except KeyError:
            return None
        if entry.file_size > most or entry.is_dir():
            return None
        content = b""
        for chunk in self._chunks_of(entry):
            content += chunk
            if len(content) > most:  # it lied about its size
                return None
        return content

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of an entry, without those that are too long."""
        rest = b""
        is_skipping = False
        for chunk in self._chunks(name):
            *whole, last = chunk.split(b"\n")
            for line in whole:
                if not is_skipping and len(rest) + len(line) <= MOST_LINE:
                    yield rest + line
                else:
                    self.skipped_lines += 1
                rest, is_skipping = b"", False
            if not is_skipping:
                rest += last
            if len(rest) > MOST_LINE:
                rest, is_skipping = b"", True
        if is_skipping:
            self.skipped_lines += 1
        elif rest:
            yield rest

    def _chunks(self, name: str) -> Iterator[bytes]:
        return self._chunks_of(self._entries[name])

    def _chunks_of(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        shown = visible_line(entry.filename, limit=80)
        try:
            with self._zip.open(entry) as file:
                while chunk := file.read(_CHUNK):
                    yield chunk
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise _invalid(f"its entry {shown} is torn") from error
        except (NotImplementedError, RuntimeError) as error:
            raise _unsupported(f"its entry {shown} is packed in a way that is not read") from error

    def close(self) -> None:
        self._zip.close()
        self._file.close()


def _opened(source: Path | bytes) -> io.BytesIO | io.BufferedReader:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    try:
        if not stat.S_ISREG(source.stat().st_mode):
            raise NotARegularFile(f"{source} is not a file.", next_step="Name the zip file itself.")
        return source.open("rb")
    except FileNotFoundError as error:
        raise PathNotFound(f"There is no {source}.", next_step="Check the path.") from error
    except OSError as error:
        raise PathUnreadable(
            f"{source} cannot be read: {error.strerror}.", next_step="Check its permissions."
        ) from error


def _checked(file: io.BytesIO | io.BufferedReader) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, EOFError, OverflowError, NotImplementedError) as error:
        raise _invalid("it is no zip archive, or a torn one") from error
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise _too_large(f"it has {len(entries):,} entries, and at most {MOST_ENTRIES:,} are looked at")
    for entry in entries:
        _refuse_strange(entry)
    _refuse_overlaps(entries, archive.start_dir)
    return archive


def _affordable(archive: zipfile.ZipFile, suffixes: tuple[str, ...]) -> dict[str, zipfile.ZipInfo]:
    """The entries to be read, unless they say that they are too large."""
    entries = {entry.filename: entry for entry in archive.infolist() if entry.filename.endswith(suffixes)}
    size = sum(entry.file_size for entry in entries.values())
    if size > MOST_BYTES:
        raise _too_large(f"it holds {size:,} bytes to be read, and at most {MOST_BYTES:,} are")
    return entries


def _refuse_strange(entry: zipfile.ZipInfo) -> None:
    """Entries that no program of good will writes."""
    name = entry.filename
    path = PurePosixPath(name.replace("\\", "/"))
    shown = visible_line(name, limit=80)
    if path.is_absolute() or ".." in path.parts or name[1:2] == ":":
        raise _invalid(f"its entry {shown} leads outside")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise _invalid(f"its entry {shown} is a link")
    if entry.flag_bits & _ENCRYPTED:
        raise _unsupported(f"its entry {shown} is locked with a password")


def _refuse_overlaps(entries: list[zipfile.ZipInfo], end: int) -> None:
    """Entries that share their bytes: a small archive that unpacks to a huge one. Not every Python notices."""
    by_place = sorted(entries, key=lambda entry: entry.header_offset)
    for entry, following in zip(by_place, [*by_place[1:], None], strict=True):
        until = end if following is None else following.header_offset
        if entry.header_offset + _LOCAL_HEADER + len(entry.filename) + entry.compress_size > until:
            raise _invalid("its entries overlap")


def _invalid(why: str) -> ArchiveInvalid:
    return ArchiveInvalid(f"The archive cannot be read: {why}.", next_step="Record it again.")


def _too_large(why: str) -> ArchiveTooLarge:
    return ArchiveTooLarge(f"The archive is too large: {why}.", next_step="Record a shorter session.")


def _unsupported(why: str) -> ArchiveUnsupported:
    return ArchiveUnsupported(f"The archive cannot be read: {why}.", next_step="Pack it again without that.")
