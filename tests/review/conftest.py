"""A project with a test in it, its confined root, and a store for its proposals."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import EACH_DATABASE, empty_place
from testwright.review import file_system_calls
from testwright.review.confined_opener import open_by_steps
from testwright.review.confined_root import ConfinedRoot
from testwright.review.review_queue import ReviewQueue
from testwright.store.project_store import open_store
from testwright.store.proposal_store import ProposalStore


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder inside another, so that there is an outside to escape to."""
    folder = tmp_path / "proj"
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "test_a.py").write_bytes(b"def test_a():\n    assert True\n")
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.txt").write_bytes(b"the secret")
    return folder


@pytest.fixture(params=["kernel", "steps"])
def root(request: pytest.FixtureRequest, project: Path) -> Iterator[ConfinedRoot]:
    """The root as this kernel opens things, and as one without openat2 has to."""
    opener = file_system_calls.open_beneath if request.param == "kernel" else open_by_steps
    with ConfinedRoot(project, opener=opener) as confined:
        yield confined


@pytest.fixture(params=EACH_DATABASE)
def store_location(request: pytest.FixtureRequest, project: Path) -> str:
    """A path, or a URL: what `open_store` takes."""
    return empty_place(request, project / ".testwright" / "testwright.db")


@pytest.fixture
def proposal_store(store_location: str) -> Iterator[ProposalStore]:
    with open_store(store_location) as store:
        yield store.proposals


@pytest.fixture
def queue(project: Path, proposal_store: ProposalStore) -> Iterator[ReviewQueue]:
    with ConfinedRoot(project) as confined:
        yield ReviewQueue(confined, proposal_store)
