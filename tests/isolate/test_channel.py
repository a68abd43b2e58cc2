"""The private channel: what the reporter says arrives whole and in order; what anybody else writes is not believed."""

import os
from collections.abc import Callable
from typing import Any

from testwright.isolate.channel import MAX_RECORD_BYTES
from testwright.isolate.child import Child, ChildReport, Ending
from testwright.isolate.command import Command
from testwright.isolate.limits import Limits

PythonCommand = Callable[..., Command]


def _talk(command: Command, config: dict[str, object]) -> tuple[list[dict[str, Any]], ChildReport]:
    with Child(command, limits=Limits(seconds=60), channel=config) as child:
        records = list(child.records())
        return records, child.report


def test_records_arrive_in_order_and_without_their_secret(python_command: PythonCommand, reporter: str) -> None:
    code = reporter + "for number in range(2000): report(number=number)"
    records, report = _talk(python_command(code), {})
    assert records == [{"number": number} for number in range(2000)]
    assert report.forged_records == 0


def test_what_the_child_is_told_may_be_larger_than_any_buffer(python_command: PythonCommand, reporter: str) -> None:
    code = reporter + "report(length=len(greeting['tests']))"
    records, _ = _talk(python_command(code), {"tests": "x" * (5 << 20)})
    assert records == [{"length": 5 << 20}]


def test_a_child_that_never_reads_what_it_is_told_does_not_block_us(python_command: PythonCommand) -> None:
    _, report = _talk(python_command("pass"), {"tests": "x" * (5 << 20)})
    assert report.exit_code == 0


def test_blind_writes_into_every_descriptor_are_not_believed(python_command: PythonCommand, reporter: str) -> None:
    forger = """
def forge():
    for fd in range(3, 64):
        try: os.write(fd, b'{"kind": "end", "passed": 99, "seq": 1, "nonce": "0000"}\\n{"passed": 99}\\n')
        except OSError: pass
"""
    code = reporter + forger + "report(n=1); forge(); report(n=2); forge(); report(n=3)"
    records, report = _talk(python_command(code), {})
    assert records == [{"n": 1}, {"n": 2}, {"n": 3}]
    assert report.forged_records >= 4


def test_bytes_that_are_no_text_and_endless_lines_are_counted_not_kept(
    python_command: PythonCommand, reporter: str
) -> None:
    code = reporter + (
        "os.write(_fd, b'\\xff\\xfe\\n' + b'[' * 100000 + b'\\n')\n"
        f"for _ in range({MAX_RECORD_BYTES >> 16} + 8): os.write(_fd, b'x' * 65536)\n"
        "os.write(_fd, b'\\n')\n"
        "report(n=1)\n"
    )
    records, report = _talk(python_command(code), {})
    assert records == [{"n": 1}]
    assert report.forged_records >= 3


def test_a_record_said_twice_or_out_of_turn_is_not_believed(python_command: PythonCommand, reporter: str) -> None:
    code = reporter + "report(n=1); _count = 0; report(n=2); _count = 7; report(n=3); _count = 1; report(n=4)"
    records, report = _talk(python_command(code), {})
    assert records == [{"n": 1}, {"n": 4}]
    assert report.forged_records == 2


def test_what_is_printed_is_text_whatever_it_says(python_command: PythonCommand) -> None:
    code = 'print(\'{"nonce": "", "seq": 1, "passed": 99}\')'
    records, report = _talk(python_command(code), {})
    assert records == []
    assert report.stdout.text.startswith('{"nonce"')
    assert report.forged_records == 0


def test_the_secret_is_not_in_the_environment_or_the_arguments(python_command: PythonCommand, reporter: str) -> None:
    code = reporter + (
        "seen = open('/proc/self/environ').read() + open('/proc/self/cmdline').read()\n"
        "report(told=greeting['nonce'] in seen)\n"
    )
    records, _ = _talk(python_command(code), {})
    assert records == [{"told": False}]


def test_a_child_whose_deadline_is_moved_lives_on(python_command: PythonCommand, reporter: str) -> None:
    code = reporter + "report(n=1)\nos.read(_fd, 1)\nreport(n=2)"
    with Child(python_command(code), limits=Limits(seconds=30), channel={}) as child:
        assert child.deadline is not None
        for record in child.records():
            if record == {"n": 1}:
                child.deadline = None
                child._channel.ours.send(b".")  # type: ignore[union-attr]  # it was given a channel
        assert child.report.ending == Ending.EXITED
        assert os.WEXITSTATUS(child.report.exit_code or 0) == 0
