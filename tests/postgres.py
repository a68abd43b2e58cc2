"""A real PostgreSQL server that lives as long as the test session."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg import sql


@dataclass
class PostgresServer:
    """A server that listens on a socket in its own folder only."""

    programs: Path
    folder: Path
    _names: Iterator[int] = field(default_factory=lambda: count(1))

    def url(self, database: str = "postgres", *, schema: str = "public") -> str:
        return f"postgresql://testwright@/{database}?host={self.folder}&options=-csearch_path%3D{schema}"

    def fresh_url(self) -> str:
        """A place on the server that is empty: a schema of its own, which is made in no time, unlike a database."""
        schema = f"store_{next(self._names)}"
        with psycopg.connect(self.url()) as connection:
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
        return self.url(schema=schema)

    def run(self, program: str, *arguments: str) -> None:
        """Run one of the server's programs; they refuse to work for root, so root becomes somebody else."""
        subprocess.run(
            [self.programs / program, *arguments],
            user=_server_user(),
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # not a pipe: the server would inherit it and keep it open
            check=True,
        )


def _server_user() -> int | None:
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall()}
    return known.get("postgres", known.get("nobody"))


def _server_programs() -> Path | None:
    candidates = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    if candidates:
        return candidates[-1].parent
    return Path(on_path).resolve().parent if on_path else None


EACH_DATABASE = ["sqlite", pytest.param("postgres", marks=pytest.mark.needs_postgres)]


def empty_place(request: pytest.FixtureRequest, file: Path) -> str:
    """A place for a store that does not exist yet, in the kind of database that `request.param` names."""
    if request.param == "sqlite":
        return str(file)
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.fresh_url()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    programs = _server_programs()
    if programs is None:
        missing = "the PostgreSQL server programs (initdb, pg_ctl) are not installed"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    # Not pytest's own temp folder: a socket's path must be short, and the server's user must be able to enter.
    folder = Path(tempfile.mkdtemp(prefix="tw-pg-"))
    user = _server_user()
    if user is not None:
        os.chown(folder, user, -1)
    server = PostgresServer(programs, folder)
    data = str(folder / "data")
    try:
        server.run("initdb", "-D", data, "-U", "testwright", "-A", "trust", "-E", "UTF8", "--no-sync")
        settings = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c max_connections=50"
        server.run("pg_ctl", "start", "-w", "-D", data, "-l", str(folder / "log"), "-o", settings)
        try:
            yield server
        finally:
            server.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data)
    finally:
        shutil.rmtree(folder)
