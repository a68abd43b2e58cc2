"""What a child in a mount namespace sees: a read-only machine, a project whose changes are lost, empty temp folders."""

from __future__ import annotations

import os
import stat

from testwright.isolate import system_calls, visible_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from testwright.isolate.child_plan import GuardPlan, Plan

_SAFE = system_calls.MS_NOSUID | system_calls.MS_NODEV
# Bubblewrap shows the machine's own. Read-only they can be used as ever, but to no owner are their modes to change.
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
SCRATCH = "scratch"  # in the private folder: where the changes to the project go


def build_view(plan: Plan, guard: GuardPlan) -> None:
    """R2: in a fresh mount namespace that still shows the whole machine, writable."""
    system_calls.mount("none", "/", "", system_calls.MS_REC | system_calls.MS_PRIVATE)
    covered = [path for path in visible_files.COVERED if os.path.isdir(path) and not os.path.islink(path)]
    writable = {path for path in visible_files.writable_folders(guard) if os.path.exists(path)}
    clones = {path: system_calls.clone_of_mount(path) for path in writable | _to_keep_below(covered, plan, guard)}
    if guard["project"]:
        discard_changes(guard)
        clones[guard["project"]] = system_calls.clone_of_mount(guard["project"])
    for path in covered:
        system_calls.mount("tmpfs", path, "tmpfs", _SAFE, f"mode=1777,size={visible_files.MOST_BYTES}")
    for path in visible_files.outermost_first(set(clones)):
        _place(clones[path], path)
    _own_terminals()
    system_calls.mount("proc", "/proc", "proc", _SAFE | system_calls.MS_NOEXEC)
    system_calls.make_read_only("/")
    for path in {*writable, *covered, guard["project"]} - {""}:
        system_calls.make_writable(path)


def _own_terminals() -> None:
    """Pseudo-terminals apart from the user's, whose windows are to be seen under /dev/pts otherwise."""
    if os.path.isdir("/dev/pts"):
        flags = system_calls.MS_NOSUID | system_calls.MS_NOEXEC
        system_calls.mount("devpts", "/dev/pts", "devpts", flags, "newinstance,ptmxmode=0666,mode=0620")
        if not os.path.islink("/dev/ptmx"):
            _place(system_calls.clone_of_mount("/dev/pts/ptmx"), "/dev/ptmx")


def _to_keep_below(covered: list[str], plan: Plan, guard: GuardPlan) -> set[str]:
    """The readable folders that would vanish under the empty ones."""
    readable = [*visible_files.readable_folders(plan, guard), *visible_files.own_program_folders()]
    below = {path for path in readable if any(visible_files.is_within(path, folder) for folder in covered)}
    return {path for path in below - {guard["project"]} if os.path.exists(path)}


def _place(clone: int, path: str) -> None:
    if not os.path.exists(path):
        if stat.S_ISDIR(os.fstat(clone).st_mode):
            os.makedirs(path, mode=0o700)
        else:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    system_calls.place_mount(clone, path)
    os.close(clone)


def discard_changes_in_new_view(guard: GuardPlan) -> None:
    """R3: bubblewrap built the view, with a read-only project; where we may, lay the layer over it."""
    try:
        system_calls.unshare(system_calls.CLONE_NEWNS)
        for device in _DEVICES:
            if os.path.exists(device):
                system_calls.make_read_only(device)
        if guard["project"]:
            discard_changes(guard)
    except OSError:
        return  # a security module forbids mounting even in here: changes are refused instead of discarded


def discard_changes(guard: GuardPlan) -> None:
    """Lay a layer of memory over the project: reads see through it, writes stay in it."""
    project, scratch = guard["project"], os.path.join(guard["private"], SCRATCH)
    system_calls.mount("tmpfs", scratch, "tmpfs", _SAFE, f"mode=0700,size={visible_files.MOST_BYTES}")
    for name in ("upper", "work"):
        os.mkdir(os.path.join(scratch, name), 0o755)
    owner = os.stat(project)
    os.chmod(os.path.join(scratch, "upper"), owner.st_mode & 0o7777)
    # By descriptor, because a path may hold the commas and colons that separate the options.
    lower, layer = (os.open(path, os.O_RDONLY | os.O_DIRECTORY) for path in (project, scratch))
    try:
        layer_path = f"/proc/self/fd/{layer}"
        options = f"lowerdir=/proc/self/fd/{lower},upperdir={layer_path}/upper,workdir={layer_path}/work,userxattr"
        system_calls.mount("overlay", project, "overlay", _SAFE, options)
    finally:
        os.close(lower)
        os.close(layer)
