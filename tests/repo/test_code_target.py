"""A target is a file or something in it; whatever else is written is answered with what could be meant."""

from pathlib import Path

import pytest

from tests.repo.conftest import Write
from testwright.model.errors import (
    InvalidSource,
    NotARegularFile,
    PathNotFound,
    SymbolNotFound,
    TestwrightError,
    UsageError,
)
from testwright.repo.code_target import CodeTarget, parse_code_target


@pytest.fixture
def root(write: Write) -> Path:
    return write(
        {
            "shop.py": "class Basket:\n    def add(self): ...\n\ndef slug(): ...\n",
            "broken.py": "def (\n",
            "readme.md": "",
            "package/__init__.py": "",
        }
    )


@pytest.mark.parametrize(
    ("text", "qualname"),
    [
        ("shop.py", ""),
        ("shop.py::slug", "slug"),
        ("shop.py::Basket", "Basket"),
        ("shop.py::Basket.add", "Basket.add"),
        ("shop.py::Basket::add", "Basket.add"),
    ],
)
def test_a_target_is_understood(text: str, qualname: str, root: Path) -> None:
    assert parse_code_target(text, folder=root) == CodeTarget(root / "shop.py", qualname)


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        pytest.param("shp.py", PathNotFound, "Did you mean shop.py?", id="file missing"),
        pytest.param("no/where.py", PathNotFound, "Check the path.", id="folder missing"),
        pytest.param("package", NotARegularFile, "Name one Python file in it.", id="folder"),
        pytest.param("readme.md", InvalidSource, "Name a file that ends in .py.", id="not Python"),
        pytest.param("shop.py::slgu", SymbolNotFound, "Near it: slug.", id="misspelt"),
        pytest.param("shop.py::add", SymbolNotFound, "Near it: Basket.add.", id="class left out"),
        pytest.param("shop.py::zzzzzz", SymbolNotFound, "It has: Basket, Basket.add, slug.", id="nothing near"),
        pytest.param("broken.py::x", InvalidSource, "Mend it, or name another file.", id="syntax error"),
        pytest.param("shop.py::", UsageError, "Write path/to/module.py or path/to/module.py::Name.", id="no name"),
    ],
)
def test_a_target_that_is_none_is_answered_with_a_next_step(
    text: str, error: type[TestwrightError], told: str, root: Path
) -> None:
    with pytest.raises(error) as raised:
        parse_code_target(text, folder=root)

    assert raised.value.next_step == told


@pytest.mark.parametrize(
    "content",
    [b"x = '\xff'\n", b"# coding: nonsense\n", b"x = 1\x00\n", b"(" * 5000],
    ids=["bytes", "coding", "null", "deep"],
)
def test_a_file_that_python_could_not_read_is_named_and_never_a_traceback(content: bytes, root: Path) -> None:
    (root / "odd.py").write_bytes(content)

    with pytest.raises(InvalidSource, match=r"odd\.py"):
        parse_code_target("odd.py::x", folder=root)
