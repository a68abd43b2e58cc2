"""`testwright generate`: tests for a module, shown before they go anywhere, from the real engine."""

import hashlib
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import TESTWRIGHT, CommandLine

BASKET = '''
"""Baskets."""


class Basket:
    def __init__(self, limit=3):
        self.limit = limit
        self.items = []

    def add(self, item):
        if len(self.items) >= self.limit:
            raise ValueError("the basket is full")
        self.items.append(item)
        return len(self.items)


def total(prices, discount=0):
    if not prices:
        return 0
    if discount > 100:
        raise ValueError("too much")
    whole = sum(prices)
    return whole - whole * discount // 100
'''
SMALL = ("--budget", "2")


@pytest.fixture
def shop(tmp_path: Path, bare_python: Path) -> Path:
    root = tmp_path / "shop-project"
    (root / "src" / "shop").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "pyproject.toml").write_text(
        f'[project]\nname = "shop"\nversion = "1"\n\n[tool.testwright]\npython = "{bare_python}"\n'
    )
    (root / "src" / "shop" / "__init__.py").write_text("")
    (root / "src" / "shop" / "basket.py").write_text(BASKET)
    return root


def fingerprint(folder: Path) -> dict[str, str]:
    """Every file of the project; Testwright's own state folder is not one of them."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".testwright" not in path.parts
    }


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:playwright", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


# --- nothing is written until somebody says so -----------------------------------------------


def test_without_a_yes_the_project_stays_as_it_was_and_the_tests_wait_in_review(
    testwright: CommandLine, shop: Path
) -> None:
    before = fingerprint(shop)

    said = testwright("generate", "src/shop/basket.py", *SMALL, cwd=shop)

    assert said.code == 0, said.err
    assert fingerprint(shop) == before
    assert "+from shop import basket as _under_test" in said.out
    assert "testwright review accept" in said.out
    waiting = testwright("review", "list", "--json", cwd=shop).json
    assert sorted(each["file"] for each in waiting) == ["tests/conftest.py", "tests/test_basket.py"]
    assert all(each["evidence"] for each in waiting)


def test_accepted_proposals_give_a_suite_that_passes(testwright: CommandLine, shop: Path) -> None:
    testwright("generate", "src/shop/basket.py", *SMALL, cwd=shop)

    for proposal in testwright("review", "list", "--json", cwd=shop).json:
        assert testwright("review", "accept", proposal["id"], "--support-file", cwd=shop).code == 0

    done = pytest_in(shop)
    assert done.returncode == 0, done.stdout


def test_accept_puts_everything_in_place_at_once(testwright: CommandLine, shop: Path) -> None:
    said = testwright("generate", "src/shop/basket.py", *SMALL, "--accept", cwd=shop)

    assert said.code == 0, said.err
    assert "In place: tests/conftest.py, tests/test_basket.py." in said.out
    assert pytest_in(shop).returncode == 0


def test_a_second_time_the_same_file_is_brought_up_to_date(testwright: CommandLine, shop: Path) -> None:
    testwright("generate", "src/shop/basket.py", *SMALL, "--accept", cwd=shop)
    after_the_first = fingerprint(shop)

    said = testwright("generate", "src/shop/basket.py", *SMALL, "--accept", cwd=shop)

    assert said.code == 0
    assert list(fingerprint(shop)) == list(after_the_first)
    assert pytest_in(shop).returncode == 0


# --- a folder for the tests ------------------------------------------------------------------


def test_output_is_written_with_its_conftest_and_the_cost_beside_it(
    testwright: CommandLine, shop: Path, tmp_path: Path
) -> None:
    before = fingerprint(shop)
    out = tmp_path / "new" / "out"

    said = testwright("generate", "src/shop/basket.py", *SMALL, "--output", out, cwd=shop)

    assert said.code == 0, said.err
    assert sorted(path.name for path in out.iterdir()) == ["conftest.py", "gen.json", "test_basket.py"]
    assert pytest_in(out).returncode == 0
    figures = json.loads((out / "gen.json").read_text())
    assert figures["cpu_s"] > 0
    assert figures["wall_s"] > 0
    assert fingerprint(shop) == before
    assert not (shop / ".testwright").exists()


def test_the_same_code_and_seed_give_the_same_bytes_however_many_run_at_once(
    testwright: CommandLine, shop: Path, tmp_path: Path
) -> None:
    (shop / "src" / "shop" / "other.py").write_text("def double(n):\n    return n * 2\n")
    written = []
    for number, parallel in enumerate(("1", "2")):
        out = tmp_path / f"out{number}"
        testwright("generate", "src", *SMALL, "--output", out, "--parallel", parallel, cwd=shop)
        written.append({path.name: path.read_bytes() for path in out.glob("test_*.py")})

    assert sorted(written[0]) == ["test_basket.py", "test_other.py"]
    assert written[0] == written[1]


# --- targets ---------------------------------------------------------------------------------


def test_one_function_may_be_named(testwright: CommandLine, shop: Path, tmp_path: Path) -> None:
    said = testwright("generate", "src/shop/basket.py::total", *SMALL, "--output", tmp_path / "out", cwd=shop)

    assert said.code == 0, said.err
    text = (tmp_path / "out" / "test_basket.py").read_text()
    assert "_under_test.total" in text
    assert "Basket" not in text


@pytest.mark.parametrize(
    ("name", "source", "reason"),
    [
        pytest.param("broken.py", "def f(:\n", "not valid Python", id="a syntax error"),
        pytest.param("needs.py", "import no_such_thing\ndef f(): ...\n", "no_such_thing", id="a missing dependency"),
        pytest.param("quits.py", "import sys\nsys.exit(3)\ndef f(): ...\n", "exit", id="an exit at import"),
        pytest.param("dies.py", "import os\nos._exit(3)\ndef f(): ...\n", "exit", id="a sudden death at import"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named_with_the_reason_and_the_rest_is_done(
    testwright: CommandLine, shop: Path, tmp_path: Path, name: str, source: str, reason: str
) -> None:
    (shop / "src" / "shop" / name).write_text(source)

    said = testwright("generate", "src", *SMALL, "--output", tmp_path / "out", "--json", cwd=shop)

    assert said.code == 1
    modules = {Path(module["module"]).name: module for module in said.json["modules"]}
    assert modules[name]["status"] == "failed"
    assert reason in modules[name]["reason"]
    assert modules["basket.py"]["status"] == "tested"
    assert modules["__init__.py"]["status"] == "nothing"
    assert "Traceback" not in said.err


def test_a_target_that_is_missing_is_named_and_the_rest_is_done(
    testwright: CommandLine, shop: Path, tmp_path: Path
) -> None:
    said = testwright("generate", "gone.py", "src/shop/basket.py", *SMALL, "--output", tmp_path / "out", cwd=shop)

    assert said.code == 1
    assert "There is no file gone.py" in said.out
    assert (tmp_path / "out" / "test_basket.py").is_file()


def test_nothing_but_missing_targets_is_a_usage_error(testwright: CommandLine, shop: Path) -> None:
    assert testwright("generate", "gone.py", cwd=shop).code == 2


def test_an_interpreter_without_pytest_is_an_environment_error(testwright: CommandLine, shop: Path) -> None:
    import venv

    venv.create(shop / "bare", with_pip=False)

    said = testwright("generate", "src/shop/basket.py", "--python", shop / "bare", cwd=shop)

    assert said.code == 3
    assert "pip install pytest" in said.out


def test_accept_and_output_together_are_refused(testwright: CommandLine, shop: Path) -> None:
    said = testwright("generate", "src", "--accept", "--output", "out", cwd=shop)

    assert said.code == 2
    assert "[usage]" in said.err


# --- what is shown ----------------------------------------------------------------------------


def test_json_has_the_feedback_the_gates_the_files_and_the_figures(testwright: CommandLine, shop: Path) -> None:
    said = testwright("generate", "src/shop/basket.py", *SMALL, "--json", cwd=shop)

    document = said.json
    [module] = document["modules"]
    assert document["exitCode"] == 0
    assert module["feedback"]["result"] == "pass"
    assert [gate["gate"] for gate in module["gates"]] == [
        "import", "bootstrap", "compile", "determinism", "coverage", "mutation",
    ]  # fmt: skip
    assert [file["state"] for file in module["files"]] == ["proposed", "proposed"]
    assert module["covered"] > 0.9
    assert module["cpu_s"] > 0


def test_a_person_is_shown_one_table_and_what_to_do_next(testwright: CommandLine, shop: Path) -> None:
    said = testwright("generate", "src/shop/basket.py", *SMALL, cwd=shop)

    [head] = [line for line in said.out.splitlines() if line.startswith("module ")]
    assert head.split() == ["module", "covered", "killed", "tests", "seconds", "bugs"]
    assert "Nothing was written yet. To decide:" in said.out


def test_a_person_at_a_terminal_sees_progress(shop: Path) -> None:
    with at_terminal(shop, "generate", "src/shop/basket.py", *SMALL) as terminal:
        shown = terminal.read_to_the_end()

    assert terminal.process.returncode == 0
    assert "━" in shown


def test_ctrl_c_keeps_what_was_found_so_far(shop: Path, tmp_path: Path) -> None:
    many = "\n\n".join(f"def f{n}(a, b, c):\n    if a > {n} and b:\n        return c\n    return a" for n in range(40))
    (shop / "src" / "shop" / "many.py").write_text(many)
    out = tmp_path / "out"

    with at_terminal(shop, "generate", "src/shop/many.py", *SMALL, "--output", out) as terminal:
        terminal.read_until("mutating")  # the engine has enough for a file, and goes on to make it better
        terminal.process.send_signal(signal.SIGINT)
        shown = terminal.read_to_the_end()

    assert terminal.process.returncode == 0
    assert "finishing with what was found so far" in shown
    assert "Traceback" not in shown
    assert pytest_in(out).returncode == 0


class Terminal:
    """A command with a terminal of its own, and what it shows there."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int) -> None:
        self.process, self._screen, self._shown = process, screen, ""

    def read_until(self, text: str) -> None:
        while text not in self._shown:
            chunk = self._read()
            assert chunk, f"{text!r} was never shown, but this was: {self._shown}"

    def read_to_the_end(self) -> str:
        while self._read():
            pass
        self.process.wait()
        return self._shown

    def _read(self) -> str:
        try:
            chunk = os.read(self._screen, 1 << 16).decode(errors="replace")
        except OSError:  # how a pseudo-terminal says that the other end is closed
            return ""
        self._shown += chunk
        return chunk


@contextmanager
def at_terminal(folder: Path, *arguments: object) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(
        [str(TESTWRIGHT), *map(str, arguments)], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=env
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
