"""`testwright doctor`: what is there, what is missing, and how to get it."""

import argparse
import os
import platform
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from testwright import __version__
from testwright.faces.cli.common_options import add_json, add_project
from testwright.faces.cli.standard_output import print_json
from testwright.isolate.available_levels import probe_levels
from testwright.isolate.child import run_child
from testwright.isolate.command import Command
from testwright.isolate.limits import Limits
from testwright.model.case import Framework
from testwright.model.errors import ExitCode, SpawnFailed, TestwrightError
from testwright.model.untrusted_text import visible_line
from testwright.run.external_programs import CHROMIUM_VARIABLE, find_chromium, find_node
from testwright.run.framework_adapter import FrameworkAdapter, RunRequest, Suite
from testwright.run.project import Project
from testwright.run.project_interpreter import project_python
from testwright.settings import Settings, load_settings
from testwright.wiring import adapters, keeping, store_place

DESCRIPTION = "Check this machine and this project, and say what works and what is missing."
_WITH_A_BROWSER = frozenset({Framework.PLAYWRIGHT})


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One thing that was looked at. `ok` None: not needed here."""

    about: str
    ok: bool | None
    found: str
    fix: str = ""


def configure(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    project = Project.at(options.project)
    settings = load_settings(project.root)
    findings = list(_findings(Project(project.root, settings.exclude), settings))
    if options.json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            _print(finding)
    return ExitCode.ENVIRONMENT if any(finding.ok is False for finding in findings) else ExitCode.OK


def _print(finding: HealthCheck) -> None:
    mark = {True: "✓", False: "✗", None: "·"}[finding.ok]
    sys.stdout.write(f"{mark} {finding.about}: {visible_line(finding.found)}\n")
    if finding.fix:
        sys.stdout.write(f"    {visible_line(finding.fix)}\n")


def _findings(project: Project, settings: Settings) -> Iterator[HealthCheck]:
    python = platform.python_version()
    yield HealthCheck("Testwright", True, f"{__version__} on Python {python}, SQLite {sqlite3.sqlite_version}")
    known = adapters(project)
    suites = [(adapter, suite) for adapter in known for suite in adapter.suites(project)]
    for adapter, suite in suites:
        yield _suite(project, adapter, suite)
    if not suites:
        yield HealthCheck("Tests", None, f"none were found in {project.root}")
    used = {suite.framework for _, suite in suites}
    yield from _programs(needs_node=bool(used - {Framework.PYTEST}), needs_browser=bool(used & _WITH_A_BROWSER))
    yield from _isolation()
    yield _store(project.root, settings)


def _suite(project: Project, adapter: FrameworkAdapter, suite: Suite) -> HealthCheck:
    about = f"{suite.framework} in {project.name_of(suite.root)}"
    try:
        adapter.launches(suite, RunRequest(), os.environ)
    except TestwrightError as error:
        return HealthCheck(about, ok=False, found=error.message, fix=error.next_step)
    if suite.framework is not Framework.PYTEST:
        return HealthCheck(about, ok=True, found="its runner is installed")
    return _pytest(about, project_python(suite.root, os.environ, stop_at=project.root))


def _pytest(about: str, python: Path) -> HealthCheck:
    version = _version(python, "-c", "import pytest; print(pytest.__version__)")
    if not version:
        fix = "Install pytest there, or name another interpreter with --python or the setting `python`."
        return HealthCheck(about, ok=False, found=f"{python} has no pytest", fix=fix)
    return HealthCheck(about, ok=True, found=f"pytest {version} on {python}")


def _programs(*, needs_node: bool, needs_browser: bool) -> Iterator[HealthCheck]:
    node = find_node(os.environ)
    if node is not None:
        yield HealthCheck("Node.js", True, f"{_version(node, '--version')} at {node}")
    else:
        yield HealthCheck("Node.js", False if needs_node else None, "not found", "Install it: apt install nodejs npm")
    browser = find_chromium(os.environ)
    if browser is not None:
        yield HealthCheck("Chromium", True, str(browser))
    else:
        fix = f"Install it (apt install chromium, or playwright install chromium), or set {CHROMIUM_VARIABLE}."
        yield HealthCheck("Chromium", False if needs_browser else None, "not found", fix)


def _isolation() -> Iterator[HealthCheck]:
    available = probe_levels()
    yield HealthCheck("Isolation of generated code", True, available.sentence(available.strongest))
    for level, reason in available.reasons.items():
        yield HealthCheck(f"Isolation {level.label}", None, reason)


def _store(root: Path, settings: Settings) -> HealthCheck:
    where = store_place(root, settings)
    if isinstance(where, Path) and not where.exists():
        return HealthCheck("Store", ok=None, found=f"none yet; the first run makes {where}")
    try:
        with keeping(root, settings).open() as store:
            newest = store.runs.list_runs(limit=1)
            last = f", last run {newest[0].id}" if newest else ", no runs yet"
            return HealthCheck("Store", ok=True, found=f"{store.name}{last}")
    except TestwrightError as error:
        return HealthCheck("Store", ok=False, found=error.message, fix=error.next_step)


def _version(program: Path, *arguments: str) -> str:
    try:
        report = run_child(Command([str(program), *arguments], Path("/"), os.environ), limits=Limits(seconds=10))
    except SpawnFailed:
        return ""
    return report.stdout.text.strip() if report.exit_code == 0 else ""
