"""Seccomp: refuse the system calls a test has no business with, by a filter the kernel runs on each call.

The filter says "not permitted" rather than kill: code that tries and copes goes on. It names what is
refused, not what is allowed, because a user's code may rightly use anything else.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from testwright.isolate.system_calls import prctl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16

_PR_SET_SECCOMP, _FILTER_MODE = 22, 2
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
_REFUSE = _ERRNO | errno.EPERM
_UNKNOWN_CALL = _ERRNO | errno.ENOSYS

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT, _SECOND_ARGUMENT_AT = 0, 4, 16, 24

_X32_CALLS = 0x4000_0000  # the third set of calls of x86_64, which would pass by other numbers
_NAMESPACE_FLAGS = 0x7E02_0000  # of clone: new mount, cgroup, uts, ipc, user, pid and network namespaces
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C  # type into a terminal

# name: (x86_64, aarch64); None where the architecture has no such call.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # other processes' memory and descriptors
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    # namespaces and mounts: a way out of ours
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # large doors into the kernel; io_uring would also do what this filter refuses
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    # the machine itself
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "iopl": (172, None),
    "ioperm": (173, None),
    "uselib": (134, None),
}
# What a file is, rather than what is in it: Landlock has no say in these, and an owner may change them anywhere.
_METADATA: dict[str, tuple[int | None, int | None]] = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
_SET_FLAGS, _SET_EXTENDED_FLAGS = 0x4008_6602, 0x401C_5820  # `chattr`, by way of ioctl
_SOCKET, _CLONE, _CLONE3, _IOCTL = (41, 198), (56, 220), (435, 435), (16, 29)
_ARCHITECTURES = {"x86_64": (0, 0xC000_003E), "aarch64": (1, 0xC000_00B7)}  # our column, and the kernel's name


def is_supported(machine: str) -> bool:
    return machine in _ARCHITECTURES


def install(socket_families: Iterable[int], *, metadata: bool = True) -> None:
    """Hold this process and all it starts to the filter. Needs no_new_privs; cannot be undone."""
    code = program(os.uname().machine, socket_families, metadata=metadata)
    instructions = ctypes.create_string_buffer(code, len(code))
    # struct sock_fprog: a count, and after padding the address of the instructions.
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(instructions)))
    prctl(_PR_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(header))


def program(machine: str, socket_families: Iterable[int], *, metadata: bool = True) -> bytes:
    """The filter for `machine`: sockets only of `socket_families`, though socketpair is always allowed.

    Without `metadata` no mode, owner, times or attributes can be changed, not even those of the child's own files: a
    filter cannot tell one path from another.
    """
    column, architecture = _ARCHITECTURES[machine]
    parts = [
        _instruction(_LOAD, _ARCHITECTURE_AT),
        _instruction(_EQUAL, architecture, if_so=1),
        _instruction(_RETURN, _KILL_PROCESS),
        _instruction(_LOAD, _NUMBER_AT),
    ]
    if machine == "x86_64":
        parts += [_instruction(_AT_LEAST, _X32_CALLS, if_not=1), _instruction(_RETURN, _REFUSE)]
    refused = _REFUSED if metadata else {**_REFUSED, **_METADATA}
    for numbers in refused.values():
        number = numbers[column]
        if number is not None:
            parts += _when(number, [_instruction(_RETURN, _REFUSE)])
    ioctls = (_TIOCSTI, _TIOCLINUX) if metadata else (_TIOCSTI, _TIOCLINUX, _SET_FLAGS, _SET_EXTENDED_FLAGS)
    # clone3 keeps its flags in memory, where a filter cannot look; told there is none, libc uses clone.
    parts += _when(_CLONE3[column], [_instruction(_RETURN, _UNKNOWN_CALL)])
    parts += _when(_CLONE[column], _refuse_flags(_FIRST_ARGUMENT_AT, _NAMESPACE_FLAGS))
    parts += _when(_IOCTL[column], _choose(_SECOND_ARGUMENT_AT, ioctls, chosen=_REFUSE, others=_ALLOW))
    parts += _when(_SOCKET[column], _choose(_FIRST_ARGUMENT_AT, socket_families, chosen=_ALLOW, others=_REFUSE))
    parts.append(_instruction(_RETURN, _ALLOW))
    return b"".join(parts)


def _instruction(code: int, value: int, *, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_so, if_not, value)


def _when(number: int, body: list[bytes]) -> list[bytes]:
    """`body`, which must end by returning, for the call with this number; expects the number to be loaded."""
    return [_instruction(_EQUAL, number, if_not=len(body)), *body]


def _refuse_flags(argument_at: int, flags: int) -> list[bytes]:
    return [
        _instruction(_LOAD, argument_at),
        _instruction(_ANY_BIT, flags, if_not=1),
        _instruction(_RETURN, _REFUSE),
        _instruction(_RETURN, _ALLOW),
    ]


def _choose(argument_at: int, values: Iterable[int], *, chosen: int, others: int) -> list[bytes]:
    body = [_instruction(_LOAD, argument_at)]
    for value in values:
        body += [_instruction(_EQUAL, value, if_not=1), _instruction(_RETURN, chosen)]
    return [*body, _instruction(_RETURN, others)]
