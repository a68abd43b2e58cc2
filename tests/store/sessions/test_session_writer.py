"""A session on disk has what its writer was given, whatever became of the writer."""

import os
import signal
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.store.sessions.session_events import asks, breaks, click, goes, head, page, says
from testwright.model.errors import StoreUnsafe
from testwright.model.session import (
    AnySessionEvent,
    BrowserEnvironment,
    Cookie,
    Dialog,
    EventKind,
    MessageBody,
    OriginStorage,
    ScriptFrame,
    Secret,
    SocketEvent,
    SocketMoment,
    SourceSpot,
    StorageState,
    TabEvent,
)
from testwright.store.sessions import SessionReader, SessionWriter, new_session, open_session
from testwright.store.sessions.bounded_files import CAPS

ROOT = Path(__file__).parents[3]
STATE = StorageState(
    (Cookie("sid", Secret("SID", "cookie")), Cookie("lang", "de")),
    (OriginStorage("http://shop.test", {"theme": "dark", "token": Secret("TOKEN")}, {"tab": "1"}),),
)
ONE_OF_EACH: tuple[AnySessionEvent, ...] = (
    goes(1, status=200, state=STATE, title="Shop"),
    click(2, value=Secret("PASSWORD", "input[type=password]"), values=("a",), page="page-2", after=1),
    asks(
        3,
        headers={"accept": "*/*"},
        sent=MessageBody("{}", "application/json", 2),
        received=MessageBody(None, note="binary"),
        after=2,
    ),
    SocketEvent(seq=4, t=5, socket=4, what=SocketMoment.OPENED, url="ws://shop.test/"),
    says(5, "halló 🛒", args=("halló", "🛒")),
    breaks(6, stack=(ScriptFrame("f", "http://shop.test/a.js", 1, 2, SourceSpot("a.ts", 3, 4)),), page="page-6"),
    TabEvent(seq=7, t=8, what="opened", opener=1, tab=2),
    Dialog(seq=8, t=9, type="confirm", message="Sure?", accepted=True),
)


def written(root: Path, *events: AnySessionEvent) -> SessionReader:
    with new_session(root) as writer:
        writer.begin(head(id=writer.id))
        for event in events:
            writer.add(event)
        writer.finish(ended=1234, gaps=())
    return open_session(root)


def test_every_kind_of_event_comes_back_as_it_was(tmp_path: Path) -> None:
    session = written(tmp_path, *ONE_OF_EACH).session()

    assert session.events == ONE_OF_EACH
    assert (session.ended, session.gaps, session.dropped) == (1234, (), {})


def test_the_head_comes_back_as_it_was(tmp_path: Path) -> None:
    begun = head(surroundings=BrowserEnvironment((1280, 720), 2.0, locale="de-DE"), state=STATE, gaps=("no sockets",))
    with new_session(tmp_path) as writer:
        begun = replace(begun, id=writer.id)
        writer.begin(begun)

    assert open_session(tmp_path).head == begun


def test_events_are_ordered_by_their_beginning_and_not_by_their_arrival(tmp_path: Path) -> None:
    session = written(tmp_path, click(1), says(3), asks(2)).session()

    assert [event.seq for event in session.events] == [1, 2, 3]


def test_half_a_surrogate_pair_does_not_lose_the_event(tmp_path: Path) -> None:
    [line] = written(tmp_path, says(1, "a \ud83d b 🛒")).session().events

    assert line == says(1, "a \ufffd b 🛒")


def test_everything_is_for_this_user_alone_and_hidden_from_git(tmp_path: Path) -> None:
    with new_session(tmp_path) as writer:
        writer.begin(head())
        writer.add(says(1))
        writer.keep_page(1, page("Save"))
        writer.keep_text("body", "{}")
        writer.finish(ended=1, gaps=())

    found = [path for path in (tmp_path / ".testwright").rglob("*") if path.name != ".gitignore"]
    assert len(found) > 7
    assert {stat.S_IMODE(path.stat().st_mode) for path in found} == {0o600, 0o700}
    assert (tmp_path / ".testwright" / ".gitignore").read_text() == "*\n"


def test_a_folder_behind_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".testwright").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StoreUnsafe):
        new_session(tmp_path)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_flood_of_console_lines_and_requests_drives_out_no_action_and_no_error(tmp_path: Path) -> None:
    with new_session(tmp_path) as writer:
        writer.begin(head())
        writer.add(goes(1))
        writer.add(click(2))
        writer.add(breaks(3))
        for seq in range(4, 3_000):
            writer.add(says(seq, "x" * 10_000))
            writer.add(asks(10_000 + seq, received=MessageBody("y" * 20_000)))
        writer.finish(ended=1, gaps=())
    session = open_session(tmp_path).session()

    assert [event.seq for event in session.events[:3]] == [1, 2, 3]
    kept = [event for event in session.events if isinstance(event, type(says(1)))]
    assert kept[-1].seq == 2_999
    assert len(kept) + session.dropped[EventKind.CONSOLE] == 2_996
    assert session.dropped[EventKind.REQUEST] + len(session.requests) == 2_996
    for kind in (EventKind.CONSOLE, EventKind.REQUEST):
        size = sum(file.stat().st_size for file in writer.folder.glob(f"{kind}.*.jsonl"))
        assert CAPS[kind] // 2 <= size <= CAPS[kind]


def test_an_event_beyond_all_measure_is_counted_and_the_next_is_kept(tmp_path: Path) -> None:
    session = written(tmp_path, says(1, "x" * (5 << 20)), says(2)).session()

    assert [event.seq for event in session.events] == [2]
    assert session.gaps == ("1 event(s) of the kind console were not kept, because they were too large",)


def test_when_nothing_can_be_written_the_watching_goes_on_and_the_end_says_what_is_missing(tmp_path: Path) -> None:
    with new_session(tmp_path) as writer:
        writer.begin(head())
        (writer.folder / "console.0.jsonl").mkdir()  # where the file should be
        writer.add(says(1))
        writer.add(click(2))
        assert writer.keep_text("a", "text") == "a"
        writer.finish(ended=1, gaps=("no sockets",))
    session = open_session(tmp_path).session()

    assert session.events == (click(2),)
    assert session.gaps[0] == "no sockets"
    assert session.gaps[1].startswith("1 event(s) of the kind console were not kept: ")


def test_a_writer_that_was_killed_loses_nothing_that_it_had_added(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.store.sessions.killed_session", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as killed:
        assert killed.stdin is not None
        assert killed.stdout is not None
        for turn in range(20):
            killed.stdin.write(b"go\n")
            killed.stdin.flush()
            folder, pid, added = Path(), 0, 0
            for raw in killed.stdout:
                word = raw.decode().split()
                if word[0] == "folder":
                    folder = Path(word[1])
                elif word[0] == "pid":
                    pid = int(word[1])
                elif word[0] == "gone":
                    break
                else:
                    added = int(word[0])
                if pid and added >= turn * 7 + 3:
                    os.kill(pid, signal.SIGKILL)
            reader = SessionReader(folder)
            session = reader.session()
            assert not reader.is_live
            assert session.ended is None
            assert session.gaps == ()
            # All that it said it had, and at most one that it had no more time to speak of.
            assert [event.seq for event in session.events] in (
                list(range(1, added + 1)),
                list(range(1, added + 2)),
            )
        killed.stdin.close()


def test_a_torn_last_line_is_passed_over(tmp_path: Path) -> None:
    reader = written(tmp_path, says(1), says(2))
    log = reader.folder / "console.0.jsonl"
    log.write_bytes(log.read_bytes()[:-5])

    assert [event.seq for event in reader.session().events] == [1]
    assert [event.seq for event in reader.latest(10).events] == [1]
    assert reader.session().gaps == ()


def test_lines_that_cannot_be_read_are_counted_as_a_gap(tmp_path: Path) -> None:
    reader = written(tmp_path, says(1), says(2), says(3))
    log = reader.folder / "console.0.jsonl"
    first, second, third = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(first + b"\xff nonsense\n" + second.replace(b'"seq":2', b'"seq":"two"') + third)

    session = reader.session()

    assert [event.seq for event in session.events] == [1, 3]
    assert session.gaps == ("2 line(s) of the kind console cannot be read",)


def test_fields_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    reader = written(tmp_path, says(1))
    log = reader.folder / "console.0.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"seq":1', b'"seq":1,"mood":{"good":true}'))

    assert reader.session().events == (says(1),)


def test_two_writers_never_share_a_folder(tmp_path: Path) -> None:
    with new_session(tmp_path) as first, new_session(tmp_path) as second:
        assert first.folder != second.folder
        assert first.id == first.folder.name


def test_a_text_is_kept_under_a_name_that_can_name_a_file(tmp_path: Path) -> None:
    with SessionWriter(tmp_path / "cap_1_a") as writer:
        writer.begin(head())
        names = [writer.keep_text(name, f"text of {name}") for name in ("5.json", "5.json", "../../etc/passwd", "")]
        reader = SessionReader(writer.folder)

        assert len(set(names)) == 4
        assert [reader.text(name) for name in names] == [
            "text of 5.json",
            "text of 5.json",
            "text of ../../etc/passwd",
            "text of ",
        ]
        assert {path.parent for path in tmp_path.rglob("*5.json*")} == {writer.folder / "texts"}
