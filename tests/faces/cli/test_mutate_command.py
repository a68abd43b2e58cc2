"""`testwright mutate` as a user has it."""

import sys
from pathlib import Path

import pytest

from tests.conftest import CommandLine

CLEAN = {"PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project whose one test does not look at everything."""
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    (tmp_path / "shop.py").write_text(
        "def price(amount, member):\n    if member:\n        amount -= 1\n    return amount\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_shop.py").write_text(
        "from shop import price\ndef test_price():\n    assert price(5, False) == 5\n"
    )
    return tmp_path


def test_a_person_sees_the_score_and_each_change_that_no_test_noticed(testwright: CommandLine, shop: Path) -> None:
    said = testwright("mutate", "shop.py", "--tests", "tests", "--python", sys.executable, env=CLEAN)

    assert said.code == 0
    assert "shop.py: 6 mutants, 1 tests, of which 1 run code of the file" in said.out
    assert "33.3 % noticed: 4 uncovered, 2 killed" in said.out
    assert "SDL `amount -= 1` was removed" in said.out
    assert "RVR" not in said.out


def test_a_machine_gets_every_mutant_with_what_became_of_it(testwright: CommandLine, shop: Path) -> None:
    said = testwright("mutate", "shop.py", "--json", "--all", "--python", sys.executable, env=CLEAN).json

    assert said["file"] == "shop.py"
    assert said["noticed"] == 2
    assert [(one["line"], one["operator"], one["status"]) for one in said["verdicts"]] == [
        (2, "COI", "killed"),
        (3, "SDL", "uncovered"),
        (3, "ASR", "uncovered"),
        (3, "CRP", "uncovered"),
        (3, "CRP", "uncovered"),
        (4, "RVR", "killed"),
    ]
    assert said["verdicts"][0]["killed_by"] == "tests/test_shop.py::test_price"


def test_too_low_a_score_is_a_failure_when_asked_for(testwright: CommandLine, shop: Path) -> None:
    call = ("mutate", "shop.py", "--python", sys.executable, "--fail-under")

    assert testwright(*call, "33", env=CLEAN).code == 0
    assert testwright(*call, "34%", env=CLEAN).code == 1


def test_what_follows_two_dashes_reaches_pytest(testwright: CommandLine, shop: Path) -> None:
    (shop / "tests" / "test_more.py").write_text("def test_wrong():\n    assert False\n")
    call = ("mutate", "shop.py", "--python", sys.executable)

    refused = testwright(*call, env=CLEAN)
    assert refused.code == 1
    assert "tests/test_more.py::test_wrong" in refused.err
    assert "[control_failed]" in refused.err
    assert testwright(*call, "--", "-k", "price", env=CLEAN).code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["missing.py"], "There is no missing.py"),
        (["tests"], "is not a Python file"),
        (["shop.py", "--tests", "nowhere"], "There is no nowhere"),
        (["shop.py", "--limit", "0"], "not a whole number"),
        (["shop.py", "--limit", "1", "--all"], "not allowed with"),
        (["shop.py", "--fail-under", "101"], "not a percentage"),
        (["shop.py", "--timeout", "-1"], "not a number of seconds"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(
    testwright: CommandLine, shop: Path, arguments: list[str], told: str
) -> None:
    said = testwright("mutate", *arguments)

    assert said.code == 2
    assert told in said.err
    assert "Traceback" not in said.err
