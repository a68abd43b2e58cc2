"""Connections to the database behind a store, and its file: how a read and a write begin, and what may go wrong."""

import contextlib
import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Insert, Row, create_engine, event, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from testwright.model.errors import MissingExtra, StoreCorrupt, TestwrightError
from testwright.store import database_errors
from testwright.store.private_files import named_file_errors, prepare_folder, refuse_unless_regular, wait_for_lock

WAIT_SECONDS = 5.0
_WRITER_LOCK = 0x7E57  # our half of PostgreSQL's advisory lock; the project's number is the other half
_WRITES = "testwright_writes"

AnyRow = Row[*tuple[Any, ...]]
_TURN = "-turn"
_COMPANIONS = ("-journal", "-wal", "-shm", _TURN)  # that SQLite, and we, open beside the database


class Database:
    """One database. `reading` and `writing` are the only ways in, so that every access keeps the same rules."""

    def __init__(self, url: URL, *, file: Path | None, name: str, wait_seconds: float = WAIT_SECONDS) -> None:
        self.file = file  # of SQLite; None for a server
        self.name = name  # for people: holds no password
        self._wait_seconds = wait_seconds
        self._secret = str(url.password or url.query.get("password", ""))
        self._engine = _server_engine(url, wait_seconds) if file is None else _sqlite_engine(url, wait_seconds)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the database throughout."""
        with self._explained(), self._engine.connect() as connection:
            if self.file is None:
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def writing(self, project_pk: int = 0) -> Iterator[Connection]:
        """A connection that writes all of the block or nothing, while no one else writes to that project."""
        with self._in_turn(), self._explained(writes=True), self._engine.connect() as connection:
            connection.execution_options(**{_WRITES: True})
            with connection.begin():
                if self.file is None:
                    # Writers wait in line instead of meeting half-way, each holding what the other needs.
                    line = {"ours": _WRITER_LOCK, "project": project_pk}
                    connection.execute(text("SELECT pg_advisory_xact_lock(:ours, :project)"), line)
                yield connection

    def close(self) -> None:
        self._engine.dispose()

    @contextlib.contextmanager
    def _in_turn(self) -> Iterator[None]:
        if self.file is None:  # the server keeps writers in line
            yield
            return
        with wait_for_lock(turn_file(self.file), wait_seconds=self._wait_seconds) as ours:
            if not ours:
                raise database_errors.locked(self.name)
            yield

    @contextlib.contextmanager
    def _explained(self, *, writes: bool = False) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise  # a rule of the tables was broken: our fault, which no advice to the user mends
        except sqlite3.Error as error:  # from setting up a connection, where nothing wraps it
            raise self._told(error) from error
        except DBAPIError as error:
            unsure = writes and error.connection_invalidated
            raise self._told(error.orig or error, unsure=unsure) from error

    def _told(self, complaint: BaseException, *, unsure: bool = False) -> TestwrightError:
        if self.file is not None and database_errors.is_sqlite_damage(complaint):
            return put_aside(self.file)
        return database_errors.explained(complaint, self.name, secret=self._secret, unsure=unsure)


def insert_one(connection: Connection, statement: Insert) -> int:
    """Insert one row and give the number the database keyed it by."""
    key = connection.execute(statement).inserted_primary_key
    assert key is not None, "a single insert knows its key"
    return int(key[0])


def _sqlite_engine(url: URL, wait_seconds: float) -> Engine:
    engine = create_engine(url, connect_args={"timeout": wait_seconds})

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # sqlite3 would begin transactions by itself, and too late
        # A rollback journal, not a write-ahead log: SQLite before 3.51.3 can lose data when one process resets
        # the log while another writes, and here every command is a process of its own. A run is one transaction,
        # so the log's speed is not missed, and the store stays one file that any file system can hold.
        # With a rollback journal `synchronous=NORMAL` may damage the file at a power cut, so FULL is for all:
        # it costs one more fsync for a whole run.
        for rule in ("journal_mode=DELETE", "synchronous=FULL", "foreign_keys=ON", "trusted_schema=OFF"):
            connection.execute(f"PRAGMA {rule}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A write takes its lock at once: one that begins as a read and turns into a write cannot wait for others.
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _server_engine(url: URL, wait_seconds: float) -> Engine:
    given = url.query.get("options", "")  # such as a search_path of the user's own
    settings = given if isinstance(given, str) else " ".join(given)
    arguments = {
        "connect_timeout": max(2, round(wait_seconds)),  # libpq takes no less than two seconds
        "application_name": "testwright",
        "options": f"{settings} -c lock_timeout={int(wait_seconds * 1000)} -c client_encoding=UTF8",
    }
    try:
        return create_engine(url, connect_args=arguments, pool_pre_ping=True)
    except ImportError as missing:  # psycopg, or the library it needs
        raise MissingExtra("postgres") from missing


def prepare_file(file: Path) -> None:
    """Make sure that opening `file` reaches that file and nothing else, and that only this user can read it."""
    prepare_folder(file.parent)
    for path in (file, *_companions(file)):
        refuse_unless_regular(path)
    with named_file_errors(file), contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))


def turn_file(file: Path) -> Path:
    """What writers lock. Not the store itself: closing a second handle of it would drop SQLite's own locks."""
    return file.with_name(file.name + _TURN)


def stopped_uncleanly(file: Path) -> bool:
    """True when a writer's rollback journal lies beside the store: it was killed, or it is writing at this moment."""
    with contextlib.suppress(FileNotFoundError):
        return _journal(file).stat().st_size > 0
    return False


def put_aside(file: Path) -> StoreCorrupt:
    """Copy a damaged store, once for each state it is found in, and say where the copy is.

    The original stays: a store that vanished and came back empty would look like a project without a history.
    """
    try:
        with file.open("rb") as source:
            state = hashlib.file_digest(source, "sha256").hexdigest()[:8]
        backup = file.with_name(f"{file.name}.damaged-{state}")
        if not backup.exists():
            _copy_privately(file, backup)
            if _journal(file).exists():
                _copy_privately(_journal(file), _journal(backup))
    except OSError:  # a full disk, most likely: the damage is what must be reported, and the original is untouched
        return database_errors.damaged(str(file), None)
    return database_errors.damaged(str(file), str(backup))


def _copy_privately(source: Path, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with source.open("rb") as reader, os.fdopen(descriptor, "wb") as writer:
            shutil.copyfileobj(reader, writer)
    except OSError:
        target.unlink()  # half a copy would be taken for a whole one
        raise


def _journal(file: Path) -> Path:
    return file.with_name(f"{file.name}-journal")


def _companions(file: Path) -> list[Path]:
    return [file.with_name(file.name + suffix) for suffix in _COMPANIONS]
