"""pytest inside a child of ours: what it counts, what tests may try to do to it, and what we believe."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from testwright.isolate.limits import MIB, Limits
from testwright.model.outcome import Outcome
from testwright.run.framework_adapter import RunRequest

if TYPE_CHECKING:
    from tests.run.conftest import RunPytest, Write

PASSING = "def test_other():\n    pass\n"


# --- the counts are pytest's own ---------------------------------------------------------------

EVERY_KIND = '''
import unittest
import pytest

@pytest.fixture
def broken_setup():
    raise RuntimeError("no server")

@pytest.fixture
def broken_teardown():
    yield
    raise RuntimeError("cannot clean up")

def test_passes(): pass
def test_fails(): assert 1 == 2
def test_error_in_setup(broken_setup): pass
def test_error_in_teardown(broken_teardown): pass
@pytest.mark.skip(reason="not today")
def test_skipped(): pass
def test_skips_itself(): pytest.skip("not here")
@pytest.mark.xfail(reason="known bug")
def test_fails_as_expected(): assert 0
@pytest.mark.xfail
def test_passes_unexpectedly(): pass
@pytest.mark.xfail(strict=True)
def test_passes_against_a_strict_expectation(): pass
@pytest.mark.parametrize("value", ["a::b", "ä/ö [x]", "", "[", "]::["])
def test_with_parameters(value): assert value != "["

class TestGroup:
    def test_in_group(self): pass
    class TestInner:
        def test_deeper(self): assert False

class Old(unittest.TestCase):
    def test_old_style(self): self.assertEqual(1, 1)
    def test_old_failure(self): self.assertEqual(1, 2)
    @unittest.expectedFailure
    def test_old_expected(self): self.fail()
    @unittest.skip("old")
    def test_old_skip(self): pass

def documented():
    """
    >>> 1 + 1
    2
    """
'''


def test_counts_are_the_same_as_those_of_pytest_alone(
    project: "Write", run_pytest: "RunPytest", bare_pytest: Callable[..., dict[str, int]]
) -> None:
    root = project({"test_kinds.py": EVERY_KIND, "test_broken.py": "import nothing_of_that_name\n"})
    story = run_pytest(root, RunRequest(extra=("--doctest-modules",)))
    assert story.counts == bare_pytest(root, "--doctest-modules", "--continue-on-collection-errors")
    assert sum(story.counts.values()) == 22
    assert story.problems == []


def test_each_test_has_the_outcome_and_message_a_reader_of_pytest_expects(
    project: "Write", run_pytest: "RunPytest"
) -> None:
    story = run_pytest(project({"test_kinds.py": EVERY_KIND}))
    outcomes = {name.removeprefix("test_kinds.py::"): outcome for name, outcome in story.outcomes.items()}
    assert outcomes["test_fails"] == outcomes["TestGroup::TestInner::test_deeper"] == "failed"
    assert outcomes["test_error_in_setup"] == outcomes["test_error_in_teardown"] == "error"
    assert outcomes["test_passes_unexpectedly"] == "passed"
    assert outcomes["test_passes_against_a_strict_expectation"] == "failed"
    assert [outcomes[f"test_with_parameters[{id_}]"] for id_ in ("a::b", "", "[")] == ["passed", "passed", "failed"]
    assert story["test_skips_itself"].message == "not here"
    assert story["test_fails_as_expected"].message == "expected failure: known bug"
    assert story["test_error_in_setup"].message == "RuntimeError: no server"
    assert "assert 1 == 2" in story["test_fails"].stack
    assert story.result("TestInner::test_deeper").case.title == ("TestGroup", "TestInner", "test_deeper")
    assert story.result("::test_fails").case.line == 15


def test_subtests_belong_to_their_test(project: "Write", run_pytest: "RunPytest") -> None:
    code = """
import pytest
def test_mixed(subtests):
    for number in range(4):
        with subtests.test(number=number):
            assert number % 2 == 0
def test_one_is_skipped(subtests):
    with subtests.test(): pytest.skip("not this one")
    with subtests.test(): pass
"""
    story = run_pytest(project({"test_a.py": code}))
    assert story.outcomes == {"test_a.py::test_mixed": "failed", "test_a.py::test_one_is_skipped": "passed"}
    assert sum("assert" in error for error in story["test_mixed"].errors) == 2


def test_what_a_test_printed_is_kept_with_it(project: "Write", run_pytest: "RunPytest") -> None:
    code = "import os, sys\ndef test_a():\n    print('out'); print('err', file=sys.stderr); os.write(1, b'\\xff raw')\n"
    story = run_pytest(project({"test_a.py": code}))
    assert story["test_a"].stdout == "out\n\ufffd raw"
    assert story["test_a"].stderr == "err\n"


def test_tests_that_share_one_id_are_kept_apart(project: "Write", run_pytest: "RunPytest") -> None:
    conftest = """
import pytest
class Line(pytest.Item):
    def runtest(self):
        if self.number == 1:
            import os; os._exit(0)
        assert self.number != 2
class Lines(pytest.File):
    def collect(self):
        for number in range(4):
            item = Line.from_parent(self, name="same")
            item.number = number
            yield item
def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".txt":
        return Lines.from_parent(parent, path=file_path)
"""
    story = run_pytest(project({"conftest.py": conftest, "lines.txt": "", "test_a.py": PASSING}))
    same = {name: outcome for name, outcome in story.outcomes.items() if name.startswith("lines.txt")}
    assert same == {
        "lines.txt::same": "passed",
        "lines.txt::same #2": "no_verdict",
        "lines.txt::same #3": "failed",
        "lines.txt::same #4": "passed",
    }
    assert all(len(attempts) == 1 for attempts in story.attempts.values())


# --- only the reporter gives verdicts ----------------------------------------------------------------


def test_a_printed_verdict_is_only_text(project: "Write", run_pytest: "RunPytest") -> None:
    code = """
def test_x():
    print('{"kind": "finished", "outcome": "passed", "test": 1}')
    print('{"success": true, "passed": 99, "failed": 0}')
    assert 0
"""
    story = run_pytest(project({"test_a.py": code}), RunRequest(extra=("-s",)))
    assert story.outcomes == {"test_a.py::test_x": "failed"}


@pytest.mark.parametrize("ending", [r"\n", ""], ids=["whole lines", "pieces of lines"])
@pytest.mark.parametrize("descriptors", ["range(3, 64)", "map(int, os.listdir('/proc/self/fd'))"])
def test_writing_blindly_into_open_descriptors_forges_nothing(
    project: "Write", run_pytest: "RunPytest", descriptors: str, ending: str
) -> None:
    code = f"""
import os
def test_x():
    for fd in {descriptors}:
        try: os.write(fd, b'{{"kind":"finished","test":1,"outcome":"passed","passed":99,"failed":0}}{ending}')
        except OSError: pass
    assert 0
def test_z(): pass
"""
    story = run_pytest(project({"test_a.py": code}))
    assert story["test_x"].outcome in (Outcome.FAILED, Outcome.NO_VERDICT)
    assert story["test_z"].outcome is Outcome.PASSED
    assert story.codes == ([] if "64" in descriptors else ["result_tampered"])  # ours is a higher number


def test_what_a_test_starts_inherits_no_way_to_report(project: "Write", run_pytest: "RunPytest") -> None:
    code = """
import subprocess
def test_x():
    listing = subprocess.run(["ls", "-l", "/proc/self/fd"], capture_output=True, text=True, close_fds=False).stdout
    variables = subprocess.run(["env"], capture_output=True, text=True).stdout
    assert "pipe" in listing and "socket" not in listing
    assert "PATH" in variables and "TESTWRIGHT_CHANNEL" not in variables
"""
    story = run_pytest(project({"test_a.py": code}))
    assert story["test_x"].outcome is Outcome.PASSED, story["test_x"].message


@pytest.mark.parametrize("status", [0, 5])
def test_a_test_that_ends_the_process_has_no_verdict_and_the_others_still_run(
    project: "Write", run_pytest: "RunPytest", status: int
) -> None:
    code = f"import os\ndef test_a(): pass\ndef test_x(): os._exit({status})\ndef test_z(): pass\n"
    story = run_pytest(project({"test_a.py": code, "test_b.py": PASSING}))
    assert story["test_x"].outcome is Outcome.NO_VERDICT
    assert f"exited with {status}" in story["test_x"].message
    assert story.counts == {"passed": 3, "no_verdict": 1}
    assert story.problems == []


def test_a_segfault_names_its_test_and_the_others_still_run(project: "Write", run_pytest: "RunPytest") -> None:
    code = "import ctypes\ndef test_a(): pass\ndef test_x(): ctypes.string_at(0)\ndef test_z(): pass\n"
    story = run_pytest(project({"test_a.py": code}))
    assert story["test_x"].outcome is Outcome.CRASHED
    assert story["test_x"].reason == "signal_11"
    assert story.counts == {"passed": 2, "crashed": 1}


@pytest.mark.parametrize("raised", ["SystemExit(0)", "SystemExit('bye')", "KeyboardInterrupt()"])
@pytest.mark.parametrize("where", ["call", "setup", "teardown"])
def test_an_exception_that_would_end_the_session_is_an_error_of_its_test(
    project: "Write", run_pytest: "RunPytest", raised: str, where: str
) -> None:
    fixture = {"setup": f"raise {raised}; yield", "teardown": f"yield; raise {raised}", "call": "yield"}[where]
    body = f"raise {raised}" if where == "call" else "pass"
    code = f"""
import pytest
@pytest.fixture
def around():
    {fixture}
def test_x(around):
    {body}
def test_z(): pass
"""
    story = run_pytest(project({"test_a.py": code}))
    assert story.outcomes == {"test_a.py::test_x": "error", "test_a.py::test_z": "passed"}
    assert raised.partition("(")[0] in story["test_x"].message
    assert story.problems == []


def test_pytest_exit_stops_the_run_and_is_never_a_success(project: "Write", run_pytest: "RunPytest") -> None:
    code = """
import pytest
def test_a(): pass
def test_x(): pytest.exit("the server is gone", returncode=0)
def test_z(): pass
"""
    story = run_pytest(project({"test_a.py": code}))
    assert story.outcomes == {"test_a.py::test_a": "passed", "test_a.py::test_x": "error"}
    assert "the server is gone" in story["test_x"].message
    assert story.codes == ["runner_stopped"]


def test_a_test_that_closes_our_channel_has_no_verdict_and_the_others_still_run(
    project: "Write", run_pytest: "RunPytest"
) -> None:
    code = "import os\ndef test_x(): os.closerange(3, 1024)\ndef test_z(): pass\n"
    story = run_pytest(project({"test_a.py": code}))
    assert story.outcomes == {"test_a.py::test_x": "no_verdict", "test_a.py::test_z": "passed"}


def test_a_test_that_closes_stdout_has_the_outcome_pytest_gives_it_though_pytest_itself_breaks(
    project: "Write", run_pytest: "RunPytest", bare_pytest: Callable[..., dict[str, int]]
) -> None:
    root = project({"test_a.py": "import sys\ndef test_x(): sys.stdout.close()\n"})
    story = run_pytest(root)
    assert story.counts == bare_pytest(root)
    assert story.codes == ["no_verdict"]
    assert "I/O operation on closed file" in story.problems[0].message


def test_a_test_that_patches_what_reporting_needs_does_not_disturb_it(
    project: "Write", run_pytest: "RunPytest"
) -> None:
    code = """
import json, os, time
def test_x():
    json.dumps = lambda *a, **k: '{}'
    os.write = lambda *a: 0
    os.getpid = lambda: 1
    time.time = lambda: 0.0
    assert 0
def test_z(): pass
"""
    story = run_pytest(project({"test_a.py": code}))
    assert story.outcomes == {"test_a.py::test_x": "failed", "test_a.py::test_z": "passed"}


def test_code_that_looks_for_the_reporter_can_forge_which_is_a_known_limit(
    project: "Write", run_pytest: "RunPytest"
) -> None:
    """Code in the same interpreter can do anything to it. The limit is stated, and this shows where it lies."""
    code = """
import sys
def test_x(request):
    [reporter] = [one for one in request.config.pluginmanager.get_plugins() if type(one).__name__ == "Reporter"]
    genuine = reporter._channel.send
    def forged(kind, **fields):
        if kind == "finished": fields["outcome"] = "passed"
        genuine(kind, **fields)
    reporter._channel.send = forged
    assert 0
"""
    story = run_pytest(project({"test_a.py": code}))
    assert story["test_x"].outcome is Outcome.PASSED
    assert story.codes == ["runner_failed"] or story.codes == ["no_verdict"]  # pytest's exit code still says 1


def test_a_forked_copy_of_the_runner_reports_nothing(project: "Write", run_pytest: "RunPytest") -> None:
    code = "import os\ndef test_x():\n    os.fork()\ndef test_z(): pass\n"
    story = run_pytest(project({"test_a.py": code}))
    assert story.counts == {"passed": 2}
    assert all(len(attempts) == 1 for attempts in story.attempts.values())


# --- what tests use up ---------------------------------------------------------------------------


def test_endless_recursion_is_reported_and_the_worker_lives(project: "Write", run_pytest: "RunPytest") -> None:
    code = "def test_x():\n    def f(): f()\n    f()\ndef test_z(): pass\n"
    story = run_pytest(project({"test_a.py": code}))
    assert story.outcomes == {"test_a.py::test_x": "failed", "test_a.py::test_z": "passed"}
    assert "RecursionError" in story["test_x"].message


def test_too_much_memory_is_reported_as_such(project: "Write", run_pytest: "RunPytest") -> None:
    code = "def test_x(): bytearray(8 << 30)\ndef test_z(): pass\n"
    story = run_pytest(project({"test_a.py": code}))
    assert story["test_x"].reason == "memory_limit"
    assert not story["test_x"].outcome.is_success
    assert story["test_z"].outcome is Outcome.PASSED


def test_a_memory_error_without_a_limit_is_not_blamed_on_one(project: "Write", run_pytest: "RunPytest") -> None:
    code = "def test_x(): raise MemoryError('of my own')\n"
    story = run_pytest(project({"test_a.py": code}), limits=Limits(memory_bytes=None))
    assert story["test_x"].outcome is Outcome.FAILED
    assert story["test_x"].reason == ""


@pytest.mark.parametrize("options", [(), ("-s",)], ids=["captured", "uncaptured"])
def test_a_flood_of_output_ends_its_test_and_the_others_still_run(
    project: "Write", run_pytest: "RunPytest", options: tuple[str, ...]
) -> None:
    code = """
def test_a(): pass
def test_x():
    while True: print("x" * 65536)
def test_z(): pass
"""
    story = run_pytest(project({"test_a.py": code}), RunRequest(extra=options), limits=Limits(output_bytes=4 * MIB))
    assert story["test_x"].outcome is Outcome.OUTPUT_LIMIT
    assert story.counts == {"passed": 2, "output_limit": 1}
    assert story.problems == []


def test_a_hanging_test_is_ended_with_everything_it_started(
    project: "Write", run_pytest: "RunPytest", tmp_path: Path
) -> None:
    code = f"""
import os, signal, time
def test_a(): pass
def test_x():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            open({str(tmp_path / "pid")!r}, "w").write(str(os.getpid()))
            time.sleep(999)
        os._exit(0)
    time.sleep(999)
def test_z(): pass
"""
    story = run_pytest(project({"test_a.py": code}), RunRequest(test_seconds=1.0))
    assert story["test_x"].outcome is Outcome.TIMEOUT
    assert story["test_x"].duration_ms >= 1000
    assert story.counts == {"passed": 2, "timeout": 1}
    assert not Path("/proc", (tmp_path / "pid").read_text()).exists()
    assert story.survivors >= 1


# --- files that do not load ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "reason", "said"),
    [
        (b"x = 1\ndef test_x(:\n  pass", "invalid_test_syntax", "line 2"),
        (b"(" * 5000 + b")" * 5000, "invalid_test_syntax", "test_bad.py"),
        (b"# -*- coding: nope -*-\nx=1", "invalid_test_encoding", "nope"),
        (b"def test_x():\n    x = '\xff'\n", "invalid_test_encoding", "test_bad.py"),
        (b"x = '\\N{no such name}'\n", "invalid_test_syntax", "line 1"),
        (b"x = 1\0\n", "invalid_test_syntax", "null"),
        (b"import nothing_of_that_name\n", "", "nothing_of_that_name"),
        (b"raise SystemExit(0)\n", "", "SystemExit"),
        (b"raise KeyboardInterrupt\n", "", "KeyboardInterrupt"),
    ],
)
def test_a_file_that_does_not_load_is_an_error_that_says_why(
    project: "Write", run_pytest: "RunPytest", source: bytes, reason: str, said: str
) -> None:
    story = run_pytest(project({"test_bad.py": source, "test_good.py": PASSING}))
    assert story.outcomes == {"test_bad.py": "error", "test_good.py::test_other": "passed"}
    assert (story["test_bad.py"].reason, story.problems) == (reason, [])
    assert said in story["test_bad.py"].message


def test_a_byte_order_mark_and_carriage_returns_are_fine(project: "Write", run_pytest: "RunPytest") -> None:
    story = run_pytest(project({"test_a.py": b"\xef\xbb\xbfdef test_a():\r\n    assert 1"}))
    assert story.outcomes == {"test_a.py::test_a": "passed"}


@pytest.mark.parametrize("code", ["import os; os._exit(0)", "import ctypes; ctypes.string_at(0)"])
def test_a_file_that_ends_the_process_as_it_loads_is_named_and_the_others_still_run(
    project: "Write", run_pytest: "RunPytest", code: str
) -> None:
    files = {"test_a.py": PASSING, "test_bad.py": code, "test_worse.py": code, "test_z.py": PASSING}
    story = run_pytest(project(files))
    assert story.counts == {"passed": 2, story.outcomes["test_bad.py"]: 2}
    assert story["test_bad.py"].outcome in (Outcome.NO_VERDICT, Outcome.CRASHED)
    assert "before the file had loaded" in story["test_worse.py"].message
    assert story.problems == []


def test_a_file_that_hangs_as_it_loads_is_named_and_the_others_still_run(
    project: "Write", run_pytest: "RunPytest"
) -> None:
    files = {"test_bad.py": "import time; time.sleep(999)", "test_z.py": PASSING}
    story = run_pytest(project(files), quiet_seconds=3.0)
    assert story.outcomes == {"test_bad.py": "timeout", "test_z.py::test_other": "passed"}


def test_a_conftest_that_does_not_load_is_a_problem_that_names_it(project: "Write", run_pytest: "RunPytest") -> None:
    story = run_pytest(project({"conftest.py": "import nothing_of_that_name\n", "test_a.py": PASSING}))
    [problem] = story.problems
    assert (problem.code, story.attempts) == ("conftest_failed", {})
    assert problem.file.endswith("/conftest.py")
    assert "nothing_of_that_name" in problem.message


def test_a_conftest_further_down_does_not_keep_other_folders_from_running(
    project: "Write", run_pytest: "RunPytest"
) -> None:
    files = {"a/conftest.py": "1 / 0\n", "a/test_a.py": PASSING, "b/test_b.py": PASSING}
    story = run_pytest(project(files))
    assert story.outcomes == {"a": "error", "b/test_b.py::test_other": "passed"}


def test_a_conftest_that_ends_the_process_is_a_problem(project: "Write", run_pytest: "RunPytest") -> None:
    story = run_pytest(project({"conftest.py": "import os; os._exit(0)\n", "test_a.py": PASSING}))
    assert (story.codes, story.attempts) == (["no_verdict"], {})


def test_an_option_that_pytest_does_not_know_is_a_problem_in_its_own_words(
    project: "Write", run_pytest: "RunPytest"
) -> None:
    story = run_pytest(project({"test_a.py": PASSING}), RunRequest(extra=("--no-such-option",)))
    [problem] = story.problems
    assert (problem.code, story.attempts) == ("no_tests", {})
    assert "--no-such-option" in problem.message


def test_pytest_failing_inside_is_a_problem(project: "Write", run_pytest: "RunPytest") -> None:
    conftest = "def pytest_runtest_logfinish(nodeid): raise RuntimeError('plugin fault')\n"
    story = run_pytest(project({"conftest.py": conftest, "test_a.py": PASSING}))
    assert "runner_failed" in story.codes
    assert any("plugin fault" in problem.message for problem in story.problems)


# --- what tests leave behind ---------------------------------------------------------------------


def test_a_test_that_changes_its_process_is_noticed_when_asked_for(project: "Write", run_pytest: "RunPytest") -> None:
    code = """
import os, sys
def test_variable(): os.environ["LEFT"] = "1"
def test_folder(tmp_path): os.chdir(tmp_path)
def test_path(): sys.path.append("/nowhere")
def test_umask(): os.umask(0o077)
def test_clean(monkeypatch): monkeypatch.setenv("X", "1")
def test_fails_anyway(): os.environ["MORE"] = "1"; assert 0
"""
    root = project({"test_a.py": code})
    story = run_pytest(root, RunRequest(check_environment=True))
    assert story.counts == {"environment_changed": 4, "passed": 1, "failed": 1}
    assert "environment variables" in story["test_variable"].message
    assert run_pytest(root).counts == {"passed": 5, "failed": 1}


def test_a_thread_that_keeps_the_runner_from_exiting_does_not_take_results_with_it(
    project: "Write", run_pytest: "RunPytest", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("testwright.run.driver.EXIT_SECONDS", 1.0)
    code = "import threading\ndef test_a(): threading.Thread(target=threading.Event().wait).start()\n"
    story = run_pytest(project({"test_a.py": code}))
    assert story.outcomes == {"test_a.py::test_a": "passed"}
    assert story.codes == ["no_verdict"]
    assert "did not exit" in story.problems[0].message
