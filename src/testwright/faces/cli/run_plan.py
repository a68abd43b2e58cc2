"""What the options of `testwright run` come down to: which suites, how, within which limits.

Loaded before anything that listens to a runner, so that the first runner can be started early.
"""

import argparse
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from testwright.isolate.limits import Limits
from testwright.model.case import RUNNABLE, Framework
from testwright.model.state_folder import coverage_folder
from testwright.pipeline.healing.recording_schedule import watched
from testwright.run.framework_adapter import RunRequest, Shard
from testwright.run.project import Project
from testwright.run.suite_plan import PlannedSuite, parse_target, plan_suites
from testwright.settings import Settings, is_healing_switched_off, load_settings
from testwright.store.private_files import prepare_folder
from testwright.wiring import adapters, keeping


class RunPlan(NamedTuple):
    project: Project
    settings: Settings
    suites: list[PlannedSuite]
    limits: Limits
    python: Path | None
    heals: bool = False  # whether failures are looked at for lost elements

    @classmethod
    def of(cls, options: argparse.Namespace) -> "RunPlan":
        settings = load_settings(options.project)
        project = Project.at(options.project, exclude=settings.exclude)
        python = options.python or settings.python_at(project.root)
        suites = _suites(options, settings, project, python)
        heals = _heals(options, settings)
        if heals and options.isolation is None:  # guarded tests may not write where we would keep their pages
            suites = watched(suites, project.root)
        return cls(project, settings, suites, _limits(options, settings), python, heals)


def _heals(options: argparse.Namespace, settings: Settings) -> bool:
    """Healing needs the store: it goes by what earlier runs saw, and leaves a proposal there."""
    if options.no_auto_heal or options.no_store or is_healing_switched_off(os.environ):
        return False
    return settings.heal


def _suites(
    options: argparse.Namespace, settings: Settings, project: Project, python: Path | None
) -> list[PlannedSuite]:
    request = RunRequest(
        select=tuple(_as_glob(text) for text in options.select),
        shard=Shard(*options.shard) if options.shard else None,
        workers=options.parallel or settings.parallel or None,
        fail_fast=options.fail_fast,
        test_seconds=options.timeout or settings.timeout,
        check_environment=options.check_environment,
        extra=options.passed_on,
    )
    wanted = tuple(Framework(name) for name in options.framework or settings.frameworks) or RUNNABLE
    known = adapters(project, frameworks=wanted, python=python, warm=options.warm)
    targets = [parse_target(text, project) for text in options.targets]
    failed = keeping(project.root, settings).last_failed() if options.last_failed else None
    planned = plan_suites(project, known, request, targets=targets, last_failed=failed)
    return _with_coverage(planned, project.root) if options.coverage else planned


def _with_coverage(planned: list[PlannedSuite], root: Path) -> list[PlannedSuite]:
    """Each suite with a file of its own for its data."""
    folder = coverage_folder(root)
    prepare_folder(folder)
    moment = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}"
    files = [folder / f"{moment}-{number}.coverage" for number in range(1, len(planned) + 1)]
    return [
        item._replace(request=replace(item.request, coverage_file=file))
        for item, file in zip(planned, files, strict=True)
    ]


def _limits(options: argparse.Namespace, settings: Settings) -> Limits:
    memory = settings.memory if options.memory is None else options.memory
    output = settings.output if options.output_limit is None else options.output_limit
    return Limits(memory_bytes=memory or None, output_bytes=output)


def _as_glob(text: str) -> str:
    """What a person means by a pattern without wildcards: anywhere in the name."""
    return text if any(mark in text for mark in "*?[") else f"*{text}*"
