"""Read a session from a file, whatever wrote it. The content decides what it is; nothing is written."""

from pathlib import Path

from testwright.masking.masker import Masker
from testwright.model.errors import ArchiveInvalid, ArchiveTooLarge, ArchiveUnsupported, TraceUnsupported
from testwright.model.strict_json import JsonObject
from testwright.model.untrusted_text import visible_line
from testwright.observe.archive import Archive
from testwright.observe.importers.devtools_recorder import import_recording
from testwright.observe.importers.har import import_har
from testwright.observe.importers.json_document import MOST_BYTES, check_size, document, file_content, malformed
from testwright.observe.importers.session_file_kinds import FileKind
from testwright.observe.importers.session_masker import masked_again
from testwright.observe.importers.session_timeline import SessionContent
from testwright.observe.importers.trace_session import SUFFIXES, import_trace
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.http_bodies import MOST_PER_BODY

_ARCHIVE_ERRORS = (ArchiveInvalid, ArchiveTooLarge, ArchiveUnsupported, TraceUnsupported)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


def read_session(path: Path, masker: Masker, noise: NoiseRules, wanted: FileKind | None = None) -> SessionContent:
    """The session in a file. Raises MalformedSession, TooLarge, and the errors of archives, traces and paths.

    Its pages are not masked yet: that is for `masked.PageMasking`, once all secrets are known.
    """
    if path.suffix.lower() == ".zip" or wanted is FileKind.TRACE or _is_archive(path):
        imported = _from_archive(path, masker, noise, wanted)
    else:
        imported = _from_document(document(file_content(path), str(path)), path, masker, noise, wanted)
    return masked_again(imported, masker)


def _is_archive(path: Path) -> bool:
    try:
        if not path.is_file():  # to open a pipe would be to wait for its writer
            return False
        with path.open("rb") as file:
            return file.read(4).startswith(_ZIP)
    except (OSError, ValueError):  # whoever reads it in earnest says what is wrong
        return False


def _from_archive(path: Path, masker: Masker, noise: NoiseRules, wanted: FileKind | None) -> SessionContent:
    try:
        return _unpacked(path, masker, noise, wanted)
    except _ARCHIVE_ERRORS as error:  # none of them knows what the file is called
        message = f"{visible_line(str(path))}: {error.message}"
        raise type(error)(message, next_step=error.next_step) from error


def _unpacked(path: Path, masker: Masker, noise: NoiseRules, wanted: FileKind | None) -> SessionContent:
    archive = Archive(path, (*SUFFIXES, ".har"))
    try:
        names = archive.names
        if any(name.endswith(".trace") for name in names) and wanted is not FileKind.HAR:
            return import_trace(archive, str(path), masker, noise)
        har = next((name for name in names if name.endswith(".har")), None)
        if har is None or wanted is FileKind.TRACE:
            raise ArchiveInvalid(
                "The archive holds neither a trace nor a HAR file.",
                next_step="Name a trace.zip or a .har.zip that Playwright wrote.",
            )
        content = archive.read_small(har, MOST_BYTES)
        if content is None:
            check_size(f"{har} in {path}", MOST_BYTES + 1)
        log = document(content or b"", f"{har} in {path}")
        return import_har(log, str(path), masker, noise, lambda name: archive.read_small(name, MOST_PER_BODY))
    finally:
        archive.close()


def _from_document(
    found: JsonObject, path: Path, masker: Masker, noise: NoiseRules, wanted: FileKind | None
) -> SessionContent:
    if wanted is FileKind.RECORDER or (wanted is None and "steps" in found):
        return import_recording(found, str(path), masker, recorded_at=path.stat().st_mtime * 1000)
    if wanted is FileKind.HAR or "log" in found:
        return import_har(found, str(path), masker, noise)
    raise malformed(str(path), "it is neither a HAR file nor a recording of DevTools")
