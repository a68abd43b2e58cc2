"""Archives from strangers."""

import io
import struct
import zipfile
from pathlib import Path

import pytest

from testwright.model.errors import (
    ArchiveInvalid,
    ArchiveTooLarge,
    ArchiveUnsupported,
    NotARegularFile,
    PathNotFound,
    TestwrightError,
)
from testwright.observe.archive import MOST_LINE, Archive


def packed(*entries: tuple[str, bytes], mode: int | None = None) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            entry = zipfile.ZipInfo("placeholder")
            entry.filename, entry.compress_type = name, zipfile.ZIP_DEFLATED
            if mode is not None:
                entry.create_system, entry.external_attr = 3, mode << 16
            archive.writestr(entry, data)
    return made.getvalue()


def with_declared_size(archive: bytes, size: int) -> bytes:
    """The same archive, whose directory says that its last entry unpacks to `size` bytes."""
    at = archive.rfind(b"PK\x01\x02") + 24
    return archive[:at] + struct.pack("<I", size) + archive[at + 4 :]


def with_flags(archive: bytes, flags: int) -> bytes:
    at = archive.rfind(b"PK\x01\x02") + 8
    return archive[:at] + struct.pack("<H", flags) + archive[at + 2 :]


def with_many_names_for_one_entry(archive: bytes, names: int) -> bytes:
    start, end = archive.find(b"PK\x01\x02"), archive.find(b"PK\x05\x06")
    directory = archive[start:end]
    last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, names, names, len(directory) * names, start, 0)
    return archive[:start] + directory * names + last


PLAIN = packed(("a.trace", b"one\ntwo\n\nlast"))


def test_the_lines_of_an_entry_are_read() -> None:
    archive = Archive(PLAIN, (".trace",))

    assert archive.names == ("a.trace",)
    assert list(archive.lines("a.trace")) == [b"one", b"two", b"", b"last"]
    assert archive.read("a.trace") == b"one\ntwo\n\nlast"


@pytest.mark.parametrize(
    ("error", "archive"),
    [
        (ArchiveInvalid, b""),
        (ArchiveInvalid, b"PK\x03\x04" + b"\0" * 100),
        (ArchiveInvalid, PLAIN[:-10]),
        (ArchiveInvalid, with_many_names_for_one_entry(packed(("a.trace", b"\0" * 100_000)), 500)),
        (ArchiveInvalid, packed(("../../etc/cron.d/x", b"x"))),
        (ArchiveInvalid, packed(("/abs/x", b"x"))),
        (ArchiveInvalid, packed(("..\\x", b"x"))),
        (ArchiveInvalid, packed(("C:\\x", b"x"))),
        (ArchiveInvalid, packed(("link", b"/etc/passwd"), mode=0o120777)),
        (ArchiveUnsupported, with_flags(PLAIN, 1)),
        (ArchiveTooLarge, with_declared_size(PLAIN, 1 << 30)),
    ],
)
def test_an_archive_that_is_torn_or_means_harm_is_refused(error: type[TestwrightError], archive: bytes) -> None:
    with pytest.raises(error) as caught:
        Archive(archive, (".trace",))

    assert caught.value.next_step


def test_what_an_archive_says_of_sizes_is_not_believed_when_it_is_read() -> None:
    archive = Archive(with_declared_size(packed(("a.trace", b"\0" * 1_000_000)), 10), (".trace",))

    with pytest.raises(ArchiveInvalid, match="torn"):
        archive.read("a.trace")


def test_only_what_will_be_read_counts() -> None:
    assert Archive(with_declared_size(packed(("a.trace", b"x"), ("film.webm", b"x")), 1 << 30), (".trace",)).names == (
        "a.trace",
    )


def test_a_line_that_is_too_long_is_skipped_and_the_next_is_read() -> None:
    archive = Archive(packed(("a.trace", b"x" * (MOST_LINE + 1) + b"\nnext\n" + b"y" * (MOST_LINE + 1))), (".trace",))

    assert list(archive.lines("a.trace")) == [b"next"]
    assert archive.skipped_lines == 2


def test_a_file_that_is_none_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound):
        Archive(tmp_path / "none.zip", (".trace",))
    with pytest.raises(NotARegularFile):
        Archive(tmp_path, (".trace",))


def test_a_small_entry_of_any_name_is_read_and_a_large_one_is_not() -> None:
    archive = Archive(packed(("a.trace", b""), ("resources/b.json", b"{}"), ("zeros", b"\0" * 3_000_000)), (".trace",))

    assert archive.read_small("resources/b.json", 2) == b"{}"
    assert archive.read_small("resources/b.json", 1) is None
    assert archive.read_small("zeros", 2_999_999) is None
    assert archive.read_small("missing", 10) is None
    archive.close()


def test_a_small_entry_that_lies_about_its_size_is_not_read_beyond_the_limit() -> None:
    archive = Archive(with_declared_size(packed(("zeros", b"\0" * 3_000_000)), 10), (".trace",))

    with pytest.raises(ArchiveInvalid):
        archive.read_small("zeros", 100)
    archive.close()
