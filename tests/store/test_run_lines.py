"""Runs travel as lines, and only whole and sound ones are let in."""

import io
from collections.abc import Callable

import pytest

from testwright.model.errors import MalformedReport
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult
from testwright.store import run_lines
from testwright.store.run_lines import export_run, import_runs, lines_of


def test_an_exported_run_is_the_same_run_when_it_is_imported(rich_run: RunResult) -> None:
    assert list(import_runs(export_run(rich_run))) == [rich_run]


def test_one_file_holds_several_runs(make_run: Callable[..., RunResult]) -> None:
    runs = [make_run(a=Outcome.PASSED), make_run(a=Outcome.FAILED), make_run()]
    file = io.BytesIO(b"".join(line for run in runs for line in export_run(run)))

    assert list(import_runs(lines_of(file))) == runs


def test_a_run_is_given_as_soon_as_it_is_complete(make_run: Callable[..., RunResult]) -> None:
    run = make_run(a=Outcome.PASSED)

    imported = import_runs([*export_run(run), b"rubbish\n"])

    assert next(imported) == run
    with pytest.raises(MalformedReport, match="Line 6"):
        next(imported)


def test_a_wrong_line_is_named_by_file_and_number(make_run: Callable[..., RunResult]) -> None:
    lines = list(export_run(make_run(a=Outcome.PASSED)))
    lines[2] = lines[2].replace(b'"passed"', b'"splendid"')

    with pytest.raises(MalformedReport, match=r"Line 3 of runs\.jsonl cannot be read: Invalid .*'splendid'.*outcome"):
        list(import_runs(lines, name="runs.jsonl"))


@pytest.mark.parametrize("kept", range(1, 5))
def test_an_import_that_was_cut_between_lines_is_refused(kept: int, make_run: Callable[..., RunResult]) -> None:
    lines = list(export_run(make_run(a=Outcome.PASSED)))[:kept]

    with pytest.raises(MalformedReport, match="cut short"):
        list(import_runs(lines))


def test_an_import_that_was_cut_inside_a_line_is_refused(make_run: Callable[..., RunResult]) -> None:
    whole = b"".join(export_run(make_run(a=Outcome.PASSED)))

    with pytest.raises(MalformedReport, match=r"Line 5 .* cut short"):
        list(import_runs(lines_of(io.BytesIO(whole[:-1]))))


def test_lines_in_an_impossible_order_are_refused(make_run: Callable[..., RunResult]) -> None:
    header, start, *rest = export_run(make_run(a=Outcome.PASSED))

    with pytest.raises(MalformedReport, match=r"Line 1 .* before a `run` line"):
        list(import_runs([start, *rest]))
    with pytest.raises(MalformedReport, match=r"Line 2 .* before the last one has ended"):
        list(import_runs([header, header]))
    with pytest.raises(MalformedReport, match=r"Line 2 .* before any suite"):
        list(import_runs([header, *rest]))


def test_an_endless_line_is_refused_without_being_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_lines, "MAX_LINE_BYTES", 1000)
    file = io.BytesIO(b" " * 1_000_000)

    with pytest.raises(MalformedReport):
        list(import_runs(lines_of(file)))

    assert file.tell() < 3000
