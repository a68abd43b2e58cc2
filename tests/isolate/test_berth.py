"""A supervisor that waits for its child."""

import os
from pathlib import Path

from testwright.isolate import berth
from testwright.isolate.child import Child, run_child
from testwright.isolate.command import Command


def test_a_prepared_berth_is_taken_by_the_next_child_that_has_a_channel() -> None:
    berth.prepare()
    waiting = berth._ready[-1].process.pid

    with Child(Command(["true"], Path("/"), os.environ), channel={}) as child:
        assert child._berth.process.pid == waiting
        assert not list(child.records())
    assert child.report.exit_code == 0


def test_a_child_without_a_channel_makes_its_own_berth() -> None:
    berth.prepare()
    try:
        assert run_child(Command(["true"], Path("/"), os.environ)).exit_code == 0
        assert len(berth._ready) == 1
    finally:
        berth.discard_prepared()


def test_a_berth_that_nobody_took_ends_with_us() -> None:
    berth.prepare()
    process = berth._ready[-1].process

    berth.discard_prepared()

    assert process.returncode == 0
    assert not berth._ready


def test_a_child_of_a_prepared_berth_holds_nothing_but_its_own_descriptors() -> None:
    berth.prepare()
    listing = Command(["sh", "-c", "ls /proc/self/fd"], Path("/"), os.environ)

    with Child(listing, channel={}) as child:
        list(child.records())

    channel_and_the_listing_itself = 2
    assert len(child.report.stdout.text.split()) == 3 + channel_and_the_listing_itself
