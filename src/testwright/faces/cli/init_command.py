"""`testwright init`: set Testwright up in a project."""

import argparse
import os
import sys

from testwright.faces.cli.common_options import add_json, add_project
from testwright.faces.cli.standard_output import print_json
from testwright.model.case import WebFramework
from testwright.model.errors import PathUnreadable
from testwright.model.state_folder import STATE_FOLDER, STORE_FILE
from testwright.run.project import Project
from testwright.settings import load_settings
from testwright.wiring import adapters, keeping

DESCRIPTION = "Write a settings file where there is none, make the store, and say which tests were found."
_SETTINGS_FILE = "testwright.toml"
_OTHERS = ", ".join(f'"{one}"' for one in WebFramework if one is not WebFramework.PLAYWRIGHT)
_SETTINGS = f"""\
# Testwright's settings for this project. Each line shows a default; remove the # to change it.

# store = "{STATE_FOLDER}/{STORE_FILE}"   # or postgresql://user@host:5432/database
# python = ""                           # the interpreter, or environment folder, for Python tests
# timeout = 300                         # seconds for each test; unset: what its runner allows
# memory = "4G"                         # for each process of a test; 0 for no limit
# output = "256M"                       # that a runner may print
# parallel = 0                          # tests at a time; 0: what each runner does by itself
# retries = 0                           # run failures again; every attempt is kept
# frameworks = []                       # such as ["pytest", "playwright"]; empty: all that are found
# exclude = []                          # globs on file names, such as ["examples/*"]
# heal = true                           # look for lost elements when a browser test fails
# heal-policy = "pass"                  # or "fail": a run that needed a heal is red
# pilot = false                         # may a heal be written, or a recorded browser be driven, without a person
# web-framework = "{WebFramework.PLAYWRIGHT}"          # for tests of sessions; or {_OTHERS}
# web-tests = ""                        # the folder for them; empty: where the project has such tests
# base-url = ""                         # where the application is when they run; empty: where it was recorded
# test-id-attribute = ""                # empty: what the Playwright settings say, else data-testid
# noise-requests = []                   # addresses to leave out of sessions, such as ["*/heartbeat*"]
# noise-console = []                    # console lines to leave out: a part of the text, or a "/regex/"
# noise-errors = []                     # the same for errors
# secret-names = []                     # more words that mean a secret, such as ["matricule"]
# secret-variables = []                 # environment variables whose values are secrets
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    project = Project.at(options.project)
    settings = load_settings(project.root)  # a broken file is reported before anything is written
    written = _write_settings(project)
    with keeping(project.root, settings).open() as store:
        where = store.name
    suites = [suite for adapter in adapters(project) for suite in adapter.suites(project)]
    found = [{"framework": suite.framework, "root": project.name_of(suite.root)} for suite in suites]
    if options.json:
        print_json({"settings": _SETTINGS_FILE, "written": written, "store": where, "suites": found})
        return 0
    sys.stdout.write(f"{_SETTINGS_FILE} {'written' if written else 'kept as it is'}; the store is {where}.\n")
    for suite in found:
        sys.stdout.write(f"  {suite['framework']} tests in {suite['root']}\n")
    sys.stdout.write("Next: testwright run\n" if found else "No tests were found yet.\n")
    return 0


def _write_settings(project: Project) -> bool:
    """Whether the file was written; one that exists, or settings in pyproject.toml, are left alone."""
    shared = project.path("pyproject.toml")
    if shared.is_file() and b"tool.testwright" in shared.read_bytes():
        return False
    try:
        descriptor = os.open(project.path(_SETTINGS_FILE), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
    except FileExistsError:
        return False
    except OSError as error:
        raise PathUnreadable(
            f"{project.path(_SETTINGS_FILE)} could not be written: {error.strerror}.",
            next_step="Check the permissions.",
        ) from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(_SETTINGS)
    return True
