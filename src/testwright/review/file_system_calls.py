"""The two system calls that Python has no name for: open beneath a folder, and rename without replacing."""

import ctypes
import errno
import os

_OPENAT2 = 437  # the same number on every architecture that Linux gained since 2011, and on x86 and Arm
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_NO_SYMLINKS = 0x04
_RESOLVE_BENEATH = 0x08
_RENAME_NOREPLACE = 0x01

_libc = ctypes.CDLL(None, use_errno=True)


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def open_beneath(folder: int, path: str, flags: int) -> int:
    """Open `path` below `folder`; the kernel itself refuses links and every way out.

    Mount points may be crossed: a container that mounts a volume into the project is common, and
    a process that can mount there does not need us to reach other files.
    """
    how = _OpenHow(
        flags=(flags & ~os.O_NOFOLLOW) | os.O_CLOEXEC,  # with it a link where a folder should be is merely "no folder"
        mode=0,
        resolve=_RESOLVE_BENEATH | _RESOLVE_NO_SYMLINKS | _RESOLVE_NO_MAGICLINKS,
    )
    while True:
        found = _libc.syscall(
            ctypes.c_long(_OPENAT2),
            ctypes.c_int(folder),
            ctypes.c_char_p(os.fsencode(path)),
            ctypes.byref(how),
            ctypes.c_size_t(ctypes.sizeof(how)),
        )
        if found >= 0:
            return int(found)
        if (number := ctypes.get_errno()) != errno.EINTR:
            raise OSError(number, os.strerror(number), path)


def rename_without_replacing(folder: int, old: str, new: str) -> None:
    """Rename within `folder`; FileExistsError where `new` is there already, however late it came."""
    rename = getattr(_libc, "renameat2", None)
    if rename is not None:
        if rename(folder, os.fsencode(old), folder, os.fsencode(new), _RENAME_NOREPLACE) == 0:
            return
        if (number := ctypes.get_errno()) not in {errno.ENOSYS, errno.EINVAL}:
            raise OSError(number, os.strerror(number), new)
    # Some network file systems have no such rename. A hard link gives the same promise in two steps.
    os.link(old, new, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    os.unlink(old, dir_fd=folder)
