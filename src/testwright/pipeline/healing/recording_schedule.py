"""When to record what tests find: rarely, as it costs time, and again once a test file has changed.

A small file in the state folder remembers which test files were recorded as they are now, and another one, while a
recording is unfinished, which places in the code need not be recorded again. The store could tell too, but to load it
would take longer than many a test run.
"""

import json
import os
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.model.artifact_names import OUR_TRACE
from testwright.model.case import Framework
from testwright.model.errors import TestwrightError
from testwright.model.state_folder import pages_folder, recorded_files, recorded_places
from testwright.run.framework_adapter import PageWatch, RunRequest
from testwright.run.suite_plan import PlannedSuite
from testwright.store.private_files import prepare_folder

if TYPE_CHECKING:
    from testwright.model.result import RunResult

_KEPT_PAGES = 5
_DAY = 24 * 3600.0
_STALE = 7 * _DAY  # pages drift slowly, and a fingerprint holds as long as its page does
_PAUSE = 3600.0  # between two recordings of files that are being worked on


def watched(planned: Sequence[PlannedSuite], root: Path) -> list[PlannedSuite]:
    """The suites, with those that may have browser tests told to keep what healing needs of their pages.

    A trace costs Playwright a tenth of its time or more, so a suite is traced only when it is due. Our reporter inside
    pytest costs nothing until a test loses an element, and keeps to a small share of the time when it records.
    """
    folder = pages_folder(root)
    try:
        prepare_folder(folder)  # before a runner's process makes it, readable for all users
    except TestwrightError:  # a project that may not be written to: its tests run all the same
        return list(planned)
    moment = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}"
    return [_watched(item, root, folder / f"{moment}-{number}") for number, item in enumerate(planned, 1)]


def _watched(item: PlannedSuite, root: Path, folder: Path) -> PlannedSuite:
    framework, request = item.suite.framework, item.request
    if framework is Framework.PLAYWRIGHT and not _asks_for_traces(request) and is_due(root, _files(item)):
        return item._replace(request=replace(request, trace="on"))
    if framework is Framework.PYTEST:
        is_recording = is_due(root, _files(item))
        pages = PageWatch(folder, record=is_recording, known=known_places(root) if is_recording else ())
        return item._replace(request=replace(request, pages=pages))
    return item


def _asks_for_traces(request: RunRequest) -> bool:
    """Whether the user has said which traces to keep: then it stays at that."""
    return any(option.partition("=")[0] == "--trace" for option in request.extra)


def _files(item: PlannedSuite) -> list[Path]:
    """The test files that will run, as far as that is known."""
    request = item.request
    if request.only is not None:
        names = tuple(f"/{case.file}" for case in request.only)
        return [file for file in item.suite.files if file.as_posix().endswith(names)]
    places = [*request.paths, *(path for path, _ in request.named)]
    if not places:
        return list(item.suite.files)
    return [file for file in item.suite.files if any(place in (file, *file.parents) for place in places)]


def is_recorded(item: PlannedSuite) -> bool:
    """Whether this suite was told to record what its tests find."""
    pages = item.request.pages
    return item.request.trace == "on" or (pages is not None and pages.record)


def is_of_all_tests(item: PlannedSuite) -> bool:
    """Whether every test of the files that were run had its turn."""
    request = item.request
    return request.only is None and not request.select and not request.named and request.shard is None


def remove_our_traces(run: "RunResult", root: Path) -> None:
    """Remove the traces that only Testwright has asked for. Those of tests that failed stay."""
    for result in run.results:
        for attempt in result.attempts:
            for artifact in attempt.artifacts:
                file = root / artifact.path
                if artifact.name == OUR_TRACE and file.name == "trace.zip" and not file.is_symlink():
                    with suppress(OSError):  # gone already, or not ours to remove
                        file.unlink()
                        file.parent.rmdir()  # where there was nothing else


def forget_old_pages(root: Path) -> None:
    """Remove what earlier runs kept of pages. The newest are kept: results still name them."""
    folder = pages_folder(root)
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
        import shutil  # late: start-up: shutil, rarely needed

        shutil.rmtree(folder / name, ignore_errors=True)


def is_due(root: Path, files: Sequence[Path], now: float | None = None) -> bool:
    """Whether one of these test files was never recorded, or is another by now, or was recorded long ago."""
    moment = time.time() if now is None else now
    noted = _read(recorded_files(root))
    return any(_is_due(noted.get(_key(root, file)), file, moment) for file in files)


def note_recording(
    root: Path,
    files: Collection[str],
    *,
    unfinished: Collection[str] = (),
    places: Collection[tuple[str, int]] = (),
    in_part: bool = False,
) -> None:
    """Remember what a recording has come to. Files that are unfinished stay due, and the next run goes on with the
    places in the code that are left. `in_part`: not all tests of the files were run."""
    if not places:
        unfinished = ()  # nothing new was seen, and nothing new would be the next time
    note_recorded(root, [root / file for file in files if file not in unfinished], in_part=in_part)
    if unfinished:
        note_places(root, places)
    else:
        recorded_places(root).unlink(missing_ok=True)  # the next recording sees everything again


def note_recorded(root: Path, files: Iterable[Path], now: float | None = None, *, in_part: bool = False) -> None:
    """Remember that these files were recorded as they are. `in_part`: not all of their tests, so that they are due
    again before long."""
    moment = time.time() if now is None else now
    at = moment - _STALE + _PAUSE if in_part else moment
    noted = _read(recorded_files(root))
    for file in files:
        with suppress(OSError):
            status = file.stat()
            noted[_key(root, file)] = [status.st_mtime_ns, status.st_size, at]
    _write(recorded_files(root), noted)


def note_places(root: Path, places: Iterable[tuple[str, int]], now: float | None = None) -> None:
    """Remember, besides those that are known, the places (file, line) of a recording that the next run goes on with."""
    moment = time.time() if now is None else now
    lines: dict[str, set[int]] = {}
    for name, line in (*map(_place, known_places(root, moment)), *places):
        lines.setdefault(name, set()).add(line)
    noted: dict[str, object] = {}
    for name, numbers in lines.items():
        with suppress(OSError):
            status = (root / name).stat()
            noted[name] = [status.st_mtime_ns, status.st_size, moment, sorted(numbers)]
    _write(recorded_places(root), noted)


def known_places(root: Path, now: float | None = None) -> tuple[str, ...]:
    """Places in the code, as `file:line`, that an unfinished recording has seen, in files that are still the same."""
    moment = time.time() if now is None else now
    known: list[str] = []
    for name, noted in _read(recorded_places(root)).items():
        match noted:
            case [int(mtime), int(size), float() | int() as at, list(lines)] if 0 <= moment - at < _STALE:
                with suppress(OSError):
                    status = (root / name).stat()
                    if (status.st_mtime_ns, status.st_size) == (mtime, size):
                        known += [f"{name}:{line}" for line in lines]
    return tuple(known)


def _place(text: str) -> tuple[str, int]:
    name, _, line = text.rpartition(":")
    return name, int(line)


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


def _write(file: Path, noted: dict[str, object]) -> None:
    prepare_folder(file.parent)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.write_text(json.dumps(noted), encoding="utf-8")
    new.replace(file)


def _read(file: Path) -> dict[str, object]:
    try:
        noted = json.loads(file.read_bytes())
    except (OSError, ValueError):  # not there yet, or torn: everything is recorded again
        return {}
    return noted if isinstance(noted, dict) else {}


def _key(root: Path, file: Path) -> str:
    return os.path.relpath(file, root)
