"""When to record what tests find: seldom, as it costs time, and again once a test file has changed.

A small file in the state folder remembers which test files were recorded as they are now. The store could tell
too, but to load it would take longer than many a test run.
"""

import json
import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from testwright.model.case import Framework
from testwright.model.errors import TestwrightError
from testwright.run.framework import PageWatch
from testwright.run.planning import Planned
from testwright.store.folder import STATE_FOLDER, prepare_folder

_NAME = "recorded.json"
_PAGES = "pages"  # the folder of what our reporter inside pytest keeps of pages
_KEPT_PAGES = 5
_DAY = 24 * 3600.0
_STALE = 7 * _DAY  # pages drift slowly, and a fingerprint holds as long as its page does
_PAUSE = 3600.0  # between two recordings of files that somebody is at work on


def watched(planned: Sequence[Planned], root: Path) -> list[Planned]:
    """The suites, with those that may have browser tests told to keep what healing needs of their pages.

    A trace costs Playwright a tenth of its time or more, so a suite is traced only when it is due. Our reporter inside
    pytest costs nothing until a test loses an element, and keeps to a small share of the time when it records.
    """
    folder = root / STATE_FOLDER / _PAGES
    try:
        prepare_folder(folder)  # before a runner's process makes it, for everybody to read
    except TestwrightError:  # a project that may not be written to: its tests run all the same
        return list(planned)
    moment = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}"
    return [_watched(item, root, folder / f"{moment}-{number}") for number, item in enumerate(planned, 1)]


def _watched(item: Planned, root: Path, folder: Path) -> Planned:
    framework, request = item.suite.framework, item.request
    if framework is Framework.PLAYWRIGHT and is_due(root, _files(item)):
        return item._replace(request=replace(request, trace="on"))
    if framework is Framework.PYTEST:
        pages = PageWatch(folder, record=is_due(root, _files(item)))
        return item._replace(request=replace(request, pages=pages))
    return item


def _files(item: Planned) -> list[Path]:
    """The test files that will run, as far as that can be told."""
    request = item.request
    if request.only is not None:
        names = tuple(f"/{case.file}" for case in request.only)
        return [file for file in item.suite.files if file.as_posix().endswith(names)]
    places = [*request.paths, *(path for path, _ in request.named)]
    if not places:
        return list(item.suite.files)
    return [file for file in item.suite.files if any(place in (file, *file.parents) for place in places)]


def is_recorded(item: Planned) -> bool:
    """Whether this suite was told to record what its tests find."""
    pages = item.request.pages
    return item.request.trace == "on" or (pages is not None and pages.record)


def forget_old_pages(root: Path) -> None:
    """Remove what earlier runs kept of pages. The newest are kept: results still name them."""
    folder = root / STATE_FOLDER / _PAGES
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    full = []
    for name in names:
        try:
            (folder / name).rmdir()  # most runs have nothing to keep
        except OSError:
            full.append(name)
    for name in full[:-_KEPT_PAGES]:
        import shutil  # slow to load, and seldom needed

        shutil.rmtree(folder / name, ignore_errors=True)


def is_due(root: Path, files: Sequence[Path], now: float | None = None) -> bool:
    """Whether one of these test files was never recorded, or is another by now, or was recorded long ago."""
    moment = time.time() if now is None else now
    noted = _read(root)
    return any(_is_due(noted.get(_key(root, file)), file, moment) for file in files)


def note_recorded(root: Path, files: Iterable[Path], now: float | None = None) -> None:
    """Remember that these files were recorded as they are."""
    moment = time.time() if now is None else now
    noted = _read(root)
    for file in files:
        with suppress(OSError):
            status = file.stat()
            noted[_key(root, file)] = [status.st_mtime_ns, status.st_size, moment]
    folder = root / STATE_FOLDER
    prepare_folder(folder)
    new = folder / f"{_NAME}.{os.getpid()}"
    new.write_text(json.dumps(noted), encoding="utf-8")
    new.replace(folder / _NAME)


def _is_due(noted: object, file: Path, now: float) -> bool:
    match noted:
        case [int(mtime), int(size), float() | int() as at]:
            pass
        case _:
            return True
    age = now - at
    if not 0 <= age < _STALE:
        return True
    try:
        status = file.stat()
    except OSError:
        return False
    return (status.st_mtime_ns, status.st_size) != (mtime, size) and age >= _PAUSE


def _read(root: Path) -> dict[str, object]:
    try:
        noted = json.loads((root / STATE_FOLDER / _NAME).read_bytes())
    except (OSError, ValueError):  # not there yet, or torn: everything is recorded anew
        return {}
    return noted if isinstance(noted, dict) else {}


def _key(root: Path, file: Path) -> str:
    return os.path.relpath(file, root)
