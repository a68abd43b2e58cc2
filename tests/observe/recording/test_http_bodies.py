"""A body is kept as text if it is one, and if there is room."""

import pytest

from tests.observe.recording.watching import new_notebook
from testwright.observe.recording.http_bodies import MOST_PER_BODY, Bodies, has_body, is_binary


@pytest.mark.parametrize(
    ("raw", "mime", "binary"),
    [
        (b'{"a": 1}', "application/json", False),
        (b"{}", "application/vnd.api+json; charset=utf-8", False),
        (b"a=1", "application/x-www-form-urlencoded", False),
        (b"<svg/>", "image/svg+xml", False),
        (b"text", "", False),
        (b"\xff\xfe", "", True),
        (b"\x89PNG", "image/png", True),
        (b"a\x00b", "text/plain", True),
        (b"--x\r\n\r\nplain\r\n--x--", "multipart/form-data; boundary=x", False),
        (b"--x\r\n\r\n\xff\xd8\r\n--x--", "multipart/form-data; boundary=x", True),
        (b"", "application/json", False),
    ],
)
def test_text_is_told_from_bytes_by_its_name_and_by_its_look(raw: bytes, mime: str, binary: bool) -> None:
    assert is_binary(raw, mime) is binary


@pytest.mark.parametrize(
    ("method", "status", "has"), [("GET", 200, True), ("HEAD", 200, False), ("GET", 204, False), ("GET", 302, False)]
)
def test_some_answers_have_no_body(method: str, status: int, has: bool) -> None:
    assert has_body(method, status) is has


def test_once_a_session_is_full_bodies_are_noted_only() -> None:
    notebook, _ = new_notebook()
    bodies = Bodies(notebook, per_session=10)

    assert bodies.kept(b"12345678", "text/plain", "1").text == "12345678"
    assert bodies.kept(b"12345678", "text/plain", "2").note == "too_large"
    assert bodies.kept(b"12", "text/plain", "3").text == "12"
    assert any("no room" in gap for gap in notebook.gaps)


def test_a_body_over_the_limit_is_noted_with_its_size() -> None:
    notebook, _ = new_notebook()
    body = Bodies(notebook).kept(b"x" * (MOST_PER_BODY + 1), "text/plain", "1")

    assert (body.text, body.note, body.size) == (None, "too_large", MOST_PER_BODY + 1)


def test_a_charset_that_nobody_knows_is_no_obstacle() -> None:
    notebook, _ = new_notebook()

    assert Bodies(notebook).kept(b"a\xff", "text/plain; charset=klingon", "1").text == "a\ufffd"
