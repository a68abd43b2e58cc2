"""Opening a store: made private, checked, and refused with a reason when it is not what it should be."""

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from testwright.model.errors import StoreCorrupt, StoreUnavailable, StoreUnsafe, UsageError
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult
from testwright.store.project_store import open_store


class Server(Protocol):
    def url(self, database: str) -> str: ...


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def die_in_a_transaction(file: Path) -> None:
    # A cache of one page makes SQLite write changed pages into the file before the commit.
    program = (
        "import os, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('PRAGMA cache_size=1'); connection.execute('BEGIN IMMEDIATE')\n"
        "connection.execute('DELETE FROM runs')\n"
        "for n in range(500): connection.execute('INSERT INTO meta VALUES (?, ?)', (f'x{n}', 'y' * 1000))\n"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, file], check=False)
    assert file.with_name(f"{file.name}-journal").stat().st_size > 0


def test_a_new_store_is_private_and_hidden_from_git(tmp_path: Path) -> None:
    file = tmp_path / ".testwright" / "testwright.db"

    open_store(file).close()

    assert (mode(file.parent), mode(file)) == (0o700, 0o600)
    assert (file.parent / ".gitignore").read_text() == "*\n"


def test_a_folder_that_was_there_before_keeps_its_rules(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    open_store(tmp_path / "store.db").close()

    assert mode(tmp_path) == 0o755
    assert not (tmp_path / ".gitignore").exists()


def test_what_was_saved_is_there_when_the_store_is_opened_again(where: str, make_run: Callable[..., RunResult]) -> None:
    run = make_run(a=Outcome.PASSED)
    with open_store(where) as store:
        store.runs.save_run(run)

    with open_store(where) as store:
        assert store.runs.get_run(run.id) == run


def test_projects_that_share_a_server_do_not_see_one_another(where: str, make_run: Callable[..., RunResult]) -> None:
    with open_store(where, project="shop") as shop, open_store(where, project="bank \x00 \ud800") as bank:
        run = make_run(a=Outcome.FAILED)
        assert shop.runs.save_run(run)
        assert bank.runs.list_runs() == []
        assert bank.runs.list_tests() == []

        assert bank.runs.save_run(run)
        bank.runs.prune(keep=0)

        assert [found.id for found in shop.runs.list_runs()] == [run.id]
        assert len(shop.runs.last_failed()) == 1


@pytest.mark.parametrize("content", [b"\x8f\x02rubbish" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000, b"short"])
def test_a_damaged_store_is_copied_aside_and_never_made_anew(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "store.db"
    file.write_bytes(content)

    with pytest.raises(StoreCorrupt) as raised:
        open_store(file)
    with pytest.raises(StoreCorrupt):
        open_store(file)

    (backup,) = tmp_path.glob("store.db.damaged-*")
    assert str(backup) in raised.value.message
    assert file.read_bytes() == content
    assert backup.read_bytes() == content
    assert mode(backup) == 0o600


def test_damage_in_the_middle_of_a_store_is_told_when_it_is_met(
    tmp_path: Path, make_run: Callable[..., RunResult]
) -> None:
    file = tmp_path / "store.db"
    with open_store(file) as store:
        store.runs.save_run(make_run(**{f"test_{number}": Outcome.FAILED for number in range(300)}))
    content = bytearray(file.read_bytes())
    content[100_000:] = b"\xaa" * (len(content) - 100_000)
    file.write_bytes(content)

    def use() -> None:
        with open_store(file) as store:
            store.runs.get_run("run")
            store.runs.list_tests()

    with pytest.raises(StoreCorrupt, match="copy was put aside"):
        use()


def test_after_an_unclean_stop_the_store_is_checked(tmp_path: Path, make_run: Callable[..., RunResult]) -> None:
    file = tmp_path / "store.db"
    with open_store(file) as store:
        store.runs.save_run(make_run(**{f"test_{number}": Outcome.FAILED for number in range(300)}))
    content = bytearray(file.read_bytes())
    content[-4096:] = b"\xaa" * 4096  # a page that opening alone does not read
    file.write_bytes(content)
    open_store(file).close()
    die_in_a_transaction(file)

    with pytest.raises(StoreCorrupt):
        open_store(file)


def test_a_writer_killed_in_a_transaction_leaves_a_store_that_opens_as_it_was(
    tmp_path: Path, make_run: Callable[..., RunResult]
) -> None:
    file = tmp_path / "store.db"
    with open_store(file) as store:
        store.runs.save_run(make_run(a=Outcome.PASSED))

    die_in_a_transaction(file)

    with open_store(file) as store:
        assert len(store.runs.list_runs()) == 1


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "shop.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE runs (mine TEXT)")
    connection.close()
    before = file.read_bytes()

    with pytest.raises(StoreUnsafe, match="another program"):
        open_store(file)

    assert file.read_bytes() == before


@pytest.mark.parametrize("name", ["store.db", "store.db-journal", "store.db-wal", "store.db-turn"])
def test_a_link_in_the_place_of_a_file_is_refused(tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / name).symlink_to(victim)

    with pytest.raises(StoreUnsafe, match="not a regular file"):
        open_store(tmp_path / "store.db")

    assert victim.read_text() == "precious"


def test_a_folder_or_a_device_in_the_place_of_the_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "store.db").mkdir()

    with pytest.raises(StoreUnsafe):
        open_store(tmp_path / "store.db")
    with pytest.raises(StoreUnsafe):
        open_store("/dev/null")


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".testwright").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StoreUnsafe, match="not a folder"):
        open_store(tmp_path / ".testwright" / "testwright.db")

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_place_that_cannot_exist_is_told_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreUnavailable, match="Not a directory"):
        open_store(tmp_path / "file" / "deeper" / "store.db")


def test_an_unreachable_server_is_told_without_its_password(closed_port: int) -> None:
    with pytest.raises(StoreUnavailable) as raised:
        open_store(f"postgresql://alice:s3cret-word@127.0.0.1:{closed_port}/shop?password=s3cret-word")

    assert f"127.0.0.1:{closed_port}/shop" in raised.value.message
    assert "s3cret" not in str(raised.value.as_dict())


@pytest.mark.needs_postgres
def test_a_database_that_does_not_exist_is_told_plainly(postgres: Server) -> None:
    with pytest.raises(StoreUnavailable, match='database "nowhere" does not exist'):
        open_store(postgres.url("nowhere"))


@pytest.mark.parametrize(
    "url", ["mysql://root:s3cret@localhost/x", "postgresql://alice:s3cret@host:port/x", "://s3cret"]
)
def test_a_url_that_we_cannot_open_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(UsageError) as raised:
        open_store(url)

    assert "s3cret" not in str(raised.value.as_dict())


def test_opening_a_store_that_is_up_to_date_does_not_load_the_migration_library(where: str) -> None:
    open_store(where).close()
    program = (
        "import sys; from testwright.store.project_store import open_store; open_store(sys.argv[1]).close()\n"
        "sys.exit('alembic' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", program, where], check=False).returncode == 0
