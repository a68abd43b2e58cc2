"""`testwright demo`: the main job on small example projects, explained step by step."""

import argparse
import os
import shutil
import tempfile
from pathlib import Path

from testwright.faces.cli.common_options import add_project
from testwright.faces.cli.demo_terminal import run_quietly, say, show_and_run
from testwright.model.errors import ExitCode, PathNotFound
from testwright.model.foreign_folders import BYTECODE, NODE_PACKAGES, TEST_RESULTS
from testwright.model.proposal import ProposalKind, ProposalStatus
from testwright.model.state_folder import STATE_FOLDER
from testwright.run.external_programs import CHROMIUM_VARIABLE, find_chromium
from testwright.settings import load_settings
from testwright.wiring import keeping, open_review

DESCRIPTION = """\
Copy the example projects (a Python package, a web shop with Playwright tests, agent skills, a shop with
ten bugs) to a folder of their own, run all their tests with one command, look back at the run, change the
shop so that a test loses its button and see it healed, record a bug in a browser and have a test written
that proves it, and write tests for a module that has none. One test fails on purpose: the shop has a bug.
"""
# Beside the package in an installed Testwright, at the root of a checkout otherwise.
_PLACES = (Path(__file__).parents[2] / "examples", Path(__file__).parents[4] / "examples")
# The checkout's tests once more, in Python: the demo does not need them.
_LEFT_OUT = (*NODE_PACKAGES, STATE_FOLDER, *TEST_RESULTS, *BYTECODE, ".*_cache", "python")
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
        return _show_all(_copied(examples, options.keep.absolute()), stays=True)
    with tempfile.TemporaryDirectory(prefix="testwright-demo-") as folder:
        return _show_all(_copied(examples, Path(folder) / "examples"), stays=False)


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


def _show_all(project: Path, *, stays: bool) -> int:
    browser = find_chromium(os.environ)
    if browser is not None:
        os.environ[CHROMIUM_VARIABLE] = str(browser)
    codes = [_show_running(project)]
    if codes == [ExitCode.OK]:  # what is healed must have passed before; a proof needs the same runner and browser
        codes += [_show_healing(project), _show_recording(project)]
    # Shown even if the chapters before it failed: it needs other things of the machine.
    codes.append(_show_generating(project))
    if all(code == ExitCode.OK for code in codes):
        _what_next(project, stays=stays)
    return next((code for code in codes if code != ExitCode.OK), ExitCode.OK)


def _show_running(project: Path) -> int:
    say("Three small projects: a Python package, agent skills, and a web shop with Playwright tests.\n")
    say("One command finds and runs all of them, each with its own runner, isolated:\n\n")
    code = show_and_run(project, "run")
    say("\nThe run is remembered. Later you can ask what happened:\n\n")
    show_and_run(project, "report", "runs")
    say("\n")
    show_and_run(project, "report", "tests", "--outcome", "failed", "--outcome", "timeout", "--outcome", "error")
    if code == ExitCode.FAILURES and _failed(project) == [_EXPECTED_FAILURE]:
        say("\nOne test failed, and it should: the shop's total forgets the quantity.\n")
        return ExitCode.OK
    say("\nThat was not the run we expected: exactly one test, of the web shop, should have failed.\n")
    say("`testwright doctor` says what is missing here. For the web shop's packages:\n")
    say("  testwright demo --keep my-demo && npm ci --prefix my-demo/web-shop && testwright run --project my-demo\n")
    return code or ExitCode.FAILURES


def _failed(project: Path) -> list[str]:
    """The names of the tests that did not pass. An exit code alone would take any failure for the one we expect."""
    return [case.name for case in keeping(project, load_settings(project)).last_failed()]


def _show_healing(project: Path) -> int:
    say(f"\nNow the shop follows a new style guide: the class {_OLD_CLASS} of its order button is {_NEW_CLASS}.\n")
    say(f"The checkout's page object still looks for .{_OLD_CLASS}:\n\n")
    for name in _CHECKOUT:
        file = project / name
        file.write_text(file.read_text(encoding="utf-8").replace(_OLD_CLASS, _NEW_CLASS), encoding="utf-8")
    say(f"$ testwright run '{_LOSES_ITS_BUTTON}'\n")
    code = run_quietly("run", "--project", str(project), str(project / _LOSES_ITS_BUTTON))
    heals = _heals_that_wait(project)
    if code != ExitCode.OK or not heals:
        say("\nThat test should have been healed: the lines above say why it was not.\n")
        return code or ExitCode.FAILURES
    say("\nThe test passed with another selector, and no file was changed. The patch waits for a person:\n\n")
    show_and_run(project, "review", "list")
    say("\n")
    return show_and_run(project, "review", "show", heals[0])


def _heals_that_wait(project: Path) -> list[str]:
    """The ids of the patches that the run has proposed."""
    with open_review(project, load_settings(project)) as queue:
        waiting = queue.list(status=ProposalStatus.PENDING)
    return [proposal.id for proposal in waiting if proposal.kind is ProposalKind.SELECTOR_PATCH]


def _show_recording(project: Path) -> int:
    from testwright.faces.cli.demo_web_bug import show_web_bug  # late: start-up: a chapter that may not be shown

    return show_web_bug(project)


def _show_generating(project: Path) -> int:
    say("\nThe bakery's labels have no tests at all. One command explores the code and writes them:\n\n")
    say(f"$ testwright generate {_UNTESTED} --accept --budget 3\n")
    code = run_quietly("generate", "--project", str(project), str(project / _UNTESTED), "--accept", "--budget", "3")
    written = project / _WRITTEN
    if code != ExitCode.OK or not written.is_file():
        say("\nThat should have worked: `testwright doctor` says what is missing here.\n")
        return code or ExitCode.FAILURES
    say(f"\n{_WRITTEN} begins like this:\n\n")
    lines = written.read_text(encoding="utf-8").split("\n")[:_LINES_SHOWN]
    say("".join(f"  {line}".rstrip() + "\n" for line in [*lines, "..."]))
    return ExitCode.OK


def _what_next(project: Path, *, stays: bool) -> None:
    say("\nTry next:\n")
    if stays:
        say(f"  cd {project}\n")
        say("  testwright run --last-failed       only what failed\n")
        say("  testwright review accept ID        the new selector, by the id above\n")
        say("  testwright run python-package      with the new tests\n")
        say("  testwright run web-bugs            the new guard, red: its bug is still there\n")
    say("  testwright demo --keep my-demo     the same projects, to play with\n")
    say("  testwright init                    in a project of your own, then: testwright run\n")
    say("  testwright doctor                  what this machine offers\n")
