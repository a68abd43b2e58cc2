"""Somebody swaps files and folders for links while we read and write; nothing outside is read or changed."""

import contextlib
import ctypes
import itertools
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.campaigns import campaign, repetitions
from testwright.model.errors import TestwrightError
from testwright.review.atomic_writer import sha256
from testwright.review.confined_root import ConfinedRoot

READ_FLIPS = repetitions(full=10_000, usual=1_000)
WRITES = repetitions(full=2_000, usual=200)
HARMLESS, SECRET = b"harmless", b"the secret"


@campaign
def test_a_file_that_flips_to_a_link_never_leaks_what_the_link_points_to(
    root: ConfinedRoot, project: Path, outside: Path
) -> None:
    target, spare = project / "tests" / "r.py", project / "tests" / "spare"
    target.write_bytes(HARMLESS)

    def flip() -> None:
        spare.symlink_to(outside / "secret.txt")
        spare.rename(target)
        spare.write_bytes(HARMLESS)
        spare.rename(target)

    seen: Counter[str] = Counter()
    with _flipping(flip) as flips:
        while flips.count < READ_FLIPS:
            seen[_outcome(lambda: root.read("tests/r.py"))] += 1
            seen["a careless reader leaked"] += _careless_read(target) == SECRET

    assert seen[repr(SECRET)] == 0
    assert set(seen) <= {repr(HARMLESS), "b''", "path_not_allowed", "a careless reader leaked"}
    # The trap was open: both faces were met, and a reader who follows links fell in.
    assert seen[repr(HARMLESS)] > 0
    assert seen["path_not_allowed"] > 0
    assert seen["a careless reader leaked"] > 0


@campaign
@pytest.mark.parametrize("flipped", ["tests", "tests/test_a.py"])
def test_a_folder_or_file_that_flips_to_a_link_never_leads_a_write_outside(
    root: ConfinedRoot, project: Path, outside: Path, flipped: str
) -> None:
    (outside / "test_a.py").write_bytes(b"the secret")
    (project / "tests" / "test_a.py").write_bytes(b"0")
    before = _contents(outside)
    bait, link = outside if flipped == "tests" else outside / "test_a.py", project / "link"
    begun = threading.Event()

    def flip() -> None:
        if begun.wait(0.1):
            begun.clear()
            link.symlink_to(bait)
            time.sleep(random.uniform(0, 0.002))  # a random moment of a write, which takes about a millisecond
            _exchange(project / flipped, link)
            time.sleep(random.uniform(0, 0.0002))
            _exchange(project / flipped, link)
            link.unlink()

    seen: Counter[str] = Counter()
    with _flipping(flip):
        while seen["written"] < WRITES:
            begun.set()
            seen[_outcome(lambda: _count_up(root))] += 1
            assert _contents(outside) == before, seen

    assert [path.name for path in (project / "tests").iterdir()] == ["test_a.py"]  # and no temporary file
    assert seen["path_not_allowed"] > 0


@pytest.mark.parametrize("flipped", ["tests", "tests/test_a.py"])
def test_a_flip_between_any_two_steps_of_a_write_leaves_the_outside_alone(
    root: ConfinedRoot, project: Path, outside: Path, monkeypatch: pytest.MonkeyPatch, flipped: str
) -> None:
    (outside / "test_a.py").write_bytes(b"the secret")
    (project / "tests" / "test_a.py").write_bytes(b"0")
    before = _contents(outside)
    link = project / "link"
    seen: Counter[str] = Counter()
    for step in itertools.count(1):
        link.symlink_to(outside if flipped == "tests" else outside / "test_a.py")
        base = (project / "tests" / "test_a.py").read_bytes()
        with _at_step(step, lambda: _exchange(project / flipped, link), monkeypatch) as reached:
            seen[_outcome(lambda base=base: _replaced(root, base))] += 1  # type: ignore[misc]  # the type of a default is not inferred
        assert _contents(outside) == before, step
        if not reached:
            break
        _exchange(project / flipped, link)
        link.unlink()

    assert step > 10
    assert [path.name for path in (project / "tests").iterdir()] == ["test_a.py"]  # and no temporary file
    assert seen["path_not_allowed"] > 3


def _count_up(root: ConfinedRoot) -> str:
    base = root.read("tests/test_a.py")
    return _replaced(root, base)


def _replaced(root: ConfinedRoot, base: bytes) -> str:
    root.replace("tests/test_a.py", b"%d" % (int(base) + 1), base_sha256=sha256(base))
    return "written"


def _outcome(attempt: Callable[[], bytes | str]) -> str:
    try:
        result = attempt()
    except TestwrightError as error:
        return error.code
    return result if isinstance(result, str) else repr(result)


def _careless_read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class _Flips:
    def __init__(self) -> None:
        self.count = 0
        self.enough = threading.Event()


def _exchange(one: Path, other: Path) -> None:
    """Swap two names in one step: at no time is either of them missing."""
    at_cwd, exchange = -100, 2
    if ctypes.CDLL(None, use_errno=True).renameat2(at_cwd, bytes(one), at_cwd, bytes(other), exchange) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(one))


@contextlib.contextmanager
def _at_step(number: int, action: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Do `action` just before the number-th call by which a write touches the disk; yields where that was."""
    calls = itertools.count(1)
    reached: list[str] = []

    def watched(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if next(calls) == number:
                reached.append(name)
                action()
            return real(*args, **kwargs)

        return call

    with monkeypatch.context() as patch:
        for name in ("open", "read", "write", "fsync", "fstat", "rename", "listdir", "fchmod"):
            patch.setattr(os, name, watched(name, getattr(os, name)))
        yield reached


@contextlib.contextmanager
def _flipping(flip: Callable[[], None]) -> Iterator[_Flips]:
    """`flip` again and again in another thread; afterwards everything is as it was before the first."""
    flips = _Flips()
    broken: list[BaseException] = []

    def work() -> None:
        try:
            while not flips.enough.is_set():
                flip()
                flips.count += 1
        except BaseException as error:  # noqa: BLE001  a thread's error would pass unseen
            broken.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield flips
    finally:
        flips.enough.set()
        thread.join()
    assert not broken, broken
