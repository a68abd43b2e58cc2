"""The history of the tables, one step per file in `versions`; Alembic applies the steps a database lacks."""
