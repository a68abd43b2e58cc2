"""Source files as syntax trees: what is no source file is refused in plain words, and never harms the process."""

import pytest

from testwright.heal.source.languages import Language, language_of, read_as, read_source
from testwright.model.errors import InvalidTestEncoding, InvalidTestSyntax, TooLarge, UsageError


@pytest.mark.parametrize(
    ("file", "language"),
    [
        ("a.spec.ts", Language.TYPESCRIPT),
        ("a.mts", Language.TYPESCRIPT),
        ("a.cts", Language.TYPESCRIPT),
        ("a.tsx", Language.TSX),
        ("a.js", Language.JAVASCRIPT),
        ("a.jsx", Language.JAVASCRIPT),
        ("a.mjs", Language.JAVASCRIPT),
        ("a.cjs", Language.JAVASCRIPT),
        ("tests/test_a.py", Language.PYTHON),
        ("test/a_test.dart", Language.DART),
        ("README.md", None),
    ],
)
def test_the_name_of_a_file_tells_its_language(file: str, language: Language | None) -> None:
    assert language_of(file) == language


@pytest.mark.parametrize(
    ("data", "language", "line"),
    [
        (b"def test_x(:\n  pass", Language.PYTHON, 1),
        (b"x = 1\nprint 'old'\n", Language.PYTHON, 2),
        (b"const a = 1;\nconst b = ;\n", Language.TYPESCRIPT, 2),
        (b"const a = 1;\n\n\nfoo(;\n", Language.JAVASCRIPT, 4),
        (b"void main() {\n  expect(;\n}\n", Language.DART, 2),
        (b"const a = 1;\n\x00\x01\x02", Language.JAVASCRIPT, 2),
    ],
)
def test_bad_syntax_is_refused_with_its_line(data: bytes, language: Language, line: int) -> None:
    with pytest.raises(InvalidTestSyntax, match=f"line {line}:"):
        read_as(data, language)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("deep", [b"(" * 5000 + b")" * 5000, b"-" * 20_000 + b"1", b"[" * 100_000])
def test_nesting_without_end_is_bad_syntax_and_no_crash(language: Language, deep: bytes) -> None:
    with pytest.raises(InvalidTestSyntax):
        read_as(deep, language)


@pytest.mark.parametrize(
    ("data", "language"),
    [
        (b"# -*- coding: nope -*-\nx=1", Language.PYTHON),
        (b"# coding: rot13\nx=1", Language.PYTHON),
        (b"x = '\xe9'\n", Language.PYTHON),
        ("const a = '#x';".encode("utf-16"), Language.JAVASCRIPT),
        (b"const a = '\xff';", Language.TYPESCRIPT),
    ],
)
def test_an_encoding_that_is_none_is_refused(data: bytes, language: Language) -> None:
    with pytest.raises(InvalidTestEncoding):
        read_as(data, language)


@pytest.mark.parametrize("language", [one for one in Language if one is not Language.PYTHON])
@pytest.mark.parametrize("noise", [b"'''" * 150_000, b"1.." * 150_000])
def test_a_long_file_that_is_nothing_but_errors_is_given_up_early(language: Language, noise: bytes) -> None:
    with pytest.raises(InvalidTestSyntax):
        read_as(noise, language)


def test_a_file_of_more_than_500_kilobytes_is_refused() -> None:
    with pytest.raises(TooLarge, match="big"):
        read_source(b"//" + b"x" * 512_001, "big.spec.ts")


def test_a_file_in_another_language_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="notes"):
        read_source(b"", "notes.txt")


def test_a_byte_order_mark_and_windows_line_ends_are_no_errors() -> None:
    assert read_as(b"\xef\xbb\xbfdef test_a():\r\n    assert 1", Language.PYTHON).tree.root_node.child_count == 1


def test_python_in_another_encoding_is_read_in_it() -> None:
    source = read_source(b"# coding: latin-1\nname = '\xe9'\n", "test_a.py")

    assert "é" in source.text.decode()
    assert source.encoded(source.text) == source.data
