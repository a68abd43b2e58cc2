"""The same levels of isolation for an ordinary user, when these tests are run by root."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

import testwright

_SOURCE = Path(testwright.__file__).resolve().parents[1]
_NOBODY = pwd.getpwnam("nobody")


def _as_nobody(interpreter: str, code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [interpreter, "-I", "-c", f"import sys; sys.path.insert(0, sys.argv[1])\n{code}", str(_SOURCE)],
        user=_NOBODY.pw_uid,
        group=_NOBODY.pw_gid,
        extra_groups=[],
        cwd="/",
        env={"PATH": os.defpath},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def interpreter() -> str:
    """A Python that an ordinary user may run, and that finds our code."""
    if os.geteuid() != 0:
        pytest.skip("we are an ordinary user: all other tests show this")
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        try:
            if _as_nobody(candidate, "import testwright.isolate.available_levels").returncode == 0:
                return candidate
        except OSError:
            continue
    pytest.skip("no Python here that the user nobody could run with our code")


def test_an_ordinary_user_has_the_first_level_and_a_reason_for_each_that_is_missing(interpreter: str) -> None:
    code = (
        "from testwright.isolate.available_levels import probe_levels\n"
        "available = probe_levels()\n"
        "print(*(f'{level.label}={available.reasons.get(level, True)}' for level in available.statuses), sep='\\n')\n"
    )
    done = _as_nobody(interpreter, code)
    statuses = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert done.returncode == 0, done.stderr
    assert statuses["R1"] == "True"
    assert all(statuses[label] for label in ("R0", "R2", "R3"))


def test_an_ordinary_users_fork_bomb_is_held_to_its_number_where_processes_are_counted_apart(interpreter: str) -> None:
    code = """
import os, sys, tempfile
from pathlib import Path
from testwright.isolate.child import run_child
from testwright.isolate.command import Command
from testwright.isolate.available_levels import probe_levels
from testwright.isolate.limits import Limits
from testwright.isolate.sandbox import open_sandbox
bomb = '''
import os, signal
count = 0
try:
    while count < 100:
        if os.fork() == 0: signal.pause()
        count += 1
except BlockingIOError: pass
print(count)
'''
for level, status in probe_levels().statuses.items():
    if level >= 2 and status.works:
        with tempfile.TemporaryDirectory() as project, open_sandbox(Path(project), level) as sandbox:
            command = Command([sys.executable, "-I", "-c", bomb], Path(project), sandbox.env(os.environ))
            print(run_child(command, guard=sandbox.guard, limits=Limits(seconds=30, processes=30)).stdout.text.strip())
"""
    done = _as_nobody(interpreter, code)
    assert done.returncode == 0, done.stderr
    assert all(20 <= int(count) < 30 for count in done.stdout.split()), done.stdout


def test_an_ordinary_users_guarded_child_works_and_ends_on_every_level(interpreter: str) -> None:
    code = """
import os, sys, tempfile
from pathlib import Path
from testwright.isolate.child import run_child
from testwright.isolate.command import Command
from testwright.isolate.available_levels import probe_levels
from testwright.isolate.limits import GUARDED_LIMITS
from testwright.isolate.sandbox import open_sandbox
work = '''
import os, subprocess, tempfile, time
print(subprocess.check_output(["id", "-u"]).decode().strip(), end=" ")
tempfile.NamedTemporaryFile().write(b"x")
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
'''
for level, status in probe_levels().statuses.items():
    if level and status.works:
        with tempfile.TemporaryDirectory() as project, open_sandbox(Path(project), level) as sandbox:
            command = Command([sys.executable, "-I", "-c", work], Path(project), sandbox.env(os.environ))
            report = run_child(command, guard=sandbox.guard, limits=GUARDED_LIMITS)
            print(level.label, report.exit_code, report.survivors, report.stdout.text, report.stderr.text)
"""
    done = _as_nobody(interpreter, code)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("\n")
    assert lines[0].startswith("R1 ")
    assert {line.split(" ", 1)[1].strip() for line in lines if line} == {f"0 2 {_NOBODY.pw_uid}"}
