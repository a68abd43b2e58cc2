"""A runner from start to certain end: restarts, retries, several processes at once, and being stopped half-way."""

import contextlib
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.isolate.child import Cancel
from testwright.model.case import Framework
from testwright.model.events import AttemptFinished, RunEvent, TestStarted
from testwright.model.outcome import Outcome
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest, Shard
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project

from .conftest import CLEAN, RunPytest, Story, Write

PASSING = "def test_other():\n    pass\n"
XDIST = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": ""}


def files_of(count: int, tests: int) -> dict[str, str]:
    code = "".join(f"def test_{number}(): pass\n" for number in range(tests))
    return {f"tests/test_{letter}.py": code for letter in "abcdefghij"[:count]}


def processes_in(folder: Path) -> list[str]:
    """The living processes that work in a folder."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):  # gone since the listing
            if link.readlink() == folder:
                found.append(link.parent.name)
    return found


def once_each(story: Story) -> bool:
    return all(len(attempts) == 1 for attempts in story.attempts.values())


# --- restarts --------------------------------------------------------------------------------


def test_every_crashing_test_of_a_file_has_its_own_verdict(project: Write, run_pytest: RunPytest) -> None:
    code = """
import ctypes, os, signal
def test_1(): os._exit(3)
def test_2(): ctypes.string_at(0)
def test_3(): pass
def test_4(): os.kill(os.getpid(), signal.SIGKILL)
def test_5(): pass
"""
    story = run_pytest(project({"test_a.py": code}))
    reasons = {
        name.partition("::")[2]: (str(last[-1].outcome), last[-1].reason) for name, last in story.attempts.items()
    }
    assert reasons == {
        "test_1": ("no_verdict", ""),
        "test_2": ("crashed", "signal_11"),
        "test_3": ("passed", ""),
        "test_4": ("crashed", "signal_9"),
        "test_5": ("passed", ""),
    }
    assert once_each(story)


def test_a_crash_loop_ends_and_what_was_not_run_says_so(project: Write, run_pytest: RunPytest) -> None:
    conftest = "import os\ndef pytest_runtest_setup(item): os._exit(1)\n"
    story = run_pytest(project({"conftest.py": conftest, **files_of(1, 12)}))
    assert story.counts == {"no_verdict": 12}
    assert once_each(story)
    assert story["::test_11"].reason == "crash_loop"


def test_after_a_crash_tests_are_found_again_though_the_root_lies_elsewhere(
    project: Write, run_pytest: RunPytest, tmp_path: Path
) -> None:
    """Node ids hang on where pytest finds a configuration or a setup.py; ours do not."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    code = "import os\ndef test_1(): os._exit(0)\ndef test_2(): pass\nclass TestA:\n    def test_3(self): pass\n"
    story = run_pytest(project({"sub/setup.py": "", "sub/tests/test_a.py": code}))
    assert story.counts == {"no_verdict": 1, "passed": 2}
    assert set(story.outcomes) == {f"sub/tests/test_a.py::{name}" for name in ("test_1", "test_2", "TestA::test_3")}


def test_a_project_behind_a_link_keeps_its_names(project: Write, run_pytest: RunPytest, tmp_path: Path) -> None:
    code = "import os\ndef test_1(): os._exit(0)\ndef test_2(): pass\n"
    (tmp_path / "link").symlink_to(project({"test_a.py": code}))
    story = run_pytest(tmp_path / "link")
    assert story.outcomes == {"test_a.py::test_1": "no_verdict", "test_a.py::test_2": "passed"}


def test_a_test_that_cannot_be_found_again_does_not_vanish(project: Write, run_pytest: RunPytest) -> None:
    code = """
import os, pathlib
flag = pathlib.Path(__file__).with_name("flag")
def test_1():
    flag.touch()
    os._exit(0)
if not flag.exists():
    def test_2(): pass
"""
    story = run_pytest(project({"test_a.py": code}))
    assert story.outcomes == {"test_a.py::test_1": "no_verdict", "test_a.py::test_2": "no_verdict"}
    assert "did not find it again" in story["test_2"].message


def test_a_file_that_ends_the_runner_when_loaded_again_takes_no_test_along(
    project: Write, run_pytest: RunPytest
) -> None:
    code = """
import os, pathlib
flag = pathlib.Path(__file__).with_name("flag")
if flag.exists(): os._exit(0)
def test_1():
    flag.touch()
    os._exit(0)
def test_2(): pass
"""
    story = run_pytest(project({"test_a.py": code, "test_b.py": PASSING}))
    assert story.counts == {"no_verdict": 3, "passed": 1}
    assert "ended the runner" in story["test_2"].message
    assert story["test_b.py::test_other"].outcome is Outcome.PASSED


def test_a_runner_whose_exit_code_belies_its_word_is_a_problem(project: Write, run_pytest: RunPytest) -> None:
    code = "import atexit, os\natexit.register(os._exit, 7)\ndef test_a(): pass\n"
    story = run_pytest(project({"test_a.py": code}))
    assert story.codes == ["no_verdict"]
    assert "said it would exit with 0, but exited with 7" in story.problems[0].message


def test_a_runner_that_fails_though_no_test_did_is_a_problem(project: Write, run_pytest: RunPytest) -> None:
    conftest = "def pytest_sessionfinish(session): session.exitstatus = 6\n"
    story = run_pytest(project({"conftest.py": conftest, "test_a.py": PASSING}))
    assert (story.counts, story.codes) == ({"passed": 1}, ["runner_failed"])


def test_a_runner_that_cannot_be_started_is_a_problem(project: Write, run_pytest: RunPytest, tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    story = run_pytest(project({"test_a.py": PASSING}), python=broken)
    assert story.codes == ["spawn_failed"]


# --- retries and fail-fast ---------------------------------------------------------------------

FLAKY = """
import pathlib
count = pathlib.Path(__file__).with_name("count")
def test_flaky():
    tries = int(count.read_text()) if count.exists() else 0
    count.write_text(str(tries + 1))
    assert tries == 1
def test_broken(): assert 0
def test_fine(): pass
"""


def test_every_attempt_is_kept_and_numbered(project: Write, run_pytest: RunPytest) -> None:
    story = run_pytest(project({"test_a.py": FLAKY}), retries=2)
    flaky, broken, fine = (story.result(name) for name in ("test_flaky", "test_broken", "test_fine"))
    assert [(str(attempt.outcome), attempt.number) for attempt in flaky.attempts] == [("failed", 1), ("passed", 2)]
    assert [attempt.number for attempt in broken.attempts] == [1, 2, 3]
    assert (flaky.is_flaky, broken.is_flaky, fine.is_flaky) == (True, False, False)
    assert len(fine.attempts) == 1


def test_a_crash_may_be_retried_too(project: Write, run_pytest: RunPytest) -> None:
    story = run_pytest(
        project({"test_a.py": FLAKY.replace("assert tries == 1", "tries or __import__('os')._exit(0)")}), retries=1
    )
    assert [str(attempt.outcome) for attempt in story.result("test_flaky").attempts] == ["no_verdict", "passed"]


def test_a_file_that_loads_at_the_second_try_runs_its_tests(project: Write, run_pytest: RunPytest) -> None:
    code = """
import pathlib
flag = pathlib.Path(__file__).with_name("flag")
if not flag.exists():
    flag.touch()
    raise RuntimeError("not yet")
def test_a(): pass
"""
    story = run_pytest(project({"test_a.py": code}), retries=1)
    assert story["::test_a"].outcome is Outcome.PASSED
    assert story.result("test_a.py").is_flaky


def test_fail_fast_stops_at_the_first_failure(project: Write, run_pytest: RunPytest) -> None:
    code = "def test_1(): pass\ndef test_2(): assert 0\ndef test_3(): pass\n"
    story = run_pytest(project({"test_a.py": code}), RunRequest(fail_fast=True))
    assert story.outcomes == {"test_a.py::test_1": "passed", "test_a.py::test_2": "failed"}
    assert story.problems == []


@pytest.mark.parametrize("crash", ["os._exit(0)", "time.sleep(600)"])
def test_fail_fast_stops_at_a_crash_or_a_hang_too(project: Write, run_pytest: RunPytest, crash: str) -> None:
    code = f"import os, time\ndef test_1(): pass\ndef test_2(): {crash}\ndef test_3(): pass\n"
    story = run_pytest(project({"test_a.py": code}), RunRequest(fail_fast=True, test_seconds=2.0))
    assert list(story.outcomes) == ["test_a.py::test_1", "test_a.py::test_2"]


def test_what_stopped_a_fail_fast_run_is_still_retried(project: Write, run_pytest: RunPytest) -> None:
    request = RunRequest(fail_fast=True, workers=2)
    story = run_pytest(project({"test_a.py": "def test_fails(): assert 0\n", "test_b.py": PASSING}), request, retries=1)
    assert [attempt.number for attempt in story.result("test_fails").attempts] == [1, 2]


def test_too_many_files_that_end_the_runner_are_a_problem(
    project: Write, run_pytest: RunPytest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("testwright.run.restarts.MOST_LOST_FILES", 2)
    story = run_pytest(project({f"test_{letter}.py": "import os; os._exit(0)\n" for letter in "abc"}))
    assert (story.counts, story.codes) == ({"no_verdict": 2}, ["crash_loop"])


def test_fail_fast_reaches_the_other_processes(project: Write, run_pytest: RunPytest) -> None:
    waiting = "import time\ndef test_waits(): time.sleep(600)\ndef test_after(): pass\n"
    files = {"test_a.py": "def test_fails(): assert 0\n", "test_b.py": waiting}
    story = run_pytest(project(files), RunRequest(fail_fast=True, workers=2))
    assert story.outcomes == {"test_a.py::test_fails": "failed"}


# --- several processes at once -------------------------------------------------------------------


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_workers_run_every_test_exactly_once(project: Write, run_pytest: RunPytest, workers: int) -> None:
    root = project({**files_of(5, 7), "tests/test_big.py": "".join(f"def test_{n}(): pass\n" for n in range(30))})
    serial, parallel = run_pytest(root), run_pytest(root, RunRequest(workers=workers))
    assert parallel.outcomes == serial.outcomes
    assert len(parallel.outcomes) == 65
    assert once_each(parallel)


def test_workers_share_out_a_single_file_in_any_order_of_its_tests(project: Write, run_pytest: RunPytest) -> None:
    code = "import pytest\n@pytest.mark.parametrize('name', {f'name-{n}' for n in range(40)})\ndef test_a(name): pass\n"
    story = run_pytest(project({"test_a.py": code}), RunRequest(workers=3))
    assert story.counts == {"passed": 40}
    assert once_each(story)
    assert story.problems == []


def test_workers_that_find_different_tests_are_a_problem(project: Write, run_pytest: RunPytest) -> None:
    code = (
        "import os, pytest\n@pytest.mark.parametrize('pid', [os.getpid()])\ndef test_a(pid): pass\ndef test_b(): pass\n"
    )
    story = run_pytest(project({"test_a.py": code}), RunRequest(workers=2))
    assert "collection_differs" in story.codes


def test_workers_tell_of_a_broken_file_once(project: Write, run_pytest: RunPytest) -> None:
    files = {**files_of(4, 3), "tests/test_bad.py": "1 / 0\n", "tests/test_worse.py": "import os; os._exit(1)\n"}
    story = run_pytest(project(files), RunRequest(workers=3))
    assert story.counts == {"passed": 12, "error": 1, "no_verdict": 1}
    assert once_each(story)


def test_workers_tell_of_a_broken_conftest_once(project: Write, run_pytest: RunPytest) -> None:
    story = run_pytest(project({**files_of(3, 2), "conftest.py": "1 / 0\n"}), RunRequest(workers=3))
    assert story.codes == ["conftest_failed"]


def test_crashes_under_several_workers_cost_only_their_own_tests(project: Write, run_pytest: RunPytest) -> None:
    crashing = "import os\ndef test_1(): pass\ndef test_2(): os._exit(0)\ndef test_3(): pass\n"
    story = run_pytest(project({**files_of(4, 5), "test_x.py": crashing, "test_y.py": crashing}), RunRequest(workers=2))
    assert story.counts == {"passed": 24, "no_verdict": 2}
    assert once_each(story)


def test_no_thread_is_left_behind(project: Write, run_pytest: RunPytest) -> None:
    before = set(threading.enumerate())
    run_pytest(project(files_of(4, 2)), RunRequest(workers=4))
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("workers", [1, 3])
def test_a_caller_that_stops_listening_leaves_no_thread_and_no_process(project: Write, workers: int) -> None:
    root = project({f"test_{letter}.py": "import time\ndef test_a(): time.sleep(600)\n" for letter in "abc"})
    found = Project.at(root)
    adapter = PytestAdapter(found, Path(sys.executable))
    before = set(threading.enumerate())
    [suite] = adapter.suites(found)
    events = Driver(found, CLEAN).run(adapter, suite, RunRequest(workers=workers), parallel=workers)
    started = (event for event in events if isinstance(event, TestStarted))
    for _ in range(workers):
        next(started)
    assert len(processes_in(root)) == workers
    events.close()  # type: ignore[attr-defined]  # a generator, which its type does not say
    assert set(threading.enumerate()) <= before
    assert processes_in(root) == []


# --- pytest-xdist ------------------------------------------------------------------------------


def test_pytest_xdist_may_do_the_sharing_and_the_counts_agree(project: Write, run_pytest: RunPytest) -> None:
    files = {
        **files_of(3, 4),
        "test_x.py": "import pytest\ndef test_f(): assert 0\n@pytest.mark.skip\ndef test_s(): pass\n",
    }
    root = project(files)
    serial, spread = run_pytest(root), run_pytest(root, RunRequest(extra=("-n", "2")), env=XDIST)
    assert spread.outcomes == serial.outcomes
    assert sorted(spread.announced) == sorted(serial.announced)
    assert spread.problems == []


def test_a_worker_lost_to_pytest_xdist_costs_one_test(project: Write, run_pytest: RunPytest) -> None:
    files = {**files_of(2, 4), "test_x.py": "import os\ndef test_1(): os._exit(1)\ndef test_2(): pass\n"}
    story = run_pytest(project(files), RunRequest(extra=("-n", "2")), env=XDIST)
    assert story["test_x.py::test_1"].outcome is Outcome.CRASHED
    assert story.counts == {"crashed": 1, "passed": 9}


def test_a_project_that_always_spreads_its_tests_can_still_be_narrowed_down(
    project: Write, run_pytest: RunPytest
) -> None:
    root = project({**files_of(3, 4), "pytest.ini": "[pytest]\naddopts = -n 2\n"})
    whole = run_pytest(root, env=XDIST)
    assert whole.counts == {"passed": 12}
    assert set(run_pytest(root, RunRequest(select=("*test_3",)), env=XDIST).outcomes) == {
        name for name in whole.outcomes if name.endswith("test_3")
    }
    parts = [run_pytest(root, RunRequest(shard=Shard(index, 2)), env=XDIST).outcomes for index in (1, 2)]
    assert sorted([*parts[0], *parts[1]]) == sorted(whole.outcomes)
    shared = run_pytest(root, RunRequest(workers=2), env=XDIST)
    assert (shared.outcomes, once_each(shared)) == (whole.outcomes, True)


def test_only_the_test_that_hangs_times_out_when_others_run_beside_it(project: Write, run_pytest: RunPytest) -> None:
    slow = "import time\ndef test_hangs(): time.sleep(600)\n"
    quick = "import time, pytest\n@pytest.mark.parametrize('n', range(30))\ndef test_n(n): time.sleep(0.25)\n"
    story = run_pytest(
        project({"test_a.py": slow, "test_b.py": quick}), RunRequest(extra=("-n", "2"), test_seconds=2.0), env=XDIST
    )
    assert story.counts == {"timeout": 1, "passed": 30}
    assert story["test_hangs"].outcome is Outcome.TIMEOUT


def test_a_worker_that_we_ended_ourselves_has_not_crashed(project: Write, run_pytest: RunPytest) -> None:
    """pytest-xdist sees its workers die by the signal that ends the run, and reports what they ran as crashed."""
    outlives_its_workers = (
        "import os, signal\n"
        "if 'PYTEST_XDIST_WORKER' not in os.environ: signal.signal(signal.SIGTERM, lambda *_: None)\n"
    )
    hangs = "import time\ndef test_hangs(): time.sleep(600)\n"
    takes_its_time = "import time, pytest\n@pytest.mark.parametrize('n', range(3))\ndef test_n(n): time.sleep(1.5)\n"
    story = run_pytest(
        project({"conftest.py": outlives_its_workers, "test_a.py": hangs, "test_b.py": takes_its_time}),
        RunRequest(extra=("-n", "2"), test_seconds=2.5),
        env=XDIST,
    )
    assert story.counts == {"timeout": 1, "passed": 3}
    assert story["test_hangs"].outcome is Outcome.TIMEOUT


# --- being stopped -----------------------------------------------------------------------------


def stop_when(cancel: Cancel, running: str, finished: str) -> Callable[[RunEvent], None]:
    """Raises the flag, from another thread, when one test runs and another has finished."""
    seen: set[str] = set()

    def listen(event: RunEvent) -> None:
        if isinstance(event, TestStarted) and event.case.name == running:
            seen.add(running)
        if isinstance(event, AttemptFinished) and event.case.name == finished:
            seen.add(finished)
        if len(seen) == 2:
            threading.Thread(target=cancel).start()

    return listen


@pytest.mark.parametrize("workers", [1, 2])
def test_stopping_keeps_what_finished_and_marks_the_rest_interrupted(
    project: Write, run_pytest: RunPytest, workers: int
) -> None:
    code = "import time\ndef test_1(): pass\ndef test_2(): time.sleep(600)\ndef test_3(): pass\n"
    root, cancel = project({"test_a.py": code}), Cancel()
    story = run_pytest(root, RunRequest(workers=workers), cancel=cancel, listen=stop_when(cancel, "test_2", "test_1"))
    assert (story["test_1"].outcome, story["test_2"].outcome) == (Outcome.PASSED, Outcome.INTERRUPTED)
    assert set(story.outcomes) == {f"test_a.py::test_{number}" for number in (1, 2, 3)}
    assert once_each(story)
    assert processes_in(root) == []


def test_nothing_is_started_once_a_run_was_stopped(project: Write, run_pytest: RunPytest) -> None:
    cancel = Cancel()
    cancel()
    story = run_pytest(project({"test_a.py": PASSING}), cancel=cancel)
    assert not [event for event in story.events if isinstance(event, AttemptFinished)]


# --- coverage ----------------------------------------------------------------------------------

MODULE = "def used():\n    return 1\n\ndef unused():\n    return 2\n"


def covered_lines(file: Path, module: str) -> list[int]:
    from coverage import CoverageData

    data = CoverageData(str(file))
    data.read()
    [name] = [name for name in data.measured_files() if name.endswith(f"/{module}")]
    return sorted({line for line in data.lines(name) or [] if line > 0})


@pytest.mark.parametrize("workers", [1, 2])
def test_coverage_of_all_processes_lands_in_the_file_asked_for(
    project: Write, run_pytest: RunPytest, tmp_path: Path, workers: int
) -> None:
    files = {
        "conftest.py": "import sys, pathlib; sys.path.insert(0, str(pathlib.Path(__file__).parent))\n",
        "mod.py": MODULE,
        ".coveragerc": "[run]\nparallel = true\n",
        "test_a.py": "import mod\ndef test_a(): assert mod.used() == 1\n",
        "test_b.py": "import mod\ndef test_b(): assert mod.unused() == 2\n",
    }
    file = tmp_path / "data.coverage"
    story = run_pytest(project(files), RunRequest(coverage_file=file, workers=workers))
    assert covered_lines(file, "mod.py") == [1, 2, 4, 5]
    assert story.problems == []
    [artifact] = story.ends[0].artifacts
    assert (artifact.name, artifact.path) == ("coverage", str(file))
    assert not list(tmp_path.glob("data.coverage.[0-9]*"))


def test_coverage_that_a_crash_has_lost_is_a_problem_and_the_rest_is_kept(
    project: Write, run_pytest: RunPytest, tmp_path: Path
) -> None:
    files = {
        "conftest.py": "import sys, pathlib; sys.path.insert(0, str(pathlib.Path(__file__).parent))\n",
        "mod.py": MODULE,
        "test_a.py": "import mod, os\ndef test_1(): os._exit(0)\ndef test_2(): mod.used()\n",
    }
    file = tmp_path / "data.coverage"
    story = run_pytest(project(files), RunRequest(coverage_file=file))
    assert story.codes == ["coverage_incomplete"]
    assert covered_lines(file, "mod.py") == [1, 2, 4]


def test_the_framework_of_a_suite_is_that_of_its_results(project: Write, run_pytest: RunPytest) -> None:
    story = run_pytest(project({"test_a.py": PASSING}))
    assert story.result("test_other").case.framework is Framework.PYTEST
