"""Sizes as people write and read them."""

import pytest

from testwright.isolate.limits import GUARDED_LIMITS, parse_size, size_text


@pytest.mark.parametrize(
    ("text", "size"), [("512M", 512 << 20), ("4 GiB", 4 << 30), ("1000", 1000), ("1.5k", 1536), (" 2gb ", 2 << 30)]
)
def test_a_size_is_read(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "lots", "-1M", "5X", "1e9", "٣M x"])
def test_anything_else_is_refused_with_the_text_in_the_message(text: str) -> None:
    with pytest.raises(ValueError, match="is not a size"):
        parse_size(text)


@pytest.mark.parametrize(("size", "text"), [(4 << 30, "4 GiB"), (1536 << 10, "1.5 MiB"), (12, "12 bytes")])
def test_a_size_is_said(size: int, text: str) -> None:
    assert size_text(size) == text


def test_code_that_was_not_read_has_every_limit() -> None:
    assert None not in (GUARDED_LIMITS.cpu_seconds, GUARDED_LIMITS.memory_bytes, GUARDED_LIMITS.file_bytes)
