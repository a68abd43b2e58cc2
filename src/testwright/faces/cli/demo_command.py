"""`testwright demo`: the main job on small example projects, told as a story."""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from testwright.faces.cli.arguments import add_project
from testwright.model.errors import ExitCode, PathNotFound
from testwright.run.tools import CHROMIUM_VARIABLE, find_chromium

DESCRIPTION = """\
Copy the example projects (a Python package, a web shop with Playwright tests, agent skills) to a
folder of their own, run all their tests with one command, and look back at the run. One test fails
on purpose: the shop has a bug.
"""
# Beside the package in an installed Testwright, at the root of a checkout otherwise.
_PLACES = (Path(__file__).parents[2] / "examples", Path(__file__).parents[4] / "examples")
_EXPECTED = ExitCode.FAILURES


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--examples", type=Path, metavar="DIR", help="where the example projects are")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="copy them here, and leave them for you to play with")
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    examples = _examples(options.examples)
    if options.keep is not None:
        return _story(_copied(examples, options.keep.absolute()), stays=True)
    with tempfile.TemporaryDirectory(prefix="testwright-demo-") as folder:
        return _story(_copied(examples, Path(folder) / "examples"), stays=False)


def _examples(given: Path | None) -> Path:
    for place in (given,) if given is not None else _PLACES:
        if place.is_dir():
            return place
    raise PathNotFound("The example projects were not found.", next_step="Name their folder with --examples DIR.")


def _copied(examples: Path, place: Path) -> Path:
    """The examples in a place of their own. Node packages are linked: they are large and never changed."""
    skipped = shutil.ignore_patterns("node_modules", ".testwright", "test-results", "__pycache__", ".pytest_cache")
    shutil.copytree(examples, place, ignore=skipped, dirs_exist_ok=True)
    for packages in examples.glob("*/node_modules"):
        link = place / packages.parent.name / "node_modules"
        if not link.exists():
            link.symlink_to(packages.absolute())
    return place


def _story(project: Path, *, stays: bool) -> int:
    browser = find_chromium(os.environ)
    if browser is not None:
        os.environ[CHROMIUM_VARIABLE] = str(browser)
    say = sys.stdout.write
    say("Three small projects: a Python package, agent skills, and a web shop with Playwright tests.\n")
    say("One command finds and runs all of them, each with its own runner, isolated:\n\n")
    code = _command(project, "run")
    say("\nThe run is remembered. Later you can ask what happened:\n\n")
    _command(project, "report", "runs")
    say("\n")
    _command(project, "report", "tests", "--outcome", "failed", "--outcome", "timeout", "--outcome", "error")
    if code != _EXPECTED:
        say("\nThat was not the run we expected: exactly one test, of the web shop, should have failed.\n")
        say("`testwright doctor` says what is missing here. For the web shop's packages:\n")
        say(
            "  testwright demo --keep my-demo && npm ci --prefix my-demo/web-shop && testwright run --project my-demo\n"
        )
        return code or ExitCode.FAILURES
    say("\nOne test failed, and it is right to: the shop's total forgets the quantity.\n")
    say("Try next:\n")
    if stays:
        say(f"  cd {project}\n")
        say("  testwright run --last-failed       only what failed\n")
    say("  testwright demo --keep my-demo     the same projects, to play with\n")
    say("  testwright init                    in a project of your own, then: testwright run\n")
    say("  testwright doctor                  what this machine offers\n")
    return ExitCode.OK


def _command(project: Path, *arguments: str) -> int:
    from testwright.faces.cli.main import main

    sys.stdout.write(f"$ testwright {' '.join(arguments)}\n")
    sys.stdout.flush()
    kind = arguments[:2] if arguments[0] == "report" else arguments[:1]
    return main([*kind, "--project", str(project), *arguments[len(kind) :]])
