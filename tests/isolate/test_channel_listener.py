"""The private channel: what the reporter says arrives whole and in order; what anybody else writes is not believed."""

import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from testwright.isolate import child as child_module
from testwright.isolate.channel_listener import MAX_RECORD_BYTES
from testwright.isolate.child import Cancel, Child, ChildReport, Ending
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


def test_what_the_child_gets_may_be_larger_than_any_buffer(python_command: PythonCommand, reporter: str) -> None:
    code = reporter + "report(length=len(greeting['tests']))"
    records, _ = _talk(python_command(code), {"tests": "x" * (5 << 20)})
    assert records == [{"length": 5 << 20}]


def test_a_child_that_never_reads_what_it_gets_does_not_block_us(python_command: PythonCommand) -> None:
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


def test_bytes_that_are_not_text_and_endless_lines_are_counted_not_kept(
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


def test_what_is_printed_is_only_text(python_command: PythonCommand) -> None:
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


# --- many records at a time --------------------------------------------------------------------

WAITING_FOR_ANSWERS = "for number in range(12):\n    report(number=number)\n    os.read(_fd, 1)"


@pytest.fixture
def endless_rest(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rests that only something urgent can end; a test that waits for such an end is broken off."""
    monkeypatch.setattr(child_module, "_SHORTEST_REST", 3600.0)
    monkeypatch.setattr(child_module, "_LONGEST_REST", 3600.0)

    def give_up(*_: object) -> None:
        raise TimeoutError("nothing ended the rest")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def test_records_that_come_together_are_given_together(python_command: PythonCommand, reporter: str) -> None:
    # Given a child that says three things with one breath
    in_one_breath = "spoken = []\nwrite, os.write = os.write, lambda _, line: spoken.append(line) or len(line)\n"
    code = reporter + in_one_breath + "for number in range(3): report(number=number)\nwrite(_fd, b''.join(spoken))"

    with Child(python_command(code), limits=Limits(seconds=60), channel={}) as child:
        assert list(child.batches()) == [[{"number": 0}, {"number": 1}, {"number": 2}]]


@pytest.mark.usefixtures("endless_rest")
def test_the_end_of_a_child_ends_our_rest(python_command: PythonCommand, reporter: str) -> None:
    records, report = _talk(python_command(reporter + "report(n=1)"), {})
    assert (records, report.ending) == ([{"n": 1}], Ending.EXITED)


@pytest.mark.usefixtures("endless_rest")
def test_a_wish_to_stop_ends_our_rest(python_command: PythonCommand, reporter: str) -> None:
    cancel = Cancel()
    code = reporter + "report(n=1)\nimport time; time.sleep(600)"
    with Child(python_command(code), limits=Limits(seconds=60), channel={}, cancel=cancel) as child:
        for _ in child.records():
            cancel()
        assert child.report.ending == Ending.CANCELLED


def test_the_longer_a_child_goes_on_talking_the_longer_we_rest(python_command: PythonCommand, reporter: str) -> None:
    rests = []
    with Child(python_command(reporter + WAITING_FOR_ANSWERS), limits=Limits(seconds=60), channel={}) as child:
        assert child._channel is not None
        for _ in child.batches():
            rests.append(child._rest_seconds)
            child._channel.ours.send(b".")
    assert rests == sorted(rests)
    assert rests[-1] == child_module._LONGEST_REST


def test_a_child_that_may_have_to_wait_for_us_finds_us_awake(python_command: PythonCommand, reporter: str) -> None:
    much = WAITING_FOR_ANSWERS.replace("number=number", "text='x' * (1 << 17)")
    rests = []
    with Child(python_command(reporter + much), limits=Limits(seconds=60), channel={}) as child:
        assert child._channel is not None
        for _ in child.batches():
            rests.append(child._rest_seconds)
            child._channel.ours.send(b".")
    assert set(rests) == {child_module._SHORTEST_REST}
