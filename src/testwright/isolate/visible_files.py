"""Which folders and files a guarded child sees, and which of them it may change.

Standard library only: worked out in the child, which knows its command, before the door is shut.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from testwright.isolate.child_plan import GuardPlan, Plan

# What programs need of a Linux system. Not /etc as a whole: to root it would show every secret there.
_ETC = (
    "alternatives ca-certificates ca-certificates.conf chromium chromium.d crypto-policies debian_version default "
    "environment fonts gai.conf gitconfig group gtk-3.0 host.conf hostname hosts inputrc java ld.so.cache "
    "ld.so.conf ld.so.conf.d locale.alias locale.conf localtime login.defs lsb-release machine-id magic mailcap "
    "mime.types networks nsswitch.conf openssl os-release passwd pki/tls/certs profile protocols python3 resolv.conf "
    "rpc services shells ssl/certs ssl/openssl.cnf terminfo timezone vulkan xdg"
)
_FOLDERS = (
    "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix/store /gnu/store /run/current-system "
    "/sys/devices/system /sys/fs/cgroup /sys/kernel/mm /var/cache/fontconfig"
)
SYSTEM = (*_FOLDERS.split(), *(f"/etc/{name}" for name in _ETC.split()))
READABLE_DEVICES = ("/dev/urandom", "/dev/random", "/dev/zero")
WRITABLE_DEVICES = ("/dev/null", "/dev/full", "/dev/shm")  # noqa: S108  multiprocessing keeps semaphores there
COVERED = ("/tmp", "/var/tmp", "/dev/shm", "/run")  # in namespaces: empty, and the child's own  # noqa: S108
MOST_BYTES = 2 << 30  # of memory, for each place that is thrown away afterwards
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # our reporters run from here
_MOST_LINKS = 40


def readable_folders(plan: Plan, guard: GuardPlan) -> list[str]:
    """All that a child may read, besides what it may write, /proc and devices."""
    program = program_folders(plan["argv"][0], plan["env"].get("PATH", ""), plan["cwd"])
    paths = [*SYSTEM, PACKAGE, *program, guard["project"], *guard["readable"]]
    return [path for path in paths if path]


def writable_folders(guard: GuardPlan) -> list[str]:
    return [path for path in (guard["private"], *guard["writable"]) if path]


def program_folders(program: str, search_path: str, cwd: str) -> list[str]:
    """The folders `program` needs to start: where each link on the way to it lies, and the installation around that.

    `/home/ann/proj/.venv/bin/python` needs `.venv`, and the Python its link leads to.
    """
    found = found_program(program, search_path, cwd)
    folders = []
    for _ in range(_MOST_LINKS):
        if not found:
            break
        folders.append(_installation_of(found))
        found = os.path.join(os.path.dirname(found), os.readlink(found)) if os.path.islink(found) else ""
    return folders


def own_program_folders() -> list[str]:
    """What our own interpreter and code need, for the part of us that runs beside the child."""
    return [*program_folders(sys.executable, "", "/"), sys.base_prefix, PACKAGE]


def found_program(program: str, search_path: str, cwd: str) -> str:
    """The path of the file that will run; nothing if there is none."""
    if os.sep in program:
        return os.path.normpath(os.path.join(cwd, program))
    for folder in search_path.split(os.pathsep):
        candidate = os.path.join(cwd, folder, program)
        if os.access(candidate, os.X_OK) and not os.path.isdir(candidate):
            return os.path.normpath(candidate)
    return ""


def _installation_of(program: str) -> str:
    """The folder above `bin`, unless that would open up a home folder or the whole machine."""
    folder = os.path.dirname(program)
    around = os.path.dirname(folder)
    if os.path.basename(folder) not in ("bin", "Scripts") or is_within(os.path.expanduser("~"), around):
        return folder
    return around


def is_within(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies below it, by name."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def outermost_first(paths: set[str]) -> list[str]:
    return sorted(paths, key=lambda path: (path.count("/"), path))
