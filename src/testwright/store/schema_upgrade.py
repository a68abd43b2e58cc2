"""Bring a database's tables to the shape this version knows, and refuse shapes it does not know."""

from pathlib import Path

from sqlalchemy import Connection, String, column, inspect, select, table

from testwright.model.errors import StoreTooNew, StoreUnsafe
from testwright.store.database_connection import Database
from testwright.store.schema import HEAD, VERSION_TABLE

_MIGRATIONS = Path(__file__).parent / "migrations"


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
