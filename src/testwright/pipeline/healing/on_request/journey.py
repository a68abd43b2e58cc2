"""`test_heal`: analyze or repair a test file, or a folder of them, against one page. One request at a time."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from testwright.heal.page_names import PageNames
from testwright.heal.source.languages import language_of
from testwright.model.dom import DomSnapshot
from testwright.model.errors import (
    BatchTooLarge,
    HealBusy,
    NoTests,
    PathNotFound,
    PilotDisabled,
    TestwrightError,
    TooLarge,
)
from testwright.model.state_folder import heal_lock
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.healing.on_request.answer import FileAnswer, HealAnswer
from testwright.pipeline.healing.on_request.file_healer import Deadline, heal_file
from testwright.pipeline.healing.on_request.request import (
    MOST_BATCH_BYTES,
    MOST_FILE_BYTES,
    MOST_FILES,
    SECONDS,
    HealAction,
    PageSource,
    TestHealRequest,
)
from testwright.pipeline.healing.on_request.selector_tracker import Memory
from testwright.pipeline.healing.on_request.testid_attribute import attribute_for
from testwright.review.confined_root import ConfinedRoot
from testwright.review.path_rules import is_test_file, normalised_for_reading
from testwright.run.project import Project, is_below
from testwright.store.private_folder import prepare_folder, refuse_unless_regular

WAIT_SECONDS = 30.0
_DART = ".dart"  # its elements are on no page

Applier = Callable[[FileAnswer], FileAnswer]
"""Writes the sure part of a file's heals, after a rerun that passed; gives the answer back with what became of it."""


@dataclass(frozen=True, slots=True)
class HealTools:
    """What a request works with."""

    root: Path
    open_page: Callable[[PageSource], DomSnapshot]
    memory: Memory = lambda _: ()
    pilot: bool = False  # the toggle without which nothing is ever written unasked
    apply: Applier | None = None
    test_id_attribute: str = ""  # empty: what the project's settings say
    wait_seconds: float = WAIT_SECONDS


def answer_heal(
    request: TestHealRequest,
    tools: HealTools,
    *,
    progress: Callable[[FileAnswer, int, int], None] = lambda _answer, _done, _total: None,
) -> HealAnswer:
    """Carry a request out. `progress` hears of each file as it is done: its answer, how many, of how many."""
    if request.auto_apply and not tools.pilot:
        raise PilotDisabled(
            "auto_apply writes into test files, and the pilot toggle is off: nothing was written.",
            next_step="Set `pilot = true` in testwright.toml, or leave auto_apply out and review the change.",
        )
    with ConfinedRoot(tools.root) as root, one_at_a_time(tools.root, seconds=tools.wait_seconds):
        if request.action is HealAction.BATCH:
            return _batch(request, tools, root, progress)
        content = root.read(request.test_file, limit=MOST_FILE_BYTES)
        file = normalised_for_reading(request.test_file)
        reading = PageNames(tools.open_page(request.page))
        session = _Session(request, tools, root, reading, Deadline.after(SECONDS[request.action]))
        answer = _one(file, content, session)
        progress(answer, 1, 1)
        return HealAnswer((answer,))


class _Session(NamedTuple):
    """What the files of one request have in common."""

    request: TestHealRequest
    tools: HealTools
    root: ConfinedRoot
    reading: PageNames
    deadline: Deadline


def _one(file: str, content: bytes, session: _Session) -> FileAnswer:
    request, tools, root, reading, deadline = session
    answer = heal_file(
        file,
        content,
        reading,
        wanted=request.broken_selectors,
        memory=tools.memory,
        test_id_attribute=tools.test_id_attribute or attribute_for(file, content, root.read),
        deadline=deadline,
    )
    if request.auto_apply and answer.sure and tools.apply is not None:
        answer = tools.apply(answer)
    return answer


# --- batches ---------------------------------------------------------------------------------


def _batch(
    request: TestHealRequest,
    tools: HealTools,
    root: ConfinedRoot,
    progress: Callable[[FileAnswer, int, int], None],
) -> HealAnswer:
    names = files_of_batch(tools.root, request.test_dir)
    contents = _contents(root, names)
    reading = PageNames(tools.open_page(request.page))
    session = _Session(request, tools, root, reading, Deadline.after(SECONDS[HealAction.BATCH]))
    answers: list[FileAnswer] = []
    for name, content in zip(names, contents, strict=True):
        if session.deadline.is_past:
            break
        answers.append(_one_of_many(name, content, session))
        progress(answers[-1], len(answers), len(names))
    return HealAnswer(tuple(answers), is_batch=True, not_reached=tuple(names[len(answers) :]))


def _one_of_many(file: str, content: bytes | TestwrightError, session: _Session) -> FileAnswer:
    """A file that cannot be worked on is told as such; the others go on."""
    if isinstance(content, TestwrightError):
        return FileAnswer(file, error=content.as_dict())
    try:
        return _one(file, content, session)
    except TestwrightError as error:
        return FileAnswer(file, error=error.as_dict())


def files_of_batch(root: Path, folder: str) -> list[str]:
    """The test files below a folder of the project, in the order of their names. Raises BatchTooLarge."""
    folder = normalised_for_reading(folder)
    inner = "" if folder == "." else folder
    if not root.joinpath(inner).is_dir():
        raise PathNotFound(f"There is no folder '{visible_line(folder)}'.", next_step="Check the path.")
    names = [
        name
        for name in Project.at(root).names
        if is_below(name, inner) and is_test_file(name) and language_of(name) and PurePosixPath(name).suffix != _DART
    ]
    if not names:
        raise NoTests(
            f"There are no test files in '{visible_line(folder)}'.", next_step="Name the folder of the tests."
        )
    if len(names) > MOST_FILES:
        raise BatchTooLarge(
            f"'{visible_line(folder)}' has {len(names)} test files; a batch may have {MOST_FILES} (files).",
            next_step="Name a smaller folder, or one file at a time.",
        )
    return names


def _contents(root: ConfinedRoot, names: Sequence[str]) -> list[bytes | TestwrightError]:
    """Each file's content, or why it cannot be had. Raises BatchTooLarge before anything is worked on."""
    found: list[bytes | TestwrightError] = []
    for name in names:
        try:
            found.append(root.read(name, limit=MOST_FILE_BYTES))
        except TooLarge:
            raise BatchTooLarge(
                f"'{visible_line(name)}' is larger than {MOST_FILE_BYTES // 1024} KB (file size).",
                next_step="Split the file, or leave it out of the batch.",
            ) from None
        except TestwrightError as error:
            found.append(error)
    total = sum(len(content) for content in found if isinstance(content, bytes))
    if total > MOST_BATCH_BYTES:
        raise BatchTooLarge(
            f"The files have {total / 1024 / 1024:.1f} MB together; a batch may have 5 MB (total size).",
            next_step="Name a smaller folder.",
        )
    return found


# --- one at a time ---------------------------------------------------------------------------


@contextmanager
def one_at_a_time(root: Path, *, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Nobody else heals in this project meanwhile, in this process or another. Raises HealBusy."""
    file = heal_lock(root)
    prepare_folder(file.parent)
    refuse_unless_regular(file)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _lock(descriptor, time.monotonic() + seconds)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, until: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise HealBusy(
                    "Another test_heal is at work in this project.", next_step="Let it finish, and try again."
                ) from None
            time.sleep(0.02)  # the kernel's waiting lock has no time limit
        else:
            return
