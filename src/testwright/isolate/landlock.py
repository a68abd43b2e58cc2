"""Landlock: a process gives up, for itself and all it starts, the files it does not name, TCP, and reaching out."""

from __future__ import annotations

import ctypes
import os
import stat

from testwright.isolate.system_calls import syscall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV  # the others make sense for folders only
_READ = _EXECUTE | _READ_FILE | _READ_DIR

# How many of the file rights each version of the interface knows; rights are numbered without gaps.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_FILE_RIGHTS_FROM_5 = 16
TCP_SINCE, SCOPES_SINCE = 4, 6
_BIND_AND_CONNECT_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


def abi() -> int:
    """The version of Landlock this kernel offers; 0 for none."""
    try:
        return syscall("landlock", _CREATE_RULESET, 0, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def restrict(version: int, *, readable: Iterable[str], writable: Iterable[str], own_network: bool) -> None:
    """Keep only `readable` and `writable`, with all beneath them. Needs no_new_privs; cannot be undone.

    With `own_network` true a network namespace keeps outsiders away, so TCP inside it stays allowed.
    """
    every_right = (1 << _FILE_RIGHTS.get(version, _FILE_RIGHTS_FROM_5)) - 1
    ruleset = _new_ruleset(version, every_right, own_network=own_network)
    try:
        for path in readable:
            _allow(ruleset, path, _READ & every_right)
        for path in writable:
            _allow(ruleset, path, every_right)
        syscall("landlock_restrict_self", _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _new_ruleset(version: int, every_right: int, *, own_network: bool) -> int:
    network = _BIND_AND_CONNECT_TCP if version >= TCP_SINCE and not own_network else 0
    scopes = _ABSTRACT_SOCKETS_AND_SIGNALS if version >= SCOPES_SINCE else 0
    attributes = (ctypes.c_uint64 * 3)(every_right, network, scopes)
    return syscall("landlock_create_ruleset", _CREATE_RULESET, attributes, _size_of_attributes(version), 0)


def _size_of_attributes(version: int) -> int:
    if version >= SCOPES_SINCE:
        return 24
    return 16 if version >= TCP_SINCE else 8


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there, or not for us, needs no permission
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _OF_A_FILE
        rule = rights.to_bytes(8, "little") + descriptor.to_bytes(4, "little")
        syscall(f"landlock_add_rule {path}", _ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)
