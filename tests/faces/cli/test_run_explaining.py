"""`testwright run` says why a test failed, unless it is asked not to, and pays for it only where one did."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CommandLine

_CODE = """\
import sys
from testwright.faces.cli.main import main
code = main(sys.argv[1:])
loaded = [name for name in sys.modules if name.startswith("testwright.classify")]
sys.stderr.write(f"loaded: {bool(loaded)}\\n")
"""


def test_each_failure_carries_its_verdict(testwright: CommandLine, project: Path) -> None:
    said = testwright("run")

    assert "  why: assertion_mismatch (" in said.out
    assert "“assert (1 + 1) == 3”" in said.out
    assert said.code == 1


def test_json_has_the_verdict_of_each_failed_result(testwright: CommandLine, project: Path) -> None:
    run = testwright("run", "--json").json

    assert [result["verdict"] and result["verdict"]["label"] for result in run["suites"][0]["results"]] == [
        None,
        "assertion_mismatch",
        None,
    ]
    assert [cause["tests"] for cause in run["causes"]] == [["pytest:tests/test_sums.py::test_is_wrong"]]


def test_it_can_be_switched_off(testwright: CommandLine, project: Path) -> None:
    run = testwright("run", "--json", "--no-explain").json

    assert "verdict" not in run["suites"][0]["results"][1]
    assert "why:" not in testwright("run", "--no-explain").out


def test_one_cause_is_shown_once_with_the_tests_it_hit(testwright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "test_service.py").write_text(
        "import pytest\n"
        "def test_starts(): pass\n"
        "@pytest.mark.parametrize('n', range(6))\n"
        "def test_answers(n): raise ConnectionRefusedError(111, 'Connection refused')\n"
    )

    said = testwright("run")

    assert said.out.count("why: environment") == 1
    assert "the one cause of 6 failures" in said.out
    assert "6 of 7 tests of this run failed so" in said.out
    assert all(f"✗ test_answers[{number}]" in said.out for number in range(6))


@pytest.mark.parametrize(("body", "is_loaded"), [("pass", False), ("assert False", True)])
def test_nothing_is_loaded_for_a_run_without_failures(tmp_path: Path, body: str, is_loaded: bool) -> None:
    (tmp_path / "test_a.py").write_text(f"def test_a(): {body}\n")

    done = subprocess.run(
        [sys.executable, "-c", _CODE, "run"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert f"loaded: {is_loaded}\n" in done.stderr
