"""Every level of isolation blocks what it says, and lets honest code work."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from testwright.isolate.child import Child, ChildReport, Ending, run_child
from testwright.isolate.command import Command
from testwright.isolate.guard import IsolationLevel
from testwright.isolate.limits import GUARDED_LIMITS, Limits
from testwright.isolate.sandbox import open_sandbox
from testwright.model.errors import SpawnFailed

# Tries one thing after the other and prints, for each, None for success or the error it met.
TRY_EVERYTHING = """
import json, os, shutil, socket, sys
told = json.loads(sys.argv[1])
results = {}
def attempt(name):
    def run(deed):
        try:
            results[name] = [None, deed()]
        except OSError as error:
            results[name] = [type(error).__name__, str(error)]
    return run
def connect(family, kind, address):
    with socket.socket(family, kind) as s:
        s.settimeout(5)
        s.connect(address)
        s.send(b"hello")
def change_all_about(path):
    # Every one of these works for the owner of a file, wherever it lies.
    done = []
    for deed in (
        lambda: os.chmod(path, 0o777),
        lambda: os.utime(path, (1, 1)),
        lambda: os.setxattr(path, "user.mark", b"x"),
        lambda: os.fchmod(os.open(path, os.O_RDONLY), 0o777),
        lambda: os.chmod("/usr", os.stat("/usr").st_mode & 0o7777),
    ):
        try:
            done.append(deed())
        except OSError:
            continue
    if not done: raise PermissionError("none of it")
@attempt("write outside")
def _(): open(told["outside"] + "/new", "w").close()
@attempt("change a file outside")
def _(): open(told["outside"] + "/secret", "a").close()
@attempt("remove a file outside")
def _(): os.remove(told["outside"] + "/secret")
@attempt("read outside")
def _(): open(told["outside"] + "/secret").read()
@attempt("list outside")
def _(): os.listdir(told["outside"])
@attempt("tcp")
def _(): connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", told["tcp"]))
@attempt("udp")
def _(): connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", told["udp"]))
@attempt("abstract socket")
def _(): connect(socket.AF_UNIX, socket.SOCK_STREAM, "\\0" + told["abstract"])
@attempt("socket file")
def _(): connect(socket.AF_UNIX, socket.SOCK_STREAM, told["socket_file"])
@attempt("raw socket")
def _(): socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
@attempt("environ of another")
def _(): return open(f"/proc/{told['pid']}/environ").read()
@attempt("signal")
def _(): os.kill(told["pid"], 0)
@attempt("mount")
def _(): os.chroot("/")
@attempt("new namespace")
def _():
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x10000000): raise OSError(ctypes.get_errno(), "unshare")
@attempt("ptrace")
def _():
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, told["pid"], 0, 0): raise OSError(ctypes.get_errno(), "ptrace")
@attempt("kernel settings")
def _(): open("/proc/sys/kernel/hostname", "w").write("owned")
@attempt("home")
def _(): os.listdir(os.path.expanduser("~root"))
@attempt("change the project")
def _():
    with open("existing.txt", "w") as file: file.write("changed")
@attempt("change what a file of the project is")
def _(): change_all_about("existing.txt")
@attempt("add to the project")
def _(): open("new.txt", "w").close()
@attempt("remove from the project")
def _(): os.remove("folder/inner.txt")
@attempt("write to the allowed folder")
def _():
    with open(told["writable"] + "/result.txt", "w") as file: file.write("kept")
@attempt("read the allowed folder")
def _(): return open(told["readable"] + "/fixture.txt").read()
@attempt("write to the readable folder")
def _(): open(told["readable"] + "/fixture.txt", "a").close()
@attempt("change what a file outside is")
def _(): change_all_about(told["outside"] + "/secret")
@attempt("change what a device is")
def _(): os.chmod("/dev/null", os.stat("/dev/null").st_mode & 0o7777)
@attempt("change what a readable file is")
def _(): change_all_about(told["readable"] + "/fixture.txt")
results["environment"] = dict(os.environ)
print(json.dumps(results))
"""

# What ordinary test suites do, each ending in a line that says it worked.
HONEST_WORK = """
import asyncio, multiprocessing, os, pathlib, pwd, sqlite3, ssl, subprocess, sys, tempfile, threading, time
def double(n): return 2 * n
async def main():
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(21 * 2)", stdout=subprocess.PIPE)
    return (await process.communicate())[0]
if __name__ == "__main__":
    assert asyncio.run(main()) == b"42\\n"; print("asyncio")
    assert subprocess.run(["sh", "-c", "echo hi | tr h H"], capture_output=True).stdout == b"Hi\\n"; print("subprocess")
    with multiprocessing.Pool(2) as pool: assert pool.map(double, [1, 2]) == [2, 4]
    print("pool")
    with tempfile.TemporaryDirectory() as folder:
        with sqlite3.connect(os.path.join(folder, "db")) as db:
            db.execute("pragma journal_mode=wal")
            db.execute("create table t (n)")
            db.execute("insert into t values (1)")
        assert db.execute("select n from t").fetchall() == [(1,)]
        db.close()
    print("sqlite in a temporary folder")
    home = pathlib.Path.home() / ".config"; home.mkdir(); (home / "x").write_text("y"); print("home")
    worker = threading.Thread(target=time.sleep, args=(0.01,)); worker.start(); worker.join(); print("threads")
    assert os.urandom(8) and open(os.devnull, "w").write("x"); print("devices")
    assert os.cpu_count() and pwd.getpwuid(os.getuid()) and time.localtime(); ssl.create_default_context()
    print("system files")
    multiprocessing.Lock(); print("semaphores")
"""


@dataclass(frozen=True)
class Aftermath:
    """What the child says it could do, and the places it could have done it to."""

    level: IsolationLevel
    results: dict[str, Any]
    project: Path
    outside: Path
    writable: Path

    def refused(self, deed: str) -> bool:
        return self.results[deed][0] is not None


@pytest.fixture(scope="module")
def bystander() -> Iterator[int]:
    """A process of ours, with a secret in its environment."""
    process = subprocess.Popen(["sleep", "600"], env={"PATH": os.environ["PATH"], "API_TOKEN": "bystander-secret"})
    yield process.pid
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def aftermath(level: IsolationLevel, bystander: int, tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    base = tmp_path_factory.mktemp(level.label)
    project, outside, writable, readable = (base / name for name in ("project, odd:name", "outside", "out", "fixtures"))
    for folder in (project / "folder", outside, writable, readable):
        folder.mkdir(parents=True)
    (project / "existing.txt").write_text("original")
    (project / "folder" / "inner.txt").write_text("inner")
    (outside / "secret").write_text("secret")
    (readable / "fixture.txt").write_text("fixture")
    for known in (outside / "secret", project / "existing.txt"):
        known.chmod(0o640)
    socket_file = str(outside / "s")
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as named,
    ):
        udp.bind(("127.0.0.1", 0))
        udp.setblocking(False)
        abstract.bind(f"\0{base}")
        abstract.listen()
        named.bind(socket_file)
        named.listen()
        told = {
            "outside": str(outside), "tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1], "abstract": str(base),
            "socket_file": socket_file, "pid": bystander, "writable": str(writable), "readable": str(readable),
        }  # fmt: skip
        with open_sandbox(project, level, writable=[writable], readable=[readable]) as sandbox:
            environment = sandbox.env({**os.environ, "MY_API_KEY": "k", "GITHUB_TOKEN": "t", "LC_ALL": "C.UTF-8"})
            argv = [sys.executable, "-I", "-S", "-c", TRY_EVERYTHING, json.dumps(told)]
            report = run_child(Command(argv, project, environment), guard=sandbox.guard, limits=GUARDED_LIMITS)
        assert report.exit_code == 0, report.stderr.text
        results = json.loads(report.stdout.text)
        with pytest.raises(BlockingIOError):
            udp.recv(100)
    return Aftermath(level, results, project, outside, writable)


@pytest.mark.parametrize(
    "deed",
    [
        "write outside",
        "change a file outside",
        "remove a file outside",
        "read outside",
        "list outside",
        "tcp",
        "abstract socket",
        "socket file",
        "raw socket",
        "environ of another",
        "signal",
        "mount",
        "new namespace",
        "ptrace",
        "kernel settings",
        "write to the readable folder",
        "change what a file outside is",
        "change what a device is",
        "change what a readable file is",
    ],
)
def test_a_guarded_child_cannot(deed: str, aftermath: Aftermath) -> None:
    assert aftermath.refused(deed), aftermath.results[deed]


def test_a_datagram_never_reaches_us(aftermath: Aftermath) -> None:
    """The fixture made sure of it. With a network of its own the child may send one, which reaches no host."""
    assert aftermath.refused("udp") or aftermath.level >= IsolationLevel.R2


def test_nothing_outside_has_changed(aftermath: Aftermath) -> None:
    assert sorted(path.name for path in aftermath.outside.iterdir()) == ["s", "secret"]
    assert (aftermath.outside / "secret").read_text() == "secret"
    assert (aftermath.outside / "secret").stat().st_mode & 0o777 == 0o640


def test_the_project_is_as_it_was(aftermath: Aftermath) -> None:
    names = sorted(str(path.relative_to(aftermath.project)) for path in aftermath.project.rglob("*"))
    assert names == ["existing.txt", "folder", "folder/inner.txt"]
    assert (aftermath.project / "existing.txt").read_text() == "original"
    assert (aftermath.project / "existing.txt").stat().st_mode & 0o777 == 0o640


def test_from_r2_on_the_child_may_change_its_view_of_the_project(aftermath: Aftermath) -> None:
    deeds = ("change the project", "add to the project", "remove from the project")
    assert [aftermath.refused(deed) for deed in deeds] == [aftermath.level < IsolationLevel.R2] * 3


def test_the_allowed_folders_are_allowed(aftermath: Aftermath) -> None:
    assert aftermath.results["read the allowed folder"] == [None, "fixture"]
    assert (aftermath.writable / "result.txt").read_text() == "kept"


def test_no_variable_that_may_hold_a_secret_is_seen(aftermath: Aftermath) -> None:
    names = aftermath.results["environment"]
    assert [name for name in names if "TOKEN" in name or "KEY" in name] == []
    assert names["LC_ALL"] == "C.UTF-8"


@pytest.fixture
def run_guarded(level: IsolationLevel, tmp_path: Path) -> Callable[..., ChildReport]:
    def run(*argv: str, limits: Limits = GUARDED_LIMITS) -> ChildReport:
        with open_sandbox(tmp_path, level) as sandbox:
            return run_child(Command(argv, tmp_path, sandbox.env(os.environ)), guard=sandbox.guard, limits=limits)

    return run


def test_honest_code_works(run_guarded: Callable[..., ChildReport], tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(HONEST_WORK)
    report = run_guarded(sys.executable, "work.py")
    assert report.exit_code == 0, report.stderr.text
    assert len(report.stdout.text.splitlines()) == 9


def test_a_server_of_the_tests_own_can_be_reached_from_r2_on(
    level: IsolationLevel, run_guarded: Callable[..., ChildReport]
) -> None:
    code = (
        "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname()); "
        "s.accept()[0].send(b'x'); print('talked')"
    )
    report = run_guarded(sys.executable, "-I", "-c", code)
    assert ("talked" in report.stdout.text) == (level >= IsolationLevel.R2), report.stderr.text


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM])
def test_a_deadly_signal_differs_from_an_exit_code(
    number: signal.Signals, run_guarded: Callable[..., ChildReport]
) -> None:
    killed = run_guarded("sh", "-c", f"kill -{int(number)} $$")
    assert (killed.ending, killed.signal, killed.exit_code) == (Ending.SIGNALLED, number, None)
    exited = run_guarded("sh", "-c", f"exit {128 + number}")
    assert (exited.ending, exited.signal, exited.exit_code) == (Ending.EXITED, None, 128 + number)


def test_a_missing_program_is_still_an_error_that_names_it(run_guarded: Callable[..., ChildReport]) -> None:
    with pytest.raises(SpawnFailed, match=r"no-such-program could not be started: .*No such file"):
        run_guarded("no-such-program")


def test_what_a_guarded_child_leaves_is_counted_and_ended(
    run_guarded: Callable[..., ChildReport], marker: str, alive: Callable[[], list[int]]
) -> None:
    code = "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(600)\n"
    report = run_guarded(sys.executable, "-I", "-S", "-c", code, marker)
    assert (report.exit_code, report.survivors) == (0, 3)
    assert alive() == []


def test_a_guarded_child_is_stopped_at_its_time_limit(
    run_guarded: Callable[..., ChildReport], marker: str, alive: Callable[[], list[int]]
) -> None:
    code = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: signal.pause()"
    report = run_guarded(sys.executable, "-I", "-S", "-c", code, marker, limits=Limits(seconds=0.5, grace_seconds=0.1))
    assert (report.ending, report.survivors) == (Ending.TIMEOUT, 0)
    assert alive() == []


def test_a_guarded_child_is_asked_before_it_is_made_to_stop(
    level: IsolationLevel, tmp_path: Path, reporter: str
) -> None:
    code = reporter + (
        "import signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: (report(kind='tidied'), sys.exit(5)))\n"
        "report(kind='ready')\n"
        "signal.pause()\n"
    )
    seen = []
    with open_sandbox(tmp_path, level) as sandbox:
        command = Command([sys.executable, "-I", "-c", code], tmp_path, sandbox.env(os.environ))
        limits = Limits(seconds=30, grace_seconds=20)
        with Child(command, limits=limits, guard=sandbox.guard, channel={}) as child:
            for record in child.records():
                seen.append(record["kind"])
                child.stop(Ending.TIMEOUT)
            report = child.report
    assert seen == ["ready", "tidied"]
    assert (report.ending, report.exit_code) == (Ending.TIMEOUT, 5)


def test_a_guarded_child_holds_no_descriptor_but_its_three_and_the_channel(
    level: IsolationLevel, tmp_path: Path
) -> None:
    code = (
        "import os\n"
        "names = os.listdir('/proc/self/fd')\n"
        "print(os.environ['TESTWRIGHT_CHANNEL'], *(n for n in names if os.path.lexists('/proc/self/fd/' + n)))"
    )
    with open_sandbox(tmp_path, level) as sandbox:
        command = Command([sys.executable, "-I", "-S", "-c", code], tmp_path, sandbox.env(os.environ))
        with Child(command, limits=Limits(seconds=30), guard=sandbox.guard, channel={}) as child:
            list(child.records())
            channel, *held = child.report.stdout.text.split()
    assert {*held} == {"0", "1", "2", channel}


def test_from_r2_on_terminals_are_the_childs_own(
    level: IsolationLevel, run_guarded: Callable[..., ChildReport]
) -> None:
    ours, theirs = os.openpty()
    code = (
        "import os, sys\n"
        "assert not os.path.exists(sys.argv[1])\n"
        "a, b = os.openpty(); os.write(b, b'x'); print(os.read(a, 1), os.ttyname(b))\n"
    )
    try:
        report = run_guarded(sys.executable, "-I", "-c", code, os.ttyname(theirs))
    finally:
        os.close(ours)
        os.close(theirs)
    assert (report.stdout.text == "b'x' /dev/pts/0\n") == (level >= IsolationLevel.R2), report.stderr.text


def test_a_program_that_lies_in_a_temporary_folder_can_be_run(
    run_guarded: Callable[..., ChildReport], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """As a virtual environment made by a tool may: it must not vanish under the child's own empty /tmp."""
    program = tmp_path_factory.mktemp("elsewhere") / "bin" / "say"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho said\n")
    program.chmod(0o755)
    report = run_guarded(str(program))
    assert report.stdout.text == "said\n", report.stderr.text


# Starts a guarded child on the level, with the marker and the pipe, that are its arguments.
RUN_A_GUARDED_FAMILY = """
import os, sys
from pathlib import Path
from testwright.isolate.child import run_child
from testwright.isolate.command import Command
from testwright.isolate.guard import IsolationLevel
from testwright.isolate.sandbox import open_sandbox
base = Path.cwd()
family = '''
import os, sys, time
pipe = os.open(sys.argv[2], os.O_WRONLY)
if os.fork() == 0:
    os.setsid()
    os.write(pipe, b"ready")
time.sleep(600)
'''
with open_sandbox(base / "project", IsolationLevel(int(sys.argv[1])), writable=[Path(sys.argv[3]).parent]) as sandbox:
    command = Command([sys.executable, "-I", "-c", family, *sys.argv[2:]], base / "project", sandbox.env(os.environ))
    run_child(command, guard=sandbox.guard)
"""


class Pipe(Protocol):
    path: Path

    def first_words(self) -> bytes: ...

    def wait_until_all_are_gone(self) -> None: ...


def test_a_kill_of_ours_leaves_no_guarded_process(
    level: IsolationLevel, tmp_path: Path, family_pipe: Pipe, marker: str, alive: Callable[[], list[int]]
) -> None:
    (tmp_path / "project").mkdir()
    argv = [sys.executable, "-c", RUN_A_GUARDED_FAMILY, str(int(level)), marker, str(family_pipe.path)]
    # A folder of its own for what a killed process cannot tidy up.
    with subprocess.Popen(argv, cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)}) as runner:
        assert family_pipe.first_words() == b"ready"
        runner.kill()
        family_pipe.wait_until_all_are_gone()
    assert alive() == []


@pytest.mark.needs_node
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")
def test_node_works(run_guarded: Callable[..., ChildReport]) -> None:
    code = (
        "const {execFileSync} = require('child_process'), fs = require('fs'), os = require('os');"
        "fs.writeFileSync(os.tmpdir() + '/x', 'y');"
        "new (require('worker_threads').Worker)('1 + 1', {eval: true});"
        "console.log(execFileSync(process.execPath, ['-p', '6 * 7']).toString().trim())"
    )
    report = run_guarded("node", "-e", code)
    assert (report.exit_code, report.stdout.text) == (0, "42\n"), report.stderr.text
