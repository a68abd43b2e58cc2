"""Which mutants of a file the project's own tests notice. Nothing in the project is changed for it."""

import math
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from testwright.isolate.channel_listener import Record
from testwright.isolate.child import Cancel, Child, ChildReport, Ending
from testwright.isolate.command import Command
from testwright.isolate.limits import Limits
from testwright.model.errors import (
    ControlFailed,
    InvalidSource,
    MutationFailed,
    NoTests,
    RunnerMissing,
    TestwrightError,
)
from testwright.model.mutation_result import MutantStatus, MutantVerdict, MutationResult
from testwright.model.untrusted_text import visible_line
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project
from testwright.run.project_interpreter import project_python

_RUNNER = Path(__file__).parent / "inside" / "mutation_runner.py"
_FAILURES_NAMED = 10
_LAST_LINES = 8


@dataclass(frozen=True, slots=True)
class MutationRequest:
    """Paths are absolute. `limit` None: all mutants; else that many, chosen by `seed`."""

    target: Path
    tests: tuple[Path, ...] = ()  # files or folders; none: all tests of the suite around the target
    limit: int | None = None
    seed: int = 0
    parallel: int = 1
    timeout: float | None = None  # seconds for each mutant; None: by how long its tests took without it
    extra: tuple[str, ...] = ()  # the user's own options for pytest


@dataclass(frozen=True, slots=True)
class MutationProgress:
    """How far it is. Before `planned` is known it is 0."""

    planned: int
    verdict: MutantVerdict | None = None


OnProgress = Callable[[MutationProgress], None]


def find_survivors(
    project: Project,
    request: MutationRequest,
    env: Mapping[str, str],
    *,
    python: Path | None = None,
    limits: Limits | None = None,
    cancel: Cancel | None = None,
    on_progress: OnProgress = lambda _: None,
) -> MutationResult:
    """Try the mutants of a file on the tests of its project.

    Raises ControlFailed where the tests fail without any mutant, NoTests where there are none.
    """
    root = _root(project, request)
    interpreter = project_python(root, env, given=python, stop_at=project.root)
    config = {
        "target": str(request.target),
        "limit": request.limit,
        "seed": request.seed,
        "parallel": request.parallel,
        "timeout": request.timeout,
    }
    listener = _Listener(project, request, on_progress)
    with tempfile.TemporaryDirectory(prefix="testwright-mutate-") as scratch:
        # The cache of the user's own runs stays as it is: which tests failed last is not for mutants to say.
        options = ["-o", f"cache_dir={scratch}/cache", *(str(path) for path in request.tests), *request.extra]
        command = Command([str(interpreter), str(_RUNNER), *options], root, env)
        with Child(command, limits=limits or Limits(), channel=config, cancel=cancel) as child:
            for record in child.records():
                listener.receive(record)
            return listener.conclude(child.report)


def _root(project: Project, request: MutationRequest) -> Path:
    """Where pytest is to be started: the root of the suite that the first of the paths lies in."""
    first = next(iter(request.tests), request.target)
    roots = [suite.root for suite in PytestAdapter(project).suites(project)]
    around = [root for root in roots if root == first or root in first.parents]
    if around:
        return max(around, key=lambda root: len(root.parts))
    if project.root == first or project.root in first.parents:
        return project.root
    return first if first.is_dir() else first.parent


@dataclass
class _Listener:
    """What the runner said so far."""

    project: Project
    request: MutationRequest
    on_progress: OnProgress
    total: int = 0
    chosen: int = 0
    tests: int = 0
    reaching: int = 0
    verdicts: list[MutantVerdict] = field(default_factory=list)
    problem: TestwrightError | None = None
    told: Record | None = None  # the problem that the runner reported
    has_ended: bool = False

    def receive(self, record: Record) -> None:
        match record.get("kind"):
            case "planned":
                self.total, self.chosen = int(record["total"]), int(record["chosen"])
                self.on_progress(MutationProgress(self.chosen))
            case "control":
                self._receive_control(record)
            case "verdict":
                verdict = _verdict(record)
                self.verdicts.append(verdict)
                self.on_progress(MutationProgress(self.chosen, verdict))
            case "problem":
                self.told = self.told or record
            case "end":
                self.has_ended = True

    def _receive_control(self, record: Record) -> None:
        self.tests, self.reaching = int(record["tests"]), int(record["reaching"])
        failed = [(str(name), str(why)) for name, why in record["failed"]]
        if failed:
            named = "".join(f"\n  {visible_line(name)}: {visible_line(why)}" for name, why in failed[:_FAILURES_NAMED])
            more = f"\n  and {len(failed) - _FAILURES_NAMED} more" if len(failed) > _FAILURES_NAMED else ""
            self.problem = ControlFailed(
                f"The tests fail without any mutant:{named}{more}",
                next_step="Make them pass first: `testwright run` shows each failure.",
            )
        elif not self.tests:
            self.problem = NoTests("pytest found no test.", next_step="Name a file or folder of tests with --tests.")

    def conclude(self, report: ChildReport) -> MutationResult:
        if report.ending is Ending.CANCELLED:
            raise KeyboardInterrupt
        if self.problem is not None:
            raise self.problem
        if self.told is not None:
            raise _problem(self.told, report)
        if not self.has_ended or len(self.verdicts) != self.chosen:
            raise MutationFailed(
                "\n".join(["The process that tries the mutants ended too early.", *_last_lines(report)]),
                next_step="Its last lines say why.",
            )
        verdicts = tuple(sorted(self.verdicts, key=lambda verdict: verdict.number))
        file = self.project.name_of(self.request.target)
        return MutationResult(file, self.total, verdicts, self.tests, self.reaching, report.duration_ms)


def _verdict(record: Record) -> MutantVerdict:
    function = record["function"]
    return MutantVerdict(
        number=int(record["number"]),
        operator=str(record["operator"]),
        line=int(record["line"]),
        column=int(record["column"]),
        function=None if function is None else str(function),
        description=str(record["description"]),
        status=MutantStatus(record["status"]),
        killed_by=str(record["killed_by"]),
    )


_PROBLEMS: dict[Any, type[TestwrightError]] = {
    "invalid_source": InvalidSource,
    "runner_missing": RunnerMissing,
    "no_tests": NoTests,
}


def _problem(record: Record, report: ChildReport) -> TestwrightError:
    kind = _PROBLEMS.get(record.get("code"), MutationFailed)
    lines = [str(record.get("message", "")), *(_last_lines(report) if record.get("see_output") else [])]
    next_step = str(record.get("next_step", "")) or "Its last lines say why."
    return kind("\n".join(lines), next_step=next_step)


def _last_lines(report: ChildReport) -> list[str]:
    printed = (report.stderr.text.strip() or report.stdout.text.strip()).splitlines()
    return [visible_line(line) for line in printed[-_LAST_LINES:]]


def share_text(share: float) -> str:
    """A share in percent, rounded down: 100 % is said of nothing less."""
    return f"{math.floor(share * 1000) / 10:g} %"
