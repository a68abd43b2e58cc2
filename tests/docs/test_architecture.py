"""The map is true: what ARCHITECTURE.md says of rooms, imports and libraries is what import-linter checks."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "testwright"
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]
BY_NAME = ("jedi",)  # loaded by its name: import-linter cannot see it
JOURNEYS = sorted(file.parent.name for file in (SOURCE / "pipeline").glob("*/journey.py"))


def table(first_column: str) -> dict[str, list[str]]:
    """The rows of the table with that first heading, by their first cell."""
    lines = iter(MAP.splitlines())
    next(line for line in lines if line.startswith(f"| {first_column} |"))
    next(lines)
    rows: dict[str, list[str]] = {}
    for line in lines:
        if not line.startswith("|"):
            break
        name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[name.strip("`")] = cells
    return rows


def layers() -> list[set[str]]:
    [contract] = [each for each in CONTRACTS if each["type"] == "layers"]
    return [{room.strip() for room in layer.split("|")} for layer in contract["layers"]]


def test_every_room_is_on_the_map_and_in_a_layer() -> None:
    rooms = {path.stem for path in SOURCE.iterdir() if (path / "__init__.py").is_file() or path.suffix == ".py"}
    rooms -= {"__init__", "__main__"}

    assert set(table("room")) == rooms
    assert set().union(*layers()) == rooms


def test_a_room_may_import_only_rooms_of_lower_layers() -> None:
    height = {room: len(layers()) - at for at, layer in enumerate(layers()) for room in layer}

    for room, (_, allowed, _) in table("room").items():
        named = set(re.findall(r"`(\w+)`", allowed))
        assert all(height[other] < height[room] for other in named), room


def test_the_home_of_each_library_is_a_contract() -> None:
    homes = {
        (library.strip(), room) for room, (*_, cell) in table("room").items() for library in cell.split(",") if library
    }
    promised = {
        (library, importer.split(".")[1])
        for contract in CONTRACTS
        if contract["type"] == "protected"
        for library in contract["protected_modules"]
        for importer in contract["allowed_importers"]
        if not importer.endswith(".inside")  # there it is the project's own
    }

    assert {(library, room) for library, room in promised if library in {name for name, _ in homes}} == {
        home for home in homes if home[0] not in BY_NAME
    }


def test_every_journey_is_on_the_map_and_opens_with_its_story() -> None:
    assert sorted(name.removeprefix("pipeline/") for name in table("folder")) == JOURNEYS


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:\w+/)+\w+(?:\.\w+)?)`", MAP))))
def test_every_place_that_the_map_names_is_there(name: str) -> None:
    assert any((base / name).exists() for base in (SOURCE, ROOT)), f"{name} is not there"
