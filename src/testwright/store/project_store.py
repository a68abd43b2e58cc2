"""Open a store: a file of SQLite's, or a PostgreSQL server named by a URL."""

from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import URL, Connection, String, column, insert, inspect, make_url, select, table, text
from sqlalchemy.exc import ArgumentError

from testwright.model.errors import StoreTooNew, StoreUnsafe, UsageError
from testwright.store.counter_store import CounterStore
from testwright.store.database_connection import (
    WAIT_SECONDS,
    Database,
    insert_one,
    prepare_file,
    put_aside,
    stopped_uncleanly,
)
from testwright.store.fingerprint_store import FingerprintStore
from testwright.store.proposal_store import ProposalStore
from testwright.store.run_store import RunStore
from testwright.store.schema import HEAD, VERSION_TABLE, projects

_MIGRATIONS = Path(__file__).parent / "migrations"


class Store:
    """Everything kept for one project."""

    def __init__(self, database: Database, project_pk: int) -> None:
        self.database = database
        self.runs = RunStore(database, project_pk)
        self.proposals = ProposalStore(database, project_pk)
        self.fingerprints = FingerprintStore(database, project_pk)
        self.counters = CounterStore(database, project_pk)

    @property
    def name(self) -> str:
        """Where it is, for people: a path, or a URL without its password."""
        return self.database.name

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_store(where: str | Path, *, project: str = "", wait_seconds: float = WAIT_SECONDS) -> Store:
    """The store at a path or URL, made if there is none and migrated if it is behind.

    `project` tells projects apart that share one server. `wait_seconds` bounds the wait for other writers.
    """
    database = _server(where, wait_seconds) if _is_url(where) else _file(Path(where), wait_seconds)
    try:
        bring_up_to_date(database)
        return Store(database, _project_pk(database, project))
    except BaseException:  # an interrupt too must not leave a connection open
        database.close()
        raise


def _is_url(where: str | Path) -> bool:
    return isinstance(where, str) and "://" in where


def _file(file: Path, wait_seconds: float) -> Database:
    file = file.absolute()
    prepare_file(file)
    suspicious = stopped_uncleanly(file)
    url = URL.create("sqlite+pysqlite", database=str(file))
    database = Database(url, file=file, name=str(file), wait_seconds=wait_seconds)
    if suspicious:
        _check(database, file)
    return database


def _check(database: Database, file: Path) -> None:
    """After an unclean stop SQLite rolls back what was half done; see for ourselves that it came out whole."""
    with database.reading() as connection:
        connection.execute(text("SELECT count(*) FROM sqlite_schema"))  # the first read is what rolls back
        if stopped_uncleanly(file):
            return  # the journal is still there: its writer is alive, and nothing has stopped
        verdict = connection.scalar(text("PRAGMA quick_check(1)"))
    if verdict != "ok":
        database.close()
        raise put_aside(file)


def _server(where: str | Path, wait_seconds: float) -> Database:
    try:
        url = make_url(str(where))
    except (ArgumentError, ValueError):  # whose texts may hold the password
        raise _bad_url() from None
    if url.get_backend_name() not in ("postgresql", "postgres"):
        raise _bad_url()
    place = URL.create("postgresql", host=url.host, port=url.port, database=url.database)
    url = url.set(drivername="postgresql+psycopg")
    return Database(url, file=None, name=place.render_as_string(), wait_seconds=wait_seconds)


def _bad_url() -> UsageError:
    return UsageError(
        "The store's URL is not one we can open.",
        next_step="Write postgresql://USER@HOST:PORT/DATABASE, or the path of a file.",
    )


def _project_pk(database: Database, name: str) -> int:
    key = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    query = select(projects.c.pk).where(projects.c.key == key)
    with database.reading() as connection:
        found = connection.scalar(query)
    if found is not None:
        return int(found)
    with database.writing() as connection:
        found = connection.scalar(query)  # another process may have been quicker
        if found is None:
            return insert_one(connection, insert(projects).values(key=key, name=name))
        return int(found)


def bring_up_to_date(database: Database) -> None:
    """Migrate when behind. The usual case costs one query and never loads Alembic, which is slow to import."""
    with database.reading() as connection:
        if _revision(connection) == HEAD:
            return
    with database.writing() as connection:
        revision = _revision(connection)  # another process may have migrated while we waited for the lock
        if revision == HEAD:
            return
        if revision is None and database.file is not None and inspect(connection).get_table_names():
            raise StoreUnsafe(
                f"{database.name} is a database of another program; nothing was changed in it.",
                next_step="Name another file for the store.",
            )
        _migrate(connection, revision, database.name)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version = column("version_num", String)
    return connection.scalar(select(version).select_from(table(VERSION_TABLE, version)))


def _migrate(connection: Connection, revision: str | None, name: str) -> None:
    # late: start-up: alembic
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise StoreTooNew(
            f"The store {name} was written by a newer Testwright (its tables are at {revision!r}, we know {HEAD!r}).",
            next_step="Upgrade Testwright, or name another place for the store.",
        )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
