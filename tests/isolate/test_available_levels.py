"""What works on this machine is known and explained in plain words, and never quietly gives less than was asked for."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from testwright.isolate import available_levels as levels_module
from testwright.isolate.available_levels import AvailableLevels, LevelStatus, choose_level, probe_levels
from testwright.isolate.child import run_child
from testwright.isolate.command import Command
from testwright.isolate.guard import IsolationLevel
from testwright.isolate.limits import Limits
from testwright.isolate.sandbox import open_sandbox
from testwright.model.errors import IsolationUnavailable

_WORKS = LevelStatus(works=True)
_NO_BUBBLEWRAP = LevelStatus(works=False, reason="bubblewrap is not installed", fix="install it")
_NO_LANDLOCK = LevelStatus(works=False, reason="this kernel does not offer Landlock")


def test_this_machine_offers_at_least_landlock(available: AvailableLevels) -> None:
    assert available.strongest >= IsolationLevel.R1
    assert available.landlock_abi >= 1


def test_a_machine_is_tried_once(available: AvailableLevels) -> None:
    assert probe_levels() is available


def test_every_level_that_does_not_work_has_its_reason() -> None:
    available = AvailableLevels(
        {
            IsolationLevel.R0: _WORKS,
            IsolationLevel.R1: _WORKS,
            IsolationLevel.R2: _NO_LANDLOCK,
            IsolationLevel.R3: _NO_BUBBLEWRAP,
        },
        7,
    )
    assert available.strongest == IsolationLevel.R1
    assert available.reasons == {
        IsolationLevel.R2: "this kernel does not offer Landlock",
        IsolationLevel.R3: "bubblewrap is not installed; install it",
    }


def test_without_bubblewrap_the_reason_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    status = levels_module._status(IsolationLevel.R3)
    assert not status.works
    assert "bubblewrap is not installed" in status.reason
    assert "apt install bubblewrap" in status.fix


def test_a_bubblewrap_that_fails_is_not_a_level_and_its_complaint_is_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As on a machine where namespaces are forbidden: the program is there and gives up."""
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    status = levels_module._status(IsolationLevel.R3)
    assert not status.works
    assert "setting up uid map: Permission denied" in status.reason
    assert status.fix


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="there is no bubblewrap to weaken")
def test_a_level_the_test_program_escapes_is_not_believed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bubblewrap that runs the program and shuts nothing in is found out, not trusted."""
    leaky = tmp_path / "bwrap"
    leaky.write_text('#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done\nshift\nexec "$@"\n')
    leaky.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    status = levels_module._status(IsolationLevel.R3)
    assert not status.works
    assert "connect to this machine's network" in status.reason


def test_in_a_container_that_forbids_namespaces_the_first_level_still_works(
    available: AvailableLevels, tmp_path: Path
) -> None:
    """Our own R2 is such a container: processes inside it may not make namespaces."""
    if IsolationLevel.R2 in available.reasons:
        pytest.skip(available.reasons[IsolationLevel.R2])
    code = (
        "import sys; sys.path.append(sys.argv[1])\n"
        "from testwright.isolate.available_levels import probe_levels\n"
        "available = probe_levels()\n"
        "print(available.strongest.label, available.reasons, sep='\\n')\n"
    )
    source = Path(levels_module.__file__).resolve().parents[2]
    argv = [sys.executable, "-I", "-c", code, str(source)]
    with open_sandbox(tmp_path, IsolationLevel.R2, readable=[source]) as sandbox:
        report = run_child(
            Command(argv, tmp_path, sandbox.env(os.environ)), guard=sandbox.guard, limits=Limits(seconds=60)
        )
    assert report.exit_code == 0, report.stderr.text
    strongest, reasons = report.stdout.text.splitlines()
    assert strongest == "R1", reasons
    assert "namespaces are not permitted here" in reasons
    assert "--security-opt seccomp=unconfined" in reasons


@pytest.mark.parametrize("wanted", [IsolationLevel.R0, IsolationLevel.R1, IsolationLevel.R2])
def test_what_is_asked_for_and_works_is_given(wanted: IsolationLevel) -> None:
    available = AvailableLevels(
        {
            IsolationLevel.R0: _WORKS,
            IsolationLevel.R1: _WORKS,
            IsolationLevel.R2: _WORKS,
            IsolationLevel.R3: _NO_BUBBLEWRAP,
        },
        7,
    )
    assert choose_level(wanted, available) == wanted


def test_without_a_wish_the_strongest_is_given() -> None:
    available = AvailableLevels(
        {
            IsolationLevel.R0: _WORKS,
            IsolationLevel.R1: _WORKS,
            IsolationLevel.R2: _WORKS,
            IsolationLevel.R3: _NO_BUBBLEWRAP,
        },
        7,
    )
    assert choose_level(None, available) == IsolationLevel.R2


def test_what_does_not_work_is_refused_with_reason_and_fix() -> None:
    available = AvailableLevels(
        {
            IsolationLevel.R0: _WORKS,
            IsolationLevel.R1: _WORKS,
            IsolationLevel.R2: _WORKS,
            IsolationLevel.R3: _NO_BUBBLEWRAP,
        },
        7,
    )
    with pytest.raises(IsolationUnavailable) as raised:
        choose_level(IsolationLevel.R3, available)
    assert raised.value.message == "Isolation R3 does not work on this machine: bubblewrap is not installed."
    assert raised.value.next_step == "Install it; or use --isolation R2, the strongest that works here."


def test_code_that_needs_a_guard_does_not_run_without_one_unless_that_is_asked_for() -> None:
    available = AvailableLevels(
        {
            IsolationLevel.R0: _WORKS,
            IsolationLevel.R1: _NO_LANDLOCK,
            IsolationLevel.R2: _NO_LANDLOCK,
            IsolationLevel.R3: _NO_BUBBLEWRAP,
        },
        0,
    )
    with pytest.raises(IsolationUnavailable, match="R1 does not work on this machine: this kernel does not offer") as e:
        choose_level(None, available)
    assert "--isolation R0" in e.value.next_step
    assert choose_level(IsolationLevel.R0, available) == IsolationLevel.R0


def test_each_level_has_its_sentence_and_says_what_it_does_not_block() -> None:
    available = AvailableLevels({IsolationLevel.R0: _WORKS}, 7)
    assert available.sentence(IsolationLevel.R1) == "Isolation: files and network limited (Landlock ABI 7)."
    assert "not blocked" in available.sentence(IsolationLevel.R0)
    assert "discarded" in available.sentence(IsolationLevel.R2)
    assert "bubblewrap" in available.sentence(IsolationLevel.R3)
    assert "Signals are not blocked" in AvailableLevels({}, 5).sentence(IsolationLevel.R1)
