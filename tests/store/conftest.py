"""Stores to test with: a file of SQLite's, and a schema on a real PostgreSQL server."""

import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from tests.postgres import EACH_DATABASE, empty_place
from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.proposal import Proposal, ProposalId, ProposalKind
from testwright.model.resource_usage import ResourceUsage
from testwright.model.result import Artifact, Attempt, Counts, Problem, RunId, RunResult, SuiteResult, TestResult
from testwright.store.project_store import Store, open_store
from testwright.store.proposal_store import ProposalStore

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)

RunMaker = Callable[..., RunResult]
ProposalMaker = Callable[..., Proposal]


@pytest.fixture(params=EACH_DATABASE)
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a store that does not exist yet, in each kind of database."""
    return empty_place(request, tmp_path / ".testwright" / "testwright.db")


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with open_store(where) as opened:
        yield opened


@pytest.fixture
def proposal_store(store: Store) -> ProposalStore:
    return store.proposals


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port of this machine on which nobody listens, and which nobody else can take meanwhile."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


@pytest.fixture
def make_run() -> RunMaker:
    """Runs, each a minute younger than the one before: `make_run(a=Outcome.PASSED, b=Outcome.FAILED)`."""
    numbers = count(1)

    def make(*, at: datetime | None = None, run_id: str = "", **outcomes: Outcome) -> RunResult:
        number = next(numbers)
        results = tuple(
            TestResult(TestCase(Framework.PYTEST, "tests/test_shop.py", (name,)), (Attempt(outcome, duration_ms=2.0),))
            for name, outcome in outcomes.items()
        )
        started = at or NOON + timedelta(minutes=number)
        suite = SuiteResult(Framework.PYTEST, "", results)
        return RunResult(RunId(run_id or f"run-{number:04d}"), started, (suite,), duration_ms=5.0)

    return make


@pytest.fixture
def rich_run() -> RunResult:
    """A run that uses every field there is, with text that a careless store would refuse or change."""
    odd = TestCase(
        Framework.PLAYWRIGHT,
        "e2e/caf\u00e9.spec.ts",
        ("group", "x'); DROP TABLE runs;--", "nul \x00, half a pair \ud83d, escape \x10, \x1b[31mred\x1b[0m"),
        variant="firefox",
        occurrence=3,
        line=17,
        native_id="id \udcff",
    )
    first = Attempt(
        Outcome.FAILED,
        number=1,
        duration_ms=12.5,
        started_at=datetime(2024, 5, 1, 12, 0, 1, 123456, tzinfo=UTC),
        message="expected \x00 but got \U0001f600",
        stack="at line 1\n\tat line 2",
        reason="signal_11",
        stdout="\x1b[32mok\x1b[0m\r\nline\x07",
        stderr="\ud800" * 3,
        errors=("one \x00", "two \ud800"),
        counts=Counts(3, 4),
        artifacts=(Artifact("trace", "out/trace.zip", "application/zip"), Artifact("shot\x00", "/tmp/s.png")),
    )
    plain = TestResult(TestCase(Framework.PLAYWRIGHT, "e2e/a.spec.ts", ("works",)), (Attempt(Outcome.PASSED),))
    return RunResult(
        RunId("20240501-120000-abc"),
        NOON,
        suites=(
            SuiteResult(
                Framework.PLAYWRIGHT,
                "e2e",
                (TestResult(odd, (first, Attempt(Outcome.PASSED, number=2))), plain),
                (Problem("config", "broken \x00", "mend it", "e2e/config.ts"),),
                duration_ms=99.5,
                isolation="R1",
                usage=ResourceUsage(1234.5, 5 << 30),
                left_processes=2,
                artifacts=(Artifact("coverage", "cov.json", "application/json"),),
            ),
            SuiteResult(Framework.PYTEST, "api"),
        ),
        duration_ms=1234.5,
        interrupted=True,
        commit="0123abcd",
        dirty=True,
        command=("testwright", "run", "\udcff"),
        source="run",
    )


@pytest.fixture
def make_proposal() -> ProposalMaker:
    numbers = count(1)

    def make(*, title: str = "", file: str = "tests/test_new.py", **fields: object) -> Proposal:
        number = next(numbers)
        values: dict[str, object] = {
            "id": ProposalId(f"proposal-{number:04d}"),
            "kind": ProposalKind.NEW_TEST,
            "title": title or f"Test number {number}",
            "file": file,
            "base_sha256": "ab" * 32,
            "content": b"def test(): ...\r\n",
            "diff": "+def test(): ...",
            "origin": "engine",
            "created_at": NOON + timedelta(minutes=number),
        }
        return Proposal(**(values | fields))  # type: ignore[arg-type]  # the values above are of the right types

    return make
