"""Which tests reach a mutant, and whether one of them notices it."""

import json
import math
import os
import resource
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .mutation_forks import Job, JobEnd, Tell, run_job, run_jobs
from .mutation_session import MutationSession

Say = Callable[..., None]
_WORK_AT_LEAST = 200_000
_WORK_FACTOR = 20


@dataclass(frozen=True)
class ControlResult:
    """What the control run showed of one test."""

    seconds: float
    cpu: float
    work: int
    hits: int


@dataclass(frozen=True)
class TrialOutcome:
    """`test` is the number of the test that was the last to run, -1 for none; `name` is what pytest calls it."""

    status: str
    test: int = -1
    name: str = ""

    @classmethod
    def of(cls, ended: JobEnd) -> "TrialOutcome":
        running = [line for line in ended.lines if line.startswith("[")]
        test, name = json.loads(running[-1]) if running else (-1, "")
        last = ended.lines[-1] if ended.lines else ""
        if last in ("passed", "no function"):
            return cls("survived" if last == "passed" else last)
        return cls("timeout" if last == "timeout" or ended.out_of_time else "killed", test, name)


class MutantTrials:
    """The tests of one session, and the mutants that are tried on them."""

    def __init__(
        self, session: MutationSession, variants: Any, masks: Mapping[tuple[str, int], int], config: Mapping[str, Any]
    ) -> None:
        self._session, self._variants, self._config = session, variants, config
        self._known: list[ControlResult] = []
        self._masks = masks  # the probes of a statement, by function and line
        self._at_import = int.from_bytes(session.at_import, "little")
        self._cpu_to_collect = _used_cpu()
        self._independent: set[int] = set()
        self._dependent: set[int] = set()  # tests that fail unless others have run before

    # --- control -----------------------------------------------------------------------------

    def control(self, say: Say) -> bool:
        """Run all tests as they are, and learn what each reaches. False: they are not all green, or there are none."""
        names = [item.nodeid for item in self._session.items]
        failed = list(self._session.not_collected)
        if names and not failed:
            ended = run_job(Job("control", self._session.control))
            reports = [json.loads(line) for line in ended.lines if line.startswith("{")]
            hits = [int(line, 16) for line in ended.lines[len(reports) :]]
            failed = [(name, told["failure"]) for name, told in zip(names, reports, strict=False) if told["failure"]]
            if len(hits) != len(names) and not failed:
                failed = [(names[min(len(reports), len(names) - 1)], "its process ended before the test did")]
            self._known = [
                ControlResult(told["seconds"], told["cpu"], told["work"], hit)
                for told, hit in zip(reports, hits, strict=False)
            ]
        seconds = sum(test.seconds for test in self._known)
        reaching = sum(1 for test in self._known if test.hits)
        imported = bool(self._at_import or reaching)
        say("control", tests=len(names), failed=failed, reaching=reaching, imported=imported, seconds=seconds)
        return bool(names) and not failed

    # --- mutants -----------------------------------------------------------------------------

    def run(self, mutants: Sequence[Any], say: Say) -> None:
        """Report the verdict on each mutant; those that need another import are named at the end."""
        needs_import: list[int] = []
        waiting: deque[tuple[Any, bool]] = deque()  # and whether with all tests that come before
        for mutant in mutants:
            if mutant.function is not None and self._reaching(mutant):
                waiting.append((mutant, False))
            elif self._mask(mutant) & self._at_import or self._reaching(mutant):
                needs_import.append(mutant.number)
            else:
                say("verdict", number=mutant.number, status="uncovered", by="")

        def next_job() -> "Job | None":
            return self._job(*waiting.popleft()) if waiting else None

        for ended in run_jobs(next_job, self._config["parallel"]):
            (mutant, whole), verdict = ended.about, TrialOutcome.of(ended)
            if not whole and not self._is_settled(mutant, verdict):
                waiting.append((mutant, True))
            elif verdict.status == "no function" or (
                verdict.status == "survived" and self._mask(mutant) & self._at_import
            ):
                needs_import.append(mutant.number)
            else:
                say("verdict", number=mutant.number, status=verdict.status, by=verdict.name)
        seconds, cpu = sum(test.seconds for test in self._known), sum(test.cpu for test in self._known)
        needed = {"numbers": sorted(needs_import), "left_out": self._unconcerned_files() if needs_import else []}
        say("needs_import", seconds=seconds, cpu=cpu + self._cpu_to_collect, **needed)

    def _is_settled(self, mutant: Any, verdict: TrialOutcome) -> bool:
        """Whether running more tests could not change the verdict, because of tests that need others before them."""
        if verdict.status in ("killed", "timeout"):
            return verdict.test < 0 or self._passes_alone(verdict.test)
        return verdict.status != "survived" or not self._dependent.intersection(self._reaching(mutant))

    def _unconcerned_files(self) -> list[str]:
        """Test files that have nothing to do with the module: they run none of its code, and do not name it."""
        concerned: dict[str, bool] = {}
        for item, known in zip(self._session.items, self._known, strict=True):
            concerned[str(item.path)] = concerned.get(str(item.path), False) or known.hits != 0
        name = module_name(self._config["target"]).encode()
        return sorted(path for path, is_concerned in concerned.items() if not is_concerned and not _holds(path, name))

    def _mask(self, mutant: Any) -> int:
        return self._masks.get((mutant.function or "", mutant.statement), 0)

    def _reaching(self, mutant: Any) -> list[int]:
        mask = self._mask(mutant)
        return [number for number, test in enumerate(self._known) if test.hits & mask]

    def _job(self, mutant: Any, whole: bool) -> Job:
        reaching = self._reaching(mutant)
        tests: Sequence[int] = [test for test in reaching if test not in self._dependent]
        if whole:
            tests = range(max(reaching) + 1)

        def work(tell: Tell) -> None:
            swaps = self._variants.functions_of(mutant)
            if not swaps:
                tell("no function")
                return
            for function, code in swaps:
                function.__code__ = code
            self._session.first_to_fail(tests, self._work, tell)

        return Job((mutant, whole), work, *self._limits(tests))

    def _work(self, test: int) -> int:
        return _WORK_AT_LEAST + _WORK_FACTOR * self._known[test].work

    def _limits(self, tests: Sequence[int]) -> "tuple[int, float]":
        seconds = sum(self._known[test].seconds for test in tests)
        cpu = sum(self._known[test].cpu for test in tests)
        return limits(seconds, cpu, self._config.get("timeout"))

    def _passes_alone(self, test: int) -> bool:
        """Whether the test passes by itself: one that needs others before it fails without any mutant."""
        if test not in self._independent | self._dependent:
            job = Job(test, lambda tell: self._session.first_to_fail([test], self._work, tell), *self._limits([test]))
            passes = TrialOutcome.of(run_job(job)).status == "survived"
            (self._independent if passes else self._dependent).add(test)
        return test in self._independent


def limits(seconds: float, cpu: float, timeout: "float | None") -> "tuple[int, float]":
    """CPU and wall seconds for a mutant whose tests took that long without it."""
    return math.ceil(5 * cpu) + 2, timeout or 10 * seconds + 10


def module_name(path: str) -> str:
    """The last part of the name that the file is imported by."""
    folder, file = os.path.split(path)
    return os.path.basename(folder) if file == "__init__.py" else os.path.splitext(file)[0]


def _holds(path: str, text: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return text in file.read()
    except OSError:
        return True  # for any error: it is not ours to leave out


def _used_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
