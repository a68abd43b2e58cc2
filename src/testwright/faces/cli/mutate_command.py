"""`testwright mutate`: how much the tests of a file would notice."""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from testwright.faces.cli.common_options import add_json, add_project, count, seconds, whole_number
from testwright.faces.cli.progress_view import progress_bar
from testwright.faces.cli.standard_output import print_json, print_table
from testwright.model.errors import ExitCode, NotARegularFile, PathNotFound
from testwright.model.mutation_result import MutantVerdict, MutationResult
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line
from testwright.run.mutation_run import MutationProgress, MutationRequest, find_survivors, share_text
from testwright.run.project import Project
from testwright.settings import load_settings

PASSES_OPTIONS_ON = True
DESCRIPTION = """\
Change a Python file in small wrong ways, one at a time, and see whether its tests notice.

The file itself is not touched: each change lives in a process of its own. The tests must pass as they
are. What follows `--` is given to pytest:  testwright mutate src/shop/cart.py --tests tests -- -m "not slow"
"""
_SAMPLE = 200


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, metavar="PATH", help="the Python file whose tests are checked")
    parser.add_argument(
        "--tests",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a file or folder of tests; may be repeated (default: all that pytest finds)",
    )
    how_many = parser.add_mutually_exclusive_group()
    how_many.add_argument(
        "--limit",
        type=whole_number,
        default=_SAMPLE,
        metavar="N",
        help=f"try N mutants, an even sample (default: {_SAMPLE})",
    )
    how_many.add_argument("--all", action="store_true", help="try every mutant")
    parser.add_argument("--seed", type=count, default=0, metavar="N", help="another sample (default: 0)")
    parser.add_argument(
        "-j", "--parallel", type=whole_number, metavar="N", help="N mutants at a time (default: all cores)"
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        metavar="SECONDS",
        help="for each mutant (default: ten times what its tests took without it, and 10 s more)",
    )
    parser.add_argument(
        "--fail-under", type=_percent, metavar="PERCENT", help="exit with 1 when fewer of the mutants are noticed"
    )
    parser.add_argument("--python", type=Path, metavar="PATH", help="the interpreter or environment for the tests")
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    settings = load_settings(options.project)
    project = Project.at(options.project, exclude=settings.exclude)
    request = MutationRequest(
        target=_file(options.path),
        tests=tuple(_existing(path) for path in options.tests),
        limit=None if options.all else options.limit,
        seed=options.seed,
        parallel=options.parallel or settings.parallel or len(os.sched_getaffinity(0)),
        timeout=options.timeout,
        extra=options.passed_on,
    )
    with _progress(quiet=options.json) as heard:
        result = find_survivors(
            project, request, os.environ, python=options.python or settings.python_at(project.root), on_progress=heard
        )
    if options.json:
        print_json(_document(result))
    else:
        _present(result, request.target)
    is_enough = options.fail_under is None or result.score is None or result.score * 100 >= options.fail_under
    return ExitCode.OK if is_enough else ExitCode.FAILURES


def _existing(path: Path) -> Path:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100  resolve() would follow links
    if not os.path.exists(absolute):  # noqa: PTH110  Path.exists() raises where a name is too long
        raise PathNotFound(f"There is no {path}.", next_step="Check the path, or the folder you are in.")
    return absolute


def _file(path: Path) -> Path:
    absolute = _existing(path)
    if not absolute.is_file() or absolute.suffix != ".py":
        raise NotARegularFile(f"{path} is not a Python file.", next_step="Name one file whose name ends in .py.")
    return absolute


def _percent(text: str) -> float:
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a percentage from 0 to 100")
    return number


@contextlib.contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[MutationProgress], None]]:
    """A bar for a person who is watching; nothing for anyone else."""
    if quiet:
        yield lambda _: None
        return
    tried = 0
    with progress_bar("collecting and running the tests") as bar:

        def heard(progress: MutationProgress) -> None:
            nonlocal tried
            is_mutant = progress.verdict is not None
            tried += is_mutant
            if bar is not None:
                bar(tried, progress.planned or None, "mutants" if is_mutant else "running the tests once")

        yield heard


def _document(result: MutationResult) -> dict[str, Any]:
    document = asdict(result)
    return {**document, "noticed": result.noticed, "score": result.score}


def _present(result: MutationResult, target: Path) -> None:
    tried = len(result.verdicts)
    sample = f" of {result.mutants}" if tried < result.mutants else ""
    tests = f"{result.tests} tests, of which {result.reaching} run code of the file"
    _say(f"{visible_line(result.file)}: {tried}{sample} mutants, {tests}")
    if result.score is None:
        _say("There is nothing in it that a test could notice a change of.")
        return
    _say(f"{share_text(result.score)} noticed: {_counts(result)}")
    if result.survivors:
        lines = target.read_text(encoding="utf-8", errors="replace").split("\n")
        _say("")
        print_table(("line", "change", "status", "source"), [_row(each, lines) for each in result.survivors])


def _counts(result: MutationResult) -> str:
    counts: dict[str, int] = {}
    for verdict in result.verdicts:
        counts[verdict.status] = counts.get(verdict.status, 0) + 1
    return ", ".join(f"{number} {status}" for status, number in sorted(counts.items(), key=lambda one: -one[1]))


def _row(verdict: MutantVerdict, lines: list[str]) -> tuple[str, str, str, str]:
    source = lines[verdict.line - 1].strip() if 0 < verdict.line <= len(lines) else ""
    return str(verdict.line), f"{verdict.operator} {verdict.description}", str(verdict.status), source


def _say(line: str) -> None:
    sys.stdout.write(harmless_in_ci_log(line) + "\n")
