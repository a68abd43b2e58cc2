"""The engine: one module in, one test file out, whatever the module does and whenever it is stopped."""

import ast
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.generate.hostile.corpus import HONEST
from tests.generate.hostile.watching import fingerprint, machine, survivors, write_project
from tests.generate.hostile.when_called import WHEN_CALLED
from testwright.generate import engine
from testwright.generate.engine import generate_module
from testwright.generate.measured_results import Generated
from testwright.generate.module_request import (
    Budget,
    ModuleRequest,
    Progress,
)
from testwright.isolate.child import Cancel
from testwright.isolate.guard import IsolationLevel
from testwright.repo.import_map import resolve_import

LITTLE = Budget(seconds=0.2, cap_seconds=120.0)
NEVER_THE_SAME = ("tells_the_time", "throws_dice", "orders_by_hash", "tells_its_address", "tells_its_process")
Prepare = Callable[[str], ModuleRequest]


@pytest.fixture
def request_for(tmp_path: Path, level: IsolationLevel, monkeypatch: pytest.MonkeyPatch) -> Prepare:
    """`request_for(source)` asks for tests of a module of that source, in a project of its own."""
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))  # so that what is left behind is found

    def prepare(source: str) -> ModuleRequest:
        root = tmp_path / "project"
        file = write_project(root, {"module": source}) / "module.py"
        python = Path(sys.executable)
        return ModuleRequest(
            file, resolve_import(file, root=root, python=python), python, root, budget=LITTLE, level=level
        )

    return prepare


def explored(request: ModuleRequest) -> Generated:
    return generate_module(request, lambda _: None, Cancel())


def reasons(generated: Generated) -> str:
    return "; ".join(f"{each.name}: {each.reason}" for each in generated.skipped)


# --- hostile code ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(WHEN_CALLED))
def test_code_that_does_harm_when_it_is_called_harms_nobody(name: str, request_for: Prepare, tmp_path: Path) -> None:
    hostile = WHEN_CALLED[name]
    request = request_for(hostile.text)
    before = fingerprint(request.root), machine()

    generated = explored(request)

    assert (fingerprint(request.root), machine()) == before
    assert survivors(tmp_path / "temp") == []
    assert list((tmp_path / "temp").iterdir()) == []
    assert hostile.says in reasons(generated)
    if hostile.is_tested:
        assert generated.suite_text is not None, reasons(generated)
        assert "_under_test.honest(" in generated.suite_text
        assert "honest" not in {each.name for each in generated.skipped}
        if name in NEVER_THE_SAME:
            assert all(len(check) <= 60 and "/" not in check for check in checks_of_hostile(generated.suite_text))


def checks_of_hostile(text: str) -> list[str]:
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return [
        ast.unparse(node.test)
        for function in functions
        if "hostile(" in ast.unparse(function)
        for node in ast.walk(function)
        if isinstance(node, ast.Assert)
    ]


def test_nothing_reaches_the_network(request_for: Prepare) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        source = WHEN_CALLED["connects"].text.replace("port: int = 9", f"port: int = {port}")
        explored(request_for(source))

        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_an_import_that_waits_for_ever_is_given_up(request_for: Prepare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_LOAD_SECONDS", 4.0)

    generated = explored(request_for("import threading\n\nthreading.Event().wait()\n" + HONEST))

    assert generated.suite_text is None
    assert "its import took longer than 4 s" in reasons(generated)


# --- what is asked for -----------------------------------------------------------------------


def test_only_what_is_named_is_tested(request_for: Prepare) -> None:
    request = replace(request_for(HONEST + "\n\ndef other(text):\n    return text * 2\n"), qualnames=("other",))

    text = explored(request).suite_text

    assert text is not None
    assert "_under_test.other(" in text
    assert "honest" not in text


def test_the_figures_tell_what_the_tests_cover_and_notice(request_for: Prepare) -> None:
    generated = explored(request_for(HONEST))

    assert generated.covered.share == 1.0
    assert generated.mutants.total > 0
    assert generated.mutants.killed + len(generated.mutants.survivors) == generated.mutants.total
    assert generated.cpu_s > 0
    assert not generated.time_cap_hit


def test_a_module_without_anything_to_call_has_no_tests_and_no_complaint(request_for: Prepare) -> None:
    generated = explored(request_for("LIMIT = 3\n"))

    assert generated.suite_text is None
    assert generated.skipped == ()


# --- stopped ---------------------------------------------------------------------------------


def test_stopped_in_the_middle_it_gives_the_best_so_far(request_for: Prepare) -> None:
    cancel = Cancel()
    seen = []

    def stop_once_there_is_something(progress: Progress) -> None:
        seen.append(progress.stage)
        if progress.stage == "mutating":
            cancel()

    generated = generate_module(request_for(HONEST), stop_once_there_is_something, cancel)

    assert "mutating" in seen
    assert generated.suite_text is not None
    assert "_under_test.honest(" in generated.suite_text
    assert reasons(generated) == ""


def test_stopped_before_it_began_it_gives_nothing_and_says_so(request_for: Prepare) -> None:
    cancel = Cancel()
    cancel()

    generated = generate_module(request_for(HONEST), lambda _: None, cancel)

    assert generated.suite_text is None
    assert "stopped before it was imported" in reasons(generated)


def test_at_the_time_cap_it_stops_and_says_so(request_for: Prepare) -> None:
    request = replace(request_for(HONEST), budget=Budget(seconds=0.2, cap_seconds=0.0))

    assert explored(request).time_cap_hit


def test_a_little_work_gives_a_file_worth_having_and_more_work_none_that_is_worth_less(request_for: Prepare) -> None:
    request = request_for(HONEST)

    little, much = (explored(replace(request, budget=Budget(seconds, cap_seconds=120.0))) for seconds in (0.05, 2.0))

    assert little.tests > 0
    assert much.covered.done >= little.covered.done > 0
