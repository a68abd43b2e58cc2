"""Symbols are read once for each content, and again only when it changes."""

import sqlite3
from pathlib import Path

import pytest

from tests.repo.conftest import Write
from testwright.repo.symbol_index import CACHE_FILE, index_repository

MODULE = '''
"""A shop."""
import os.path as p
from . import a, b as c

LIMIT: int = 3

class Kind(StrEnum):
    ONE = "1"

class Basket(Base):
    """Things."""
    size: int = 0

    @property
    def total(self) -> int:
        """Sum."""
        self.seen = self.items
        return sum(self.items)

    class Inner:
        async def run(self, x: str, /, *args, y=1, **kw): ...

@pytest.fixture
def basket(): ...
'''


def test_every_kind_of_symbol_is_in_the_table(write: Write) -> None:
    root = write({"shop/mod.py": MODULE})

    found = index_repository(root).modules[root / "shop/mod.py"]

    assert found.doc == "A shop."
    assert found.names == ("Kind", "Basket", "Basket.Inner", "Basket.total", "Basket.Inner.run", "basket")
    assert found.imports == ("import os.path as p", "from . import a", "from . import b as c")
    assert [(item.name, item.annotation, item.value) for item in found.constants] == [("LIMIT", "int", "3")]
    assert [item.is_enum for item in found.classes] == [True, False, False]
    assert found.classes[1].fields == ("size: int = 0",)
    total, run, fixture = found.functions
    assert (total.signature, total.doc, total.decorators) == ("def total(self) -> int", "Sum.", ("property",))
    assert (total.calls, total.reads, total.writes) == (("sum",), ("items",), ("seen",))
    assert run.signature == "async def run(self, x: str, /, *args, y=1, **kw)"
    assert found.fixtures == (fixture,)


def test_a_second_look_reads_nothing_and_says_the_same(write: Write, tmp_path: Path) -> None:
    root = write({"shop/mod.py": MODULE, "shop/broken.py": "def ("})

    first = index_repository(root, cache=tmp_path / "cache")
    second = index_repository(root, cache=tmp_path / "cache")

    assert (first.read, second.read) == (2, 0)
    assert second.modules == first.modules


def test_only_what_changed_is_read_again(write: Write, tmp_path: Path) -> None:
    root = write({"a.py": "x = 1\n", "b.py": "y = 1\n"})
    index_repository(root, cache=tmp_path / "cache")
    (root / "a.py").write_text("changed = 12\n")

    found = index_repository(root, cache=tmp_path / "cache")

    assert found.read == 1
    assert [item.name for item in found.modules[root / "a.py"].constants] == ["changed"]


def test_a_file_that_is_gone_is_forgotten(write: Write, tmp_path: Path) -> None:
    root = write({"a.py": "x = 1\n", "b.py": "y = 1\n"})
    index_repository(root, cache=tmp_path / "cache")
    (root / "b.py").unlink()

    index_repository(root, cache=tmp_path / "cache")

    with sqlite3.connect(tmp_path / "cache" / CACHE_FILE) as memory:
        counts = memory.execute("SELECT (SELECT count(*) FROM seen), (SELECT count(*) FROM symbols)").fetchone()
    memory.close()
    assert counts == (1, 1)


@pytest.mark.parametrize("content", [b"no database", b""], ids=["damaged", "empty"])
def test_a_cache_that_cannot_be_used_costs_time_and_no_answer(content: bytes, write: Write, tmp_path: Path) -> None:
    root = write({"a.py": "x = 1\n"})
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / CACHE_FILE).write_bytes(content)

    assert list(index_repository(root, cache=tmp_path / "cache").modules) == [root / "a.py"]


def test_a_cache_with_strange_content_gives_no_strange_answers(write: Write, tmp_path: Path) -> None:
    root = write({"a.py": "x = 1\n"})
    index_repository(root, cache=tmp_path / "cache")
    with sqlite3.connect(tmp_path / "cache" / CACHE_FILE) as memory:
        memory.execute("UPDATE symbols SET facts = '[1, 2'")
    memory.close()

    found = index_repository(root, cache=tmp_path / "cache")

    assert [item.name for item in found.modules[root / "a.py"].constants] == ["x"]


def test_progress_is_told_for_each_file(write: Write) -> None:
    told: list[tuple[int, int]] = []

    index_repository(write({"a.py": "", "b.py": ""}), progress=lambda done, total: told.append((done, total)))

    assert told == [(1, 2), (2, 2)]
