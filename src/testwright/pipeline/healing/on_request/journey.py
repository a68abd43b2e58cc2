"""`test_heal`: analyze or repair a test file, or a folder of them, against one page. One request at a time."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from testwright.heal.page_names import PageNames
from testwright.model.dom import DomSnapshot
from testwright.model.errors import PilotDisabled, TestwrightError
from testwright.pipeline.healing.on_request.answer import FileAnswer, HealAnswer
from testwright.pipeline.healing.on_request.batch_files import contents_of_batch, files_of_batch
from testwright.pipeline.healing.on_request.file_healer import heal_file
from testwright.pipeline.healing.on_request.heal_lock import WAIT_SECONDS, one_at_a_time
from testwright.pipeline.healing.on_request.request import (
    MOST_FILE_BYTES,
    SECONDS,
    Deadline,
    HealAction,
    PageSource,
    TestHealRequest,
)
from testwright.pipeline.healing.on_request.selector_tracker import Memory
from testwright.pipeline.healing.on_request.testid_attribute import attribute_for
from testwright.review.confined_root import ConfinedRoot
from testwright.review.path_rules import normalised_for_reading

Applier = Callable[[FileAnswer], FileAnswer]
"""Writes the sure part of a file's heals, after a rerun that passed; gives the answer back with what became of it."""

Progress = Callable[[FileAnswer, int, int], None]
"""Hears of each file as it is done: its answer, how many, of how many."""


@dataclass(frozen=True, slots=True)
class HealTools:
    root: Path
    open_page: Callable[[PageSource], DomSnapshot]
    memory: Memory = lambda _: ()
    pilot: bool = False  # the toggle without which nothing is ever written unasked
    apply: Applier | None = None
    test_id_attribute: str = ""  # empty: what the project's settings say
    wait_seconds: float = WAIT_SECONDS


def answer_heal(
    request: TestHealRequest, tools: HealTools, *, progress: Progress = lambda _answer, _done, _total: None
) -> HealAnswer:
    """Carry a request out: read what is asked about, open the page once, and heal each file against it."""
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
        answer = _healed(file, content, _session(request, tools, root))
        progress(answer, 1, 1)
        return HealAnswer((answer,))


class _Session(NamedTuple):
    """What the files of one request have in common."""

    request: TestHealRequest
    tools: HealTools
    root: ConfinedRoot
    reading: PageNames
    deadline: Deadline


def _session(request: TestHealRequest, tools: HealTools, root: ConfinedRoot) -> _Session:
    """The page is opened before the time for looking begins."""
    reading = PageNames(tools.open_page(request.page))
    return _Session(request, tools, root, reading, Deadline.after(SECONDS[request.action]))


def _healed(file: str, content: bytes, session: _Session) -> FileAnswer:
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


def _batch(request: TestHealRequest, tools: HealTools, root: ConfinedRoot, progress: Progress) -> HealAnswer:
    names = files_of_batch(tools.root, request.test_dir)
    contents = contents_of_batch(root, names)
    session = _session(request, tools, root)
    answers: list[FileAnswer] = []
    for name, content in zip(names, contents, strict=True):
        if session.deadline.is_past:
            break
        answers.append(_healed_in_batch(name, content, session))
        progress(answers[-1], len(answers), len(names))
    return HealAnswer(tuple(answers), is_batch=True, not_reached=tuple(names[len(answers) :]))


def _healed_in_batch(file: str, content: bytes | TestwrightError, session: _Session) -> FileAnswer:
    """A file that cannot be worked on has an error for its answer; the others go on."""
    try:
        if isinstance(content, TestwrightError):
            raise content
        return _healed(file, content, session)
    except TestwrightError as error:
        return FileAnswer(file, error=error.as_dict())
