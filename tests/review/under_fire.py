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
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testwright.model.errors import TestwrightError, WriteUncertain
from testwright.model.proposal import Proposal, ProposalKind, ProposalStatus
from testwright.review import file_system_calls
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue
from testwright.store.project_store import Store, open_store
from testwright.store.proposal_store import ProposalStore

CHANGED = "tests/changed/test_it.py"


@dataclass(frozen=True, slots=True)
class Field:
    """Where it all happens: a project, and the store of its proposals."""

    project: Path
    store: Store

    @contextlib.contextmanager
    def opened(self) -> Iterator[tuple[ConfinedRoot, ReviewQueue]]:
        """A root and a queue. Outside of this no connection is open, so that a fork inherits none."""
        with ConfinedRoot(self.project) as root:
            try:
                yield root, ReviewQueue(root, self.store.proposals)
            finally:
                self.store.close()  # its connections; it makes new ones when it needs them

    def found(self, file: str) -> bytes | None:
        return (self.project / file).read_bytes() if (self.project / file).exists() else None

    def leftovers(self) -> list[Path]:
        return list(self.project.rglob("*.tmp"))

    def ours(self) -> dict[str, bytes]:
        """Every file that the applying processes make or change."""
        folders = (self.project / "tests" / name for name in ("changed", "made"))
        paths = (path for folder in folders for path in folder.glob("test_*.py"))
        return {str(path.relative_to(self.project)): path.read_bytes() for path in paths}


def whole(text: str) -> bytes:
    """Content that proves its own wholeness."""
    body = (f"# {text:>900}\n" * 40).encode()  # several pages, so that a torn write would show
    return body + hashlib.sha256(body).hexdigest().encode()


def is_whole(content: bytes) -> bool:
    return hashlib.sha256(content[:-64]).hexdigest().encode() == content[-64:]


def proposed(root: ConfinedRoot, queue: ReviewQueue, file: str, text: str) -> Proposal:
    return queue.submit(make_proposal(root, ProposalKind.REWRITTEN_TEST, text, file, whole(text), "engine"))


def forked(work: Callable[..., None], *arguments: Any) -> int:
    child = os.fork()
    if child == 0:
        try:
            work(*arguments)
        except BaseException:  # noqa: BLE001  whatever it is, the child must not go on with its parent's program
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    return child


# --- kills at random moments -----------------------------------------------------------------


def apply_until_killed(field: Field, about_to_accept: int) -> None:
    with field.opened() as (root, queue):
        queue.recover()
        for number in itertools.count():
            text = f"{os.getpid()}.{number}"
            file = CHANGED if (os.getpid() + number) % 2 else f"tests/made/test_{text}.py"
            proposal = proposed(root, queue, file, text)
            os.write(about_to_accept, b"!")
            queue.accept(proposal.id, "ada")


def kills(field: Field, count: int) -> dict[str, int]:
    chance = random.Random(count)
    (field.project / CHANGED).parent.mkdir()
    (field.project / CHANGED).write_bytes(whole("0"))
    expected: dict[str, bytes] = {CHANGED: whole("0")}
    seen: Counter[str] = Counter()
    known: set[str] = set()
    cycle = 0.02
    for _ in range(count):
        read_end, write_end = os.pipe()
        child = forked(apply_until_killed, field, write_end)
        os.close(write_end)
        started: list[float] = []
        for _ in range(chance.randint(1, 3)):
            assert os.read(read_end, 1) == b"!", "the applying process ended by itself"
            started.append(time.monotonic())
        cycle = started[-1] - started[-2] if len(started) > 1 else cycle  # how fast this machine is just now
        select.select([], [], [], chance.uniform(0, cycle))  # until a moment of the accept that nobody chose
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, "it died of something else"
        os.close(read_end)
        seen["temporary files left"] += len(field.leftovers())
        settle_and_check(field, expected, known, seen)
        seen["kills"] += 1
    return dict(seen)


def settle_and_check(field: Field, expected: dict[str, bytes], known: set[str], seen: Counter[str]) -> None:
    """Recover; then every file must be what the record says, oldest proposal first."""
    torn = [file for file, content in field.ours().items() if not is_whole(content)]
    assert not torn, torn
    with field.opened() as (_, queue):
        for settled in queue.recover():
            seen[f"settled as {settled.status}"] += 1
        recorded = [proposal for proposal in queue.list(limit=20) if proposal.id not in known]
    for proposal in sorted(recorded, key=lambda proposal: proposal.id):
        seen[proposal.status] += 1
        if proposal.status is ProposalStatus.APPLIED:
            expected[proposal.file] = proposal.content
        assert proposal.status is not ProposalStatus.ACCEPTED, "recovery left a question open"
        known.add(proposal.id)
    assert field.ours() == expected, "the record and the files disagree"
    assert not field.leftovers(), field.leftovers()


# --- a fault at every step -------------------------------------------------------------------

STEPS: list[tuple[Any, str]] = [
    *((os, name) for name in ("open", "read", "write", "fstat", "stat", "fsync", "fchmod", "listdir", "mkdir")),
    *((os, name) for name in ("rename", "unlink", "rmdir", "link")),
    *((file_system_calls, name) for name in ("open_beneath", "rename_without_replacing")),
]
RECORDING: list[tuple[Any, str]] = [(ProposalStore, name) for name in ("transition", "begin_apply", "finish_apply")]
CHANGING = {"rename", "rename_without_replacing", "unlink", "fsync", "mkdir"}


def inject(fault: str, number: int, on_reached: Callable[[], object]) -> None:
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


def accept_with_fault(field: Field, id_: str, fault: str, number: int, report: int) -> None:
    write = os.write
    with field.opened() as (_, queue):
        inject(fault, number, lambda: write(report, b"reached "))
        try:
            answer = str(queue.accept(id_, "ada").status)
        except WriteUncertain:
            answer = "uncertain"
        except TestwrightError as error:
            answer = f"refused:{error.code}"
        write(report, answer.encode())


def steps(field: Field, fault: str, change: str, first: str, every: str) -> dict[str, int]:
    """Let the first step of an apply go wrong, and from there every `every`-th, until there is none left."""
    seen: Counter[str] = Counter()
    for number in itertools.count(int(first), int(every)):
        file = f"tests/folder_{number}/test_it.py"
        old = None
        if change == "replace":
            (field.project / file).parent.mkdir()
            (field.project / file).write_bytes(old := whole("old"))
        with field.opened() as (root, queue):
            proposal = proposed(root, queue, file, f"new {number}")
        reached, answer = answer_of_child(field, proposal, fault, number)
        before = field.found(file)
        assert before in (old, proposal.content), f"torn at step {number}"
        with field.opened() as (_, queue):
            status = queue.show(proposal.id).status
            check_answer(answer, status, changed=before == proposal.content)
            queue.recover()
            after = queue.show(proposal.id)
        changed = field.found(file) == proposal.content
        assert changed == (after.status is ProposalStatus.APPLIED), (number, answer, after.decisions)
        assert after.status is not ProposalStatus.ACCEPTED, number
        assert not field.leftovers(), (number, answer)
        seen[answer.partition(":")[0]] += 1
        if not reached:
            return {**seen, "steps": number - 1, "faults": sum(seen.values()) - 1}
    raise AssertionError("an endless write")


def answer_of_child(field: Field, proposal: Proposal, fault: str, number: int) -> tuple[bool, str]:
    read_end, write_end = os.pipe()
    child = forked(accept_with_fault, field, proposal.id, fault, number, write_end)
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


# --- many clients at once --------------------------------------------------------------------


def decide_at_random(field: Field, ids: list[str], seed: int, log: int) -> None:
    chance = random.Random(seed)
    with field.opened() as (_, queue):
        queue.recover()
        for _ in range(2 * len(ids)):
            id_, wish = chance.choice(ids), chance.choice(["accept", "accept", "reject", "recover"])
            try:
                queue.recover() if wish == "recover" else getattr(queue, wish)(id_, f"client {seed}")
            except TestwrightError as error:
                wish = error.code
            os.write(log, f"{id_} {wish}\n".encode())


def clients(field: Field, rounds: int) -> dict[str, int]:
    """Four processes decide about the same proposals at random; one of them is killed in every round."""
    chance = random.Random(rounds)
    seen: Counter[str] = Counter()
    for round_ in range(rounds):
        with field.opened() as (root, queue):
            # Two rivals for each file: at most one of them can fit.
            files = [f"tests/made/test_{round_}_{number}.py" for number in range(5)] * 2
            submitted = [proposed(root, queue, file, f"{round_}.{place}") for place, file in enumerate(files)]
        ids = [str(proposal.id) for proposal in submitted]
        read_end, write_end = os.pipe()
        children = [forked(decide_at_random, field, ids, 4 * round_ + place, write_end) for place in range(4)]
        os.close(write_end)
        log = [os.read(read_end, 1)]  # the first decision has been made
        select.select([], [], [], chance.uniform(0, 0.1))
        os.kill(children[0], signal.SIGKILL)
        with os.fdopen(read_end, "rb") as rest:
            log.append(rest.read())
        ends = [os.waitpid(child, 0)[1] for child in children]
        assert not any(ends[1:]), ends
        seen["killed"] += os.WIFSIGNALED(ends[0])
        said = Counter(b"".join(log).decode().splitlines())
        seen["operations"] += sum(said.values())
        with field.opened() as (_, queue):
            queue.recover()
            check_history(field, [queue.show(id_) for id_ in ids], said, seen)
    return dict(seen)


def check_history(field: Field, proposals: list[Proposal], said: Counter[str], seen: Counter[str]) -> None:
    lawful = {("rejected",), ("accepted", "applied"), ("accepted", "failed"), ()}
    for proposal in proposals:
        history = tuple(str(decision.status) for decision in proposal.decisions)
        assert history in lawful, history
        assert said[f"{proposal.id} accept"] <= (proposal.status is ProposalStatus.APPLIED), "a false yes"
        assert said[f"{proposal.id} reject"] <= (proposal.status is ProposalStatus.REJECTED), "a false no"
        seen[proposal.status] += 1
    applied = [proposal for proposal in proposals if proposal.status is ProposalStatus.APPLIED]
    assert len({proposal.file for proposal in applied}) == len(applied), "two rivals were both applied"
    expected = {proposal.file: proposal.content for proposal in applied}
    assert {
        proposal.file: field.found(proposal.file) for proposal in proposals if field.found(proposal.file)
    } == expected
    assert not field.leftovers()


def main() -> None:
    field, what, arguments = Field(Path(sys.argv[1]), open_store(sys.argv[2])), sys.argv[3], sys.argv[4:]
    field.store.close()
    modes: dict[str, Callable[[], dict[str, int]]] = {
        "kills": lambda: kills(field, int(arguments[0])),
        "steps": lambda: steps(field, *arguments),
        "clients": lambda: clients(field, int(arguments[0])),
    }
    sys.stdout.write(json.dumps(modes[what]()))


if __name__ == "__main__":
    main()
