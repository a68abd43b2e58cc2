"""A run is on disk, event by event, before anybody is told of it."""

import errno
import os
import resource
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import DiskFull, InvalidPath, MalformedReport, StoreUnavailable, StoreUnsafe, TooLarge
from testwright.model.events import (
    AttemptFinished,
    CaughtUp,
    Collected,
    RunEvent,
    RunnerStarted,
    SuiteEnded,
    SuiteStarted,
    TestStarted,
)
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunId, RunResult
from testwright.store import run_line_encoder
from testwright.store.journal import Journal, pending, read_journal
from testwright.store.run_line_encoder import encode_event
from testwright.store.run_lines import export_run

RUN = RunResult(RunId("r1"), datetime(2024, 5, 1, 12, tzinfo=UTC), commit="abc", command=("testwright", "run"))
START = SuiteStarted(Framework.PYTEST, "", "R0")
CASE = TestCase(Framework.PYTEST, "tests/test_a.py", ("one",))
PASSED = AttemptFinished(CASE, Attempt(Outcome.PASSED, stdout="hello"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".testwright" / "pending"


@pytest.fixture
def limit_files() -> Iterator[Callable[[int], None]]:
    """Lets no file grow beyond a size: the system then writes what fits and refuses the rest, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def written(folder: Path, *events: RunEvent) -> Journal:
    journal = Journal.create(folder, RUN)
    for event in events:
        journal.append(event)
    return journal


def test_a_finished_journal_tells_the_whole_run(folder: Path) -> None:
    journal = written(folder, START, RunnerStarted(), PASSED, SuiteEnded(Framework.PYTEST, "", 3.0))

    journal.finish(duration_ms=4.0)

    run = read_journal(journal.path)
    assert (run.id, run.commit, run.command, run.duration_ms) == (RUN.id, "abc", ("testwright", "run"), 4.0)
    assert [(result.case, result.last) for result in run.results] == [(CASE, PASSED.attempt)]
    assert run.success


def test_an_event_is_on_disk_when_append_returns(folder: Path) -> None:
    journal = written(folder, START, PASSED)

    assert b"hello" in journal.path.read_bytes()
    journal.close()


def test_a_journal_without_its_end_is_an_interrupted_run(folder: Path) -> None:
    other = replace(CASE, title=("two",))
    journal = written(folder, START, Collected((CASE, other)), TestStarted(other), PASSED)

    journal.close()

    run = read_journal(journal.path)
    assert run.interrupted
    assert [result.outcome for result in run.results] == [Outcome.PASSED, Outcome.INTERRUPTED]
    assert run.duration_ms > 0  # it was seen alive until its last line


def test_many_tests_announced_at_once_are_all_remembered(folder: Path) -> None:
    cases = tuple(replace(CASE, title=(f"test_{number}",)) for number in range(2500))
    journal = written(folder, START, Collected(cases))

    journal.close()

    assert [result.case for result in read_journal(journal.path).results] == list(cases)


def test_a_last_line_that_was_cut_off_anywhere_is_left_out(folder: Path) -> None:
    journal = written(folder, START, PASSED)
    whole = journal.path.read_bytes()
    journal.append(AttemptFinished(replace(CASE, title=("two",)), Attempt(Outcome.PASSED, message="caf\u00e9")))
    longer = journal.path.read_bytes()
    journal.close()

    for length in range(len(whole), len(longer)):
        journal.path.write_bytes(longer[:length])
        assert [result.case for result in read_journal(journal.path).results] == [CASE], length


def test_a_broken_line_before_the_last_is_refused_by_file_and_line(folder: Path) -> None:
    journal = written(folder, START, PASSED)
    journal.close()
    header, start, passed = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(header + start[:-5] + b"\n" + passed)

    with pytest.raises(MalformedReport, match=r"Line 2 of .*r1\.jsonl"):
        read_journal(journal.path)


def test_what_follows_the_end_of_a_run_is_refused(folder: Path) -> None:
    journal = written(folder)
    journal.finish(duration_ms=0.0)
    with journal.path.open("ab") as file:
        file.writelines(export_run(replace(RUN, id=RunId("r2"))))

    with pytest.raises(MalformedReport, match=r"Line 3 .* after the end of the run"):
        read_journal(journal.path)


def test_a_journal_without_one_whole_line_is_refused(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "r1.jsonl").write_bytes(b'{"type":"run"')

    with pytest.raises(MalformedReport, match="no complete line"):
        read_journal(folder / "r1.jsonl")


def test_a_journal_is_pending_once_its_writer_has_let_go(folder: Path) -> None:
    journal = written(folder, START)
    assert pending(folder) == []

    journal.close()

    assert pending(folder) == [journal.path]


def test_a_journal_is_pending_once_its_writer_was_killed(folder: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from datetime import datetime, UTC\n"
        "from testwright.model.result import RunResult; from testwright.store.journal import Journal\n"
        "journal = Journal.create(Path(sys.argv[1]), RunResult('r1', datetime.now(UTC)))\n"
        "print('ready', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        alive = pending(folder)
        writer.kill()
        writer.wait()

    assert alive == []
    assert pending(folder) == [folder / "r1.jsonl"]


def test_only_journals_are_pending(folder: Path, tmp_path: Path) -> None:
    journal = written(folder)
    journal.finish(duration_ms=0.0)
    (folder / "empty.jsonl").touch()  # whoever made it may be about to write its first line
    (folder / "notes.txt").write_text("no journal")
    (folder / "link.jsonl").symlink_to(journal.path)
    os.mkfifo(folder / "pipe.jsonl")

    assert pending(folder) == [journal.path]
    assert pending(tmp_path / "nowhere") == []


def test_only_its_user_can_read_a_journal_and_git_does_not_see_it(folder: Path) -> None:
    journal = written(folder)
    journal.close()

    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder.parent / ".gitignore").read_text() == "*\n"


def test_a_child_of_the_writer_does_not_keep_the_journal_alive(folder: Path) -> None:
    journal = written(folder)
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, close_fds=False) as child:
        journal.close()
        assert pending(folder) == [journal.path]
        child.communicate()


@pytest.mark.parametrize("name", ["", "../escape", ".hidden", "a/b", "nul\x00"])
def test_a_run_id_that_is_no_file_name_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(InvalidPath):
        Journal.create(folder, replace(RUN, id=RunId(name)))


def test_a_journal_of_the_same_run_is_never_written_over(folder: Path) -> None:
    journal = written(folder, START)
    journal.close()
    before = journal.path.read_bytes()

    with pytest.raises(StoreUnavailable, match="exists"):
        Journal.create(folder, RUN)

    assert journal.path.read_bytes() == before


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".testwright").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StoreUnsafe, match="testwright is not a folder"):
        Journal.create(tmp_path / ".testwright" / "pending", RUN)

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_full_disk_is_told_and_what_was_written_stays_whole(folder: Path, limit_files: Callable[[int], None]) -> None:
    journal = written(folder, START, PASSED)
    limit_files(journal.path.stat().st_size + 100)

    with pytest.raises(DiskFull, match=r"r1\.jsonl"):
        journal.append(AttemptFinished(replace(CASE, title=("two",)), Attempt(Outcome.PASSED, stdout="x" * 5000)))

    limit_files(1 << 20)
    three = replace(CASE, title=("three",))
    journal.append(AttemptFinished(three, Attempt(Outcome.PASSED)))  # once there is room again, it goes on
    journal.finish(duration_ms=1.0)
    assert [result.case for result in read_journal(journal.path).results] == [CASE, three]


def test_events_appended_together_are_all_on_disk(folder: Path) -> None:
    two = replace(CASE, title=("two",))
    journal = written(folder)

    journal.append(START, CaughtUp(), PASSED, AttemptFinished(two, Attempt(Outcome.SKIPPED)))

    journal.close()
    results = read_journal(journal.path).results
    assert [(result.case, result.outcome) for result in results] == [(CASE, Outcome.PASSED), (two, Outcome.SKIPPED)]


def test_only_a_test_whose_end_is_unknown_is_noted_as_started(folder: Path) -> None:
    two = replace(CASE, title=("two",))
    journal = written(folder, START)

    journal.append(TestStarted(CASE), PASSED, TestStarted(two))

    journal.close()
    assert journal.path.read_bytes().count(b"test_started") == 1
    one, other = read_journal(journal.path).results
    assert (one.case, one.outcome) == (CASE, Outcome.PASSED)
    assert (other.case, other.last.reason) == (two, "not_finished")


def test_of_events_appended_together_those_that_fit_on_the_disk_are_kept(
    folder: Path, limit_files: Callable[[int], None]
) -> None:
    journal = written(folder, START)
    cases = [replace(CASE, title=(f"test_{number}",)) for number in range(3)]
    line = len(encode_event(AttemptFinished(cases[0], Attempt(Outcome.PASSED))))
    limit_files(journal.path.stat().st_size + 2 * line + line // 2)

    with pytest.raises(DiskFull):
        journal.append(*(AttemptFinished(case, Attempt(Outcome.PASSED)) for case in cases))

    journal.close()
    assert [result.case for result in read_journal(journal.path).results] == cases[:2]


def test_an_event_too_large_to_keep_does_not_take_those_before_it_along(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_line_encoder, "MAX_LINE_BYTES", 1000)
    journal = written(folder, START)

    with pytest.raises(TooLarge):
        journal.append(
            PASSED, AttemptFinished(replace(CASE, title=("two",)), Attempt(Outcome.PASSED, stdout="x" * 1000))
        )

    journal.close()
    assert [result.case for result in read_journal(journal.path).results] == [CASE]


def test_a_disk_that_cannot_promise_to_keep_the_journal_is_told_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "I/O error")

    journal = written(folder, START, PASSED)
    monkeypatch.setattr(os, "fsync", fail)

    with pytest.raises(StoreUnavailable, match="Input/output error"):
        journal.finish(duration_ms=1.0)

    journal.close()


def test_a_disk_that_is_full_from_the_start_leaves_no_empty_journal(
    folder: Path, limit_files: Callable[[int], None]
) -> None:
    written(folder).close()
    limit_files(10)

    with pytest.raises(DiskFull):
        Journal.create(folder, replace(RUN, id=RunId("r2")))

    assert not (folder / "r2.jsonl").exists()
