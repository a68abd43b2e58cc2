"""One line of a journal as it is read: whatever could not have been written is refused."""

import pytest

from testwright.store import run_line_decoder
from testwright.store.run_line_decoder import UnreadableLineError, decode

HEADER = b'{"type":"run","format":1,"id":"r","started_at":"2024-05-01T12:00:00Z"'


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b"", "truncated"),
        (b"not json", "malformed"),
        (b"[]", "Expected `object`"),
        (b"\xff\xfe", "malformed"),
        (HEADER.replace(b'"r"', b'"\xff"') + b"}", "utf-8"),
        (b'{"type":"run_ended","duration_ms":NaN,"interrupted":false}', "malformed"),
        (b'{"type":"run_ended","duration_ms":1e999,"interrupted":false}', "out of range"),
        (b'{"type":"run_ended","duration_ms":"1","interrupted":false}', "Expected `float`"),
        (b'{"type":"run_ended","duration_ms":1,"interrupted":false,"more":1}', "unknown field `more`"),
        (b'{"type":"run_ended","duration_ms":1,"interrupted":false} x', "trailing"),
        (b'{"type":"run_ended","x":' + b"[" * 500_000, "recursion"),
        (b'{"type":"weather"}', "Invalid value 'weather'"),
        (HEADER.replace(b'"format":1', b'"format":2') + b',"shape":"new"}', "format 2; this version reads format 1"),
        (HEADER.replace(b"Z", b"") + b"}", "timezone"),
        (HEADER.replace(b'"r"', b'""') + b"}", "length"),
        (HEADER.replace(b'"r"', b'"' + b"r" * 201 + b'"') + b"}", "length"),
    ],
)
def test_a_line_that_could_not_have_been_written_is_refused_with_a_reason(raw: bytes, complaint: str) -> None:
    with pytest.raises(UnreadableLineError, match=complaint):
        decode(raw)


def test_a_line_beyond_the_limit_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_line_decoder, "MAX_LINE_BYTES", 200)

    with pytest.raises(UnreadableLineError, match="longer than 200 bytes"):
        decode(b" " * 201)
