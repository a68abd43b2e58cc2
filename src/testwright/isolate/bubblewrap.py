"""R3: bubblewrap builds a minimal file system around the child, and our first process runs in it."""

from __future__ import annotations

import os
import sys

from testwright.isolate import visible_files
from testwright.isolate.child_plan import packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from testwright.isolate.child_plan import GuardPlan, Plan

PROGRAM = "bwrap"
# The path travels as an argument: nothing about it can turn into code.
_FIRST = "import sys; sys.path.append(sys.argv[1]); from testwright.isolate.first_process import main; main()"
_HARDENING = (
    "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--clearenv",
    "--as-pid-1",  # we are the first process ourselves, to tell a signal from an exit code
    "--cap-add", "CAP_SYS_ADMIN",  # for the layer over the project; the command gets none of it
)  # fmt: skip


def run_in_bubblewrap(plan: Plan, guard: GuardPlan, news: int) -> NoReturn:
    plan_read = os.memfd_create("plan")
    os.write(plan_read, packed(plan))
    os.lseek(plan_read, 0, os.SEEK_SET)
    stderr = os.dup(2)
    os.dup2(news, 2)  # what bubblewrap itself complains about is news, not the command's output
    for descriptor in (plan_read, stderr, news):
        os.set_inheritable(descriptor, True)
    descriptors = [str(descriptor) for descriptor in (plan_read, news, stderr)]
    first = [sys.executable, "-I", "-S", "-c", _FIRST, os.path.dirname(visible_files.PACKAGE), *descriptors]
    os.execvp(PROGRAM, [PROGRAM, *_HARDENING, *_view(plan, guard), "--", *first])  # noqa: S606  there is no shell


def _view(plan: Plan, guard: GuardPlan) -> list[str]:
    """The file system as arguments, outer folders before what lies in them."""
    arguments = ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]  # to root, /proc/sys would be writable
    for path in visible_files.COVERED:
        arguments += ["--perms", "1777", "--size", str(visible_files.MOST_BYTES), "--tmpfs", path]
    readable = {*visible_files.readable_folders(plan, guard), *visible_files.own_program_folders()}
    writable = {*visible_files.writable_folders(guard)}
    for path in visible_files.outermost_first(readable | writable):
        if path in writable:
            arguments += ["--bind", path, path]
        elif os.path.islink(path) and path.count("/") == 1:  # /bin and its like lead into /usr
            arguments += ["--symlink", os.readlink(path), path]
        else:
            arguments += ["--ro-bind-try", path, path]
    return arguments
