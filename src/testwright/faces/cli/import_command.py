"""`testwright import`: results and browser sessions that were made elsewhere, kept with our own."""

import argparse
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Self

from testwright.faces.cli.common_options import add_json, add_project
from testwright.faces.cli.standard_output import print_json
from testwright.model.errors import ExitCode, PathNotFound, TestwrightError, UsageError
from testwright.model.result import RunResult
from testwright.model.untrusted_text import visible_line
from testwright.observe.importers.session_file_kinds import FileKind, form_of, is_session_file
from testwright.settings import Settings, load_settings
from testwright.wiring import keeping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from testwright.pipeline.observing.session_import import ImportedSession
    from testwright.store.project_store import Store

_SESSION_FORMATS = tuple(FileKind)
*_SESSION_FILES, _LAST_SESSION_FILES = (form_of(kind).names for kind in FileKind)
DESCRIPTION = f"""\
Read what another tool wrote and keep it. The format is recognised from the content.
Test results: JUnit XML, `flutter test --machine`, `go test -json`, the JSON reports of Playwright,
Vitest and Jest, and `testwright report export`.
Browser sessions, to write tests from: {", ".join(_SESSION_FILES)} and
{_LAST_SESSION_FILES}. Secrets are masked before anything is kept.
"""
_OUR_FIRST_LINE = b'{"type":"run"'


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--format", metavar="NAME", help="read the files as this format")
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    """Import each file; one that cannot be read does not keep the others out."""
    root = options.project.absolute()
    troubles: list[TestwrightError] = []
    imported: list[dict[str, object]] = []
    sessions: list[tuple[Path, ImportedSession]] = []
    settings = load_settings(root)
    with _LazyStore(root, settings) as store:
        for file in options.files:
            try:
                if options.format in _SESSION_FORMATS or (options.format is None and is_session_file(file)):
                    sessions.append((file, _session(file, options.format, root, settings)))
                    continue
                for run in _runs(file, options.format, root):
                    is_new = store.opened().runs.save_run(run)
                    imported.append({"file": str(file), "run": run.id, "tests": len(run.results), "new": is_new})
            except TestwrightError as error:
                troubles.append(error)
    _present(imported, sessions, troubles, as_json=options.json)
    return max((error.exit_code for error in troubles), default=ExitCode.OK)


class _LazyStore:
    """Sessions need no database: it is opened for the first result."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self._root, self._settings = root, settings
        self._stack = ExitStack()
        self._store: Store | None = None

    def opened(self) -> "Store":
        if self._store is None:
            self._store = self._stack.enter_context(keeping(self._root, self._settings).open())
        return self._store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failed: object) -> None:
        self._stack.close()


def _session(file: Path, wanted: str | None, root: Path, settings: Settings) -> "ImportedSession":
    # late: start-up: each kind of file needs another reader
    from testwright.pipeline.observing.session_import import import_session

    return import_session(root, settings, file, wanted=FileKind(wanted) if wanted else None)


def _runs(file: Path, wanted: str | None, root: Path) -> "Iterator[RunResult]":
    if not file.exists():
        raise PathNotFound(f"There is no {file}.", next_step="Check the path.")
    if wanted is None and file.is_file():
        with file.open("rb") as lines:
            if lines.read(len(_OUR_FIRST_LINE)) == _OUR_FIRST_LINE:
                from testwright.store.run_lines import import_runs, lines_of  # late: start-up: msgspec

                lines.seek(0)
                yield from import_runs(lines_of(lines), name=str(file))
                return
    from testwright.run.importers.report_reader import FORMATS, read_report  # late: start-up: lxml

    if wanted is not None and wanted not in FORMATS:
        raise UsageError(
            f"There is no format {wanted!r}.",
            next_step=f"Use one of: {', '.join((*FORMATS, *_SESSION_FORMATS))}; or leave it out.",
        )
    yield read_report(file, format=wanted, project=root)


def _present(
    imported: list[dict[str, object]],
    sessions: list[tuple[Path, "ImportedSession"]],
    troubles: list[TestwrightError],
    *,
    as_json: bool,
) -> None:
    if as_json:
        print_json(
            {
                "imported": imported,
                "sessions": [
                    {"file": str(file), **asdict(session), "next_step": session.next_step} for file, session in sessions
                ],
                "errors": [error.as_dict() for error in troubles],
            }
        )
        return
    for row in imported:
        known = "" if row["new"] else ", which was known already"
        sys.stdout.write(f"{visible_line(str(row['file']))}: run {row['run']} with {row['tests']} test(s){known}\n")
    for file, session in sessions:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(file, session)))
    for error in troubles:
        sys.stderr.write(f"testwright: {visible_line(error.message)} [{error.code}]\n")
        if error.next_step:
            sys.stderr.write(f"  {visible_line(error.next_step)}\n")


def _lines(file: Path, session: "ImportedSession") -> "Iterator[str]":
    held = ", ".join(f"{count} × {kind}" for kind, count in sorted(session.counts.items()))
    yield f"{visible_line(str(file))}: session {session.session} ({session.source}): {held}"
    yield "  Not in it:"
    for gap in session.gaps:
        yield f"    {visible_line(gap)}"
    yield f"  Next: {session.next_step}"


def _as_dict(file: Path, session: "ImportedSession") -> dict[str, object]:
    return {"file": str(file), **asdict(session), "next_step": session.next_step}
