"""The entry of the command line."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CommandLine

# Each of these costs more than the rest of the program.
HEAVY = ("sqlalchemy", "alembic", "rich", "lxml", "msgspec", "psycopg", "playwright", "mcp", "distributed")


@pytest.mark.parametrize("asked", [[], ["--help"], ["-h"], ["help"]], ids=["nothing", "--help", "-h", "help"])
def test_the_overview_names_every_command(testwright: CommandLine, asked: list[str]) -> None:
    said = testwright(*asked)

    assert said.code == 0
    for command in ("init", "doctor", "demo", "run", "skills", "import", "report", "review"):
        assert f"\n  {command} " in said.out


def test_the_version_is_printed(testwright: CommandLine) -> None:
    assert testwright("--version").out.startswith("testwright 0.")


def test_a_command_that_does_not_exist_is_a_usage_error_with_a_guess(testwright: CommandLine) -> None:
    said = testwright("rnu")

    assert said.code == 2
    assert "Did you mean 'run'?" in said.err


def test_an_option_that_does_not_exist_is_a_usage_error(testwright: CommandLine) -> None:
    said = testwright("run", "--no-such-option")

    assert said.code == 2
    assert "--no-such-option" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("command", ["run", "report", "review", "doctor", "init", "import", "skills", "demo"])
def test_every_command_has_a_help_page(testwright: CommandLine, command: str) -> None:
    said = testwright(command, "--help")

    assert said.code == 0
    assert f"testwright {command}" in said.out


def test_help_and_the_start_of_a_run_load_nothing_heavy() -> None:
    program = (
        "import sys; from testwright.faces.cli.main import main; main(['--help']);"
        "import testwright.faces.cli.run_command;"
        f"print('heavy:', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.endswith("heavy: []\n")


def test_a_whole_run_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_x(): pass\n")
    program = (
        "import sys; from testwright.faces.cli.main import main; code = main(['run']);"
        f"print('heavy:', code, [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert done.stdout.endswith("heavy: 0 []\n")


def test_an_error_is_one_sentence_a_code_and_a_next_step(testwright: CommandLine, tmp_path: Path) -> None:
    said = testwright("run", "--project", tmp_path / "nowhere")

    assert said.code == 2
    assert "[test_file_not_found]" in said.err
    assert len(said.err.splitlines()) == 2


def test_an_error_is_a_json_document_where_json_was_asked_for(testwright: CommandLine, tmp_path: Path) -> None:
    said = testwright("run", "--json", "--project", tmp_path)

    assert said.code == 2
    assert said.json["error"]["code"] == "no_tests"


def test_a_reader_who_leaves_early_is_no_error(tmp_path: Path) -> None:
    testwright = Path(sys.executable).with_name("testwright")
    piped = f"{testwright} run --help | true"
    done = subprocess.run(piped, shell=True, capture_output=True, text=True, cwd=tmp_path, check=False)

    assert "Traceback" not in done.stderr
