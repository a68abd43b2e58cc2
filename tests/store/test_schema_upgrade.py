"""A store is brought to the shape this version knows, and a newer one is refused."""

from collections.abc import Callable
from importlib.resources import files

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from testwright.model.errors import StoreTooNew
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult
from testwright.store.project_store import Store, open_store
from testwright.store.schema import HEAD, VERSION_TABLE, metadata


def test_the_migrations_lead_to_the_tables_that_the_code_uses(store: Store) -> None:
    with store.database.reading() as connection:
        options = {"version_table": VERSION_TABLE, "compare_type": True}
        differences = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)

    assert differences == []


def test_the_newest_migration_is_the_one_the_code_expects() -> None:
    config = Config()
    config.set_main_option("script_location", str(files("testwright.store") / "migrations"))

    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_a_store_of_a_newer_version_is_refused_and_left_alone(where: str, make_run: Callable[..., RunResult]) -> None:
    run = make_run(a=Outcome.PASSED)
    with open_store(where) as store:
        store.runs.save_run(run)
        _set_revision(store, "9999")

        with pytest.raises(StoreTooNew, match="'9999'"):
            open_store(where)

        _set_revision(store, HEAD)
    with open_store(where) as store:
        assert store.runs.get_run(run.id) == run


def _set_revision(store: Store, revision: str) -> None:
    with store.database.writing() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = :new"), {"new": revision})


def test_a_migration_that_fails_leaves_no_half_made_tables(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(op, "create_index", fail)  # some tables have been made by then
        with pytest.raises(KeyboardInterrupt):
            open_store(where)

    with open_store(where) as store:
        assert store.runs.list_runs() == []
