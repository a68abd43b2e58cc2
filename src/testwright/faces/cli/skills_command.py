"""`testwright skills`: find and run the tests of agent skills."""

import argparse
import sys
from pathlib import Path

from testwright.faces.cli.common_options import add_json, add_project, whole_number
from testwright.faces.cli.standard_output import duration_text, print_json, print_table
from testwright.model.errors import ExitCode, NoTests, NotFound, PathNotFound
from testwright.model.untrusted_text import visible_line
from testwright.run.skills import DEFAULT_TIMEOUT_MS
from testwright.run.skills.catalog import SkillTest, discover_skill_test, discover_skill_tests
from testwright.run.skills.file_runner import FileResult, run_test_file
from testwright.run.skills.suite_runner import run_test_suite
from testwright.run.skills.warm_worker import run_test_files_warm

DESCRIPTION = """\
A skill is a folder with SKILL.md (or tskill.md, cskill.md, oskill.md, dcgskill.md, mskill.md) below
`skills/` or `.AchillesSkills/`. Its tests are `tests/<skill>.tests.mjs` or `tests/<skill>_tests.py`.
`testwright run` runs them too, and remembers them; this command answers in the shape agents know.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="every skill that has tests")
    show = actions.add_parser("show", help="the test of one skill")
    show.add_argument("skill", metavar="SKILL", help="a skill's name or short name")
    suite = actions.add_parser("run", help="run the tests of all skills, or of those named")
    suite.add_argument("skills", nargs="*", metavar="SKILL", help="names or short names (default: all)")
    suite.add_argument("--parallel", type=whole_number, metavar="N", help="N files at a time")
    file = actions.add_parser("file", help="run one test file of any skill")
    file.add_argument("file", type=Path, metavar="FILE")
    file.add_argument("--warm", action="store_true", help="in a worker process, which files of a suite may share")
    for action in (suite, file):
        action.add_argument(
            "--timeout",
            type=whole_number,
            default=DEFAULT_TIMEOUT_MS,
            metavar="MS",
            help="for each file (default: %(default)s)",
        )
        action.add_argument("--verbose", action="store_true", help="include what was printed on stderr")
    for action in (listing, show, suite, file):
        add_json(action)
        add_project(action)


def execute(options: argparse.Namespace) -> int:
    match options.action:
        case "list":
            return _list(discover_skill_tests(options.project), options)
        case "show":
            return _list([_known(options.project, options.skill)], options)
        case "file":
            return _file(options)
        case _:
            return _suite(options)


def _list(tests: list[SkillTest], options: argparse.Namespace) -> int:
    if options.json:
        print_json([test.as_dict() for test in tests])
    else:
        rows = [(test.skill_name, test.skill_type, str(test.test_file)) for test in tests]
        print_table(("skill", "type", "test file"), rows)
    return ExitCode.OK


def _suite(options: argparse.Namespace) -> int:
    tests = [_known(options.project, name) for name in options.skills] or discover_skill_tests(options.project)
    if not tests:
        raise NoTests(
            "No skill here has tests.", next_step="`testwright skills --help` says where they are looked for."
        )
    result = run_test_suite(tests, timeout=options.timeout, verbose=options.verbose, parallel=options.parallel or False)
    if options.json:
        print_json(result.as_dict())
    else:
        for test, outcome in zip(tests, result.results, strict=True):
            _print_result(test.short_name, outcome.result)
        sys.stdout.write(f"{result.total_passed} passed, {result.total_failed} failed\n")
    return ExitCode.OK if result.success else ExitCode.FAILURES


def _file(options: argparse.Namespace) -> int:
    if not options.file.is_file():
        raise PathNotFound(f"There is no file {options.file}.", next_step="Name a .tests.mjs or _tests.py file.")
    if options.warm:
        (result,) = run_test_files_warm([options.file], timeout=options.timeout)
    else:
        result = run_test_file(options.file, timeout=options.timeout, verbose=options.verbose)
    if options.json:
        print_json(result.as_dict())
    else:
        _print_result(options.file.name, result)
    return ExitCode.OK if result.success else ExitCode.FAILURES


def _print_result(name: str, result: FileResult) -> None:
    mark = "✓" if result.success else "✗"
    counts = f"{result.passed} passed, {result.failed} failed"
    sys.stdout.write(f"{mark} {visible_line(name)}: {counts} in {duration_text(result.duration)}\n")
    for error in result.errors:
        sys.stdout.write(f"    {visible_line(error)}\n")


def _known(project: Path, name: str) -> SkillTest:
    test = discover_skill_test(project, name)
    if test is None:
        raise NotFound(f"No skill {name!r} with tests was found.", next_step="`testwright skills list` names them.")
    return test
