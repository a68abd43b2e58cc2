"""Pages of passing runs, and the elements on them that tests found."""

import sqlalchemy as sa
from alembic import op

from testwright.store.column_types import AnyText, JsonText, Moment

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "pages",
        sa.Column("project_pk", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=16), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["project_pk"], ["projects.pk"], name="fk_pages_projects"),
        sa.PrimaryKeyConstraint("project_pk", "hash", name="pk_pages"),
    )
    op.create_table(
        "fingerprints",
        sa.Column("pk", sa.Integer(), nullable=False),
        sa.Column("project_pk", sa.Integer(), nullable=False),
        sa.Column("test_key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("test_id", AnyText(), nullable=False),
        sa.Column("file", AnyText(), nullable=False),
        sa.Column("line", sa.BigInteger(), nullable=False),
        sa.Column("selector", AnyText(), nullable=False),
        sa.Column("selector_key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("action", AnyText(), nullable=False),
        sa.Column("elements", JsonText(), nullable=False),
        sa.Column("page_hash", sa.LargeBinary(length=16), nullable=False),
        sa.Column("run_id", AnyText(), nullable=False),
        sa.Column("recorded_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["project_pk"], ["projects.pk"], name="fk_fingerprints_projects"),
        sa.ForeignKeyConstraint(
            ["project_pk", "page_hash"], ["pages.project_pk", "pages.hash"], name="fk_fingerprints_pages"
        ),
        sa.PrimaryKeyConstraint("pk", name="pk_fingerprints"),
    )
    op.create_index("ix_fingerprints_project_pk_test_key", "fingerprints", ["project_pk", "test_key"])
    op.create_index("ix_fingerprints_project_pk_selector_key", "fingerprints", ["project_pk", "selector_key"])
    op.create_index("ix_fingerprints_project_pk_page_hash", "fingerprints", ["project_pk", "page_hash"])
