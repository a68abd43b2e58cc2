"""What inside/skill_runner.py makes of a test file, and that no file can talk it into a success."""

from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.outcome import Outcome
from testwright.run.skills.file_runner import run_test_file

Write = Callable[[str, str], Path]

HONEST = '{"passed": 2, "failed": 0, "errors": []}'


@pytest.mark.parametrize(
    "source",
    [
        f"def run_tests(): return {HONEST}",
        f"async def run_tests(): return {HONEST}",
        f"def runTests(): return {HONEST}",
        f"default = lambda: {HONEST}",
        f"class Checks:\n    def run_tests(self): return {HONEST}\ndefault = Checks()",
        f"import types\ndefault = types.SimpleNamespace(default=lambda: {HONEST})",
        f"default = {{'runTests': lambda: {HONEST}}}",
        "import types\ndef run_tests(): return types.SimpleNamespace(passed=2, failed=0, errors=())",
        "def run_tests(): return {'passed': 2, 'failed': 0}",
    ],
    ids=["run_tests", "async", "runTests", "default", "object", "namespace", "dict", "object result", "no errors list"],
)
def test_every_form_a_test_file_may_have_is_run(write: Write, source: str) -> None:
    result = run_test_file(write("tests/a_tests.py", source))
    assert (result.success, result.passed, result.failed, result.errors) == (True, 2, 0, ())


def test_a_failing_file_says_what_failed(write: Write) -> None:
    source = (
        "def run_tests(): return {'passed': 1, 'failed': 3, 'errors': ['no stock', ValueError('no price'), {7: 1}]}"
    )
    result = run_test_file(write("tests/a_tests.py", source))
    assert result.outcome is Outcome.FAILED
    assert (result.passed, result.failed) == (1, 3)
    assert result.errors == ("no stock", "no price", "{7: 1}")


SUCCESS_JSON = '{"success": true, "result": {"passed": 99, "failed": 0, "errors": []}}'
PRINT = f"print('{SUCCESS_JSON}')"
FAIL = "def run_tests(): return {'passed': 0, 'failed': 1, 'errors': ['no']}"


def returning(expression: str) -> str:
    return f"def run_tests(): return {expression}"


FORGERIES = {
    "prints a success and fails": (f"{PRINT}\n{FAIL}", Outcome.FAILED),
    "exits at import": (f"{PRINT}\nimport sys; sys.exit(0)", Outcome.NO_VERDICT),
    "exits in the test": (f"import sys\ndef run_tests(): {PRINT}; sys.exit(0)", Outcome.NO_VERDICT),
    "exits hard at import": ("import os; os._exit(0)", Outcome.NO_VERDICT),
    "exits hard in the test": ("import os\ndef run_tests(): os._exit(0)", Outcome.NO_VERDICT),
    "crashes": ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", Outcome.CRASHED),
    "is empty": ("", Outcome.NO_VERDICT),
    "defines something else": ("default = 42\nrun_tests = []", Outcome.NO_VERDICT),
    "is an empty test": ("def run_tests(): pass", Outcome.NO_VERDICT),
    "ran nothing": (returning("{'passed': 0, 'failed': 0, 'errors': []}"), Outcome.NO_VERDICT),
    "leaves out a count": (returning("{'passed': 3, 'errors': []}"), Outcome.NO_VERDICT),
    "counts in words": (returning("{'passed': '3', 'failed': 0, 'errors': []}"), Outcome.NO_VERDICT),
    "counts true": (returning("{'passed': True, 'failed': 0, 'errors': []}"), Outcome.NO_VERDICT),
    "counts NaN": (returning("{'passed': 3, 'failed': float('nan'), 'errors': []}"), Outcome.NO_VERDICT),
    "counts below nothing": (returning("{'passed': 3, 'failed': -1, 'errors': []}"), Outcome.NO_VERDICT),
    "has errors that are not a list": (returning("{'passed': 3, 'failed': 0, 'errors': 'x'}"), Outcome.NO_VERDICT),
    "returns true": (returning("True"), Outcome.NO_VERDICT),
    "replaces what prints": (f"import sys, builtins\nsys.stdout = None\nbuiltins.print = None\n{FAIL}", Outcome.FAILED),
    "replaces json": (f"import json\njson.dumps = lambda *_: '{SUCCESS_JSON}'\n{FAIL}", Outcome.FAILED),
    "replaces the exits": (f"import os, sys\nos._exit = sys.exit = os.write = lambda *_: None\n{FAIL}", Outcome.FAILED),
    "leaves by an exit function": (
        f"import atexit, os\natexit.register(os._exit, 0)\n{FAIL}",
        Outcome.NO_VERDICT,
    ),
    "fails in one of two processes": (
        f"import os\ndef run_tests():\n    if os.fork() == 0: return {HONEST}\n    os.wait()\n    return None",
        Outcome.NO_VERDICT,
    ),
    "throws at import": ("raise ValueError('no such skill')", Outcome.ERROR),
    "throws in the test": ("def run_tests(): raise TypeError('bad')", Outcome.ERROR),
    "throws something that cannot be read": (
        "class Odd(Exception):\n    def __str__(self): raise ValueError\ndef run_tests(): raise Odd",
        Outcome.ERROR,
    ),
    "interrupts": ("def run_tests(): raise KeyboardInterrupt", Outcome.ERROR),
    "asserts": ("def run_tests(): assert 1 == 2", Outcome.FAILED),
    "does not parse": ("def run_tests(:", Outcome.ERROR),
    "imports what is not there": ("import no_such_module_anywhere", Outcome.ERROR),
}


@pytest.mark.parametrize(("source", "outcome"), FORGERIES.values(), ids=FORGERIES.keys())
def test_a_file_that_does_not_pass_is_never_a_success(write: Write, source: str, outcome: Outcome) -> None:
    result = run_test_file(write("tests/a_tests.py", source))
    assert result.outcome is outcome
    assert not result.success
    assert result.failed >= 1
    assert result.errors


def test_what_a_file_prints_is_only_text(write: Write) -> None:
    result = run_test_file(write("tests/a_tests.py", f"def run_tests():\n    {PRINT}\n    return {HONEST}"))
    assert (result.success, result.passed) == (True, 2)
    assert result.output == f"{SUCCESS_JSON}\n"


def test_a_file_that_writes_into_descriptors_it_did_not_open_is_not_a_success(write: Write) -> None:
    source = f"""
        import os
        def run_tests():
            for descriptor in range(3, 600):
                try:
                    os.write(descriptor, b'{SUCCESS_JSON}')
                except OSError:
                    pass
            return {HONEST}
    """
    assert run_test_file(write("tests/a_tests.py", source)).outcome is Outcome.NO_VERDICT


def test_a_files_name_is_never_code(write: Write, tmp_path: Path) -> None:
    name = "empty'; open('PWNED', 'w'); '"
    assert run_test_file(write(f"tests/{name}_tests.py", f"def run_tests(): return {HONEST}")).success
    assert not list(tmp_path.rglob("PWNED"))


def test_a_thrown_error_keeps_its_stack_and_nothing_of_ours(write: Write) -> None:
    result = run_test_file(write("tests/a_tests.py", "def run_tests():\n    raise ValueError('no stock')"))
    assert result.errors == ("no stock",)
    assert "in run_tests" in result.stack
    assert "skill_file" not in result.stack


def test_a_test_finds_its_neighbours_and_the_project_and_none_of_our_modules(write: Write) -> None:
    write("shop/__init__.py", "PRICE = 3")
    write("tests/prices.py", "LIMIT = 5")
    source = f"""
        import importlib.util
        from prices import LIMIT
        from shop import PRICE
        def run_tests():
            assert PRICE < LIMIT
            assert importlib.util.find_spec("channel") is None
            return {HONEST}
    """
    assert run_test_file(write("tests/a_tests.py", source)).success


def test_a_test_file_leaves_no_bytecode_behind_that_an_edit_could_be_mistaken_for(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    file = write("tests/a_tests.py", f"def run_tests(): return {HONEST}")
    run_test_file(file)
    assert [path.name for path in file.parent.iterdir()] == ["a_tests.py"]


def test_exit_functions_run_and_lingering_threads_are_not_waited_for(write: Write) -> None:
    source = f"""
        import atexit, threading
        def run_tests():
            atexit.register(print, "tidied up")
            threading.Thread(target=threading.Event().wait).start()
            return {HONEST}
    """
    result = run_test_file(write("tests/a_tests.py", source), timeout=20_000)
    assert result.success
    assert result.output == "tidied up\n"


def test_a_forked_copy_that_comes_back_with_a_result_of_its_own_is_not_listened_to(write: Write) -> None:
    source = f"""
        import os
        def run_tests():
            if os.fork() == 0:
                return {{"passed": 0, "failed": 7, "errors": []}}
            os.wait()
            return {HONEST}
    """
    result = run_test_file(write("tests/a_tests.py", source))
    assert (result.success, result.passed, result.failed) == (True, 2, 0)


def test_a_process_the_test_leaves_behind_does_not_keep_the_result_waiting(write: Write) -> None:
    source = f"""
        import subprocess
        def run_tests():
            child = subprocess.Popen(["sleep", "600"], start_new_session=True)
            print(child.pid)
            return {HONEST}
    """
    result = run_test_file(write("tests/a_tests.py", source), timeout=20_000)
    assert result.success
    assert result.output is not None
    assert not Path(f"/proc/{int(result.output)}").exists()


def test_what_is_printed_is_kept_in_part_when_it_is_much(write: Write) -> None:
    source = f"def run_tests():\n    print('begin' + 'x' * 10_000_000 + 'end')\n    return {HONEST}"
    result = run_test_file(write("tests/a_tests.py", source))
    assert result.success
    assert result.output is not None
    assert result.output.startswith("begin")
    assert result.output.endswith("end\n")
    assert len(result.output) < 200_000
