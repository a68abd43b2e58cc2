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
folder of their own, run all their tests with one command, look back at the run, change the shop so
that a test loses its button and see it healed, and write tests for a module that has none. One test
fails on purpose: the shop has a bug.
"""
# Beside the package in an installed Testwright, at the root of a checkout otherwise.
_PLACES = (Path(__file__).parents[2] / "examples", Path(__file__).parents[4] / "examples")
# The checkout's tests once more, in Python: the story does without them.
_LEFT_OUT = ("node_modules", ".testwright", "test-results", "__pycache__", ".pytest_cache", "python")
_EXPECTED_FAILURE = "counts the quantity in the total"
_CHECKOUT = ("web-shop/shop/checkout.html", "web-shop/shop/checkout.js")
_OLD_CLASS, _NEW_CLASS = "btn-primary", "button-primary"
_LOSES_ITS_BUTTON = "web-shop/tests/checkout.spec.ts::places an order"
_UNTESTED = "python-package/src/bakery/labels.py"
_WRITTEN = "python-package/tests/test_labels.py"
_LINES_SHOWN = 21


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
    shutil.copytree(examples, place, ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True)
    for packages in examples.glob("*/node_modules"):
        link = place / packages.parent.name / "node_modules"
        if not link.exists():
            link.symlink_to(packages.absolute())
    return place


def _story(project: Path, *, stays: bool) -> int:
    browser = find_chromium(os.environ)
    if browser is not None:
        os.environ[CHROMIUM_VARIABLE] = str(browser)
    codes = [_told_of_running(project)]
    if codes == [ExitCode.OK]:  # what is healed must have passed before
        codes.append(_told_of_healing(project))
    # Told whatever became of the chapters before it: it needs other things of the machine.
    codes.append(_told_of_generating(project))
    if all(code == ExitCode.OK for code in codes):
        _what_next(project, stays=stays)
    return next((code for code in codes if code != ExitCode.OK), ExitCode.OK)


def _told_of_running(project: Path) -> int:
    _say("Three small projects: a Python package, agent skills, and a web shop with Playwright tests.\n")
    _say("One command finds and runs all of them, each with its own runner, isolated:\n\n")
    code = _command(project, "run")
    _say("\nThe run is remembered. Later you can ask what happened:\n\n")
    _command(project, "report", "runs")
    _say("\n")
    _command(project, "report", "tests", "--outcome", "failed", "--outcome", "timeout", "--outcome", "error")
    if code == ExitCode.FAILURES and _failed(project) == [_EXPECTED_FAILURE]:
        _say("\nOne test failed, and it is right to: the shop's total forgets the quantity.\n")
        return ExitCode.OK
    _say("\nThat was not the run we expected: exactly one test, of the web shop, should have failed.\n")
    _say("`testwright doctor` says what is missing here. For the web shop's packages:\n")
    _say("  testwright demo --keep my-demo && npm ci --prefix my-demo/web-shop && testwright run --project my-demo\n")
    return code or ExitCode.FAILURES


def _failed(project: Path) -> list[str]:
    """The names of the tests that did not pass. An exit code alone would take any failure for the one we expect."""
    from testwright.settings import load_settings
    from testwright.wiring import keeping

    return [case.name for case in keeping(project, load_settings(project)).last_failed()]


def _told_of_healing(project: Path) -> int:
    _say(f"\nNow the shop follows a new style guide: the class {_OLD_CLASS} of its order button is {_NEW_CLASS}.\n")
    _say(f"The checkout's page object still looks for .{_OLD_CLASS}:\n\n")
    for name in _CHECKOUT:
        file = project / name
        file.write_text(file.read_text(encoding="utf-8").replace(_OLD_CLASS, _NEW_CLASS), encoding="utf-8")
    _say(f"$ testwright run '{_LOSES_ITS_BUTTON}'\n")
    code = _main("run", "--project", str(project), str(project / _LOSES_ITS_BUTTON))
    heals = _heals_that_wait(project)
    if code != ExitCode.OK or not heals:
        _say("\nThat test should have been healed: the lines above say why it was not.\n")
        return code or ExitCode.FAILURES
    _say("\nThe test passed with another selector, and no file was changed. The patch waits for a person:\n\n")
    _command(project, "review", "list")
    _say("\n")
    return _command(project, "review", "show", heals[0])


def _heals_that_wait(project: Path) -> list[str]:
    """The ids of the patches that the run has proposed."""
    from testwright.model.proposal import ProposalKind, ProposalStatus
    from testwright.settings import load_settings
    from testwright.wiring import open_review

    with open_review(project, load_settings(project)) as queue:
        waiting = queue.list(status=ProposalStatus.PENDING)
    return [proposal.id for proposal in waiting if proposal.kind is ProposalKind.SELECTOR_PATCH]


def _told_of_generating(project: Path) -> int:
    _say("\nThe bakery's labels have no tests at all. One command explores the code and writes them:\n\n")
    _say(f"$ testwright generate {_UNTESTED} --accept --budget 3\n")
    code = _main("generate", "--project", str(project), str(project / _UNTESTED), "--accept", "--budget", "3")
    written = project / _WRITTEN
    if code != ExitCode.OK or not written.is_file():
        _say("\nThat should have worked: `testwright doctor` says what is missing here.\n")
        return code or ExitCode.FAILURES
    _say(f"\n{_WRITTEN} begins so:\n\n")
    lines = written.read_text(encoding="utf-8").split("\n")[:_LINES_SHOWN]
    _say("".join(f"  {line}".rstrip() + "\n" for line in [*lines, "..."]))
    return ExitCode.OK


def _what_next(project: Path, *, stays: bool) -> None:
    _say("\nTry next:\n")
    if stays:
        _say(f"  cd {project}\n")
        _say("  testwright run --last-failed       only what failed\n")
        _say("  testwright review accept ID        the new selector, by the id that stands above\n")
        _say("  testwright run python-package      with the new tests\n")
    _say("  testwright demo --keep my-demo     the same projects, to play with\n")
    _say("  testwright init                    in a project of your own, then: testwright run\n")
    _say("  testwright doctor                  what this machine offers\n")


def _command(project: Path, *arguments: str) -> int:
    _say(f"$ testwright {' '.join(arguments)}\n")
    kind = arguments[:2] if arguments[0] in ("report", "review") else arguments[:1]
    return _main(*kind, "--project", str(project), *arguments[len(kind) :])


def _main(*arguments: str) -> int:
    from testwright.faces.cli.main import main

    sys.stdout.flush()
    return main(list(arguments))


def _say(text: str) -> None:
    sys.stdout.write(text)
