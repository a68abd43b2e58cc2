"""Files of strangers: what is no session is refused with a reason, before it can hurt."""

import io
import json
import os
import struct
import zipfile
from pathlib import Path

import pytest

from tests.observe.test_archive import packed, with_flags, with_many_names_for_one_entry
from testwright.masking.masker import Masker
from testwright.model.errors import TestwrightError
from testwright.model.session import HttpRequest, SessionSource
from testwright.observe.importers import json_document
from testwright.observe.importers.session_file import read_session
from testwright.observe.importers.session_file_kinds import FileKind
from testwright.observe.importers.session_timeline import SessionContent
from testwright.observe.noise_rules import NoiseRules

HAR = {"log": {"entries": [{"request": {"url": "http://a.test/"}, "response": {"status": 200}}]}}
FLOW = {"title": "x", "steps": [{"type": "navigate", "url": "http://a.test/"}]}


def read(path: Path, wanted: FileKind | None = None) -> SessionContent:
    return read_session(path, Masker(), NoiseRules(), wanted)


def refused(path: Path, content: bytes) -> TestwrightError:
    path.write_bytes(content)
    with pytest.raises(TestwrightError) as caught:
        read(path)
    assert path.name in caught.value.message
    assert caught.value.next_step
    return caught.value


def declaring(size: int) -> bytes:
    """An archive whose one entry says that it unpacks to so many bytes."""
    made = packed(("trace.trace", b"\0" * 1000))
    at = made.rfind(b"PK\x01\x02") + 24
    return made[:at] + struct.pack("<I", size) + made[at + 4 :]


@pytest.mark.parametrize(
    ("code", "content"),
    [
        pytest.param("archive_invalid", b"", id="B145 empty"),
        pytest.param("archive_invalid", b"PK\x03\x04" + b"\0" * 100, id="torn"),
        pytest.param("archive_too_large", declaring(1 << 30), id="B147 bomb"),
        pytest.param(
            "archive_invalid", with_many_names_for_one_entry(packed(("a", b"\0" * 100_000)), 500), id="B149 overlap"
        ),
        pytest.param("archive_invalid", packed(("../../etc/cron.d/x", b"x")), id="B151 traversal"),
        pytest.param("archive_invalid", packed(("link", b"/etc/passwd"), mode=0o120777), id="B153 link"),
        pytest.param("archive_unsupported", with_flags(packed(("a.trace", b"{}")), 1), id="B155 password"),
        pytest.param("archive_invalid", packed(("readme.txt", b"hello")), id="neither trace nor HAR"),
        pytest.param("malformed_session", packed(("har.har", b"{")), id="a torn HAR inside"),
        pytest.param("trace_unsupported", packed(("a.trace", b'{"type":"context-options","version":3}')), id="old"),
        pytest.param("malformed_session", packed(("a.trace", b'{"type":"before"}\n{oops')), id="an empty trace"),
    ],
)
def test_an_archive_that_is_torn_or_means_harm_is_refused(tmp_path: Path, code: str, content: bytes) -> None:
    assert refused(tmp_path / "session.zip", content).code == code


@pytest.mark.parametrize(
    ("code", "content"),
    [
        pytest.param("malformed_session", b"", id="empty"),
        pytest.param("malformed_session", b'{"log":' + b"[" * 100_000 + b"]" * 100_000 + b"}", id="B084 nested"),
        pytest.param("malformed_session", b'{"log":{"entries":[NaN]}}', id="B088 NaN"),
        pytest.param("malformed_session", b'{"log":{"entries":[],"i":' + b"9" * 5000 + b"}}", id="B090 digits"),
        pytest.param("malformed_session", b'{"log":{"entries":[]},"log":{"entries":[]}}', id="a key twice"),
        pytest.param("malformed_session", b'{"log":{"entries":[', id="cut off"),
        pytest.param("malformed_session", b'{"log": {"x": "\xff"}}', id="not UTF-8"),
        pytest.param("malformed_session", b"[]", id="a list"),
        pytest.param("malformed_session", b'{"a": 1}', id="something else"),
    ],
)
def test_a_document_that_makes_no_sense_is_refused(tmp_path: Path, code: str, content: bytes) -> None:
    assert refused(tmp_path / "session.har", content).code == code


def test_a_document_of_100_mb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.har"
    with path.open("wb") as file:
        file.truncate(100 << 20)

    with pytest.raises(TestwrightError, match=r"huge\.har has 104,857,600 bytes") as caught:
        read(path)
    assert caught.value.code == "too_large"


def test_a_document_of_nothing_but_brackets_is_refused_before_it_is_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_document, "MOST_VALUES", 1000)

    assert refused(tmp_path / "many.har", b'{"log":{"entries":[' + b"{}," * 1000 + b"{}]}}").code == "too_large"


def test_a_line_of_a_trace_that_is_too_long_is_skipped_and_told(tmp_path: Path) -> None:
    """Row B157."""
    lines = [
        {"type": "context-options", "version": 8, "wallTime": 1_772_359_200_000, "monotonicTime": 5},
        {"a": "x" * (17 << 20)},
        {"type": "before", "callId": "call@1", "class": "Frame", "method": "goto", "startTime": 6,
         "params": {"url": "http://a.test/"}},
    ]  # fmt: skip
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("trace.trace", "\n".join(map(json.dumps, lines)))
    (tmp_path / "trace.zip").write_bytes(made.getvalue())

    session = read(tmp_path / "trace.zip")

    assert session.head.url == "http://a.test/"
    assert session.head.started == 1_772_359_200_001
    assert "a part of the trace that could not be read: line_too_long" in session.gaps


def test_the_content_decides_what_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(HAR))
    (tmp_path / "two.har").write_text(json.dumps(FLOW))
    (tmp_path / "three").write_bytes(packed(("har.har", json.dumps(HAR).encode())))
    (tmp_path / "four.har").write_bytes(b"\xef\xbb\xbf" + json.dumps(HAR).encode())

    sources = [read(tmp_path / name).head.source for name in ("one.json", "two.har", "three", "four.har")]
    assert sources == [SessionSource.HAR, SessionSource.RECORDER, SessionSource.HAR, SessionSource.HAR]


def test_bodies_beside_a_packed_har_are_found_and_none_outside_of_it(tmp_path: Path) -> None:
    def entry(file: str) -> dict[str, object]:
        content = {"mimeType": "application/json", "size": 8, "_file": file}
        return {"_resourceType": "fetch", "request": {"url": "x:"}, "response": {"status": 200, "content": content}}

    (tmp_path / "secret.json").write_text("{}")
    names = ("a.json", "missing.json", str(tmp_path / "secret.json"), "../secret.json")
    har = {"log": {"entries": [entry(name) for name in names]}}
    (tmp_path / "s.har.zip").write_bytes(packed(("har.har", json.dumps(har).encode()), ("a.json", b'{"a": 1}')))

    events = read(tmp_path / "s.har.zip").events

    bodies = [event.received for event in events if isinstance(event, HttpRequest)]
    assert [body.text if body else "none" for body in bodies] == ['{"a": 1}', None, None, None]


@pytest.mark.parametrize("name", ["missing.har", "missing.zip"])
def test_a_file_that_is_not_there_is_said_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(TestwrightError) as caught:
        read(tmp_path / name)
    assert caught.value.code == "test_file_not_found"


@pytest.mark.parametrize("name", ["pipe.har", "pipe.zip"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)

    with pytest.raises(TestwrightError) as caught:
        read(tmp_path / name)
    assert caught.value.code == "not_a_regular_file"
