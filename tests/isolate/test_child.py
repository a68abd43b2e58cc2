"""A child from start to certain end: how it ended, what it printed, and that nothing of it is left."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from tests.campaigns import campaign, repetitions
from testwright.isolate import child as child_module
from testwright.isolate.child import Cancel, Child, ChildReport, Ending, run_child
from testwright.isolate.command import Command
from testwright.isolate.limits import MIB, Limits
from testwright.model.errors import SpawnFailed

PythonCommand = Callable[..., Command]
RunPython = Callable[..., ChildReport]

# Two processes besides the first: one orphaned in a session of its own, one not; all deaf to SIGTERM.
STUBBORN_FAMILY = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
if os.fork() == 0:
    time.sleep(600)
os.wait()
"""
_THE_C_LIBRARYS_OWN = 0b11 << 31  # signals 32 and 33: as we inherited them, since they cannot be changed
HALF_A_MINUTE = Limits(seconds=30)


# --- how it ended ----------------------------------------------------------------------------


@pytest.mark.parametrize("code", [0, 1, 3, 127, 137, 255])
def test_an_exit_code_is_reported_as_it_is(code: int, run_python: RunPython) -> None:
    report = run_python(f"import os; os._exit({code})")
    assert (report.ending, report.exit_code, report.signal) == (Ending.EXITED, code, None)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_a_deadly_signal_is_reported_as_such(number: signal.Signals, run_python: RunPython) -> None:
    report = run_python(f"import os; os.kill(os.getpid(), {int(number)})")
    assert (report.ending, report.exit_code, report.signal) == (Ending.SIGNALLED, None, number)


def test_a_missing_program_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SpawnFailed, match=r"no-such-program could not be started: .*No such file") as raised:
        run_child(Command(["no-such-program"], tmp_path, {"PATH": os.environ["PATH"]}))
    assert raised.value.next_step


def test_a_missing_folder_is_an_error_not_a_hang(tmp_path: Path) -> None:
    with pytest.raises(SpawnFailed, match="could not be started"):
        run_child(Command(["true"], tmp_path / "gone", dict(os.environ)))


def test_a_time_limit_that_has_passed_already_still_stops_the_child(run_python: RunPython) -> None:
    report = run_python("import time; time.sleep(600)", limits=Limits(seconds=0.0))
    assert report.ending == Ending.TIMEOUT


def test_a_child_that_heeds_sigterm_may_tidy_up_in_the_grace_time(
    python_command: PythonCommand, tmp_path: Path, reporter: str
) -> None:
    tidied = tmp_path / "tidied"
    code = reporter + (
        "import pathlib, signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: (pathlib.Path(sys.argv[1]).touch(), sys.exit(5)))\n"
        "report(kind='ready')\n"
        "signal.pause()\n"
    )
    with Child(python_command(code, str(tidied)), limits=Limits(seconds=30, grace_seconds=20), channel={}) as child:
        for _ in child.records():
            child.stop(Ending.TIMEOUT)
        report = child.report
    assert (report.ending, report.exit_code) == (Ending.TIMEOUT, 5)
    assert tidied.exists()


def test_cancelling_from_another_thread_ends_the_child(python_command: PythonCommand, reporter: str) -> None:
    cancel = Cancel()
    code = reporter + "report(kind='ready')\nimport time; time.sleep(600)"
    with Child(python_command(code), limits=HALF_A_MINUTE, channel={}, cancel=cancel) as child:
        for _ in child.records():
            threading.Thread(target=cancel).start()
        report = child.report
    assert report.ending == Ending.CANCELLED
    assert cancel.raised


def test_leaving_the_block_early_ends_the_child(
    python_command: PythonCommand, marker: str, alive: Callable[[], list[int]], reporter: str
) -> None:
    code = reporter + "report(kind='ready')\nimport time; time.sleep(600)"
    with Child(python_command(code, marker), limits=HALF_A_MINUTE, channel={}) as child:
        next(child.records())
        assert alive()
    assert alive() == []


# --- what it printed -------------------------------------------------------------------------


def test_a_gigabyte_of_output_is_counted_and_not_kept(tmp_path: Path) -> None:
    script = """
import resource, sys
from pathlib import Path
from testwright.isolate.child import run_child
from testwright.isolate.command import Command
from testwright.isolate.limits import GIB, Limits
chatter = "import os\\nblock = b'x' * (1 << 20)\\nfor _ in range(1000): os.write(1, block)"
run_child(Command([sys.executable, "-I", "-c", "pass"], Path.cwd(), {}))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
report = run_child(Command([sys.executable, "-I", "-c", chatter], Path.cwd(), {}), limits=Limits(output_bytes=2 * GIB))
growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(report.stdout.total_bytes, len(report.stdout.head) + len(report.stdout.tail), growth, report.exit_code)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, cwd=tmp_path, text=True)
    total, kept, growth_kib, exit_code = map(int, done.stdout.split())
    assert (total, exit_code) == (1000 * MIB, 0)
    assert kept <= 128 << 10
    assert growth_kib <= 32 << 10


def test_output_beyond_the_limit_stops_the_child(run_python: RunPython) -> None:
    code = "import os\nwhile True: os.write(2, b'y' * 65536)"
    report = run_python(code, limits=Limits(seconds=30, output_bytes=MIB))
    assert report.ending == Ending.OUTPUT_LIMIT
    assert report.stderr.total_bytes > MIB


def test_output_that_is_not_utf8_is_kept_and_marked(run_python: RunPython) -> None:
    report = run_python(r"import os; os.write(1, b'caf\xe9 \xff\n')")
    assert report.stdout.head == b"caf\xe9 \xff\n"
    assert not report.stdout.is_valid_utf8
    assert report.stdout.text == "caf\ufffd \ufffd\n"


def test_a_child_that_closes_its_output_is_still_waited_for(run_python: RunPython) -> None:
    report = run_python("import os, time; os.close(1); os.close(2); time.sleep(0.2); os._exit(4)")
    assert report.exit_code == 4


def test_a_slow_reader_of_records_still_gets_all_the_output(
    python_command: PythonCommand, reporter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time we wait for last words is over before the reader of a record comes back for the rest."""
    monkeypatch.setattr(child_module, "_DRAIN_SECONDS", 0.0)
    code = reporter + (
        "import fcntl\n"
        "fcntl.fcntl(1, 1031, 1 << 20)\n"  # F_SETPIPE_SZ: all of it fits into the pipe, so it need not wait for us
        "report(kind='ready')\n"
        "os.write(1, b'x' * (1 << 20))\n"
    )
    with Child(python_command(code), limits=HALF_A_MINUTE, channel={}) as child:
        for _ in child.records():
            child._link.process.wait()
        assert child.report.stdout.total_bytes == 1 << 20


# --- what it was given -----------------------------------------------------------------------


def test_a_child_holds_no_descriptor_but_its_three_and_the_channel(python_command: PythonCommand) -> None:
    extra = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(extra, True)  # as careless code in the same process may leave it
    # The listing names its own descriptor too, which is closed again by the time we look.
    code = (
        "import os\n"
        "names = os.listdir('/proc/self/fd')\n"
        "print(os.environ['TESTWRIGHT_CHANNEL'], *(n for n in names if os.path.exists('/proc/self/fd/' + n)))"
    )
    try:
        with Child(python_command(code), limits=HALF_A_MINUTE, channel={}) as child:
            list(child.records())
            channel, *held = child.report.stdout.text.split()
    finally:
        os.close(extra)
    assert {*held} == {"0", "1", "2", channel}


def test_a_child_starts_with_no_signal_blocked_or_ignored_even_if_we_do() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGTERM, signal.SIGUSR1])
    try:
        # Not Python: it would ignore SIGPIPE and SIGXFSZ by itself.
        report = run_child(
            Command(["grep", "-E", "SigBlk|SigIgn", "/proc/self/status"], Path("/"), dict(os.environ)),
            limits=HALF_A_MINUTE,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    blocked, ignored = (int(mask, 16) for mask in report.stdout.text.split()[1::2])
    assert blocked == 0
    assert ignored & ~_THE_C_LIBRARYS_OWN == 0


def test_memory_beyond_the_limit_is_refused_to_the_child(run_python: RunPython) -> None:
    report = run_python("x = bytearray(512 << 20)", limits=Limits(seconds=30, memory_bytes=256 * MIB))
    assert "MemoryError" in report.stderr.text


def test_reserving_address_space_is_free(run_python: RunPython) -> None:
    code = "import mmap; mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=0)"
    assert run_python(code).exit_code == 0


@pytest.mark.needs_node
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")
def test_node_starts_under_the_default_memory_limit(tmp_path: Path) -> None:
    command = Command(["node", "-e", "console.log(6 * 7)"], tmp_path, dict(os.environ))
    assert run_child(command, limits=HALF_A_MINUTE).stdout.text == "42\n"


@pytest.mark.needs_chromium
@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no Chromium here")
def test_chromium_starts_under_the_default_memory_limit_and_leaves_nothing(tmp_path: Path) -> None:
    page = "data:text/html,<p id=x></p><script>x.textContent = 6 * 7</script>"
    argv = [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}",
        "--dump-dom",
        page,
    ]
    report = run_child(Command(argv, tmp_path, dict(os.environ)), limits=Limits(seconds=120))
    assert '<p id="x">42</p>' in report.stdout.text, report.stderr.text


def test_arguments_and_variables_that_are_not_text_arrive_as_they_are(run_python: RunPython, tmp_path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9")
    code = "import os, sys; print(os.fsencode(sys.argv[1]), os.environb[b'ODD'])"
    argv = [sys.executable, "-I", "-S", "-c", code, odd]
    report = run_child(Command(argv, tmp_path, {**os.environ, "ODD": odd}), limits=HALF_A_MINUTE)
    assert report.stdout.text.split() == [repr(b"caf\xe9")] * 2


def test_an_argument_that_no_program_can_be_given_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SpawnFailed, match="null byte"):
        run_child(Command(["true", "a\0b"], tmp_path, dict(os.environ)))


def test_a_file_larger_than_the_limit_cannot_be_written(run_python: RunPython) -> None:
    code = "f = open('big', 'wb'); f.write(bytes(2 << 20)); f.flush()"
    report = run_python(code, limits=Limits(seconds=30, file_bytes=MIB))
    assert "File too large" in report.stderr.text


def test_cpu_time_beyond_the_limit_ends_the_child(run_python: RunPython) -> None:
    report = run_python("while True: pass", limits=Limits(seconds=60, cpu_seconds=1))
    assert (report.ending, report.signal) == (Ending.SIGNALLED, signal.SIGXCPU)
    assert report.usage.cpu_ms >= 500  # a loaded machine accounts for it roughly


# --- that nothing is left --------------------------------------------------------------------


@campaign
def test_a_stubborn_family_never_leaves_a_survivor(
    python_command: PythonCommand, marker: str, alive: Callable[[], list[int]], reporter: str
) -> None:
    code = reporter + STUBBORN_FAMILY.replace("os.wait()", "os.wait(); report(kind='ready')") + "time.sleep(600)"
    for _ in range(repetitions(full=50, usual=5)):
        limits = Limits(seconds=30, grace_seconds=0.02)
        with Child(python_command(code, marker), limits=limits, channel={}) as child:
            for _ in child.records():
                child.stop(Ending.TIMEOUT)
            assert child.report.survivors == 2
        assert alive() == []


def test_what_an_ended_child_left_behind_is_counted_and_ended(
    run_python: RunPython, marker: str, alive: Callable[[], list[int]]
) -> None:
    report = run_python(STUBBORN_FAMILY, marker)
    assert (report.ending, report.exit_code, report.survivors) == (Ending.EXITED, 0, 2)
    assert alive() == []


def test_a_process_that_hops_from_fork_to_fork_is_caught(
    run_python: RunPython, marker: str, alive: Callable[[], list[int]]
) -> None:
    hopper = "import os\nif os.fork() == 0:\n    while True:\n        if os.fork(): os._exit(0)\n"
    report = run_python(hopper, marker)
    assert report.ending == Ending.EXITED
    assert alive() == []


def test_a_child_that_forks_without_end_is_ended(
    run_python: RunPython, marker: str, alive: Callable[[], list[int]]
) -> None:
    # Each of up to forty processes is replaced as soon as it dies, which is as mean as a shared machine can bear.
    bomb = (
        "import os, signal\n"
        "for _ in range(40):\n"
        "    if os.fork() == 0:\n"
        "        while True:\n"
        "            if os.fork(): os.wait()\n"
        "            else: os._exit(0)\n"
        "signal.pause()\n"
    )
    report = run_python(bomb, marker, limits=Limits(seconds=1, grace_seconds=0.02))
    assert report.ending == Ending.TIMEOUT
    assert alive() == []


class Pipe(Protocol):
    path: Path

    def first_words(self) -> bytes: ...

    def wait_until_all_are_gone(self) -> None: ...


@pytest.mark.parametrize("victim", ["the process that runs the child", "the supervisor"])
def test_a_kill_of_ours_leaves_no_process_of_the_child(
    victim: str, tmp_path: Path, family_pipe: Pipe, marker: str, alive: Callable[[], list[int]]
) -> None:
    family = "import os, sys\nf = os.open(sys.argv[2], os.O_WRONLY)\n" + STUBBORN_FAMILY.replace(
        "os.wait()", "os.wait(); os.write(f, b'%d' % os.getppid()); time.sleep(600)"
    )
    script = """
import os, sys
from pathlib import Path
from testwright.isolate.child import run_child
from testwright.isolate.command import Command
run_child(Command([sys.executable, "-I", "-c", *sys.argv[1:]], Path.cwd(), dict(os.environ)))
"""
    argv = [sys.executable, "-c", script, family, marker, str(family_pipe.path)]
    with subprocess.Popen(argv, cwd=tmp_path) as runner:
        supervisor = int(family_pipe.first_words())
        os.kill(runner.pid if victim == "the process that runs the child" else supervisor, signal.SIGKILL)
        family_pipe.wait_until_all_are_gone()
    assert alive() == []
