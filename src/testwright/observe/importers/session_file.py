"""Read a session from a file of any tool. The content decides what it is; nothing is written."""

from importlib import import_module
from pathlib import Path

from testwright.masking.masker import Masker
from testwright.model.errors import ArchiveInvalid, ArchiveTooLarge, ArchiveUnsupported, TraceUnsupported
from testwright.model.strict_json import JsonObject
from testwright.model.untrusted_text import visible_line
from testwright.observe.archive import Archive
from testwright.observe.importers.json_document import MOST_BYTES, check_size, document, file_content, malformed
from testwright.observe.importers.session_file_kinds import FORMS, ZIP_MARKS, FileForm, FileKind, form_of
from testwright.observe.importers.session_input import SessionInput
from testwright.observe.importers.session_masker import masked_again
from testwright.observe.importers.session_timeline import SessionContent
from testwright.observe.noise_rules import NoiseRules

_ARCHIVE_ERRORS = (ArchiveInvalid, ArchiveTooLarge, ArchiveUnsupported, TraceUnsupported)


def read_session(path: Path, masker: Masker, noise: NoiseRules, wanted: FileKind | None = None) -> SessionContent:
    """The session in a file. Raises MalformedSession, TooLarge, and the errors of archives, traces and paths.

    Its pages are not masked yet: that is for `session_masker.SnapshotMasker`, once all secrets are known.
    """
    is_never_json = wanted is not None and not form_of(wanted).key
    if path.suffix.lower() == ".zip" or is_never_json or _is_archive(path):
        imported = _from_archive(path, masker, noise, wanted)
    else:
        found = document(file_content(path), str(path))
        imported = _read(_form_of_document(found, path, wanted), SessionInput(path, masker, noise, found))
    return masked_again(imported, masker)


def _read(form: FileForm, source: SessionInput) -> SessionContent:
    content: SessionContent = import_module(f"{__package__}.{form.reader}").read_file(source)
    return content


def _is_archive(path: Path) -> bool:
    try:
        if not path.is_file():  # to open a pipe would be to wait for its writer
            return False
        with path.open("rb") as file:
            return file.read(4).startswith(ZIP_MARKS)
    except (OSError, ValueError):  # the reader says what is wrong
        return False


def _from_archive(path: Path, masker: Masker, noise: NoiseRules, wanted: FileKind | None) -> SessionContent:
    try:
        archive = Archive(path, tuple(ending for form in FORMS for ending in form.entries))
        try:
            form, entry = _form_of_archive(archive.names, wanted)
            found = _document_in(archive, entry, path) if form.key else {}
            return _read(form, SessionInput(path, masker, noise, found, archive))
        finally:
            archive.close()
    except _ARCHIVE_ERRORS as error:  # none of them knows what the file is called
        message = f"{visible_line(str(path))}: {error.message}"
        raise type(error)(message, next_step=error.next_step) from error


def _form_of_archive(names: tuple[str, ...], wanted: FileKind | None) -> tuple[FileForm, str]:
    """What the archive holds, and the entry that says so."""
    packed = [form for form in FORMS if form.entries]
    for form in packed:
        entry = next((name for name in names if name.endswith(form.entries[0])), None)
        if entry is not None and wanted in (None, form.kind):
            return form, entry
    raise ArchiveInvalid(
        f"The archive holds neither {' nor '.join(form.name for form in packed)}.",
        next_step="Name a trace.zip or a .har.zip that Playwright wrote.",
    )


def _document_in(archive: Archive, entry: str, path: Path) -> JsonObject:
    content = archive.read_small(entry, MOST_BYTES)
    if content is None:
        check_size(f"{entry} in {path}", MOST_BYTES + 1)
    return document(content or b"", f"{entry} in {path}")


def _form_of_document(found: JsonObject, path: Path, wanted: FileKind | None) -> FileForm:
    if wanted is not None:
        return form_of(wanted)
    by_key = {form.key: form for form in FORMS if form.key}
    told = next((by_key[key] for key in found if key in by_key), None)
    if told is None:
        raise malformed(str(path), f"it is neither {' nor '.join(form.name for form in by_key.values())}")
    return told
