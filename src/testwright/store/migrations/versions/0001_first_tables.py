"""The first shape of the store."""

import sqlalchemy as sa
from alembic import op

from testwright.store.column_types import AnyText, JsonText, Moment

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "meta",
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("value", AnyText(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_meta"),
    )
    op.create_table(
        "projects",
        sa.Column("pk", sa.Integer(), nullable=False),
        sa.Column("key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("name", AnyText(), nullable=False),
        sa.PrimaryKeyConstraint("pk", name="pk_projects"),
        sa.UniqueConstraint("key", name="uq_projects_key"),
    )
    op.create_table(
        "proposals",
        sa.Column("pk", sa.Integer(), nullable=False),
        sa.Column("project_pk", sa.Integer(), nullable=False),
        sa.Column("id", AnyText(), nullable=False),
        sa.Column("kind", sa.String(length=50), nullable=False),
        sa.Column("title", AnyText(), nullable=False),
        sa.Column("file", AnyText(), nullable=False),
        sa.Column("base_sha256", sa.String(length=64), nullable=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("diff", AnyText(), nullable=False),
        sa.Column("origin", AnyText(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("evidence", JsonText(), nullable=False),
        sa.Column("status", sa.String(length=50), nullable=False),
        sa.ForeignKeyConstraint(["project_pk"], ["projects.pk"], name="fk_proposals_projects"),
        sa.PrimaryKeyConstraint("pk", name="pk_proposals"),
        sa.UniqueConstraint("project_pk", "id", name="uq_proposals_project_pk_id"),
    )
    op.create_index("ix_proposals_project_pk_status_created_at", "proposals", ["project_pk", "status", "created_at"])
    op.create_table(
        "runs",
        sa.Column("pk", sa.Integer(), nullable=False),
        sa.Column("project_pk", sa.Integer(), nullable=False),
        sa.Column("id", AnyText(), nullable=False),
        sa.Column("started_at", Moment(), nullable=False),
        sa.Column("duration_ms", sa.Float(), nullable=False),
        sa.Column("interrupted", sa.Boolean(), nullable=False),
        sa.Column("commit_id", AnyText(), nullable=False),
        sa.Column("dirty", sa.Boolean(), nullable=False),
        sa.Column("command", JsonText(), nullable=False),
        sa.Column("source", AnyText(), nullable=False),
        sa.Column("success", sa.Boolean(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("passed", sa.BigInteger(), nullable=False),
        sa.Column("failed", sa.BigInteger(), nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.Column("flaky", sa.Integer(), nullable=False),
        sa.Column("problems", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["project_pk"], ["projects.pk"], name="fk_runs_projects"),
        sa.PrimaryKeyConstraint("pk", name="pk_runs"),
        sa.UniqueConstraint("project_pk", "id", name="uq_runs_project_pk_id"),
    )
    op.create_index("ix_runs_project_pk_started_at", "runs", ["project_pk", "started_at"])
    op.create_table(
        "tests",
        sa.Column("key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("project_pk", sa.Integer(), nullable=False),
        sa.Column("id", AnyText(), nullable=False),
        sa.Column("framework", sa.String(length=50), nullable=False),
        sa.Column("file", AnyText(), nullable=False),
        sa.Column("title", JsonText(), nullable=False),
        sa.Column("variant", AnyText(), nullable=False),
        sa.Column("occurrence", sa.BigInteger(), nullable=False),
        sa.Column("line", sa.BigInteger(), nullable=True),
        sa.Column("native_id", AnyText(), nullable=False),
        sa.Column("last_run_pk", sa.Integer(), nullable=False),
        sa.Column("last_run_at", Moment(), nullable=False),
        sa.Column("last_outcome", sa.String(length=50), nullable=False),
        sa.Column("last_duration_ms", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["project_pk"], ["projects.pk"], name="fk_tests_projects"),
        sa.PrimaryKeyConstraint("key", name="pk_tests"),
    )
    op.create_index("ix_tests_last_run_pk", "tests", ["last_run_pk"])
    op.create_index("ix_tests_project_pk_last_outcome", "tests", ["project_pk", "last_outcome"])
    op.create_table(
        "applies",
        sa.Column("proposal_pk", sa.Integer(), nullable=False),
        sa.Column("base_sha256", sa.String(length=64), nullable=False),
        sa.Column("new_sha256", sa.String(length=64), nullable=False),
        sa.Column("temp_name", AnyText(), nullable=False),
        sa.Column("finished", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["proposal_pk"], ["proposals.pk"], name="fk_applies_proposals", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("proposal_pk", "base_sha256", name="pk_applies"),
    )
    op.create_table(
        "counters",
        sa.Column("run_pk", sa.Integer(), nullable=False),
        sa.Column("name", AnyText(), nullable=False),
        sa.Column("module", AnyText(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["run_pk"], ["runs.pk"], name="fk_counters_runs", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_pk", "name", "module", name="pk_counters"),
    )
    op.create_table(
        "decisions",
        sa.Column("proposal_pk", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=50), nullable=False),
        sa.Column("decided_by", AnyText(), nullable=False),
        sa.Column("decided_at", Moment(), nullable=False),
        sa.Column("reason", AnyText(), nullable=False),
        sa.ForeignKeyConstraint(["proposal_pk"], ["proposals.pk"], name="fk_decisions_proposals", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("proposal_pk", "position", name="pk_decisions"),
    )
    op.create_table(
        "suites",
        sa.Column("run_pk", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("framework", sa.String(length=50), nullable=False),
        sa.Column("root", AnyText(), nullable=False),
        sa.Column("duration_ms", sa.Float(), nullable=False),
        sa.Column("isolation", AnyText(), nullable=False),
        sa.Column("cpu_ms", sa.Float(), nullable=False),
        sa.Column("max_rss_bytes", sa.BigInteger(), nullable=False),
        sa.Column("left_processes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["run_pk"], ["runs.pk"], name="fk_suites_runs", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_pk", "position", name="pk_suites"),
    )
    op.create_table(
        "problems",
        sa.Column("run_pk", sa.Integer(), nullable=False),
        sa.Column("suite_position", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("code", AnyText(), nullable=False),
        sa.Column("message", AnyText(), nullable=False),
        sa.Column("next_step", AnyText(), nullable=False),
        sa.Column("file", AnyText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_pk", "suite_position"],
            ["suites.run_pk", "suites.position"],
            name="fk_problems_suites",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_pk", "suite_position", "position", name="pk_problems"),
    )
    op.create_table(
        "results",
        sa.Column("run_pk", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("suite_position", sa.Integer(), nullable=False),
        sa.Column("test_key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("outcome", sa.String(length=50), nullable=False),
        sa.Column("duration_ms", sa.Float(), nullable=False),
        sa.Column("flaky", sa.Boolean(), nullable=False),
        sa.Column("line", sa.BigInteger(), nullable=True),
        sa.Column("native_id", AnyText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_pk", "suite_position"],
            ["suites.run_pk", "suites.position"],
            name="fk_results_suites",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["test_key"], ["tests.key"], name="fk_results_tests"),
        sa.PrimaryKeyConstraint("run_pk", "position", name="pk_results"),
    )
    op.create_index("ix_results_test_key_run_pk", "results", ["test_key", "run_pk"])
    op.create_table(
        "suite_artifacts",
        sa.Column("run_pk", sa.Integer(), nullable=False),
        sa.Column("suite_position", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", AnyText(), nullable=False),
        sa.Column("path", AnyText(), nullable=False),
        sa.Column("content_type", AnyText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_pk", "suite_position"],
            ["suites.run_pk", "suites.position"],
            name="fk_suite_artifacts_suites",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_pk", "suite_position", "position", name="pk_suite_artifacts"),
    )
    op.create_table(
        "attempts",
        sa.Column("run_pk", sa.Integer(), nullable=False),
        sa.Column("result_position", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.String(length=50), nullable=False),
        sa.Column("duration_ms", sa.Float(), nullable=False),
        sa.Column("started_at", Moment(), nullable=True),
        sa.Column("message", AnyText(), nullable=False),
        sa.Column("stack", AnyText(), nullable=False),
        sa.Column("reason", AnyText(), nullable=False),
        sa.Column("stdout", AnyText(), nullable=False),
        sa.Column("stderr", AnyText(), nullable=False),
        sa.Column("errors", JsonText(), nullable=False),
        sa.Column("counted_passed", sa.BigInteger(), nullable=True),
        sa.Column("counted_failed", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_pk", "result_position"],
            ["results.run_pk", "results.position"],
            name="fk_attempts_results",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_pk", "result_position", "position", name="pk_attempts"),
    )
    op.create_table(
        "artifacts",
        sa.Column("run_pk", sa.Integer(), nullable=False),
        sa.Column("result_position", sa.Integer(), nullable=False),
        sa.Column("attempt_position", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", AnyText(), nullable=False),
        sa.Column("path", AnyText(), nullable=False),
        sa.Column("content_type", AnyText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_pk", "result_position", "attempt_position"],
            ["attempts.run_pk", "attempts.result_position", "attempts.position"],
            name="fk_artifacts_attempts",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_pk", "result_position", "attempt_position", "position", name="pk_artifacts"),
    )
