"""Running one test file: what a caller gets, and what is left of a file that would not end."""

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.isolate.child import Cancel
from testwright.model.errors import NoTests, RunnerMissing, UsageError
from testwright.model.outcome import Outcome
from testwright.run.skills.file_runner import FileResult, run_test_file

Write = Callable[[str, str], Path]

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")

NOISY = """
    import sys
    def run_tests():
        print("to stdout")
        print("to stderr", file=sys.stderr)
        return {"passed": 1, "failed": 0, "errors": []}
"""


def test_a_result_has_the_fields_of_the_contract_and_no_other(write: Write) -> None:
    result = run_test_file(write("tests/a_tests.py", NOISY))
    fields = result.as_dict()
    assert list(fields) == ["success", "passed", "failed", "output", "errors", "duration"]
    assert fields | {"duration": 0} == {
        "success": True,
        "passed": 1,
        "failed": 0,
        "output": "to stdout\n",
        "errors": [],
        "duration": 0,
    }
    assert result.duration > 0


def test_verbose_adds_what_went_to_stderr(write: Write) -> None:
    assert run_test_file(write("tests/a_tests.py", NOISY), verbose=True).as_dict()["stderr"] == "to stderr\n"


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a_tests.py", "def run_tests():\n    print('here', flush=True)\n    while True: pass"),
        ("a_tests.py", "import threading\nprint('here', flush=True)\nthreading.Event().wait()"),
        pytest.param("a.tests.mjs", "console.log('here'); while (true);", marks=needs_node),
        pytest.param(
            "a.tests.mjs",
            "console.log('here'); export default () => new Promise(r => setTimeout(r, 1e6));",
            marks=needs_node,
        ),
    ],
    ids=["python busy", "python waiting at import", "node busy at import", "node waiting"],
)
def test_a_file_that_does_not_end_in_time_is_ended(write: Write, name: str, source: str) -> None:
    result = run_test_file(write(f"tests/{name}", source), timeout=700)
    assert result.outcome is Outcome.TIMEOUT
    assert (result.success, result.passed, result.failed) == (False, 0, 1)
    assert result.errors == ("Test timeout exceeded",)
    assert result.output == "here\n"


STUBBORN_NODE = """
    import { spawn } from 'node:child_process';
    import fs from 'node:fs';
    process.on('SIGTERM', () => {});
    process.on('SIGINT', () => {});
    const stubborn = 'trap "" TERM INT HUP; echo $$;';
    const script = `${stubborn} setsid sh -c '${stubborn} sleep 600'`;
    const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    let seen = '';
    child.stdout.on('data', (data) => {
      seen += data;
      if (seen.trim().split('\\n').length === 2) fs.writeFileSync('pids', `${process.pid}\\n${seen}`);
    });
    export default () => new Promise(() => setInterval(() => {}, 1000));
"""
STUBBORN_PYTHON = """
    import os, signal, subprocess
    def run_tests():
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        child = os.fork()
        if child == 0:
            os.setsid()
            grandchild = subprocess.Popen(["sleep", "600"], start_new_session=True)
            with open("pids", "w") as pids:
                pids.write(f"{os.getppid()}\\n{os.getpid()}\\n{grandchild.pid}\\n")
        while True:
            signal.pause()
"""


@pytest.mark.parametrize(
    ("name", "source"),
    [pytest.param("a.tests.mjs", STUBBORN_NODE, marks=needs_node), ("a_tests.py", STUBBORN_PYTHON)],
    ids=["node", "python"],
)
def test_nothing_survives_of_a_file_that_forks_detaches_and_ignores_signals(
    write: Write, name: str, source: str
) -> None:
    file = write(f"tests/{name}", source)
    fifo = file.parent / "pids"
    os.mkfifo(fifo)
    cancel, results = Cancel(), list[FileResult]()
    running = threading.Thread(target=lambda: results.append(run_test_file(file, timeout=60_000, cancel=cancel)))

    running.start()
    pids = [int(pid) for pid in fifo.read_text().split()]  # waits until the file has started them all
    assert all(Path(f"/proc/{pid}").exists() for pid in pids)
    cancel()
    running.join()

    assert len(pids) == 3
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]
    assert results[0].outcome is Outcome.INTERRUPTED


def test_a_flood_of_output_ends_the_file(write: Write) -> None:
    source = "def run_tests():\n    while True: print('x' * 1_000_000)"
    result = run_test_file(write("tests/a_tests.py", source), timeout=60_000)
    assert result.outcome is Outcome.OUTPUT_LIMIT
    assert result.output is not None
    assert len(result.output) < 200_000


def test_a_file_that_is_not_there_is_a_failure_that_names_it(tmp_path: Path) -> None:
    result = run_test_file(tmp_path / "tests" / "gone.tests.mjs")
    assert (result.success, result.failed) == (False, 1)
    assert "gone.tests.mjs" in result.errors[0]


def test_a_relative_path_is_taken_from_the_current_folder(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write("tests/a_tests.py", NOISY)
    monkeypatch.chdir(file.parent)
    assert run_test_file("../tests/a_tests.py").success


def test_a_file_of_no_known_language_is_refused(write: Write) -> None:
    with pytest.raises(NoTests, match=r"a\.rb") as refused:
        run_test_file(write("tests/a.rb", ""))
    assert ".tests.mjs" in refused.value.next_step


def test_without_node_a_javascript_test_says_what_to_install(write: Write) -> None:
    with pytest.raises(RunnerMissing, match=r"Node\.js"):
        run_test_file(write("tests/a.tests.mjs", ""), env={"PATH": "/nowhere"})


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
def test_an_impossible_time_limit_is_refused(write: Write, timeout: float) -> None:
    with pytest.raises(UsageError, match="not possible"):
        run_test_file(write("tests/a_tests.py", NOISY), timeout=timeout)
