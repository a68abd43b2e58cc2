"""What Alembic runs to migrate: on the connection, and inside the transaction, that the store gives it."""

from alembic import context

from testwright.store.schema import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
