"""Many files in one worker: the same results as in processes of their own, and no file feels the one before it."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.outcome import Outcome
from testwright.run.skills.file_runner import FileResult, run_test_file
from testwright.run.skills.warm_worker import run_test_file_warm, run_test_files_warm

Write = Callable[[str, str], Path]

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")

# Each leaves its process's number, so that a test can count the workers.
PASSES = """
    import fs from 'node:fs';
    fs.appendFileSync('workers', `${process.pid}\\n`);
    export default () => ({ passed: 1, failed: 0, errors: [] });
"""
PASSES_IN_PYTHON = """
    import os
    with open("workers", "a") as file:
        file.write(f"{os.getppid()}\\n")
    def run_tests():
        return {"passed": 1, "failed": 0, "errors": []}
"""


def essence(result: FileResult) -> tuple[object, ...]:
    return result.success, result.outcome, result.passed, result.failed, result.errors


def workers(file: Path) -> list[int]:
    return [int(line) for line in (file.parent / "workers").read_text().split()]


@needs_node
def test_the_results_are_those_of_processes_of_their_own(write: Write) -> None:
    sources = {
        "a.tests.mjs": PASSES,
        "b.tests.mjs": "export function runTests() { return { passed: 1, failed: 2, errors: ['x', 'y'] }; }",
        "c.tests.mjs": "process.exit(0);",
        "d.tests.mjs": "",
        "e.tests.mjs": "await new Promise(() => {});",
        "f.tests.mjs": "export default () => { Promise.reject(new Error('late')); return { passed: 1, failed: 0 }; };",
        "g.tests.mjs": "export default () => { throw new Error('thrown'); };",
        "h.tests.mjs": "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});",
        "i.tests.mjs": "export default () => ({ passed: 0, failed: 0, errors: [] });",
        "j.tests.mjs": "process.on('exit', () => { process.exitCode = 3; });\n" + PASSES.strip(),
        "k.tests.mjs": "let x = ;",
        "l.tests.mjs": PASSES,
        "a_tests.py": PASSES_IN_PYTHON,
        "b_tests.py": "import os; os._exit(0)",
        "c_tests.py": "def run_tests(): assert False, 'no'",
        "d_tests.py": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        "e_tests.py": PASSES_IN_PYTHON,
    }
    files = [write(f"tests/{name}", source) for name, source in sources.items()]

    warm = run_test_files_warm(files)

    assert [essence(result) for result in warm] == [essence(run_test_file(file)) for file in files]
    assert [file.name for file, result in zip(files, warm, strict=True) if result.success] == [
        "a.tests.mjs",
        "l.tests.mjs",
        "a_tests.py",
        "e_tests.py",
    ]


@needs_node
def test_well_behaved_files_share_one_worker_that_is_not_us(write: Write) -> None:
    files = [write(f"tests/{number}.tests.mjs", PASSES) for number in range(5)]
    assert all(result.success for result in run_test_files_warm(files))
    assert len(workers(files[0])) == 5
    assert len(set(workers(files[0]))) == 1
    assert os.getpid() not in workers(files[0])


def test_python_files_share_one_worker_too(write: Write) -> None:
    files = [write(f"tests/s{number}_tests.py", PASSES_IN_PYTHON) for number in range(5)]
    assert all(result.success for result in run_test_files_warm(files))
    assert len(workers(files[0])) == 5
    assert len(set(workers(files[0]))) == 1


LEAVES = {
    "a global": "globalThis.leftover = 1;",
    "a replaced function": "Math.random = () => 4; JSON.stringify = () => '{}'; console.log = () => {};",
    "a replaced write": "process.stdout.write = () => true;",
    "a frozen global": "Object.defineProperty(globalThis, 'leftover', { value: 1 });",
    "a variable": "process.env.LEFTOVER = '1';",
    "a listener": "process.on('uncaughtException', () => {});",
    "a timer that throws": "setTimeout(() => { throw new Error('from the grave'); }, 20);",
    "a server": "import http from 'node:http'; http.createServer().listen(0, '127.0.0.1');",
}
PROBE = """
    import fs from 'node:fs';
    import { once } from 'node:events';
    const found = [
      globalThis.leftover, process.env.LEFTOVER,
      Math.random() === 4 || undefined, JSON.stringify([]) === '[]' ? undefined : 'JSON',
      process.listenerCount('uncaughtException') || undefined,
    ].filter((thing) => thing !== undefined);
    fs.appendFileSync('workers', `${process.pid}\\n`);
    export default async () => {
      await new Promise((resolve) => setTimeout(resolve, 60)); // long enough for what ticks to go off
      return { passed: 1, failed: found.length, errors: found };
    };
"""


@needs_node
@pytest.mark.parametrize("leaving", LEAVES.values(), ids=LEAVES.keys())
def test_what_a_file_leaves_behind_does_not_reach_the_next(write: Write, leaving: str) -> None:
    leaver = write("tests/a.tests.mjs", f"{leaving}\nexport default () => ({{ passed: 1, failed: 0, errors: [] }});")
    first, second = run_test_files_warm([leaver, write("tests/b.tests.mjs", PROBE)])
    assert first.success
    assert second.errors == ()
    assert second.success


def test_a_python_file_cannot_reach_the_next_at_all(write: Write) -> None:
    first = write(
        "tests/a_tests.py",
        """
        import json, os, sys, threading
        os.environ["LEFTOVER"] = "1"
        json.leftover = 1
        sys.modules["math"] = None
        threading.Thread(target=threading.Event().wait).start()
        def run_tests():
            return {"passed": 1, "failed": 0, "errors": []}
        """,
    )
    second = write(
        "tests/b_tests.py",
        """
        import json, math, os, threading
        def run_tests():
            assert "LEFTOVER" not in os.environ
            assert not hasattr(json, "leftover")
            assert threading.active_count() == 1
            return {"passed": 1, "failed": 0, "errors": []}
        """,
    )
    assert [result.success for result in run_test_files_warm([first, second])] == [True, True]


@needs_node
def test_a_file_that_another_has_imported_is_still_loaded_again(write: Write) -> None:
    counted = write(
        "tests/b.tests.mjs",
        "let calls = 0; export default () => { calls += 1; return { passed: 1, failed: calls - 1, errors: [] }; };",
    )
    importing = write("tests/a.tests.mjs", "import run from './b.tests.mjs'; export default run;")
    assert [result.success for result in run_test_files_warm([importing, counted])] == [True, True]


@needs_node
def test_a_file_that_hangs_costs_only_itself(write: Write) -> None:
    files = [
        write("tests/a.tests.mjs", PASSES),
        write("tests/b.tests.mjs", "export default () => { while (true); };"),
        write("tests/c.tests.mjs", PASSES),
        write("tests/d.tests.mjs", "export default () => { while (true); };"),
        write("tests/e.tests.mjs", PASSES),
    ]
    outcomes = [result.outcome for result in run_test_files_warm(files, timeout=1500)]
    assert outcomes == [Outcome.PASSED, Outcome.TIMEOUT, Outcome.PASSED, Outcome.TIMEOUT, Outcome.PASSED]


def test_a_python_file_that_hangs_costs_only_itself(write: Write) -> None:
    files = [
        write("tests/a_tests.py", PASSES_IN_PYTHON),
        write("tests/b_tests.py", "while True: pass"),
        write("tests/c_tests.py", PASSES_IN_PYTHON),
    ]
    outcomes = [result.outcome for result in run_test_files_warm(files, timeout=1500)]
    assert outcomes == [Outcome.PASSED, Outcome.TIMEOUT, Outcome.PASSED]


@needs_node
def test_a_file_that_tampers_with_the_channel_spoils_no_other(write: Write) -> None:
    tampering = """
        import fs from 'node:fs';
        export default () => {
          for (const fd of fs.readdirSync('/proc/self/fd').map(Number)) {
            try {
              if (fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:')) fs.writeSync(fd, '{"passed": 9}');
            } catch {}
          }
          return { passed: 1, failed: 0, errors: [] };
        };
    """
    files = [
        write("tests/a.tests.mjs", PASSES),
        write("tests/b.tests.mjs", tampering),
        write("tests/c.tests.mjs", PASSES),
    ]
    assert [result.success for result in run_test_files_warm(files)] == [True, False, True]


def test_files_run_in_their_own_folders(write: Write) -> None:
    source = """
        import os
        def run_tests():
            return {"passed": 1, "failed": int(os.getcwd() != os.path.dirname(__file__)), "errors": [os.getcwd()]}
    """
    files = [write(f"{folder}/tests/a_tests.py", source) for folder in ("one", "two")]
    assert [result.success for result in run_test_files_warm(files)] == [True, True]


def test_a_missing_file_and_one_named_twice_are_answered_in_order(write: Write, tmp_path: Path) -> None:
    there = write("tests/a_tests.py", PASSES_IN_PYTHON)
    results = run_test_files_warm([there, tmp_path / "tests" / "b_tests.py", there])
    assert [result.success for result in results] == [True, False, True]
    assert run_test_files_warm([]) == []


def test_one_warm_result_has_the_fields_of_the_contract_and_no_other(write: Write) -> None:
    result = run_test_file_warm(write("tests/a_tests.py", PASSES_IN_PYTHON))
    assert list(result.as_dict()) == ["success", "passed", "failed", "errors", "duration"]
    assert result.success
