"""The tables, the same for SQLite and PostgreSQL.

What belongs to a run is keyed by the run and by positions inside it: a run of thousands of results is written
without asking the database for a single number, and removed by one key. A test is keyed by a hash of its
project and id, because an index takes short keys only and a parametrised test's name may be of any length.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

from testwright.store.column_types import AnyText, JsonText, Moment

HEAD = "0002"  # the newest revision in migrations/versions
VERSION_TABLE = "testwright_schema"  # Alembic's table, named so that it meets no other program's in a shared database

# Constraints need names that a later migration can call them by.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _filled(kind: TypeEngine[Any] | type[TypeEngine[Any]], *names: str) -> Iterator[Column[Any]]:
    """Columns of one type that have a value in every row."""
    return (Column(name, kind, nullable=False) for name in names)


meta = Table(
    "meta",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("value", AnyText, nullable=False),
)

projects = Table(
    "projects",
    metadata,
    Column("pk", Integer, primary_key=True),
    Column("key", LargeBinary(16), nullable=False, unique=True),
    Column("name", AnyText, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("pk", Integer, primary_key=True),
    Column("project_pk", ForeignKey("projects.pk"), nullable=False),
    Column("id", AnyText, nullable=False),
    Column("started_at", Moment, nullable=False),
    Column("duration_ms", Float, nullable=False),
    Column("interrupted", Boolean, nullable=False),
    Column("commit_id", AnyText, nullable=False),
    Column("dirty", Boolean, nullable=False),
    Column("command", JsonText, nullable=False),
    Column("source", AnyText, nullable=False),
    # Sums of the rows below, so that a list of runs need not read them.
    Column("success", Boolean, nullable=False),
    Column("total", Integer, nullable=False),
    *_filled(BigInteger, "passed", "failed"),
    *_filled(Integer, "skipped", "flaky", "problems"),
    UniqueConstraint("project_pk", "id"),
    Index(None, "project_pk", "started_at"),
)

suites = Table(
    "suites",
    metadata,
    Column("run_pk", ForeignKey("runs.pk", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("framework", String(50), nullable=False),
    Column("root", AnyText, nullable=False),
    Column("duration_ms", Float, nullable=False),
    Column("isolation", AnyText, nullable=False),
    Column("cpu_ms", Float, nullable=False),
    Column("max_rss_bytes", BigInteger, nullable=False),
    Column("left_processes", Integer, nullable=False),
)

suite_artifacts = Table(
    "suite_artifacts",
    metadata,
    Column("run_pk", Integer, primary_key=True),
    Column("suite_position", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    *_filled(AnyText, "name", "path", "content_type"),
    ForeignKeyConstraint(["run_pk", "suite_position"], ["suites.run_pk", "suites.position"], ondelete="CASCADE"),
)

tests = Table(
    "tests",
    metadata,
    Column("key", LargeBinary(16), primary_key=True),
    Column("project_pk", ForeignKey("projects.pk"), nullable=False),
    Column("id", AnyText, nullable=False),
    Column("framework", String(50), nullable=False),
    Column("file", AnyText, nullable=False),
    Column("title", JsonText, nullable=False),
    Column("variant", AnyText, nullable=False),
    Column("occurrence", BigInteger, nullable=False),
    Column("line", BigInteger),
    Column("native_id", AnyText, nullable=False),
    # The last verdict. A result that was only interrupted says nothing of the test and never replaces one.
    Column("last_run_pk", Integer, nullable=False),
    Column("last_run_at", Moment, nullable=False),
    Column("last_outcome", String(50), nullable=False),
    Column("last_duration_ms", Float, nullable=False),
    Index(None, "project_pk", "last_outcome"),
    Index(None, "last_run_pk"),
)

results = Table(
    "results",
    metadata,
    Column("run_pk", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("suite_position", Integer, nullable=False),
    Column("test_key", ForeignKey("tests.key"), nullable=False),
    Column("outcome", String(50), nullable=False),
    Column("duration_ms", Float, nullable=False),
    Column("flaky", Boolean, nullable=False),
    Column("line", BigInteger),  # as they were in this run; the rest of a test's name never changes
    Column("native_id", AnyText, nullable=False),
    ForeignKeyConstraint(["run_pk", "suite_position"], ["suites.run_pk", "suites.position"], ondelete="CASCADE"),
    Index(None, "test_key", "run_pk"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("run_pk", Integer, primary_key=True),
    Column("result_position", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("outcome", String(50), nullable=False),
    Column("duration_ms", Float, nullable=False),
    Column("started_at", Moment),
    *_filled(AnyText, "message", "stack", "reason", "stdout", "stderr"),
    Column("errors", JsonText, nullable=False),
    Column("counted_passed", BigInteger),
    Column("counted_failed", BigInteger),
    ForeignKeyConstraint(["run_pk", "result_position"], ["results.run_pk", "results.position"], ondelete="CASCADE"),
)

artifacts = Table(
    "artifacts",
    metadata,
    Column("run_pk", Integer, primary_key=True),
    Column("result_position", Integer, primary_key=True),
    Column("attempt_position", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    *_filled(AnyText, "name", "path", "content_type"),
    ForeignKeyConstraint(
        ["run_pk", "result_position", "attempt_position"],
        ["attempts.run_pk", "attempts.result_position", "attempts.position"],
        ondelete="CASCADE",
    ),
)

problems = Table(
    "problems",
    metadata,
    Column("run_pk", Integer, primary_key=True),
    Column("suite_position", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    *_filled(AnyText, "code", "message", "next_step", "file"),
    ForeignKeyConstraint(["run_pk", "suite_position"], ["suites.run_pk", "suites.position"], ondelete="CASCADE"),
)

counters = Table(
    "counters",
    metadata,
    Column("run_pk", ForeignKey("runs.pk", ondelete="CASCADE"), primary_key=True),
    Column("name", AnyText, primary_key=True),
    Column("module", AnyText, primary_key=True),
    Column("value", Float, nullable=False),
)

# Pages of passing runs, each kept once however many elements on it are remembered.
pages = Table(
    "pages",
    metadata,
    Column("project_pk", ForeignKey("projects.pk"), primary_key=True),
    Column("hash", LargeBinary(16), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

# Which element of which page a selector of a test found when the test last passed.
fingerprints = Table(
    "fingerprints",
    metadata,
    Column("pk", Integer, primary_key=True),
    Column("project_pk", ForeignKey("projects.pk"), nullable=False),
    Column("test_key", LargeBinary(16), nullable=False),  # of a test that may have no result kept any more
    Column("test_id", AnyText, nullable=False),
    Column("file", AnyText, nullable=False),  # where the selector was used, or written
    Column("line", BigInteger, nullable=False),
    Column("selector", AnyText, nullable=False),  # in its one canonical spelling
    Column("selector_key", LargeBinary(16), nullable=False),
    Column("action", AnyText, nullable=False),
    Column("elements", JsonText, nullable=False),  # their numbers on the page: several for a list
    Column("page_hash", LargeBinary(16), nullable=False),
    Column("run_id", AnyText, nullable=False),
    Column("recorded_at", Moment, nullable=False),
    ForeignKeyConstraint(["project_pk", "page_hash"], ["pages.project_pk", "pages.hash"]),
    Index(None, "project_pk", "test_key"),
    Index(None, "project_pk", "selector_key"),
    Index(None, "project_pk", "page_hash"),
)

proposals = Table(
    "proposals",
    metadata,
    Column("pk", Integer, primary_key=True),
    Column("project_pk", ForeignKey("projects.pk"), nullable=False),
    Column("id", AnyText, nullable=False),
    Column("kind", String(50), nullable=False),
    *_filled(AnyText, "title", "file"),
    Column("base_sha256", String(64)),
    Column("content", LargeBinary, nullable=False),
    *_filled(AnyText, "diff", "origin"),
    Column("created_at", Moment, nullable=False),
    Column("confidence", Float),
    Column("evidence", JsonText, nullable=False),
    Column("status", String(50), nullable=False),
    UniqueConstraint("project_pk", "id"),
    Index(None, "project_pk", "status", "created_at"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("proposal_pk", ForeignKey("proposals.pk", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("status", String(50), nullable=False),
    Column("decided_by", AnyText, nullable=False),
    Column("decided_at", Moment, nullable=False),
    Column("reason", AnyText, nullable=False),
)

applies = Table(
    "applies",
    metadata,
    # The key is the promise: one change is applied to one state of a file at most once, ever.
    Column("proposal_pk", ForeignKey("proposals.pk", ondelete="CASCADE"), primary_key=True),
    Column("base_sha256", String(64), primary_key=True),  # empty: the file did not exist
    Column("new_sha256", String(64), nullable=False),
    Column("temp_name", AnyText, nullable=False),
    Column("finished", Boolean, nullable=False),
)
