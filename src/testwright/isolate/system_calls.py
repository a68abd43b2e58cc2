"""The system calls Python does not offer, each as a function that raises OSError.

Standard library only: this runs in the supervisor and in the child before it becomes its command.
"""

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

CLONE_NEWNS = 0x0002_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_NOSUID, MS_NODEV, MS_NOEXEC = 0x2, 0x4, 0x8
MS_REC, MS_PRIVATE = 0x4000, 0x4_0000

_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442  # the same on every architecture, as all from 424 on
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_OPEN_TREE_CLONE = 1
_OPEN_TREE_CLOEXEC = os.O_CLOEXEC
_MOVE_MOUNT_F_EMPTY_PATH = 4
_MOUNT_ATTR_RDONLY = 1

_CAPABILITY_VERSION_3 = 0x2008_0522
_MOST_CAPABILITIES = 64

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(what: str, number: int, *arguments: object) -> int:
    """The raw call; `what` names it if it fails. Integers travel as longs, as the kernel reads them."""
    longs = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(int(_libc.syscall(ctypes.c_long(number), *longs)), what)


def prctl(option: int, value: int, third: int = 0) -> int:
    arguments = [ctypes.c_ulong(part) for part in (value, third, 0, 0)]
    return _checked(int(_libc.prctl(ctypes.c_int(option), *arguments)), f"prctl {option}")


def unshare(flags: int) -> None:
    _checked(int(_libc.unshare(ctypes.c_int(flags))), "unshare")


def mount(source: str, target: str, kind: str, flags: int = 0, data: str = "") -> None:
    encoded = [os.fsencode(part) for part in (source, target, kind)]
    result = _libc.mount(*encoded, ctypes.c_ulong(flags), os.fsencode(data) or None)
    _checked(int(result), f"mount {kind or 'flags'} on {target}")


def clone_of_mount(path: str) -> int:
    """A descriptor of what is mounted at `path` and below, to be placed elsewhere with `place_mount`."""
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
    return syscall(f"open_tree {path}", _OPEN_TREE, _AT_FDCWD, os.fsencode(path), flags)


def place_mount(descriptor: int, path: str) -> None:
    arguments = (descriptor, b"", _AT_FDCWD, os.fsencode(path), _MOVE_MOUNT_F_EMPTY_PATH)
    syscall(f"move_mount {path}", _MOVE_MOUNT, *arguments)


def make_read_only(path: str) -> None:
    """Everything mounted at `path` and below."""
    _set_mount_flags(path, at=_AT_RECURSIVE, add=_MOUNT_ATTR_RDONLY, remove=0)


def make_writable(path: str) -> None:
    """The one mount at `path`."""
    _set_mount_flags(path, at=0, add=0, remove=_MOUNT_ATTR_RDONLY)


def _set_mount_flags(path: str, *, at: int, add: int, remove: int) -> None:
    attributes = (ctypes.c_uint64 * 4)(add, remove, 0, 0)
    size = ctypes.sizeof(attributes)
    syscall(f"mount_setattr {path}", _MOUNT_SETATTR, _AT_FDCWD, os.fsencode(path), at, attributes, size)


def drop_capabilities() -> None:
    """Give up every privilege, root's too, for good: nothing this process starts can have one again."""
    for number in range(_MOST_CAPABILITIES):
        try:
            prctl(PR_CAPBSET_DROP, number)
        except OSError:  # past the last one the kernel knows, or we have none to give up
            break
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _checked(int(_libc.capset(header, (ctypes.c_uint32 * 6)())), "capset")
