"""Source files in every language as syntax trees, and plain refusals of what is not a source file."""

import ast
import functools
import io
import re
import time
import tokenize
import warnings
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from testwright.model.errors import InvalidTestEncoding, InvalidTestSyntax, TooLarge, UsageError
from testwright.model.selector import Dialect
from testwright.model.untrusted_text import visible_line

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser, Tree

MOST_BYTES = 500 * 1024
MOST_NESTING = 1000  # no person nests so deep, and Python's own parser gives up before that
MOST_OPEN_BRACKETS = 2000
_TRIED_FIRST = (8 * 1024, 32 * 1024, 128 * 1024)
_SECONDS_PER_BYTE = 1e-5  # of computing; what is valid takes a tenth of that
_BRACKET = re.compile(rb"[()\[\]{}]")
BOM = b"\xef\xbb\xbf"


class Language(StrEnum):
    TYPESCRIPT = "typescript"
    TSX = "tsx"
    JAVASCRIPT = "javascript"
    PYTHON = "python"
    DART = "dart"

    @property
    def dialect(self) -> Dialect:
        if self is Language.PYTHON:
            return Dialect.PYTHON
        return Dialect.FLUTTER if self is Language.DART else Dialect.TYPESCRIPT

    @property
    def is_script(self) -> bool:
        """It is JavaScript, with types or without."""
        return self in (Language.TYPESCRIPT, Language.TSX, Language.JAVASCRIPT)

    @property
    def comment(self) -> str:
        return "#" if self is Language.PYTHON else "//"


BY_ENDING = {
    ".ts": Language.TYPESCRIPT, ".mts": Language.TYPESCRIPT, ".cts": Language.TYPESCRIPT,
    ".tsx": Language.TSX, ".js": Language.JAVASCRIPT, ".jsx": Language.JAVASCRIPT,
    ".mjs": Language.JAVASCRIPT, ".cjs": Language.JAVASCRIPT, ".py": Language.PYTHON,
    ".dart": Language.DART,
}  # fmt: skip


_NAMES = {
    Language.TYPESCRIPT: "TypeScript", Language.TSX: "TypeScript", Language.JAVASCRIPT: "JavaScript",
    Language.PYTHON: "Python", Language.DART: "Dart",
}  # fmt: skip


@dataclass(frozen=True)
class ParsedSource:
    """A file that could be read. Positions in its tree count bytes of `text`: `data` itself, if that is UTF-8."""

    file: str
    language: Language
    data: bytes
    text: bytes  # in UTF-8, byte order mark included
    encoding: str
    tree: "Tree"

    @property
    def root(self) -> "Node":
        return self.tree.root_node

    def written(self, node: "Node") -> str:
        return self.text[node.start_byte : node.end_byte].decode("utf-8", errors="replace")

    def column(self, node: "Node") -> int:
        """From 1, in UTF-16 units as JavaScript counts them, a byte order mark left out."""
        start = node.start_byte - node.start_point.column
        before = self.text[start : node.start_byte].removeprefix(BOM if start == 0 else b"")
        return len(before.decode("utf-8", errors="replace").encode("utf-16-le")) // 2 + 1

    def encoded(self, text: bytes) -> bytes:
        """`text`, changed in UTF-8, as the file has it."""
        return text if self.encoding == "utf-8" else text.decode("utf-8").encode(self.encoding)


def language_of(file: str) -> Language | None:
    return BY_ENDING.get(PurePosixPath(file).suffix.lower())


def read_source(data: bytes, file: str) -> ParsedSource:
    """Raises TooLarge, InvalidTestSyntax or InvalidTestEncoding, each naming the file."""
    language = language_of(file)
    if language is None:
        endings = ", ".join(BY_ENDING)
        raise UsageError(
            f"{visible_line(file)} is in no language that selectors are looked for in.",
            next_step=f"Give a file that ends in one of {endings}.",
        )
    return _source(data, language, file)


def read_as(data: bytes, language: Language) -> ParsedSource:
    """`read_source` for a file whose name does not matter."""
    ending = next(ending for ending, own in BY_ENDING.items() if own is language)
    return _source(data, language, f"the file{ending}")


def _source(data: bytes, language: Language, file: str) -> ParsedSource:
    from tree_sitter import Parser  # late: start-up: tree_sitter

    shown = visible_line(file)
    if len(data) > MOST_BYTES:
        raise TooLarge(
            f"{shown} has {len(data):,} bytes; test files are read up to {MOST_BYTES:,}.", next_step="Split the file."
        )
    encoding, text = _decoded(data, language, shown)
    if b"\0" in text:
        line = text[: text.index(b"\0")].count(b"\n") + 1
        raise InvalidTestSyntax(f"{shown}, line {line}: there is a NUL byte, so this is not a source file.")
    _refuse_brackets(text, shown)
    if language is Language.PYTHON:
        _refuse_bad_python(text, shown)
    parser = Parser(_grammar(language))
    _refuse_toil(parser, text, language, shown)
    tree = parser.parse(text)
    _refuse_errors(tree, language, shown)
    return ParsedSource(file, language, data, text, encoding, tree)


@functools.cache
def _grammar(language: Language) -> "Grammar":
    from tree_sitter import Language as Grammar  # late: start-up: tree_sitter

    return Grammar(_grammar_pointer(language))


def _grammar_pointer(language: Language) -> object:
    if language is Language.PYTHON:
        import tree_sitter_python  # late: a grammar is large, and most runs need one

        return tree_sitter_python.language()
    if language is Language.DART:
        import tree_sitter_dart  # late: a grammar is large, and most runs need one

        return tree_sitter_dart.language()
    if language is Language.JAVASCRIPT:
        import tree_sitter_javascript  # late: a grammar is large, and most runs need one

        return tree_sitter_javascript.language()
    import tree_sitter_typescript  # late: a grammar is large, and most runs need one

    tsx = language is Language.TSX
    return tree_sitter_typescript.language_tsx() if tsx else tree_sitter_typescript.language_typescript()


def _decoded(data: bytes, language: Language, shown: str) -> tuple[str, bytes]:
    """The file's encoding, and its text in UTF-8."""
    encoding = "utf-8"
    if language is Language.PYTHON:
        try:
            named, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        except SyntaxError as error:  # an unknown encoding, or one that the byte order mark denies
            raise InvalidTestEncoding(f"{shown}: {error.msg}.", next_step="Save it as UTF-8.") from None
        encoding = "utf-8" if named == "utf-8-sig" else named
    try:
        text = data.decode(encoding)
        survives = text.encode(encoding) == data
    except (UnicodeError, LookupError, ValueError):
        survives = False
    if not survives:
        raise InvalidTestEncoding(f"{shown} holds bytes that are not {encoding}.", next_step="Save it as UTF-8.")
    return encoding, data if encoding == "utf-8" else text.encode()


def _refuse_brackets(text: bytes, shown: str) -> None:
    """Some grammars take minutes over thousands of open brackets; those in strings and comments are few enough."""
    depth = 0
    for found in _BRACKET.finditer(text):
        depth += 1 if found[0] in b"([{" else -1
        if depth > MOST_OPEN_BRACKETS:
            line = text.count(b"\n", 0, found.start()) + 1
            raise InvalidTestSyntax(
                f"{shown}, line {line}: more than {MOST_OPEN_BRACKETS} brackets are open.",
                next_step="Make the code flatter.",
            )


def _refuse_toil(parser: "Parser", text: bytes, language: Language, shown: str) -> None:
    """Recovering from endless errors takes the square of a file's length: the start of a long one is tried first."""
    for size in _TRIED_FIRST:
        if len(text) <= size:
            return
        started = time.thread_time()
        tree = parser.parse(text[:size])
        if tree.root_node.has_error and time.thread_time() - started > _SECONDS_PER_BYTE * size:
            raise InvalidTestSyntax(
                f"{shown}, line 1: far too much of this is not valid {_NAMES[language]}.", next_step="Mend the file."
            )


def _refuse_errors(tree: "Tree", language: Language, shown: str) -> None:
    """Raise for the first thing that is not syntax, and for nesting that is too deep for the parsers that follow."""
    cursor = tree.walk()
    if tree.root_node.has_error:
        line = _line_of_error(tree.root_node)
        raise InvalidTestSyntax(
            f"{shown}, line {line}: this is not valid {_NAMES[language]}.", next_step="Mend the file."
        )
    while True:
        if cursor.depth > MOST_NESTING:
            assert cursor.node is not None
            line = cursor.node.start_point.row + 1
            raise InvalidTestSyntax(
                f"{shown}, line {line}: the code is nested deeper than {MOST_NESTING} levels.",
                next_step="Make the code flatter.",
            )
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _line_of_error(root: "Node") -> int:
    node = root
    while not (node.is_error or node.is_missing):
        below = next((child for child in node.children if child.has_error or child.is_missing), None)
        if below is None:
            break
        node = below
    return node.start_point.row + 1


def _refuse_bad_python(text: bytes, shown: str) -> None:
    """Python's own parser comes first: it is quick to refuse, and tree-sitter forgives what it does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text.removeprefix(BOM).decode())  # as text: a coding line is only a comment then
    except SyntaxError as error:
        raise InvalidTestSyntax(
            f"{shown}, line {error.lineno or 1}: {error.msg}.", next_step="Mend the file."
        ) from None
    except (RecursionError, MemoryError, ValueError):
        raise InvalidTestSyntax(
            f"{shown}: the code is nested too deeply to be read.", next_step="Make the code flatter."
        ) from None
