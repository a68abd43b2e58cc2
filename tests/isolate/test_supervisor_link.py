"""A supervisor that waits for its child."""

import os
import select
import subprocess
import sys
from pathlib import Path

from testwright.isolate import supervisor_link
from testwright.isolate.child import Child, run_child
from testwright.isolate.command import Command


def test_a_prepared_link_is_taken_by_the_next_child_that_has_a_channel() -> None:
    supervisor_link.prepare()
    waiting = supervisor_link._ready[-1].process.pid

    with Child(Command(["true"], Path("/"), os.environ), channel={}) as child:
        assert child._link.process.pid == waiting
        assert not list(child.records())
    assert child.report.exit_code == 0


def test_a_child_without_a_channel_makes_its_own_link() -> None:
    supervisor_link.prepare()
    try:
        assert run_child(Command(["true"], Path("/"), os.environ)).exit_code == 0
        assert len(supervisor_link._ready) == 1
    finally:
        supervisor_link.discard_prepared()


def test_a_link_that_was_not_taken_ends_with_us() -> None:
    supervisor_link.prepare()
    process = supervisor_link._ready[-1].process

    supervisor_link.discard_prepared()

    assert process.returncode == 0
    assert not supervisor_link._ready


def test_a_child_of_a_prepared_link_holds_nothing_but_its_own_descriptors() -> None:
    supervisor_link.prepare()
    listing = Command(["sh", "-c", "ls /proc/self/fd"], Path("/"), os.environ)

    with Child(listing, channel={}) as child:
        list(child.records())

    channel_and_the_listing_itself = 2
    assert len(child.report.stdout.text.split()) == 3 + channel_and_the_listing_itself


def test_a_prepared_supervisor_is_a_copy_of_us_unless_we_have_threads() -> None:
    program = (
        "import threading; from testwright.isolate import supervisor_link\n"
        "go = threading.Event(); thread = threading.Thread(target=go.wait)\n"
        "supervisor_link.prepare(); thread.start(); supervisor_link.prepare()\n"
        "print(*(type(waiting.process).__name__ for waiting in supervisor_link._ready))\n"
        "go.set(); thread.join(); supervisor_link.discard_prepared()"
    )
    assert _said_by(program) == "_Forked Popen\n"


def test_a_copy_of_us_is_out_of_reach_of_the_terminal_and_says_nothing_of_ours_again() -> None:
    program = (
        "import os; from pathlib import Path\n"
        "from testwright.isolate import supervisor_link, child, command\n"
        "print('once', end=' ')\n"  # in memory, not written out, when the copy is made
        "supervisor_link.prepare(); copy = supervisor_link._ready[0].process.pid\n"
        "with child.Child(command.Command(['true'], Path('/'), os.environ), channel={}) as running:\n"
        "    list(running.records())\n"  # from now on the copy has done its work, and has not been waited for
        "    print(os.getpgid(copy) == copy != os.getpgid(0), running.report.exit_code)\n"
    )
    assert _said_by(program) == "once True 0\n"


def test_a_copy_of_us_ends_when_we_are_killed() -> None:
    program = (
        "import os, sys; from testwright.isolate import supervisor_link; supervisor_link.prepare()\n"
        "print(supervisor_link._ready[0].process.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as runner:
        assert runner.stdout is not None
        copy = os.pidfd_open(int(runner.stdout.readline()))
        runner.kill()
        ready, _, _ = select.select([copy], [], [], 30)
        os.close(copy)
    assert ready


def _said_by(program: str) -> str:
    # In a process of its own: this one may have threads.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run([sys.executable, "-c", program], env=buffered, capture_output=True, text=True, check=True)
    return done.stdout
