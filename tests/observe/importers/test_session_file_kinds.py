"""Which files are taken for sessions, and which are left to the readers of test results."""

import os
from importlib import import_module
from pathlib import Path

import pytest

from testwright.observe.importers.session_file_kinds import FORMS, FileKind, document_kind, is_session_file


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ('{"log": {"version"', FileKind.HAR),
        ('\ufeff {\n  "log" : {', FileKind.HAR),
        ('{"comment": "a \\" b, {", "log":{', FileKind.HAR),
        ('{"title": "x", "timeout": 5000, "steps": [', FileKind.RECORDER),
        ('{"title": "steps", "selectorAttribute": null, "steps":[]}', FileKind.RECORDER),
        ('{"config": {"log": {}}}', None),
        ('{"numFailedTests": 0, "testResults": [', None),
        ('{"log": []}', None),
        ('{"steps": {}}', None),
        ('{"log": "x"}', None),
        ("[1]", None),
        ("<testsuite/>", None),
        ("{", None),
        ("", None),
    ],
)
def test_a_document_is_told_by_its_outermost_keys(head: str, kind: FileKind | None) -> None:
    assert document_kind(head) is kind


def test_a_title_longer_than_what_is_looked_at_does_not_take_without_end() -> None:
    assert document_kind('{"title": "' + "a\\" * 40_000) is None


def test_archives_and_har_files_are_sessions_whatever_is_in_them(tmp_path: Path) -> None:
    for name, content in (("a.zip", b""), ("b.har", b"?"), ("c", b"PK\x03\x04"), ("d.json", b'{"log":{')):
        (tmp_path / name).write_bytes(content)
        assert is_session_file(tmp_path / name), name


def test_what_cannot_be_looked_at_is_left_to_others(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "missing", "with\0nul"):
        assert not is_session_file(tmp_path / name)
    assert not is_session_file(tmp_path)


def test_every_kind_has_one_form_and_a_module_that_reads_it() -> None:
    assert sorted(form.kind for form in FORMS) == sorted(FileKind)
    for form in FORMS:
        assert callable(import_module(f"testwright.observe.importers.{form.reader}").read_file)
        assert form.key or form.entries  # else nothing could tell it
