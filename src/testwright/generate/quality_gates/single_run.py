"""Run one generated test file once, in a fresh and guarded interpreter, and say what was seen."""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from testwright.generate.measured_results import Covered
from testwright.generate.quality_gates.project_mirror import ProjectMirror, build_mirror
from testwright.isolate.channel_listener import Record
from testwright.isolate.child import Cancel, Child, ChildReport, Ending
from testwright.isolate.command import Command
from testwright.isolate.guard import IsolationLevel
from testwright.isolate.limits import GUARDED_LIMITS
from testwright.isolate.sandbox import Sandbox, open_sandbox
from testwright.model.errors import RunnerMissing

_START = Path(__file__).parents[1] / "inside" / "pytest_gate" / "pytest_start.py"
_START_SECONDS = 60.0  # for pytest to come up and to import everything
_TEST_SECONDS = 10.0  # for one generated test: the explorer gave up on calls far quicker than this
PASSED = "passed"


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """A file to run, and the project around it. `folder` is where it would lie, in the project or elsewhere."""

    name: str
    text: str
    folder: Path
    root: Path
    python: Path
    level: IsolationLevel
    support: Mapping[str, str] = field(default_factory=dict)  # files that would lie beside it: name -> text
    roots: tuple[str, ...] = ()  # what must be on the import path once its conftest has run
    readable: tuple[Path, ...] = ()  # what it may read besides the project, the interpreter and that one's packages

    @property
    def needed(self) -> list[Path]:
        """What a child reads besides the project: its interpreter, that one's packages, a module from elsewhere."""
        return [self.python.parent.parent, self.python.resolve().parent.parent, *self.readable]

    def mirror_in(self, room: Sandbox) -> ProjectMirror:
        """The project in `room` as it would be with the file in it; as it is, where the file has no name."""
        place = room.temp / "stage"
        place.mkdir()
        return build_mirror(
            place, self.folder, self.root, {**self.support, **({self.name: self.text} if self.name else {})}
        )


@dataclass(frozen=True, slots=True)
class WatchedModule:
    """The module to watch, by the name it is imported by and its file."""

    name: str
    file: Path
    seen_before: tuple[int, ...] = ()  # probes, by number, that other tests are known to pass: they count as passed


@dataclass(frozen=True, slots=True)
class RunConditions:
    """How one run differs from another. Two runs that differ in all of it must still see the same."""

    hash_seed: int
    order: str | None = None  # None: as written. Otherwise the tests are shuffled, and this text says how.
    elsewhere: bool = False  # whether it is started in an empty folder rather than at the project's root
    watched: WatchedModule | None = None


@dataclass(frozen=True, slots=True)
class TestSeen:
    __test__ = False

    function: str
    row: int | None  # which row of the function's parameters; None where it has none
    outcome: str
    """`passed`, `failed`, `error`, `skipped`, or `unfinished` where the process ended before the test did."""
    text: str = ""

    @property
    def key(self) -> tuple[str, int | None]:
        return self.function, self.row

    @property
    def name(self) -> str:
        return self.function if self.row is None else f"{self.function} (row {self.row + 1})"


@dataclass(frozen=True, slots=True)
class SuiteRunResult:
    """What one run saw."""

    tests: tuple[TestSeen, ...] = ()
    trouble: str = ""  # what kept the file from being collected, or pytest from finishing
    missing_roots: tuple[str, ...] = ()
    imported: Covered | None = None
    covered: Covered | None = None
    cpu_s: float = 0.0
    cancelled: bool = False


def run_once(trial: SuiteFile, manner: RunConditions, cancel: Cancel) -> SuiteRunResult:
    """Run the file in a room of its own. Raises RunnerMissing where the interpreter has no pytest."""
    started = time.thread_time()
    with open_sandbox(trial.root, trial.level, readable=trial.needed) as room:
        mirror = trial.mirror_in(room)
        cwd = mirror.root
        if manner.elsewhere:
            cwd = room.temp / "elsewhere"
            cwd.mkdir()
        file = mirror.folder / trial.name
        greeting = _greeting(trial, manner, mirror, file)
        command = pytest_command(trial, room, cwd, [file], hash_seed=manner.hash_seed)
        seen, report = _heard(command, greeting, room, cancel)
    cpu_s = time.thread_time() - started + report.usage.cpu_ms / 1000
    return seen.ended(report, cpu_s)


def pytest_command(trial: SuiteFile, room: Sandbox, cwd: Path, files: Sequence[Path], *, hash_seed: int) -> Command:
    """Our start of pytest, on files of a mirror in `room`."""
    env = room.env(os.environ)
    env.pop("PYTHONPATH", None)  # an import that works only with it does not work for everyone
    env["PYTHONHASHSEED"] = str(hash_seed)
    # Our own plugin, where it is installed beside the project, must not be loaded, and its files may be out of reach.
    plugins = ["-p", "no:cacheprovider", "-p", "no:testwright"]
    options = ["-q", *plugins, "--continue-on-collection-errors", "--tb=short", "--color=no"]
    return Command([str(trial.python), "-P", str(_START), *options, *map(str, files)], cwd, env)


def _greeting(trial: SuiteFile, manner: RunConditions, mirror: ProjectMirror, file: Path) -> dict[str, object]:
    watched = manner.watched
    return {
        "file": str(file),
        "order": manner.order,
        "roots": {root: [root, str(_mirror_of(Path(root), trial, mirror))] for root in trial.roots},
        "measured": {**asdict(watched), "file": str(watched.file)} if watched is not None else None,
    }


def _mirror_of(root: Path, trial: SuiteFile, mirror: ProjectMirror) -> Path:
    """The mirror of one of the project's folders."""
    return mirror.root / root.relative_to(trial.root) if root.is_relative_to(trial.root) else root


def _heard(
    command: Command, greeting: Mapping[str, object], room: Sandbox, cancel: Cancel
) -> "tuple[_Listener, ChildReport]":
    listener = _Listener()
    with Child(command, limits=GUARDED_LIMITS, guard=room.guard, channel=greeting, cancel=cancel) as child:
        child.deadline = time.monotonic() + _START_SECONDS
        for record in child.records():
            listener.hear(record)
            child.deadline = time.monotonic() + listener.patience
        return listener, child.report


class _Listener:
    """Puts together what a run reports."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, int | None]] = {}
        self._outcomes: dict[str, tuple[str, str]] = {}
        self._running: str | None = None
        self._measured: dict[str, Covered] = {}
        self._missing_roots: tuple[str, ...] = ()
        self._trouble = ""
        self._has_ended = False
        self.patience = _START_SECONDS

    def hear(self, record: Record) -> None:
        match record["kind"]:
            case "no_pytest":
                raise RunnerMissing(
                    str(record["text"]), next_step="Install pytest there, or name another interpreter with --python."
                )
            case "collected":
                self._names = {test["id"]: (test["function"], test["row"]) for test in record["tests"]}
                self._missing_roots = tuple(record["missing_roots"])
            case "not_collected":
                self._trouble = str(record["text"]) if record["own"] else self._trouble
            case "started":
                self._running, self.patience = record["id"], _TEST_SECONDS
            case "finished":
                self._running = None
                self._outcomes[record["id"]] = (record["outcome"], record["text"])
            case "imported" | "covered" as kind:
                self._measured[kind] = Covered.from_record(record)
                self.patience = _TEST_SECONDS
            case "broken":
                self._trouble = str(record["text"])
            case "end":
                self._has_ended, self.patience = True, _TEST_SECONDS

    def ended(self, report: ChildReport, cpu_s: float) -> SuiteRunResult:
        tests = tuple(self._test(identifier, report) for identifier in self._names if self._was_tried(identifier))
        trouble = self._trouble
        if not trouble and not self._names:
            trouble = _last_words(report)
        return SuiteRunResult(
            tests=tests,
            trouble=trouble,
            missing_roots=self._missing_roots,
            imported=self._measured.get("imported"),
            covered=self._measured.get("covered"),
            cpu_s=cpu_s,
            cancelled=report.ending is Ending.CANCELLED,
        )

    def _was_tried(self, identifier: str) -> bool:
        return identifier in self._outcomes or identifier == self._running

    def _test(self, identifier: str, report: ChildReport) -> TestSeen:
        function, row = self._names[identifier]
        if identifier in self._outcomes:
            outcome, text = self._outcomes[identifier]
            return TestSeen(function, row, outcome, text)
        return TestSeen(function, row, "unfinished", f"Its process ended under it: {_how(report)}.")


def _how(report: ChildReport) -> str:
    match report.ending:
        case Ending.TIMEOUT:
            return "it took too long"
        case Ending.SIGNALLED:
            return f"signal {report.signal}"
        case Ending.OUTPUT_LIMIT:
            return "it printed too much"
    return f"exit code {report.exit_code}"


def _last_words(report: ChildReport) -> str:
    """What pytest printed when it ran no test at all."""
    printed = report.stderr.text.strip() or report.stdout.text.strip()
    return printed or f"pytest collected nothing: {_how(report)}."
