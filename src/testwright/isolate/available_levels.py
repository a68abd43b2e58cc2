"""Which levels of isolation work on this machine, found out by running a program in each that tries to get out."""

import functools
import os
import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from testwright.isolate import escape_attempts, landlock, seccomp
from testwright.isolate.bubblewrap import PROGRAM as BUBBLEWRAP
from testwright.isolate.child import ChildReport, run_child
from testwright.isolate.command import Command
from testwright.isolate.guard import IsolationLevel
from testwright.isolate.limits import Limits
from testwright.isolate.sandbox import open_sandbox
from testwright.model.errors import IsolationUnavailable, SpawnFailed

_ATTEMPT_SECONDS = 20.0
_USER_NAMESPACES_OFF = {
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "AppArmor forbids user namespaces to ordinary programs, as Ubuntu does since 24.04",
        (
            "allow it for bubblewrap (R3): sudo apt install apparmor-profiles && sudo cp"
            " /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/"
            " && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict"
        ),
    ),
    "/proc/sys/kernel/unprivileged_userns_clone": (
        "0",
        "this kernel keeps user namespaces to root",
        "allow them: sudo sysctl kernel.unprivileged_userns_clone=1",
    ),
    "/proc/sys/user/max_user_namespaces": (
        "0",
        "user namespaces are switched off",
        "allow them: sudo sysctl user.max_user_namespaces=10000",
    ),
}


@dataclass(frozen=True, slots=True)
class LevelStatus:
    """Whether a level works here; if not why, and what would help."""

    works: bool
    reason: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class AvailableLevels:
    statuses: Mapping[IsolationLevel, LevelStatus]
    landlock_abi: int

    @property
    def strongest(self) -> IsolationLevel:
        return max((level for level, status in self.statuses.items() if status.works), default=IsolationLevel.R0)

    @property
    def reasons(self) -> dict[IsolationLevel, str]:
        """For each level that does not work: why, and what to do about it."""
        return {
            level: f"{status.reason}; {status.fix}" if status.fix else status.reason
            for level, status in self.statuses.items()
            if not status.works
        }

    def sentence(self, level: IsolationLevel) -> str:
        """What to say to a person about a run on this level, with what it does not block."""
        match level:
            case IsolationLevel.R0:
                return "Isolation: basic. Tests run with your rights; network and files are not blocked."
            case IsolationLevel.R1:
                signals = "" if self.landlock_abi >= landlock.SCOPES_SINCE else " Signals are not blocked."
                return f"Isolation: files and network limited (Landlock ABI {self.landlock_abi}).{signals}"
            case IsolationLevel.R2:
                return "Isolation: strong. Changes to the project are discarded."
            case IsolationLevel.R3:
                return "Isolation: strongest (bubblewrap). Little but the project is visible; changes to it are lost."


def choose_level(wanted: IsolationLevel | None, available: AvailableLevels) -> IsolationLevel:
    """The level to use: the one asked for, or the strongest. Never quietly a weaker one.

    With nothing asked for there must be a guard worth the name, R1 or better.
    """
    if wanted == IsolationLevel.R0:
        return wanted
    level = max(available.strongest, IsolationLevel.R1) if wanted is None else wanted
    status = available.statuses.get(level, LevelStatus(works=False, reason="it was not tried"))
    if status.works:
        return level
    instead = f"use --isolation {available.strongest.label}, the strongest that works here"
    if available.strongest == IsolationLevel.R0:
        instead = "or allow code to run without a guard with --isolation R0"
    next_step = f"{status.fix}; or {instead}" if status.fix else instead
    raise IsolationUnavailable(
        f"Isolation {level.label} does not work on this machine: {status.reason}.",
        next_step=next_step[:1].upper() + next_step[1:] + ".",
    )


@functools.cache
def probe_levels() -> AvailableLevels:
    """Try every level for real, once in the life of this process."""
    levels = (IsolationLevel.R1, IsolationLevel.R2, IsolationLevel.R3)
    with ThreadPoolExecutor(len(levels)) as pool:  # each mostly waits for its child
        statuses = dict(zip(levels, pool.map(_status, levels), strict=True))
    return AvailableLevels({IsolationLevel.R0: LevelStatus(works=True), **statuses}, landlock.abi())


def _status(level: IsolationLevel) -> LevelStatus:
    missing = _missing(level)
    if missing is not None:
        return missing
    try:
        escaped = _escapes(level)
    except SpawnFailed as error:
        return _explained(level, error.message)
    except OSError as error:  # no temporary folder or no socket to try it with
        return LevelStatus(works=False, reason=f"it could not be tried: {error}")
    if escaped:
        return LevelStatus(works=False, reason=f"a test program inside it could still {', '.join(escaped)}")
    return LevelStatus(works=True)


def _missing(level: IsolationLevel) -> LevelStatus | None:
    """What is plainly not there needs no trial."""
    if not seccomp.is_supported(platform.machine()):
        return LevelStatus(works=False, reason=f"there is no system call filter for {platform.machine()} yet")
    if level < IsolationLevel.R3 and not landlock.abi():
        return LevelStatus(
            works=False,
            reason="this kernel does not offer Landlock",
            fix="use Linux 5.13 or newer, with `landlock` among the `lsm=` boot options",
        )
    if level == IsolationLevel.R3 and shutil.which(BUBBLEWRAP) is None:
        return LevelStatus(
            works=False,
            reason="bubblewrap is not installed",
            fix="install it: sudo apt install bubblewrap (or dnf, pacman, zypper)",
        )
    return None


def _explained(level: IsolationLevel, message: str) -> LevelStatus:
    message = message.partition("could not be started: ")[2].rstrip(".") or message
    if "disable-userns" in message:
        return LevelStatus(works=False, reason="bubblewrap is older than 0.8", fix="install a newer bubblewrap")
    if level >= IsolationLevel.R2:
        for path, (value, reason, fix) in _USER_NAMESPACES_OFF.items():
            if _content(path) == value and os.geteuid() != 0:
                return LevelStatus(works=False, reason=reason, fix=fix)
        if "permission" in message.lower() or "not permitted" in message:
            return LevelStatus(
                works=False,
                reason=f"namespaces are not permitted here, as in most containers ({message})",
                fix="start the container with --security-opt seccomp=unconfined",
            )
    return LevelStatus(works=False, reason=message)


def _content(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _escapes(level: IsolationLevel) -> list[str]:
    """What a program managed to do that this level promises to prevent."""
    any_port = ("127.0.0.1", 0)
    with tempfile.TemporaryDirectory(prefix="testwright-escape-") as name, socket.create_server(any_port) as server:
        outside, project = Path(name).resolve() / "outside", Path(name).resolve() / "project"
        outside.mkdir()
        project.mkdir()
        precious = project / "precious"
        precious.write_text("as it was", encoding="utf-8")
        tries = {
            f"write:{outside / 'file'}": "write outside its folders",
            f"mode:{outside}": "change the mode of what lies outside its folders",
            f"mode:{os.devnull}": "change the mode of this machine's devices",
            f"connect:{server.getsockname()[1]}": "connect to this machine's network",
        }
        if level >= IsolationLevel.R2:
            tries[f"signal:{os.getpid()}"] = "reach other processes"
        report = _run_attempts(level, project, [*tries, f"write:{precious}"])
        managed = report.stdout.text.splitlines()
        if escape_attempts.LAST_LINE not in managed:
            raise SpawnFailed(f"its trial gave no answer: {report.stderr.text.strip()[-300:]}")
        escaped = [deed for attempt, deed in tries.items() if attempt in managed]
        # Inside, writing to the project may work. What counts is what is left of it.
        if precious.read_text(encoding="utf-8") != "as it was" or list(outside.iterdir()):
            escaped.append("change files of yours")
        return escaped


def _run_attempts(level: IsolationLevel, project: Path, attempts: list[str]) -> ChildReport:
    argv = [sys.executable, "-I", "-S", str(Path(escape_attempts.__file__).resolve()), *attempts]
    with open_sandbox(project, level) as sandbox:
        command = Command(argv, project, sandbox.env(os.environ))
        return run_child(command, limits=Limits(seconds=_ATTEMPT_SECONDS), guard=sandbox.guard)
