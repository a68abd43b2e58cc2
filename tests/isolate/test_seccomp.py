"""The system call filter, run on paper: every architecture's filter can be checked on any machine."""

import errno
import struct

import pytest

from testwright.isolate import seccomp

ALLOWED, REFUSED = "allowed", errno.EPERM
X86_64, AARCH64, I386 = 0xC000_003E, 0xC000_00B7, 0x4000_0003
CALLS = {
    "x86_64": {"read": 0, "socket": 41, "socketpair": 53, "clone": 56, "execve": 59, "ptrace": 101, "mount": 165,
               "unshare": 272, "ioctl": 16, "clone3": 435, "io_uring_setup": 425, "bpf": 321, "keyctl": 250,
               "fchmodat": 268, "fchownat": 260, "utimensat": 280, "fsetxattr": 190},
    "aarch64": {"read": 63, "socket": 198, "socketpair": 199, "clone": 220, "execve": 221, "ptrace": 117, "mount": 40,
                "unshare": 97, "ioctl": 29, "clone3": 435, "io_uring_setup": 425, "bpf": 280, "keyctl": 219,
                "fchmodat": 53, "fchownat": 54, "utimensat": 88, "fsetxattr": 7},
}  # fmt: skip
ARCHITECTURES = {"x86_64": X86_64, "aarch64": AARCH64}


def _verdict(program: bytes, architecture: int, number: int, *arguments: int) -> str | int:
    """What the kernel would decide: run the filter's instructions on one call."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    call = struct.pack("<IIQ6Q", number, architecture, 0, *padded)
    loaded, at = 0, 0
    while True:
        code, if_so, if_not, value = struct.unpack_from("<HBBI", program, at * 8)
        at += 1
        match code:
            case 0x20:
                loaded = struct.unpack_from("<I", call, value)[0]
            case 0x15:
                at += if_so if loaded == value else if_not
            case 0x35:
                at += if_so if loaded >= value else if_not
            case 0x45:
                at += if_so if loaded & value else if_not
            case 0x06:
                return {0x7FFF_0000: ALLOWED, 0x8000_0000: "killed"}.get(value) or value & 0xFFFF
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("name", ["ptrace", "mount", "unshare", "io_uring_setup", "bpf", "keyctl"])
def test_dangerous_calls_are_refused(machine: str, name: str) -> None:
    program = seccomp.program(machine, ())
    assert _verdict(program, ARCHITECTURES[machine], CALLS[machine][name]) == REFUSED


@pytest.mark.parametrize("name", ["read", "execve", "socketpair"])
def test_everyday_calls_are_allowed(machine: str, name: str) -> None:
    program = seccomp.program(machine, ())
    assert _verdict(program, ARCHITECTURES[machine], CALLS[machine][name]) == ALLOWED


@pytest.mark.parametrize("name", ["fchmodat", "fchownat", "utimensat", "fsetxattr"])
def test_what_a_file_is_may_be_changed_only_where_that_is_allowed(machine: str, name: str) -> None:
    number = CALLS[machine][name]
    assert _verdict(seccomp.program(machine, (), metadata=False), ARCHITECTURES[machine], number) == REFUSED
    assert _verdict(seccomp.program(machine, (), metadata=True), ARCHITECTURES[machine], number) == ALLOWED


def test_sockets_are_only_of_the_families_named(machine: str) -> None:
    program = seccomp.program(machine, (seccomp.AF_INET, seccomp.AF_INET6))
    verdicts = {
        family: _verdict(program, ARCHITECTURES[machine], CALLS[machine]["socket"], family, 1)
        for family in (1, 2, 10, 16)
    }
    assert verdicts == {1: REFUSED, 2: ALLOWED, 10: ALLOWED, 16: REFUSED}


def test_a_thread_or_process_may_be_started_but_not_with_new_namespaces(machine: str) -> None:
    program, clone = seccomp.program(machine, ()), CALLS[machine]["clone"]
    thread_flags, new_user_namespace, new_mounts = 0x003D_0F00, 0x1000_0011, 0x0002_0011
    verdicts = [_verdict(program, ARCHITECTURES[machine], clone, f) for f in (17, thread_flags, new_user_namespace)]
    assert verdicts == [ALLOWED, ALLOWED, REFUSED]
    assert _verdict(program, ARCHITECTURES[machine], clone, new_mounts) == REFUSED


def test_clone3_seems_not_to_exist_so_that_clone_is_used(machine: str) -> None:
    program = seccomp.program(machine, ())
    assert _verdict(program, ARCHITECTURES[machine], CALLS[machine]["clone3"]) == errno.ENOSYS


def test_nothing_can_be_typed_into_a_terminal(machine: str) -> None:
    program, ioctl = seccomp.program(machine, ()), CALLS[machine]["ioctl"]
    assert _verdict(program, ARCHITECTURES[machine], ioctl, 1, 0x5412) == REFUSED
    assert _verdict(program, ARCHITECTURES[machine], ioctl, 1, 0x5413) == ALLOWED


def test_calls_by_another_architectures_numbers_are_the_end(machine: str) -> None:
    assert _verdict(seccomp.program(machine, ()), I386, 1) == "killed"


def test_the_third_set_of_calls_of_x86_64_is_refused() -> None:
    assert _verdict(seccomp.program("x86_64", ()), X86_64, 0x4000_0000) == REFUSED


def test_an_architecture_we_have_no_numbers_for_is_not_supported() -> None:
    assert seccomp.is_supported("x86_64")
    assert not seccomp.is_supported("riscv64")
