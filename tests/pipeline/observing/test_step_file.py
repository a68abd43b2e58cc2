"""Steps from a file are checked before any browser starts."""

import json
from pathlib import Path

import pytest

from testwright.model.errors import InvalidSteps
from testwright.pipeline.observing.step_file import read_steps


def written(folder: Path, content: object) -> Path:
    file = folder / "steps.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


def test_steps_are_read_in_order(tmp_path: Path) -> None:
    steps = [
        {"do": "navigate", "url": "http://localhost/"},
        {"do": "fill", "selector": "#name", "value": ""},
        {"do": "select", "selector": "#size", "values": ["L"], "timeout": 2},
        {"do": "press", "key": "Enter"},
        {"do": "wait"},
    ]

    assert list(read_steps(written(tmp_path, steps))) == steps


def test_a_secret_can_come_from_a_variable(tmp_path: Path) -> None:
    file = written(tmp_path, [{"do": "fill", "selector": "#p", "from_variable": "SHOP_PASSWORD"}])

    assert read_steps(file, {"SHOP_PASSWORD": "made up"})[0]["value"] == "made up"
    with pytest.raises(InvalidSteps, match="SHOP_PASSWORD"):
        read_steps(file, {})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ({"do": "click"}, "is not a list of"),
        ([], "is not a list of"),
        (["click"], "Step 1 has no"),
        ([{"do": "wait"}, {"do": "dance"}], "Step 2 has no"),
        ([{"do": ["click"]}], "Step 1 has no"),
        ([{"do": "click"}], "Step 1, click, needs selector"),
        ([{"do": "click", "selector": "#a", "selecter": "#b"}], "knows no 'selecter'"),
    ],
)
def test_what_makes_no_sense_is_named(tmp_path: Path, content: object, said: str) -> None:
    with pytest.raises(InvalidSteps, match=said):
        read_steps(written(tmp_path, content))


def test_a_file_that_is_not_there_gives_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(InvalidSteps, match="cannot be read"):
        read_steps(tmp_path / "none.json")
