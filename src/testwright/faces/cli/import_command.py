"""`testwright import`: results that were made elsewhere, kept with our own."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.faces.cli.arguments import add_json, add_project
from testwright.faces.cli.tables import print_json
from testwright.model.errors import ExitCode, PathNotFound, TestwrightError
from testwright.model.result import RunResult
from testwright.model.untrusted import visible_line
from testwright.settings import load_settings
from testwright.wiring import keeping

if TYPE_CHECKING:
    from collections.abc import Iterator

DESCRIPTION = """\
Read results that another tool wrote and keep them: JUnit XML, `flutter test --machine`,
`go test -json`, the JSON reports of Playwright, Vitest and Jest, and `testwright report export`.
The format is told from the content.
"""
_OUR_FIRST_LINE = b'{"type":"run"'


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--format", metavar="NAME", help="read as this format, whatever it looks like")
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    """Import each file; one that cannot be read does not keep the others out."""
    root = options.project.absolute()
    troubles: list[TestwrightError] = []
    told: list[dict[str, object]] = []
    with keeping(root, load_settings(root)).open() as store:
        for file in options.files:
            try:
                for run in _runs(file, options.format, root):
                    is_new = store.runs.save_run(run)
                    told.append({"file": str(file), "run": run.id, "tests": len(run.results), "new": is_new})
            except TestwrightError as error:
                troubles.append(error)
    _present(told, troubles, as_json=options.json)
    return max((error.exit_code for error in troubles), default=ExitCode.OK)


def _runs(file: Path, wanted: str | None, root: Path) -> "Iterator[RunResult]":
    if not file.exists():
        raise PathNotFound(f"There is no {file}.", next_step="Check the path.")
    if wanted is None and file.is_file():
        with file.open("rb") as lines:
            if lines.read(len(_OUR_FIRST_LINE)) == _OUR_FIRST_LINE:
                from testwright.store.exchange import import_runs, lines_of

                lines.seek(0)
                yield from import_runs(lines_of(lines), name=str(file))
                return
    from testwright.run.importers.read import read_report

    yield read_report(file, format=wanted, project=root)


def _present(told: list[dict[str, object]], troubles: list[TestwrightError], *, as_json: bool) -> None:
    if as_json:
        print_json({"imported": told, "errors": [error.as_dict() for error in troubles]})
        return
    for row in told:
        known = "" if row["new"] else ", which was known already"
        sys.stdout.write(f"{visible_line(str(row['file']))}: run {row['run']} with {row['tests']} test(s){known}\n")
    for error in troubles:
        sys.stderr.write(f"testwright: {visible_line(error.message)} [{error.code}]\n")
        if error.next_step:
            sys.stderr.write(f"  {visible_line(error.next_step)}\n")
