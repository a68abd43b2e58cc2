"""The same code, seed and budget give the same bytes: twice, elsewhere, another day, on each Python that is here."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.bare_python import python_with_pytest
from tests.conftest import CommandLine

INVENTORY = '''
"""An inventory, with all that tempts a generator to depend on order, hashes, addresses and the time."""

import dataclasses
import enum
import math


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"


class Unknown(KeyError):
    """There is no such item."""


@dataclasses.dataclass
class Item:
    name: str
    price: float = 1.0
    colour: Colour = Colour.RED
    tags: frozenset[str] = frozenset()

    def priced(self, factor: float) -> "Item":
        if factor < 0:
            raise ValueError("a price is never negative")
        return dataclasses.replace(self, price=round(self.price * factor, 2))


class Inventory:
    def __init__(self, *items: Item) -> None:
        self.items = {item.name: item for item in items}

    def __len__(self) -> int:
        return len(self.items)

    def find(self, name: str) -> Item:
        try:
            return self.items[name]
        except KeyError:
            raise Unknown(name) from None

    def tags(self) -> set[str]:
        return {tag for item in self.items.values() for tag in item.tags}


def slug(text: str, separator: str = "-") -> str:
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return separator.join(words) or "nothing"


def grade(points: float) -> str:
    if math.isnan(points):
        raise ValueError("not a number")
    for limit, name in ((90, "good"), (50, "fair")):
        if points >= limit:
            return name
    return "poor"


def letters(*words: str) -> set[str]:
    return set("".join(words))
'''


@pytest.fixture(scope="module")
def newer_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of Python 3.12 that has pytest: ours, which is the same for every Python."""
    found = _python312()
    if found is None:
        pytest.skip("there is no Python 3.12 on this machine")
    place = tmp_path_factory.mktemp("python312") / "env"
    return python_with_pytest(found, place)


def _python312() -> str | None:
    """One that answers: a version manager's stand-in on the path may know of none that is switched on."""
    on_path = shutil.which("python3.12")
    if on_path is None:
        return None
    managed = sorted(Path(on_path).parent.parent.glob("versions/3.12*/bin/python3.12"))
    for program in (on_path, *map(str, managed)):
        if subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0:
            return program
    return None


@pytest.mark.parametrize("version", ["this Python", "Python 3.12"])
def test_two_runs_with_the_same_seed_write_the_same_bytes(
    testwright: CommandLine, tmp_path: Path, version: str, request: pytest.FixtureRequest
) -> None:
    python = request.getfixturevalue("newer_python" if version == "Python 3.12" else "bare_python")

    first = generated(testwright, tmp_path / "here", python, seed=7, env={"PYTHONHASHSEED": "1", "TZ": "UTC"})
    second = generated(
        testwright, tmp_path / "some where else", python, seed=7, env={"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo"}
    )

    assert sorted(first) == ["conftest.py", "test_inventory.py"]
    assert first == second


def generated(
    testwright: CommandLine, root: Path, python: Path | str, *, seed: int, env: dict[str, str]
) -> dict[str, bytes]:
    """Every Python file that a run writes, in a project of its own."""
    root.mkdir()
    (root / "inventory.py").write_text(INVENTORY)
    said = testwright(
        "generate", ".", "--budget", "1", "--seed", seed, "--python", python, "--output", "out", cwd=root, env=env
    )
    assert said.code == 0, said.out + said.err
    return {file.name: file.read_bytes() for file in (root / "out").glob("*.py")}
