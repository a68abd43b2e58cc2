"""Output is kept from both ends in bounded memory, and never misreported."""

import pytest

from testwright.isolate.output import Output, OutputKeeper


def _kept(chunks: list[bytes], keep_bytes: int) -> Output:
    keeper = OutputKeeper(keep_bytes)
    for chunk in chunks:
        keeper.add(chunk)
    return keeper.output()


@pytest.mark.parametrize("chunk_size", [1, 3, 7, 64, 1000])
@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 19, 20, 21, 500])
def test_start_and_end_are_kept_however_it_arrives(length: int, chunk_size: int) -> None:
    everything = bytes(range(256)) * 2
    everything = everything[:length]
    chunks = [everything[at : at + chunk_size] for at in range(0, length, chunk_size)]
    output = _kept(chunks, keep_bytes=10)
    assert output.total_bytes == length
    assert output.head == everything[:10]
    assert output.tail == everything[10:][-10:]


def test_the_text_says_how_much_is_missing() -> None:
    output = _kept([b"a" * 10, b"b" * 5000, b"c" * 10], keep_bytes=10)
    assert output.text == "aaaaaaaaaa\n[… 5,000 bytes not kept …]\ncccccccccc"


def test_a_character_cut_by_our_own_gap_is_not_held_against_the_child() -> None:
    assert _kept(["€".encode() * 100], keep_bytes=10).is_valid_utf8
    assert not _kept([b"\xff"], keep_bytes=10).is_valid_utf8


def test_nothing_printed_is_empty_text() -> None:
    assert Output().text == ""
