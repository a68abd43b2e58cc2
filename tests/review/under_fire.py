"""Apply proposals in processes that are killed, or whose disk fails, and check what is left. Run by test_crashes.py.

A program of its own: it loads everything once, and forks a process per death. It prints one JSON object
with what it counted; any finding it cannot excuse ends it with an AssertionError.
"""

import contextlib
import errno
import hashlib
import itertools
import json
import os
import random
import select
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from testwright.model.errors import TestwrightError, WriteUncertain
from testwright.model.proposal import Proposal, ProposalKind, ProposalStatus
from testwright.review import kernel
from testwright.review.confined import ConfinedRoot
from testwright.review.proposals import make_proposal
from testwright.review.queue import ReviewQueue
from testwright.store.database import open_store
from testwright.store.proposals import ProposalStore

CHANGED = "tests/changed/test_it.py"
SIZE = 40_000  # several pages, so that a torn write would show


@contextlib.contextmanager
def opened(project: Path) -> Iterator[tuple[ConfinedRoot, ReviewQueue]]:
    with ConfinedRoot(project) as root, open_store(project / ".testwright" / "testwright.db") as store:
        yield root, ReviewQueue(root, store.proposals)


def whole(text: str) -> bytes:
    """Content that proves its own wholeness."""
    body = (text.encode() + b"\n") * (SIZE // (len(text) + 1))
    return body + hashlib.sha256(body).hexdigest().encode()


def is_whole(content: bytes) -> bool:
    return hashlib.sha256(content[:-64]).hexdigest().encode() == content[-64:]


def proposed(root: ConfinedRoot, queue: ReviewQueue, file: str, text: str) -> Proposal:
    return queue.submit(make_proposal(root, ProposalKind.REWRITTEN_TEST, text, file, whole(text), "engine"))


def found(project: Path, file: str) -> bytes | None:
    return (project / file).read_bytes() if (project / file).exists() else None


def leftovers(project: Path) -> list[Path]:
    return list(project.rglob("*.tmp"))


def ours(project: Path) -> dict[str, bytes]:
    """Every file that the applying processes make or change."""
    folders = (project / "tests" / "changed", project / "tests" / "made")
    paths = (path for folder in folders for path in folder.glob("test_*.py"))
    return {str(path.relative_to(project)): path.read_bytes() for path in paths}


# --- kills at random moments -----------------------------------------------------------------


def apply_until_killed(project: Path, ready: int) -> None:
    with opened(project) as (root, queue):
        queue.recover()
        os.write(ready, b"!")
        for number in itertools.count():
            text = f"{os.getpid()}.{number}"
            file = CHANGED if number % 2 else f"tests/made/test_{text}.py"
            queue.accept(proposed(root, queue, file, text).id, "ada")


def kills(project: Path, count: int) -> dict[str, int]:
    chance = random.Random(count)
    (project / CHANGED).parent.mkdir()
    (project / CHANGED).write_bytes(whole("0"))
    expected: dict[str, bytes] = {CHANGED: whole("0")}
    seen: Counter[str] = Counter()
    known: set[str] = set()
    for _ in range(count):
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read_end)
            apply_until_killed(project, write_end)
        os.close(write_end)
        assert os.read(read_end, 1) == b"!", "the applying process did not start"
        select.select([], [], [], chance.uniform(0, 0.04))  # until a moment nobody chose
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, "it died of something else"
        os.close(read_end)
        seen["temporary files left"] += len(leftovers(project))
        settle_and_check(project, expected, known, seen)
        seen["kills"] += 1
    return dict(seen)


def settle_and_check(project: Path, expected: dict[str, bytes], known: set[str], seen: Counter[str]) -> None:
    """Recover; then every file must be what the record says, oldest proposal first."""
    torn = [file for file, content in ours(project).items() if not is_whole(content)]
    assert not torn, torn
    with opened(project) as (_, queue):
        for settled in queue.recover():
            seen[f"settled as {settled.status}"] += 1
        recorded = [proposal for proposal in queue.list(limit=10_000) if proposal.id not in known]
    for proposal in sorted(recorded, key=lambda proposal: proposal.id):
        seen[proposal.status] += 1
        if proposal.status is ProposalStatus.APPLIED:
            expected[proposal.file] = proposal.content
        assert proposal.status is not ProposalStatus.ACCEPTED, "recovery left a question open"
        known.add(proposal.id)
    assert ours(project) == expected, "the record and the files disagree"
    assert not leftovers(project), leftovers(project)


# --- a fault at every step -------------------------------------------------------------------

STEPS: list[tuple[Any, str]] = [
    *((os, name) for name in ("open", "read", "write", "fstat", "stat", "fsync", "fchmod", "listdir", "mkdir")),
    *((os, name) for name in ("rename", "unlink", "rmdir", "link")),
    *((kernel, name) for name in ("open_beneath", "rename_without_replacing")),
]
RECORDING: list[tuple[Any, str]] = [(ProposalStore, name) for name in ("transition", "begin_apply", "finish_apply")]
CHANGING = {"rename", "rename_without_replacing", "unlink", "fsync", "mkdir"}


def inject(fault: str, number: int, on_reached: Callable[[], None]) -> None:
    """From now on, let the number-th step go wrong in the given way."""
    count = itertools.count(1)
    code = errno.ENOSPC if fault == "enospc" else errno.EIO

    def wrap(home: Any, name: str) -> None:
        real = getattr(home, name)

        def step(*args: Any, **kwargs: Any) -> Any:
            at = next(count)
            if at == number:
                on_reached()
            if at == number and fault == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if at == number and fault == "kill-after":
                real(*args, **kwargs)
                os.kill(os.getpid(), signal.SIGKILL)
            if at == number and fault == "lost-answer" and name in CHANGING:
                real(*args, **kwargs)
                raise OSError(code, os.strerror(code))
            if (at == number and fault in {"eio", "enospc"}) or (at >= number and fault == "eio-for-good"):
                raise OSError(code, os.strerror(code))
            return real(*args, **kwargs)

        setattr(home, name, step)

    for home, name in STEPS + (RECORDING if fault.startswith("kill") else []):
        wrap(home, name)


def accept_with_fault(project: Path, id_: str, fault: str, number: int, report: int) -> None:
    write = os.write
    with opened(project) as (_, queue):
        inject(fault, number, lambda: write(report, b"reached ") and None)
        try:
            answer = str(queue.accept(id_, "ada").status)
        except WriteUncertain:
            answer = "uncertain"
        except TestwrightError as error:
            answer = f"refused:{error.code}"
        write(report, answer.encode())


def steps(project: Path, fault: str, change: str) -> dict[str, int]:
    seen: Counter[str] = Counter()
    for number in itertools.count(1):
        file = f"tests/folder_{number}/test_it.py"
        old = None
        if change == "replace":
            (project / file).parent.mkdir()
            (project / file).write_bytes(old := whole("old"))
        with opened(project) as (root, queue):
            proposal = proposed(root, queue, file, f"new {number}")
        reached, answer = answer_of_child(project, proposal, fault, number)
        before = found(project, file)
        assert before in (old, proposal.content), f"torn at step {number}"
        with opened(project) as (_, queue):
            status = queue.show(proposal.id).status
            check_answer(answer, status, changed=before == proposal.content)
            queue.recover()
            after = queue.show(proposal.id)
        changed = found(project, file) == proposal.content
        assert changed == (after.status is ProposalStatus.APPLIED), (number, answer, after.decisions)
        assert after.status is not ProposalStatus.ACCEPTED, number
        assert not leftovers(project), (number, answer)
        seen[answer.partition(":")[0]] += 1
        if not reached:
            return {**seen, "steps": number - 1}
    raise AssertionError("an endless write")


def answer_of_child(project: Path, proposal: Proposal, fault: str, number: int) -> tuple[bool, str]:
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        accept_with_fault(project, proposal.id, fault, number, write_end)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as report:
        _, reached, answer = report.read().rpartition("reached ")
    _, status = os.waitpid(child, 0)
    died = os.WIFSIGNALED(status)
    assert died == (not answer), f"{fault} at step {number}: {answer!r}, wait status {status}"
    return bool(reached), answer or "killed"


def check_answer(answer: str, status: ProposalStatus, *, changed: bool) -> None:
    """What the caller was told must be so, even before anything is recovered."""
    if answer == "applied":
        assert changed
        assert status is ProposalStatus.APPLIED
    elif answer.startswith("refused"):
        assert not changed, answer
        assert status in {ProposalStatus.PENDING, ProposalStatus.FAILED}
    elif answer == "uncertain":
        assert status is ProposalStatus.ACCEPTED


def main() -> None:
    project, what = Path(sys.argv[1]), sys.argv[2]
    counted = kills(project, int(sys.argv[3])) if what == "kills" else steps(project, sys.argv[3], sys.argv[4])
    sys.stdout.write(json.dumps(counted))


if __name__ == "__main__":
    main()
